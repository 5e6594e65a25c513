// SPDX-License-Identifier: MIT
#include "load/gltf/materials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/exponential.hpp>

#include "base/error.h"
#include "base/limits.h"
#include "load/gltf/values.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

constexpr double kQuarterTurn = 1.57079632679489662;  // rad

/// Texel of KHR_materials_anisotropy with full strength along the tangent.
constexpr glm::u8vec4 kAlongTangent{255, 128, 255, 255};

/// Returns the single-scattering albedo of a thick medium that reflects `color`: the inverse of
/// color = (1 - s) (1 - 0.139 s) / (1 + 1.17 s) with s^2 = (1 - albedo) / (1 - g albedo).
/// Van de Hulst, "Multiple Light Scattering", 1980.
glm::vec3 scattering_albedo(glm::vec3 color, float g) {
  constexpr float kAbove = 0.139f, kBelow = 1.17f;
  const glm::vec3 b = (1.0f + kAbove) + kBelow * color;
  const glm::vec3 s = (b - glm::sqrt(b * b - 4.0f * kAbove * (1.0f - color))) / (2.0f * kAbove);
  return glm::clamp((1.0f - s * s) / (1.0f - g * s * s), 0.0f, 1.0f);
}

class MaterialBuilder {
 public:
  MaterialBuilder(GltfDocument& document, GltfTextures& textures, const JsonReader& source)
      : document_(document), textures_(textures), source_(source) {
    material_.type = MaterialType::kPrincipled;
    add_metallic_roughness();
    if (const auto extension = find("KHR_materials_pbrSpecularGlossiness"))
      add_specular_glossiness(*extension);
    add_diffuse_transmission();
    add_boundary();
    add_layers();
    add_emission();
    add_normal();
    add_alpha();
    if (document_.is_by_blender()) read_as_blender_means(source_, is_solid_, document_, material_);
    if (find("KHR_materials_unlit")) make_unlit();
    choose_sheet();
  }

  const Material& material() const { return material_; }
  GltfUvSets uv_sets() const { return {uv_set_.value_or(0), second_uv_set_}; }
  bool is_opaque() const { return is_opaque_; }
  const std::optional<Medium>& medium() const { return medium_; }

 private:
  std::optional<JsonReader> find(const char* extension) const {
    return find_extension(source_, extension);
  }
  void warn(const std::string& what) { document_.warn(source_.pointer(), what); }

  /// Sets the texture of a use to that of `key` in `object`. Returns false if there is none.
  bool add_texture(const std::optional<JsonReader>& object, const char* key, TextureUse use) {
    const TextureSlot& slot = texture_slots()[size_t(use)];
    const GltfTextureInfo info = gltf_texture_info(object, key);
    const uint32_t texture = material_.textures.*slot.texture = textures_.add(info, slot.meaning);
    if (texture != kNoTexture) put_on_uvs(info.uv_set, use);
    return texture != kNoTexture;
  }

  /// Returns the index of the texture that a member refers to; -1 if there is none.
  static double texture_index(const JsonReader& object, const char* key) {
    const GltfTextureInfo info = gltf_texture_info(object, key);
    return info.index ? info.index->number_or(-1.0) : -1.0;
  }

  void put_on_uvs(int set, TextureUse use) {
    if (!uv_set_) uv_set_ = set;
    if (set == *uv_set_) return;
    if (!second_uv_set_) second_uv_set_ = set;
    if (set == *second_uv_set_)
      put_on_second_uvs(material_.textures, use);
    else
      warn(
          "textures of one material use more than two sets of texture coordinates; the first is "
          "used");
  }

