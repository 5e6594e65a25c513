#include "load/gltf/materials.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <utility>

#include "base/one_line.h"
#include "load/gltf/values.h"
#include "load/json/json_reader.h"

namespace winnow {
namespace {

float largest(glm::vec3 color) {
  return std::max({color.x, color.y, color.z});
}

/// Builds one material.
class MaterialBuilder {
 public:
  MaterialBuilder(GltfDocument& document, GltfTextures& textures, const tinygltf::Material& source,
                  const std::string& place)
      : document_(document), textures_(textures), source_(source), place_(place) {
    material_.type = MaterialType::kPrincipled;
    add_metallic_roughness();
    if (const auto* extension = find("KHR_materials_pbrSpecularGlossiness"))
      add_specular_glossiness(*extension);
    add_boundary();
    add_layers();
    add_emission();
    add_normal();
    add_alpha();
    if (find("KHR_materials_unlit")) make_unlit();
    choose_pane();
  }

  const Material& material() const { return material_; }
  int uv_set() const { return uv_set_.value_or(0); }

 private:
  const tinygltf::Value* find(const char* extension) const {
    return find_extension(source_.extensions, extension);
  }
  void warn(const std::string& what) { document_.warn(place_, what); }

  uint32_t texture(const GltfTextureInfo& info, TexelMeaning meaning) {
    const uint32_t texture = textures_.add(info, meaning, place_);
    if (texture == kNoTexture) return texture;
    if (uv_set_ && *uv_set_ != info.uv_set)
      warn("textures of one material use several sets of texture coordinates; the first is used");
    if (!uv_set_) uv_set_ = info.uv_set;
    return texture;
  }

  template <class Info>
  static GltfTextureInfo info_of(const Info& info) {
    return gltf_texture_info(info.index, info.texCoord, info.extensions);
  }

  /// Says that textures of an extension are left out, if there are any.
  void warn_of_textures(const tinygltf::Value& extension, const char* name) {
    for (const std::string& key : extension.Keys())
      if (key.ends_with("Texture"))
        warn(fmt::format("the {} of {} is left out; its factors count", key, name));
  }

  void add_metallic_roughness() {
    const tinygltf::PbrMetallicRoughness& source = source_.pbrMetallicRoughness;
    const std::vector<double>& factor = source.baseColorFactor;
    constexpr size_t kAlpha = 3;
    material_.reflectance = color(factor, glm::vec3(1.0f));
    alpha_ = factor.size() > kAlpha ? fraction(factor[kAlpha]) : 1.0f;
    material_.metallic = fraction(source.metallicFactor);
    material_.roughness = fraction(source.roughnessFactor);
    material_.textures.reflectance =
        texture(info_of(source.baseColorTexture), TexelMeaning::kColor);
    material_.textures.roughness_metallic =
        texture(info_of(source.metallicRoughnessTexture), TexelMeaning::kData);
  }

  /// The metal between a diffuse and a specular colour that comes nearest to both: where a surface
  /// with reflectance 0.04 below a share 1 - m of diffuse, and the colour itself in the share m,
  /// reflects as much as the two. The extension is the older way to describe a surface.
  void add_specular_glossiness(const tinygltf::Value& extension) {
    constexpr float kDielectric = 0.04f, kTiny = 1e-6f;
    const glm::vec3 diffuse = color_of(extension, "diffuseFactor", glm::vec3(1.0f));
    const glm::vec3 specular = color_of(extension, "specularFactor", glm::vec3(1.0f));
    const std::vector<double> factor = numbers_of(extension, "diffuseFactor");
    constexpr size_t kAlpha = 3;
    alpha_ = factor.size() > kAlpha ? fraction(factor[kAlpha]) : 1.0f;

    const float most = largest(specular);
    float metallic = 0.0f;
    if (most > kDielectric) {
      // diffuse (1 - most) / (1 - 0.04) = base (1 - m),  most = 0.04 (1 - m) + base m
      const float shown = largest(diffuse) * (1.0f - most) / (1.0f - kDielectric);
      const float b = shown + most - 2.0f * kDielectric;
      const float root =
          std::sqrt(std::max(b * b - 4.0f * kDielectric * (kDielectric - most), 0.0f));
      metallic = std::clamp((root - b) / (2.0f * kDielectric), 0.0f, 1.0f);
    }
    const glm::vec3 from_diffuse =
        diffuse * ((1.0f - most) / ((1.0f - kDielectric) * std::max(1.0f - metallic, kTiny)));
    const glm::vec3 from_specular =
        (specular - kDielectric * (1.0f - metallic)) / std::max(metallic, kTiny);
    material_.reflectance =
        glm::clamp(glm::mix(from_diffuse, from_specular, metallic * metallic), 0.0f, 1.0f);
    material_.metallic = metallic;
    material_.roughness = 1.0f - fraction_of(extension, "glossinessFactor", 1.0);
    material_.textures.roughness_metallic = kNoTexture;
    uv_set_.reset();
    material_.textures.reflectance =
        texture(gltf_texture_info(extension, "diffuseTexture"), TexelMeaning::kColor);
    warn("specular and glossiness become metal and roughness, nearly");
    if (find_value(extension, "specularGlossinessTexture"))
      warn("a specularGlossinessTexture is left out; its factors count");
  }

