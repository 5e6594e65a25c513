// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/mat2x2.hpp>
#include <glm/matrix.hpp>
#include <initializer_list>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>

#include "image/image_formats.h"
#include "image/srgb.h"
#include "load/gltf/glb_document.h"
#include "load/textures/texels.h"
#include "load/textures/texture_library.h"
#include "scene/boundary.h"
#include "scene/optical_constants.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

using Json = GlbDocument::Json;

Json color_json(glm::vec3 color) {
  return {color.x, color.y, color.z};
}

uint8_t byte_of(float value, bool is_color) {
  constexpr float kMax = 255.0f;
  if (is_color) return tone_map(value);
  return uint8_t(std::lround(kMax * glm::clamp(value, 0.0f, 1.0f)));
}

/// Returns the bytes of an image; floats are clipped to [0, 1].
ByteImage bytes_of_image(const TextureImage& image, bool is_color) {
  constexpr size_t kChannels = 4, kAlpha = 3;
  ByteImage bytes{image.width, image.height,
                  std::vector<uint8_t>(size_t(image.width) * image.height * kChannels)};
  if (!keeps_floats(image.format)) {
    std::memcpy(bytes.values.data(), image.texels.data(), bytes.values.size());
    return bytes;
  }
  for (size_t i = 0; i < bytes.values.size(); ++i) {
    const float value = linear_texel(image, i / kChannels)[int(i % kChannels)];
    bytes.values[i] = byte_of(value, is_color && i % kChannels != kAlpha);
  }
  return bytes;
}

/// Sets the alpha of `colors` to that of `coverage`, an image of the same size.
void set_alpha(const ByteImage& coverage, ByteImage& colors) {
  constexpr size_t kChannels = 4, kAlpha = 3;
  for (size_t i = kAlpha; i < colors.values.size(); i += kChannels)
    colors.values[i] = coverage.values[i];
}

int gl_wrap(TextureWrap wrap) {
  constexpr int kGlRepeat = 10497, kGlClampToEdge = 33071, kGlMirroredRepeat = 33648;
  if (wrap == TextureWrap::kClamp) return kGlClampToEdge;
  return wrap == TextureWrap::kMirror ? kGlMirroredRepeat : kGlRepeat;
}

/// Returns KHR_texture_transform for a matrix of a scale and then a rotation; nothing for the
/// identity. Sets `is_sheared` for any other matrix.
std::optional<Json> texture_transform(const glm::mat3x2& from_uv, bool& is_sheared) {
  constexpr float kTolerance = 1e-4f;
  if (from_uv == glm::mat3x2(1.0f)) return std::nullopt;
  const glm::vec2 u = from_uv[0], v = from_uv[1];
  const float scale_u = std::hypot(u.x, u.y);
  const float angle = scale_u > 0.0f ? std::atan2(-u.y, u.x) : 0.0f;
  const float along = std::sin(angle), across = std::cos(angle);
  const float scale_v = v.x * along + v.y * across;
  is_sheared = std::abs(v.x * across - v.y * along) > kTolerance * std::hypot(v.x, v.y);
  return Json{
      {"offset", {from_uv[2].x, from_uv[2].y}}, {"rotation", angle}, {"scale", {scale_u, scale_v}}};
}

/// Returns the index of a surface that reflects as much at normal incidence as both sides of a pane
/// of index `ior` together.
float index_of_pane(float ior) {
  const float side = (ior - 1.0f) / (ior + 1.0f), reflected = side * side;
  const float root = std::sqrt(2.0f * reflected / (1.0f + reflected));
  return std::min((1.0f + root) / (1.0f - root), kInfiniteIor);
}

class MaterialWriter {
 public:
  MaterialWriter(const HostScene& scene, GlbDocument& document)
      : scene_(scene), document_(document) {}

  void add(const Material& source, const std::string& name) {
    material_ = Json{{"name", name}, {"doubleSided", true}};
    if (has_colored_emission(source)) return add_unlit(source);
    Material material = as_principled(source);
    if (is_reversed_in_glb(source)) {
      material.two_sided_emission = true;
      material.black_back = false;
      material = *reversed(material);
    }
    add_base(material);
    add_boundary(material);
    add_layers(material);
    add_emission(material);
    if (add_normals(material)) {
      material_["normalTexture"]["scale"] = material.normal_scale;
      if (material.normal_mapping != NormalMapping::kBent)
        document_.leave_out("normal maps become those of Cycles (bent)");
    }
    document_.add("materials", std::move(material_));
  }