  /// Sets the texture of a use to one with channels of the textures of two members of `extension`.
  /// @return  factor of the values of the second one
  glm::vec4 merged_textures(const JsonReader& extension, const char* first, const char* second,
                            ChannelMerge merge, TextureUse use) {
    const GltfTextureInfo a = gltf_texture_info(extension, first),
                          b = gltf_texture_info(extension, second);
    // Not assigned to a MergedTexture: g++ 12 lets the call write to it before an exception.
    std::optional<MergedTexture> found;
    document_.attempt("the texture is left out",
                      [&] { found.emplace(textures_.add_merged(a, b, merge)); });
    const MergedTexture merged = found.value_or(MergedTexture{});
    material_.textures.*texture_slots()[size_t(use)].texture = merged.texture;
    if (merged.texture != kNoTexture) put_on_uvs((a.index ? a : b).uv_set, use);
    return merged.second_mean;
  }

  /// Returns the fourth number of a colour; 1 if it is missing.
  static float alpha_of(const JsonReader& object, const char* key) {
    constexpr size_t kAlpha = 3;
    const std::vector<double> numbers = numbers_of(object, key);
    return numbers.size() > kAlpha ? fraction(numbers[kAlpha]) : 1.0f;
  }

  void add_metallic_roughness() {
    const auto pbr = find_member(source_, "pbrMetallicRoughness");
    const JsonReader& source =
        pbr ? *pbr : source_;  // without `pbr`, the source has none of these members
    material_.reflectance = color_of(source, "baseColorFactor", glm::vec3(1.0f));
    alpha_ = alpha_of(source, "baseColorFactor");
    material_.metallic = fraction_of(source, "metallicFactor", 1.0);
    material_.roughness = fraction_of(source, "roughnessFactor", 1.0);
    add_texture(pbr, "baseColorTexture", TextureUse::kReflectance);
    add_texture(pbr, "metallicRoughnessTexture", TextureUse::kRoughnessMetallic);
  }

  void add_specular_glossiness(const JsonReader& extension) {
    warn("specular and glossiness are approximated by metallic and roughness");
    const SpecularGlossiness factors{
        .diffuse = color_of(extension, "diffuseFactor", glm::vec3(1.0f)),
        .specular = color_of(extension, "specularFactor", glm::vec3(1.0f)),
        .glossiness = fraction_of(extension, "glossinessFactor", 1.0)};
    alpha_ = alpha_of(extension, "diffuseFactor");
    uv_set_.reset();
    second_uv_set_.reset();
    material_.textures.on_second_uvs = 0;
    const GltfTextureInfo diffuse = gltf_texture_info(extension, "diffuseTexture"),
                          specular = gltf_texture_info(extension, "specularGlossinessTexture");
    if (const auto added = textures_.add_specular_glossiness(diffuse, specular, factors)) {
      uv_set_ = specular.uv_set;
      material_.reflectance = glm::vec3(1.0f);
      material_.metallic = material_.roughness = 1.0f;
      material_.textures.reflectance = added->base_color;
      material_.textures.roughness_metallic = added->roughness_metallic;
      return;
    }
    const MetallicRoughness surface = metallic_roughness_of(factors);
    material_.reflectance = surface.base_color;
    material_.metallic = surface.metallic;
    material_.roughness = surface.roughness;
    material_.textures.roughness_metallic = kNoTexture;
    add_texture(extension, "diffuseTexture", TextureUse::kReflectance);
  }

  void add_diffuse_transmission() {
    const auto extension = find("KHR_materials_diffuse_transmission");
    if (!extension) return;
    material_.diffuse_transmission = fraction_of(*extension, "diffuseTransmissionFactor", 0.0);
    material_.diffuse_transmission_color =
        color_of(*extension, "diffuseTransmissionColorFactor", glm::vec3(1.0f));
    if (material_.diffuse_transmission == 0.0f) return;
    material_.diffuse_transmission *=
        merged_textures(*extension, "diffuseTransmissionColorTexture", "diffuseTransmissionTexture",
                        ChannelMerge::kColorAlpha, TextureUse::kDiffuseTransmission)
            .a;
  }