  /// What of the light is reflected at once, and whether the rest passes through.
  void add_boundary() {
    constexpr float kMinIor = 1.0001f, kMaxIor = 100.0f;
    if (const auto* ior = find("KHR_materials_ior"))
      material_.ior = std::clamp(float(number_of(*ior, "ior", material_.ior)), kMinIor, kMaxIor);
    if (const auto* transmission = find("KHR_materials_transmission")) {
      material_.transmission = fraction_of(*transmission, "transmissionFactor", 0.0);
      material_.textures.transmission =
          texture(gltf_texture_info(*transmission, "transmissionTexture"), TexelMeaning::kData);
    }
    if (const auto* volume = find("KHR_materials_volume")) {
      is_solid_ = number_of(*volume, "thicknessFactor", 0.0) > 0.0;
      if (color_of(*volume, "attenuationColor", glm::vec3(1.0f)) != glm::vec3(1.0f))
        warn("light is not attenuated inside of a volume");
    }
    if (const auto* specular = find("KHR_materials_specular")) {
      const glm::vec3 by_default(1.0f);
      material_.specular = fraction_of(*specular, "specularFactor", 1.0) *
                           color_of(*specular, "specularColorFactor", by_default);
      warn_of_textures(*specular, "KHR_materials_specular");
    }
  }

  void add_layers() {
    if (const auto* coat = find("KHR_materials_clearcoat")) {
      material_.coat = fraction_of(*coat, "clearcoatFactor", 0.0);
      material_.coat_roughness = fraction_of(*coat, "clearcoatRoughnessFactor", 0.0);
      warn_of_textures(*coat, "KHR_materials_clearcoat");
    }
    if (const auto* sheen = find("KHR_materials_sheen")) {
      material_.sheen = color_of(*sheen, "sheenColorFactor", glm::vec3(0.0f));
      material_.sheen_roughness = fraction_of(*sheen, "sheenRoughnessFactor", 0.0);
      warn_of_textures(*sheen, "KHR_materials_sheen");
    }
    if (const auto* anisotropy = find("KHR_materials_anisotropy")) add_anisotropy(*anisotropy);
    for (const char* name : {"KHR_materials_iridescence", "KHR_materials_dispersion",
                             "KHR_materials_diffuse_transmission"})
      if (find(name)) warn(fmt::format("{} is read past", name));
  }

  /// In glTF a strength makes the surface rougher in one direction and leaves the other as it is.
  void add_anisotropy(const tinygltf::Value& extension) {
    constexpr double kQuarterTurn = 1.57079632679489662, kNear = 0.01;
    constexpr float kMinAlpha = 1e-3f;
    const float strength = fraction_of(extension, "anisotropyStrength", 0.0);
    const double turns = number_of(extension, "anisotropyRotation", 0.0) / kQuarterTurn;
    const double whole = std::round(turns);
    if (std::abs(turns - whole) > kNear)
      warn("anisotropy turns by quarters only; another rotation goes to the nearest of these");
    const bool is_across = std::fmod(std::abs(whole), 2.0) == 1.0;

    const float alpha = std::max(material_.roughness * material_.roughness, kMinAlpha);
    const float rougher = glm::mix(alpha, 1.0f, strength * strength);
    const float anisotropy = (rougher - alpha) / (rougher + alpha);
    material_.anisotropy = is_across ? -anisotropy : anisotropy;
    material_.roughness = std::sqrt(std::sqrt(rougher * alpha));
    warn_of_textures(extension, "KHR_materials_anisotropy");
  }