 private:
  static constexpr const char* kTintAtGrazing =
      "the tint of reflection at grazing angles: it is white there";

  /// Writes emission that vertex colours multiply: glTF has it only in unlit materials.
  void add_unlit(const Material& source) {
    Material colored = source;
    colored.reflectance = glm::min(source.emission, glm::vec3(1.0f));
    colored.textures.reflectance = source.textures.emission;
    if (is_on_second_uvs(source.textures, TextureUse::kEmission))
      put_on_second_uvs(colored.textures, TextureUse::kReflectance);
    if (colored.reflectance != source.emission)
      document_.leave_out("emission above 1 in the colours of vertices: it becomes 1");
    add_base(colored);
    extension("KHR_materials_unlit") = Json::object();
    document_.add("materials", std::move(material_));
  }

  /// Sets the second UV set in a reference to a texture that uses it.
  static Json on_its_uvs(Json info, const Material& material, TextureUse use) {
    if (is_on_second_uvs(material.textures, use)) info["texCoord"] = 1;
    return info;
  }

  /// Adds the texture of a use under all `keys`. Returns false if the material lacks it.
  bool add_texture(Json& json, std::initializer_list<const char*> keys, const Material& material,
                   TextureUse use) {
    const TextureSlot& slot = texture_slots()[size_t(use)];
    const uint32_t texture = material.textures.*slot.texture;
    if (texture == kNoTexture) return false;
    const Json info =
        on_its_uvs(reference(texture, slot.meaning == TexelMeaning::kColor), material, use);
    for (const char* key : keys) json[key] = info;
    return true;
  }

  /// Adds the normal map. Readers of glTF turn bumps with their image.
  bool add_normals(const Material& material) {
    const uint32_t texture = material.textures.normal;
    const glm::mat2 axes =
        texture == kNoTexture ? glm::mat2(1.0f) : image_axes(scene_.textures[texture].from_uv);
    if (axes == glm::mat2(1.0f))
      return add_texture(material_, {"normalTexture"}, material, TextureUse::kNormal);
    const TextureDescription& description = scene_.textures[texture];
    const TextureImage turned =
        turned_normals(scene_.images[description.image], glm::transpose(axes));
    material_["normalTexture"] =
        on_its_uvs(texture_info(description, add_image(bytes_of_image(turned, false))), material,
                   TextureUse::kNormal);
    return true;
  }

  Json& extension(const char* name) {
    document_.use(name);
    return material_["extensions"][name];
  }

  /// Limits the index of refraction of a pane or a coat to those that glTF has.
  void limit_ior(Material& material) {
    if (!(material.ior < 1.0f)) return;
    document_.leave_out("indices of refraction below 1 of panes and plastic: they become 1");
    material.ior = 1.0f;
  }

  /// Returns the principled material that looks most like `material`.
  Material as_principled(Material material) {
    switch (material.type) {
      case MaterialType::kDiffuse:
        material.metallic = 0.0f;
        material.roughness = 1.0f;
        material.specular = glm::vec3(0.0f);
        break;
      case MaterialType::kMirror:
        material.roughness = 0.0f;
        [[fallthrough]];
      case MaterialType::kConductor:
        material.metallic = 1.0f;
        if (!is_measured(material)) break;
        material.reflectance *= normal_reflectance({material.metal_n, material.metal_k});
        document_.leave_out("measured metals: the colour of their reflection is kept");
        break;
      case MaterialType::kDielectric:
        material.roughness = 0.0f;
        [[fallthrough]];
      case MaterialType::kRoughDielectric:
        material.transmission = 1.0f;
        break;
      case MaterialType::kThinDielectric:
        document_.leave_out("reflection between the sides of panes: a higher index stands for it");
        material.ior = index_of_pane(material.ior);
        material.roughness = 0.0f;
        material.transmission = 1.0f;
        material.thin = true;
        limit_ior(material);
        break;
      case MaterialType::kPlastic:
        document_.leave_out("plastic: it becomes a principled surface of the same colours");
        limit_ior(material);
        break;
      case MaterialType::kPrincipled:
        break;
      case MaterialType::kNull:
        document_.leave_out("boundaries of media: they become invisible");
        material.alpha = 0.0f;
        break;
    }
    if (material.distribution != MicrofacetDistribution::kGgx)
      document_.leave_out("microfacets other than GGX: they become those");
    if (emits(material) && !material.two_sided_emission)
      document_.leave_out("emission on one side: both sides emit");
    if (material.black_back)
      document_.leave_out("black backs: they scatter light as the fronts do");
    return material;
  }