  /// Sets index of refraction, transmission, volume and specular reflection.
  void add_boundary() {
    if (const auto ior = find("KHR_materials_ior")) set_index(number_of(*ior, "ior", 1.5));
    if (const auto transmission = find("KHR_materials_transmission")) {
      material_.transmission = fraction_of(*transmission, "transmissionFactor", 0.0);
      add_texture(transmission, "transmissionTexture", TextureUse::kTransmission);
    }
    if (const auto volume = find("KHR_materials_volume")) {
      is_solid_ = number_of(*volume, "thicknessFactor", 0.0) > 0.0;
      const bool is_entered =
          material_.transmission > 0.0f || material_.diffuse_transmission > 0.0f;
      if (is_solid_ && is_entered) add_medium(*volume);
    }
    if (const auto specular = find("KHR_materials_specular")) {
      material_.specular = glm::vec3(fraction_of(*specular, "specularFactor", 1.0));
      material_.specular_tint =
          color_of(*specular, "specularColorFactor", glm::vec3(1.0f), kMaxSceneValue);
      material_.specular *= merged_textures(*specular, "specularColorTexture", "specularTexture",
                                            ChannelMerge::kColorAlpha, TextureUse::kSpecularTint)
                                .a;
    }
  }

  /// @param ior  0 stands for infinity, as in KHR_materials_ior
  void set_index(double ior) {
    constexpr double kMin = 1.0001;
    if (ior < 1.0 && ior != 0.0) warn("an index of refraction below 1 becomes 1");
    constexpr float kRough = 0.3f;
    if (ior == 0.0 && material_.roughness > kRough && material_.metallic < 1.0f)
      warn("an index of 0 reflects all light, but rough surfaces lose some: 8.5 % at 0.5");
    material_.ior = ior == 0.0 ? kInfiniteIor : float(std::clamp(ior, kMin, double(kInfiniteIor)));
  }

  /// Sets the medium: white light gets the attenuation colour over the attenuation distance, except
  /// in a file of Blender. With KHR_materials_volume_scatter, a part of the lost light is
  /// scattered.
  void add_medium(const JsonReader& volume) {
    constexpr float kMinTransmitted = 1e-6f;
    const glm::vec3 color = color_of(volume, "attenuationColor", glm::vec3(1.0f));
    const double distance = number_of(volume, "attenuationDistance", 0.0);
    const bool attenuates = distance > 0.0 && color != glm::vec3(1.0f);
    if (!attenuates) return;
    const glm::vec3 over_distance = document_.is_by_blender()
                                        ? 1.0f - color  // as a node Volume Absorption means it
                                        : -glm::log(glm::max(color, glm::vec3(kMinTransmitted)));
    const glm::vec3 lost = glm::min(over_distance / float(distance), glm::vec3(kMaxSceneValue));
    medium_ = {.absorption = lost};
    const auto scatter = find("KHR_materials_volume_scatter");
    if (!scatter) return;
    if (scatter->has("multiscatterColorTexture"))
      warn("the multiscatterColorTexture of a volume is ignored; its factor is used");
    constexpr double kMaxAsymmetry = 0.999;
    medium_->asymmetry =
        number_in(*scatter, "scatterAnisotropy", 0.0, -kMaxAsymmetry, kMaxAsymmetry);
    const char* key =
        scatter->has("multiscatterColorFactor") ? "multiscatterColorFactor" : "multiscatterColor";
    medium_->scattering =
        lost * scattering_albedo(color_of(*scatter, key, glm::vec3(0.0f)), medium_->asymmetry);
    medium_->absorption = lost - medium_->scattering;
  }