  void add_emission() {
    const auto* extension = find("KHR_materials_emissive_strength");
    const double strength =
        extension ? std::max(number_of(*extension, "emissiveStrength", 1.0), 0.0) : 1.0;
    const glm::vec3 factor = color(source_.emissiveFactor, glm::vec3(0.0f), kMaxSceneValue);
    material_.emission = glm::min(glm::dvec3(factor) * strength, glm::dvec3(kMaxSceneValue));
    if (emits(material_))
      material_.textures.emission = texture(info_of(source_.emissiveTexture), TexelMeaning::kColor);
  }

  void add_normal() {
    material_.textures.normal = texture(info_of(source_.normalTexture), TexelMeaning::kData);
    if (material_.textures.normal != kNoTexture)
      material_.normal_scale =
          float(std::clamp(source_.normalTexture.scale, -kMaxSceneValue, kMaxSceneValue));
  }

  void add_alpha() {
    const bool is_mask = source_.alphaMode == "MASK";
    if (!is_mask && source_.alphaMode != "BLEND") return;
    if (is_mask && source_.alphaCutoff <= 0.0) return;  // all of it is there
    material_.alpha = alpha_;
    if (is_mask) material_.alpha_cutoff = fraction(source_.alphaCutoff);
    if (is_mask && source_.alphaCutoff > 1.0) material_.alpha = 0.0f;  // nothing reaches it
    if (textures_.is_see_through(material_.textures.reflectance))
      material_.textures.alpha = material_.textures.reflectance;
  }

  /// Shows its colour in whatever light.
  void make_unlit() {
    Material unlit{.type = MaterialType::kDiffuse,
                   .reflectance = glm::vec3(0.0f),
                   .emission = material_.reflectance};
    unlit.textures.emission = material_.textures.reflectance;
    unlit.textures.alpha = material_.textures.alpha;
    unlit.alpha = material_.alpha;
    unlit.alpha_cutoff = material_.alpha_cutoff;
    material_ = unlit;
  }

  /// What lets light through and has no thickness does not bend it.
  void choose_pane() {
    constexpr float kSmooth = 0.05f;
    if (material_.transmission == 0.0f || is_solid_) return;
    const bool is_clear =
        material_.transmission == 1.0f && material_.textures.transmission == kNoTexture &&
        material_.metallic == 0.0f && material_.roughness <= kSmooth && material_.coat == 0.0f;
    if (is_clear)
      material_.type = MaterialType::kThinDielectric;
    else
      warn("a surface without thickness that lets light through bends it");
  }

  GltfDocument& document_;
  GltfTextures& textures_;
  const tinygltf::Material& source_;
  const std::string& place_;
  Material material_;
  float alpha_ = 1.0f;
  bool is_solid_ = false;
  std::optional<int> uv_set_;
};

}  // namespace

GltfMaterials::Used GltfMaterials::use(int number, const std::string& place) {
  const auto [known, is_new] = used_.try_emplace(std::max(number, -1));
  if (!is_new) return known->second;
  const tinygltf::Material by_default;
  const bool has_own = number >= 0;
  const tinygltf::Material& source =
      has_own ? document_.item(document_.model().materials, number, place) : by_default;
  const std::string own_place = fmt::format("/materials/{}", number);
  const MaterialBuilder builder(document_, textures_, source, has_own ? own_place : place);
  known->second = {.material = uint32_t(scene_.materials.size()), .uv_set = builder.uv_set()};
  scene_.materials.push_back(builder.material());
  if (!source.name.empty())
    scene_.material_names.push_back(one_line(source.name));
  else
    scene_.material_names.push_back(has_own ? fmt::format("material {}", number) : "(none)");
  return known->second;
}

}  // namespace winnow