  void add_base(const Material& material) {
    Json& pbr = material_["pbrMetallicRoughness"];
    pbr["baseColorFactor"] = color_json(material.reflectance);
    pbr["baseColorFactor"].push_back(has_alpha_cutouts(material) ? material.alpha : 1.0f);
    pbr["metallicFactor"] = material.metallic;
    pbr["roughnessFactor"] = material.roughness;
    if (const std::optional<Json> texture = base_texture(material))
      pbr["baseColorTexture"] =
          on_its_uvs(*texture, material,
                     material.textures.reflectance != kNoTexture ? TextureUse::kReflectance
                                                                 : TextureUse::kAlpha);
    add_texture(pbr, {"metallicRoughnessTexture"}, material, TextureUse::kRoughnessMetallic);
    if (material.anisotropy != 0.0f) add_anisotropy(material, pbr["roughnessFactor"]);
    if (!has_alpha_cutouts(material)) return;
    material_["alphaMode"] = material.alpha_cutoff > 0.0f ? "MASK" : "BLEND";
    if (material.alpha_cutoff > 0.0f) material_["alphaCutoff"] = material.alpha_cutoff;
  }

  /// Writes anisotropy. In glTF it makes the surface rougher along one direction and keeps the
  /// roughness across; Winnow does the same if there is a texture.
  void add_anisotropy(const Material& material, Json& roughness) {
    constexpr double kQuarterTurn = 1.57079632679489662;
    Json& json = extension("KHR_materials_anisotropy");
    if (material.textures.anisotropy != kNoTexture) {
      json["anisotropyStrength"] = std::min(std::abs(material.anisotropy), 1.0f);
      json["anisotropyRotation"] = material.anisotropy_rotation;
      add_texture(json, {"anisotropyTexture"}, material, TextureUse::kAnisotropy);
      return;
    }
    const float a = std::min(std::abs(material.anisotropy), 0.999f);
    const float mean = std::max(material.roughness * material.roughness, kMinGgxAlpha);
    const float ratio = std::sqrt((1.0f + a) / (1.0f - a));
    const float alpha = std::min(mean / ratio, 1.0f - kMinGgxAlpha);
    const float rougher = std::min(mean * ratio, 1.0f);
    roughness = std::sqrt(alpha);
    json["anisotropyStrength"] =
        std::sqrt(glm::clamp((rougher - alpha) / (1.0f - alpha), 0.0f, 1.0f));
    const double rotation =
        material.anisotropy_rotation + (material.anisotropy < 0.0f ? kQuarterTurn : 0.0);
    if (rotation != 0.0) json["anisotropyRotation"] = rotation;
  }