  void add_layers() {
    if (const auto coat = find("KHR_materials_clearcoat")) add_coat(*coat);
    if (const auto sheen = find("KHR_materials_sheen")) {
      material_.sheen = color_of(*sheen, "sheenColorFactor", glm::vec3(0.0f));
      material_.sheen_roughness = fraction_of(*sheen, "sheenRoughnessFactor", 0.0);
      if (material_.sheen != glm::vec3(0.0f))
        material_.sheen_roughness *=
            merged_textures(*sheen, "sheenColorTexture", "sheenRoughnessTexture",
                            ChannelMerge::kColorAlpha, TextureUse::kSheen)
                .a;
    }
    if (const auto iridescence = find("KHR_materials_iridescence")) add_film(*iridescence);
    if (const auto anisotropy = find("KHR_materials_anisotropy")) add_anisotropy(*anisotropy);
    if (const auto dispersion = find("KHR_materials_dispersion")) {
      constexpr double kMaxDispersion = 40.0;  // gives the index 1 for red
      material_.dispersion = number_in(*dispersion, "dispersion", 0.0, 0.0, kMaxDispersion);
    }
  }

  void add_coat(const JsonReader& extension) {
    material_.coat = fraction_of(extension, "clearcoatFactor", 0.0);
    material_.coat_roughness = fraction_of(extension, "clearcoatRoughnessFactor", 0.0);
    if (material_.coat == 0.0f) return;
    material_.coat_roughness *=
        merged_textures(extension, "clearcoatTexture", "clearcoatRoughnessTexture",
                        ChannelMerge::kRedGreen, TextureUse::kCoat)
            .g;
    // In glTF, a clear coat is smooth unless it has its own normal map.
    const double below = texture_index(source_, "normalTexture"),
                 own = texture_index(extension, "clearcoatNormalTexture");
    if (own != below) warn("a clear coat has the normals of the surface below it");
  }

  void add_film(const JsonReader& extension) {
    constexpr double kMinIndex = 1.0, kMaxIndex = 100.0, kMaxThickness = 1e6;  // nm
    material_.iridescence = fraction_of(extension, "iridescenceFactor", 0.0);
    material_.iridescence_ior = number_in(extension, "iridescenceIor", 1.3, kMinIndex, kMaxIndex);
    glm::vec2& range = material_.film_thickness;
    range = {number_in(extension, "iridescenceThicknessMinimum", 100.0, 0.0, kMaxThickness),
             number_in(extension, "iridescenceThicknessMaximum", 400.0, 0.0, kMaxThickness)};
    if (material_.iridescence == 0.0f) return;
    if (material_.specular_tint != glm::vec3(1.0f) ||
        material_.textures.specular_tint != kNoTexture)
      warn("an iridescent film ignores the specular colour of the surface below it");
    const glm::vec4 mean =
        merged_textures(extension, "iridescenceTexture", "iridescenceThicknessTexture",
                        ChannelMerge::kRedGreen, TextureUse::kIridescence);
    range.y = glm::mix(range.x, range.y, mean.g);
  }

  /// Sets anisotropy. In glTF it makes the surface rougher along one direction and keeps the
  /// roughness across; in Winnow, it does so if the material has an anisotropy texture.
  void add_anisotropy(const JsonReader& extension) {
    const float strength = fraction_of(extension, "anisotropyStrength", 0.0);
    if (strength == 0.0f) return;
    const double rotation = number_of(extension, "anisotropyRotation", 0.0);
    uint32_t& directions = material_.textures.anisotropy;
    document_.attempt("the texture is left out", [&] {
      add_texture(extension, "anisotropyTexture", TextureUse::kAnisotropy);
    });
    if (directions == kNoTexture && material_.textures.roughness_metallic != kNoTexture)
      directions = textures_.add_constant(kAlongTangent);
    if (directions != kNoTexture) {
      material_.anisotropy = strength;
      material_.anisotropy_rotation = float(std::remainder(rotation, 4.0 * kQuarterTurn));
      return;
    }
    const float alpha = std::max(material_.roughness * material_.roughness, kMinGgxAlpha);
    const float rougher = glm::mix(alpha, 1.0f, strength * strength);
    material_.anisotropy = (rougher - alpha) / (rougher + alpha);
    material_.roughness = std::sqrt(std::sqrt(rougher * alpha));
    rotate_anisotropy(rotation);
  }