  void add_boundary(const Material& material) {
    const Material kDefault;
    if (material.ior != kDefault.ior)
      extension("KHR_materials_ior")["ior"] = material.ior < kInfiniteIor ? material.ior : 0.0f;
    if (material.specular != kDefault.specular ||
        material.specular_tint != kDefault.specular_tint) {
      const float largest =
          std::max({material.specular.x, material.specular.y, material.specular.z});
      Json& json = extension("KHR_materials_specular");
      json["specularFactor"] = largest;
      if (material.specular != glm::vec3(largest)) document_.leave_out(kTintAtGrazing);
      if (largest > 0.0f)
        json["specularColorFactor"] =
            color_json(material.specular / largest * material.specular_tint);
    }
    if (material.textures.specular_tint != kNoTexture) {
      add_texture(extension("KHR_materials_specular"), {"specularColorTexture", "specularTexture"},
                  material, TextureUse::kSpecularTint);
      if (material.textures.specular != kNoTexture)
        document_.leave_out("one of two textures of the reflection of a boundary");
    } else if (material.textures.specular != kNoTexture) {
      document_.leave_out(kTintAtGrazing);
      add_texture(extension("KHR_materials_specular"), {"specularColorTexture"}, material,
                  TextureUse::kSpecular);
    }
    if (material.dispersion > 0.0f)
      extension("KHR_materials_dispersion")["dispersion"] = material.dispersion;
    if (material.transmission > 0.0f) {
      Json& json = extension("KHR_materials_transmission");
      json["transmissionFactor"] = material.transmission;
      add_texture(json, {"transmissionTexture"}, material, TextureUse::kTransmission);
    }
    if (material.diffuse_transmission > 0.0f) {
      Json& json = extension("KHR_materials_diffuse_transmission");
      json["diffuseTransmissionFactor"] = material.diffuse_transmission;
      json["diffuseTransmissionColorFactor"] = color_json(material.diffuse_transmission_color);
      add_texture(json, {"diffuseTransmissionColorTexture", "diffuseTransmissionTexture"}, material,
                  TextureUse::kDiffuseTransmission);
    }
    const bool is_solid = material.transmission > 0.0f ||
                          (material.diffuse_transmission > 0.0f && material.bounds_media);
    if (is_solid && !material.thin) add_volume(material);
  }

  void add_volume(const Material& material) {
    Json& json = extension("KHR_materials_volume");
    json["thicknessFactor"] = 1.0f;
    if (material.bounds_media && material.exterior != kNoMedium)
      document_.leave_out("media outside of glass: they are left out");
    if (!material.bounds_media || material.interior == kNoMedium) return;
    const Medium& medium = scene_.media[material.interior];
    if (has_grid(scene_, material.interior))
      return document_.leave_out("media whose density varies: they are left out");
    if (medium.scattering != glm::vec3(0.0f))
      document_.leave_out("media that scatter: they only absorb");
    const glm::vec3 a = medium.absorption;
    const float largest = std::max({a.x, a.y, a.z});
    if (!(largest > 0.0f)) return;
    json["attenuationDistance"] = 1.0f / largest;
    json["attenuationColor"] = color_json(glm::exp(-a / largest));
  }

  void add_layers(const Material& material) {
    if (material.coat > 0.0f) {
      Json& json = extension("KHR_materials_clearcoat");
      json["clearcoatFactor"] = material.coat;
      json["clearcoatRoughnessFactor"] = material.coat_roughness;
      add_texture(json, {"clearcoatRoughnessTexture", "clearcoatTexture"}, material,
                  TextureUse::kCoat);
    }
    if (material.sheen != glm::vec3(0.0f)) {
      Json& json = extension("KHR_materials_sheen");
      json["sheenColorFactor"] = color_json(material.sheen);
      json["sheenRoughnessFactor"] = material.sheen_roughness;
      add_texture(json, {"sheenRoughnessTexture", "sheenColorTexture"}, material,
                  TextureUse::kSheen);
    }
    if (material.iridescence > 0.0f) {
      Json& json = extension("KHR_materials_iridescence");
      json["iridescenceFactor"] = material.iridescence;
      json["iridescenceIor"] = material.iridescence_ior;
      json["iridescenceThicknessMinimum"] = material.film_thickness.x;
      json["iridescenceThicknessMaximum"] = material.film_thickness.y;
      add_texture(json, {"iridescenceThicknessTexture", "iridescenceTexture"}, material,
                  TextureUse::kIridescence);
    }
  }

  void add_emission(const Material& material) {
    if (!emits(material)) return;
    const glm::vec3 emission = material.emission;
    const float strength = std::max({emission.x, emission.y, emission.z, 1.0f});
    material_["emissiveFactor"] = color_json(emission / strength);
    if (strength > 1.0f)
      extension("KHR_materials_emissive_strength")["emissiveStrength"] = strength;
    add_texture(material_, {"emissiveTexture"}, material, TextureUse::kEmission);
  }