  /// Rotates anisotropy without a texture. A quarter turn swaps along and across.
  void rotate_anisotropy(double rotation) {
    constexpr double kNear = 1e-4;
    const double turns = rotation / kQuarterTurn, whole = std::round(turns);
    if (std::abs(turns - whole) > kNear)
      material_.anisotropy_rotation = float(std::remainder(rotation, 2.0 * kQuarterTurn));
    else if (std::fmod(std::abs(whole), 2.0) == 1.0)
      material_.anisotropy = -material_.anisotropy;
  }

  void add_emission() {
    const auto extension = find("KHR_materials_emissive_strength");
    const double strength =
        extension ? std::max(number_of(*extension, "emissiveStrength", 1.0), 0.0) : 1.0;
    const glm::vec3 factor = color_of(source_, "emissiveFactor", glm::vec3(0.0f), kMaxSceneValue);
    material_.emission = glm::min(glm::dvec3(factor) * strength, glm::dvec3(kMaxSceneValue));
    if (emits(material_)) add_texture(source_, "emissiveTexture", TextureUse::kEmission);
  }

  void add_normal() {
    if (!add_texture(source_, "normalTexture", TextureUse::kNormal)) return;
    material_.normal_scale =
        number_in(source_.at("normalTexture"), "scale", 1.0, -kMaxSceneValue, kMaxSceneValue);
    uint32_t& normals = material_.textures.normal;  // Cycles turns the image alone
    if (!document_.is_by_blender()) normals = textures_.with_turned_normals(normals);
  }

  void add_alpha() {
    const std::string mode = text_of(source_, "alphaMode", "OPAQUE");
    const bool is_mask = mode == "MASK";
    const double cutoff = number_of(source_, "alphaCutoff", 0.5);
    if (!is_mask && mode != "BLEND") {
      if (mode != "OPAQUE")
        warn(fmt::format("the alphaMode {} is not known; the surface is opaque", in_quotes(mode)));
      if (document_.is_by_blender())
        for (uint32_t* texture : {&material_.textures.reflectance, &material_.textures.emission})
          multiply_by_alpha(*texture);
      return;
    }
    if (is_mask && cutoff <= 0.0) return;  // every alpha reaches the cutoff
    is_opaque_ = false;
    material_.alpha = alpha_;
    if (is_mask) material_.alpha_cutoff = fraction(cutoff);
    if (is_mask && cutoff > 1.0) material_.alpha = 0.0f;  // no alpha reaches the cutoff
    if (!textures_.is_see_through(material_.textures.reflectance)) return;
    material_.textures.alpha = material_.textures.reflectance;
    if (is_on_second_uvs(material_.textures, TextureUse::kReflectance))
      put_on_second_uvs(material_.textures, TextureUse::kAlpha);
  }

  /// Multiplies a colour by the alpha of its image, as Cycles does where only the colour is used.
  void multiply_by_alpha(uint32_t& texture) {
    if (!textures_.is_see_through(texture)) return;
    texture = textures_.multiplied_by_alpha(texture);
    warn(
        "the colour of an opaque surface is multiplied by the alpha of its image, as in Blender "
        "unless the alpha mode of the image is Channel Packed or None");
  }

  /// Replaces reflection by emission, so that the colour does not depend on light.
  void make_unlit() {
    Material unlit{.type = MaterialType::kDiffuse,
                   .reflectance = glm::vec3(0.0f),
                   .emission = material_.reflectance};
    unlit.textures.emission = material_.textures.reflectance;
    unlit.textures.alpha = material_.textures.alpha;
    if (is_on_second_uvs(material_.textures, TextureUse::kReflectance)) {
      put_on_second_uvs(unlit.textures, TextureUse::kEmission);
      put_on_second_uvs(unlit.textures, TextureUse::kAlpha);
    }
    unlit.alpha = material_.alpha;
    unlit.alpha_cutoff = material_.alpha_cutoff;
    material_ = unlit;
    medium_.reset();
  }