  /// Returns the base colour texture with the coverage of the material in its alpha.
  std::optional<Json> base_texture(const Material& material) {
    const uint32_t colors = material.textures.reflectance, alpha = material.textures.alpha;
    if (alpha == kNoTexture || alpha == colors)
      return colors == kNoTexture ? std::nullopt : std::optional(reference(colors, true));
    if (colors == kNoTexture) return reference(alpha, false, Use::kCoverage);
    const TextureDescription &base = scene_.textures[colors], &mask = scene_.textures[alpha];
    const TextureImage &image = scene_.images[base.image], &coverage = scene_.images[mask.image];
    if (base.from_uv != mask.from_uv || image.width != coverage.width ||
        image.height != coverage.height ||
        is_on_second_uvs(material.textures, TextureUse::kReflectance) !=
            is_on_second_uvs(material.textures, TextureUse::kAlpha)) {
      document_.leave_out("alpha textures of another size than the colours: they are left out");
      return reference(colors, true);
    }
    ByteImage merged = bytes_of_image(image, true);
    set_alpha(bytes_of_image(coverage, false), merged);
    return texture_info(base, add_image(merged));
  }

  enum class Use { kAll, kCoverage };

  /// @param is_color  true if bytes are sRGB; bytes of data are linear
  Json reference(uint32_t texture, bool is_color, Use use = Use::kAll) {
    const TextureDescription& description = scene_.textures[texture];
    const auto key = std::tuple(description.image, is_color, use);
    const auto [known, is_new] = images_.try_emplace(key, 0u);
    if (is_new) {
      const TextureImage& image = scene_.images[description.image];
      if (image.format == TexelFormat::kFloat)
        document_.leave_out("texels of floats: they are clipped to 1 and rounded to 8 bits");
      if (image.format == TexelFormat::kLinear16)
        document_.leave_out("texels of 16 bits: they are rounded to 8 bits");
      ByteImage bytes = bytes_of_image(image, is_color);
      if (use == Use::kCoverage) make_white(bytes);
      known->second = add_image(bytes);
    }
    return texture_info(description, known->second);
  }

  static void make_white(ByteImage& coverage) {
    constexpr size_t kChannels = 4, kAlpha = 3;
    constexpr uint8_t kWhite = 255;
    for (size_t i = 0; i < coverage.values.size(); ++i)
      if (i % kChannels != kAlpha) coverage.values[i] = kWhite;
  }

  uint32_t add_image(const ByteImage& image) {
    std::ostringstream png;
    write_rgba_png(png, image);
    const uint32_t view = document_.add_view(png.str());
    return document_.add("images", {{"bufferView", view}, {"mimeType", "image/png"}});
  }

  Json texture_info(const TextureDescription& description, uint32_t image) {
    constexpr int kGlNearest = 9728, kGlLinear = 9729, kGlLinearMipmapLinear = 9987;
    const bool is_nearest = description.filter == TextureFilter::kNearest;
    const int min_filter = is_nearest                                     ? kGlNearest
                           : description.filter == TextureFilter::kLinear ? kGlLinearMipmapLinear
                                                                          : kGlLinear;
    const uint32_t sampler =
        document_.add("samplers", {{"magFilter", is_nearest ? kGlNearest : kGlLinear},
                                   {"minFilter", min_filter},
                                   {"wrapS", gl_wrap(description.wrap_u)},
                                   {"wrapT", gl_wrap(description.wrap_v)}});
    Json info{{"index", document_.add("textures", {{"sampler", sampler}, {"source", image}})}};
    bool is_sheared = false;
    if (const std::optional<Json> transform = texture_transform(description.from_uv, is_sheared)) {
      document_.use("KHR_texture_transform");
      info["extensions"]["KHR_texture_transform"] = *transform;
    }
    if (is_sheared) document_.leave_out("sheared textures: they are scaled and rotated only");
    return info;
  }

  const HostScene& scene_;
  GlbDocument& document_;
  Json material_;
  /// Images by their index in the scene and their use.
  std::map<std::tuple<uint32_t, bool, Use>, uint32_t> images_;
};

}  // namespace

bool is_reversed_in_glb(const Material& material) {
  return refracts(material) && material.ior < 1.0f;
}

void add_glb_materials(const HostScene& scene, GlbDocument& document) {
  MaterialWriter writer(scene, document);
  for (size_t i = 0; i < scene.materials.size(); ++i)
    writer.add(scene.materials[i], i < scene.material_names.size() ? scene.material_names[i] : "");
}

}  // namespace winnow