  /// Makes a transmissive surface without thickness a sheet, which neither refracts nor disperses.
  void choose_sheet() {
    if (material_.transmission == 0.0f || is_solid_) return;
    material_.thin = true;
    material_.dispersion = 0.0f;
  }

  GltfDocument& document_;
  GltfTextures& textures_;
  const JsonReader source_;
  Material material_;
  std::optional<Medium> medium_;
  float alpha_ = 1.0f;
  bool is_solid_ = false, is_opaque_ = true;
  std::optional<int> uv_set_, second_uv_set_;
};

}  // namespace

/// Returns the material that a primitive has in the chosen variant, or else its own, as an index.
std::optional<JsonReader> GltfMaterials::reference_of(const JsonReader& primitive) const {
  const auto extension = find_extension(primitive, "KHR_materials_variants");
  if (variant_ && extension)
    for (const JsonReader& mapping : items_of(find_member(extension, "mappings")))
      for (const JsonReader& variant : items_of(find_member(mapping, "variants")))
        if (variant.number_or(-1.0) == double(*variant_)) return mapping.at("material");
  return primitive.find("material");
}

/// Returns the index of the material of a primitive; nothing if it has none that the file defines.
std::optional<uint32_t> GltfMaterials::index_of(const JsonReader& primitive) {
  std::optional<uint32_t> index;
  document_.attempt("glTF's default material is used", [&] {
    if (const auto reference = reference_of(primitive))
      index = document_.index("materials", *reference);
  });
  return index;
}

const GltfMaterials::Source& GltfMaterials::source_of(const JsonReader& primitive) {
  static const nlohmann::json kDefault = nlohmann::json::object();
  static const nlohmann::json kDefaultOfBlender = {
      // a diffuse grey
      {"pbrMetallicRoughness", {{"baseColorFactor", {0.8, 0.8, 0.8, 1}}, {"metallicFactor", 0}}},
      {"extensions", {{"KHR_materials_specular", {{"specularFactor", 0}}}}}};
  const std::optional<uint32_t> index = index_of(primitive);
  const auto [known, is_new] = sources_.try_emplace(index);
  if (!is_new) return known->second;
  const nlohmann::json& by_default = document_.is_by_blender() ? kDefaultOfBlender : kDefault;
  const JsonReader json = index ? document_.item("materials", *index)
                                : JsonReader(by_default, document_.name(), primitive.pointer());
  const MaterialBuilder builder(document_, textures_, json);
  const std::string name = text_of(json, "name", "");
  known->second = {.index = index,
                   .material = builder.material(),
                   .name = !name.empty() ? one_line(name)
                           : index       ? fmt::format("material {}", *index)
                                         : "(none)",
                   .uv_sets = builder.uv_sets(),
                   .is_anisotropic = builder.material().anisotropy != 0.0f,
                   .is_opaque = builder.is_opaque(),
                   .is_unlit = find_extension(json, "KHR_materials_unlit").has_value()};
  if (builder.medium()) {
    Material& material = known->second.material;
    material.bounds_media = true;
    material.interior = uint32_t(scene_.media.size());
    scene_.media.push_back(*builder.medium());
  }
  return known->second;
}

uint32_t GltfMaterials::use(const Source& source, const GltfVertexColors& colors) {
  GltfVertexColors used = colors;
  used.has_alpha = colors.has_alpha && !source.is_opaque;
  const auto [known, is_new] =
      used_.try_emplace({source.index, used}, uint32_t(scene_.materials.size()));
  if (!is_new) return known->second;
  Material material = source.material;
  material.vertex_colors = used.has_colors;
  material.vertex_alpha = used.has_alpha;
  // Vertex colours do not multiply the emission of a black surface.
  if (has_colored_emission(material) && !source.is_unlit) material.vertex_colors = false;
  scene_.materials.push_back(material);
  scene_.material_names.push_back(source.name);
  return known->second;
}

}  // namespace winnow
