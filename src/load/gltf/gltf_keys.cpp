// SPDX-License-Identifier: MIT
#include "load/gltf/gltf_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/error.h"
#include "load/gltf/pose.h"
#include "load/gltf/values.h"

namespace winnow {
namespace {

using nlohmann::json;

using enum KeyUse;

constexpr KnownKey kGltfRows[] = {
    // glTF 2.0.
    {"", "extensions"},
    {"", "extras", kHarmless, "each application has its own data there"},
    {"", "name", kHarmless, "names are for people"},
    {"root", "asset scene scenes nodes meshes materials textures images samplers accessors"},
    {"root", "bufferViews buffers cameras skins animations extensionsUsed extensionsRequired"},
    {"asset", "version minVersion"},
    {"asset", "copyright generator", kHarmless, "it describes the file"},
    {"scenes", "nodes"},
    {"nodes", "camera children skin matrix mesh rotation scale translation weights"},
    {"cameras", "type perspective orthographic"},
    {"cameras.perspective", "yfov aspectRatio"},
    {"cameras.orthographic", "xmag ymag"},
    {"cameras.perspective", "znear zfar"},
    {"cameras.orthographic", "znear zfar"},
    {"meshes", "primitives weights"},
    {"meshes.primitives", "attributes indices material mode targets"},
    {"meshes.primitives.attributes", "POSITION NORMAL TEXCOORD_n COLOR_0 JOINTS_n WEIGHTS_n"},
    {"meshes.primitives.attributes", "COLOR_n", kHarmless, "glTF colours surfaces by COLOR_0"},
    {"meshes.primitives.attributes", "TANGENT"},
    {"meshes.primitives.targets", "POSITION NORMAL TEXCOORD_n COLOR_0"},
    {"meshes.primitives.targets", "COLOR_n", kHarmless, "glTF colours surfaces by COLOR_0"},
    {"meshes.primitives.targets", "TANGENT", kHarmless, "tangents follow from the moved vertices"},
    {"materials", "pbrMetallicRoughness normalTexture emissiveTexture emissiveFactor alphaMode"},
    {"materials", "alphaCutoff"},
    {"materials", "occlusionTexture", kHarmless, "rays find what is occluded"},
    {"materials", "doubleSided", kHarmless, "both sides of every surface are seen"},
    {"materials.pbrMetallicRoughness", "baseColorFactor baseColorTexture metallicFactor"},
    {"materials.pbrMetallicRoughness", "roughnessFactor metallicRoughnessTexture"},
    {"textureInfo", "index texCoord scale"},
    {"textureInfo", "strength", kHarmless, "it is of the occlusion, which rays find"},
    {"textures", "sampler source"},
    {"images", "uri bufferView"},
    {"images", "mimeType", kHarmless, "the bytes of an image tell its format"},
    {"samplers", "magFilter wrapS wrapT"},
    {"samplers", "minFilter", kHarmless, "many samples of a pixel filter better than mip maps"},
    {"accessors", "bufferView byteOffset componentType normalized count type sparse"},
    {"accessors", "min max", kHarmless, "they repeat what the numbers tell"},
    {"accessors.sparse", "count indices values"},
    {"accessors.sparse.indices", "bufferView byteOffset componentType"},
    {"accessors.sparse.values", "bufferView byteOffset"},
    {"bufferViews", "buffer byteOffset byteLength byteStride"},
    {"bufferViews", "target", kHarmless, "it is a hint for graphics memory"},
    {"buffers", "uri byteLength"},
    {"skins", "inverseBindMatrices joints"},
    {"skins", "skeleton", kHarmless, "joints are placed by their own nodes"},
    {"animations", "channels samplers"},
    {"animations.channels", "sampler target"},
    {"animations.channels.target", "node path"},
    {"animations.samplers", "input interpolation output"},

    // Extensions that are read.
    {"root.extensions", "KHR_lights_punctual KHR_materials_variants EXT_lights_image_based"},
    {"scenes.extensions", "EXT_lights_image_based"},
    {"nodes.extensions", "KHR_lights_punctual KHR_node_visibility EXT_mesh_gpu_instancing"},
    {"meshes.primitives.extensions", "KHR_draco_mesh_compression KHR_materials_variants"},
    {"buffers.extensions", "EXT_meshopt_compression KHR_meshopt_compression"},
    {"bufferViews.extensions", "EXT_meshopt_compression KHR_meshopt_compression"},
    {"textures.extensions", "EXT_texture_webp KHR_texture_basisu"},
    {"textureInfo.extensions", "KHR_texture_transform"},
    {"animations.channels.target.extensions", "KHR_animation_pointer"},
    {"materials.extensions", "KHR_materials_anisotropy KHR_materials_clearcoat"},
    {"materials.extensions", "KHR_materials_dispersion KHR_materials_emissive_strength"},
    {"materials.extensions", "KHR_materials_ior KHR_materials_iridescence KHR_materials_sheen"},
    {"materials.extensions", "KHR_materials_specular KHR_materials_transmission"},
    {"materials.extensions", "KHR_materials_unlit KHR_materials_volume"},
    {"materials.extensions", "KHR_materials_volume_scatter KHR_materials_pbrSpecularGlossiness"},
    {"materials.extensions", "KHR_materials_diffuse_transmission"},
    {"", "KHR_mesh_quantization"},  // without an object: accessors may have more types

    {"KHR_animation_pointer", "pointer"},
    {"KHR_draco_mesh_compression", "bufferView attributes"},
    {"KHR_draco_mesh_compression.attributes", "POSITION NORMAL TANGENT TEXCOORD_n COLOR_n"},
    {"KHR_draco_mesh_compression.attributes", "JOINTS_n WEIGHTS_n"},
    {"KHR_lights_punctual", "light lights"},
    {"KHR_lights_punctual.lights", "color intensity spot type range"},
    {"KHR_lights_punctual.lights.spot", "innerConeAngle outerConeAngle"},
    {"KHR_materials_anisotropy", "anisotropyStrength anisotropyRotation anisotropyTexture"},
    {"KHR_materials_clearcoat", "clearcoatFactor clearcoatTexture clearcoatRoughnessFactor"},
    {"KHR_materials_clearcoat", "clearcoatRoughnessTexture clearcoatNormalTexture"},
    {"KHR_materials_diffuse_transmission",
     "diffuseTransmissionFactor diffuseTransmissionTexture diffuseTransmissionColorFactor "
     "diffuseTransmissionColorTexture"},
    {"KHR_materials_dispersion", "dispersion"},
    {"KHR_materials_emissive_strength", "emissiveStrength"},
    {"KHR_materials_ior", "ior"},
    {"KHR_materials_iridescence", "iridescenceFactor iridescenceTexture iridescenceIor"},
    {"KHR_materials_iridescence", "iridescenceThicknessMinimum iridescenceThicknessMaximum"},
    {"KHR_materials_iridescence", "iridescenceThicknessTexture"},
    {"KHR_materials_pbrSpecularGlossiness", "diffuseFactor diffuseTexture specularFactor"},
    {"KHR_materials_pbrSpecularGlossiness", "glossinessFactor specularGlossinessTexture"},
    {"KHR_materials_sheen", "sheenColorFactor sheenColorTexture sheenRoughnessFactor"},
    {"KHR_materials_sheen", "sheenRoughnessTexture"},
    {"KHR_materials_specular", "specularFactor specularTexture specularColorFactor"},
    {"KHR_materials_specular", "specularColorTexture"},
    {"KHR_materials_transmission", "transmissionFactor transmissionTexture"},
    {"KHR_materials_variants", "variants mappings"},
    {"KHR_materials_variants.mappings", "material variants"},
    {"KHR_materials_volume", "thicknessFactor attenuationDistance attenuationColor"},
    {"KHR_materials_volume", "thicknessTexture", kHarmless, "rays find how thick a volume is"},
    {"KHR_materials_volume_scatter", "multiscatterColorFactor multiscatterColor"},
    {"KHR_materials_volume_scatter", "multiscatterColorTexture scatterAnisotropy"},
    {"KHR_meshopt_compression", "fallback buffer byteOffset byteLength byteStride count mode"},
    {"KHR_meshopt_compression", "filter"},
    {"KHR_node_visibility", "visible"},
    {"KHR_texture_basisu", "source"},
    {"KHR_texture_transform", "offset rotation scale texCoord"},
    {"EXT_lights_image_based", "light lights"},
    {"EXT_lights_image_based.lights", "intensity rotation specularImages"},
    {"EXT_lights_image_based.lights", "irradianceCoefficients specularImageSize", kHarmless,
     "the largest images tell all that they do"},
    {"EXT_mesh_gpu_instancing", "attributes"},
    {"EXT_mesh_gpu_instancing.attributes", "TRANSLATION ROTATION SCALE"},
    {"EXT_meshopt_compression", "fallback buffer byteOffset byteLength byteStride count mode"},
    {"EXT_meshopt_compression", "filter"},
    {"EXT_texture_webp", "source"},

    // Other extensions.
    {"", "KHR_node_hoverability KHR_node_selectability KHR_interactivity KHR_xmp KHR_xmp_json_ld",
     kHarmless, "it is for interaction, or describes the file"},
    {"", "KHR_audio KHR_audio_emitter KHR_audio_graph MPEG_audio_spatial MSFT_audio_emitter",
     kHarmless, "a picture has no sound"},
    {"", "KHR_physics_rigid_bodies KHR_collision_shapes KHR_implicit_shapes", kHarmless,
     "it is for simulations"},
    {"", "AGI_stk_metadata EXT_feature_metadata EXT_instance_features EXT_mesh_features", kHarmless,
     "it describes what the parts of the scene are"},
    {"", "EXT_mesh_manifold EXT_structural_metadata FB_geometry_metadata FB_ngon_encoding",
     kHarmless, "it describes what the parts of the scene are"},
    {"", "GODOT_single_root GRIFFEL_bim_data MPEG_media MPEG_viewport_recommended", kHarmless,
     "it describes what the parts of the scene are"},
    {"", "VRMC_vrm VRMC_vrm_animation VRMC_node_constraint VRMC_springBone", kHarmless,
     "it moves avatars"},
    {"", "MSFT_lod", kHarmless, "the finest level is shown"},
    {"", "EXT_mesh_primitive_restart", kHarmless, "the primitives that it joins are in the file"},
    {"", "MSFT_packing_normalRoughnessMetallic MSFT_packing_occlusionRoughnessMetallic", kHarmless,
     "the material has these textures in the form of glTF, too"},
    {"", "EXT_texture_astc EXT_texture_avif MSFT_texture_dds", kHarmless,
     "the reader of textures reports one that has no other image"},
    {"", "KHR_gaussian_splatting", kHarmless, "the reader of meshes reports its splats"},
    {"", "EXT_lights_ies", kIgnored, "its light is missing"},
    {"", "KHR_accessor_float64", kIgnored, "accessors of this type are left out"},
    {"", "KHR_materials_subsurface KHR_materials_sss", kIgnored, "surfaces scatter no light below"},
    {"", "KHR_techniques_webgl NV_materials_mdl VRM VRMC_materials_mtoon", kIgnored,
     "its shaders are replaced by the material of glTF"},
    {"", "VRMC_materials_hdr_emissiveMultiplier", kIgnored, "surfaces emit too little"},
    {"", "KHR_texture_procedurals EXT_texture_procedurals_mx_1_39", kIgnored,
     "its textures are missing"},
    {"", "KHR_texture_video MPEG_texture_video", kIgnored, "its videos are missing"},
    {"", "MPEG_accessor_timed MPEG_animation_timing MPEG_buffer_circular MPEG_mesh_linking",
     kIgnored, "what it moves stands still"},
    {"", "MPEG_scene_dynamic", kIgnored, "what it moves stands still"},
    {"", "AGI_articulations", kIgnored, "what it moves is in its rest pose"},
    {"", "ADOBE_materials_clearcoat_specular ADOBE_materials_clearcoat_tint", kIgnored,
     "coats are clear, with an index of 1.5"},
    {"", "ADOBE_materials_thin_transparency", kIgnored, "its surfaces are opaque"},
    {"", "CESIUM_primitive_outline EXT_mesh_primitive_edge_visibility", kIgnored,
     "no edges are drawn"},
};

/// Replaces the number at the end of "TEXCOORD_1" by an n.
std::string numbered(std::string_view name) {
  const size_t last = name.find_last_not_of("0123456789");
  if (last == name.npos || last + 1 == name.size() || name[last] != '_') return std::string(name);
  return std::string(name.substr(0, last + 1)) + "n";
}

bool is_extensions(std::string_view owner) {
  return owner.ends_with(".extensions");
}

/// True for attributes that applications define for themselves, or that are part of an extension.
bool is_foreign_attribute(std::string_view owner, std::string_view name) {
  const bool is_attribute = owner.ends_with(".attributes") || owner == "meshes.primitives.targets";
  return is_attribute && (name.starts_with('_') || name.find(':') != name.npos);
}

/// Walks through all objects of a file.
class KeyWalk {
 public:
  explicit KeyWalk(GltfDocument& document) : document_(document) {}

  void run() {
    report_listed("extensionsRequired", "the file requires");
    walk(document_.root().value(), owner_of("root"), nullptr);
    report_listed("extensionsUsed", "the file uses");
  }

 private:
  struct Owner;
  struct Key {
    KeyUse use = KeyUse::kIgnored;
    std::string_view why = {};
    Owner* inside = nullptr;  ///< owner of the keys of the value
  };
  struct Owner {
    std::string name;
    std::map<std::string, Key, std::less<>> keys;
  };
  /// The way from the top level to a value.
  struct Step {
    const Step* before;
    std::string_view key;  ///< empty for an item of an array
    size_t item;
  };

  Owner& owner_of(const std::string& name) {
    Owner& owner = owners_[name];
    owner.name = name;
    return owner;
  }

  /// Returns what is known of a key, from the table when it is first seen.
  const Key& key_of(Owner& owner, const std::string& name) {
    const auto [known, is_new] = owner.keys.try_emplace(name);
    if (!is_new) return known->second;
    Key& key = known->second;
    if (is_foreign_attribute(owner.name, name)) {
      key.use = KeyUse::kHarmless;
    } else if (const KnownKey* row = find_gltf_key(owner.name, name)) {
      key.use = row->use;
      key.why = row->why;
    }
    key.inside = &owner_of(gltf_owner(owner.name, name));
    return key;
  }

  void walk(const json& value, Owner& owner, const Step* path) {
    if (value.is_array()) {
      for (size_t i = 0; i < value.size() && value[i].is_structured(); ++i) {
        const Step step{path, {}, i};
        walk(value[i], owner, &step);
      }
    } else if (value.is_object()) {
      for (auto member = value.begin(); member != value.end(); ++member) {
        const Step step{path, member.key(), 0};
        const Key& key = key_of(owner, member.key());
        if (key.use == KeyUse::kIgnored)
          report(owner, member.key(), key.why, pointer_of(&step));
        else if (key.use == KeyUse::kUsed)
          check_value(owner.name, member.key(), *member, &step);
        if (key.use == KeyUse::kUsed && member->is_structured()) walk(*member, *key.inside, &step);
      }
    }
  }

  /// Reports a value of another type than glTF requires, and numbers outside of their range.
  void check_value(std::string_view owner, const std::string& name, const json& value,
                   const Step* step) {
    const size_t count = gltf_number_count(owner, name);
    // The readers of nodes and cameras refuse such values.
    if (count == 0 || owner == "nodes" || owner.starts_with("cameras.") || name == "visible")
      return;
    const json numbers = count == 1 ? json::array({value}) : value;
    const bool fits = numbers.is_array() && numbers.size() == count &&
                      std::ranges::all_of(numbers, [](const json& x) { return x.is_number(); });
    if (!fits)
      return add(pointer_of(step),
                 fmt::format("expected {}; the value may be ignored",
                             count == 1 ? "a number" : fmt::format("{} numbers", count)));
    const bool is_unlimited = name == "emissiveFactor" || name == "specularColorFactor" ||
                              name == "thicknessFactor" || name == "color";
    if (!is_unlimited && !name.ends_with("Factor") && !name.ends_with("Color")) return;
    for (const json& number : numbers)
      if (number < 0.0 || (number > 1.0 && !is_unlimited))
        return add(pointer_of(step),
                   fmt::format("{} is limited to {}", name, is_unlimited ? "0 or more" : "[0, 1]"));
  }

  static std::string pointer_of(const Step* step) {
    if (!step) return "";
    return fmt::format("{}/{}", pointer_of(step->before),
                       step->key.empty() ? std::to_string(step->item) : pointer_step(step->key));
  }

  /// Reports the extensions of a list that are ignored wherever they are.
  void report_listed(const char* list, const char* how) {
    std::vector<JsonReader> items;
    document_.attempt("the list is ignored",
                      [&] { items = items_of(document_.root().find(list)); });
    for (const JsonReader& item : items) {
      if (!item.is_text()) continue;
      const std::string name = item.text();
      const KnownKey* row = nullptr;
      for (const KnownKey& key : gltf_keys().keys())
        if (key.name == name && (key.owner.empty() || is_extensions(key.owner))) row = &key;
      if (!row || row->use == KeyUse::kIgnored)
        report_extension(name, row ? row->why : "", item.pointer(), how);
    }
  }

  void report_extension(const std::string& name, std::string_view why, const std::string& pointer,
                        const char* how) {
    if (reported_.insert(name).second)
      add(pointer, fmt::format("{} {}, which is ignored{}", how, in_quotes(name), reason(why)));
  }

  void report(const Owner& owner, const std::string& name, std::string_view why,
              const std::string& pointer) {
    if (is_extensions(owner.name)) return report_extension(name, why, pointer, "the file uses");
    add(pointer, fmt::format("the key {} is ignored{}", in_quotes(name), reason(why)));
  }

  static std::string reason(std::string_view why) {
    return why.empty() ? "" : fmt::format(": {}", why);
  }

  void add(const std::string& pointer, const std::string& what) {
    constexpr size_t kMaxKinds = 50;
    if (kinds_.size() >= kMaxKinds && !kinds_.contains(what))
      return document_.warn(pointer, "more keys are ignored");
    kinds_.insert(what);
    document_.warn(pointer, what);
  }

  GltfDocument& document_;
  std::map<std::string, Owner> owners_;
  std::set<std::string> reported_, kinds_;
};

}  // namespace

const KeyTable& gltf_keys() {
  static const KeyTable kTable(kGltfRows);
  return kTable;
}

const KnownKey* find_gltf_key(std::string_view owner, std::string_view name) {
  const KnownKey* row = gltf_keys().find(owner, name);
  return row ? row : gltf_keys().find(owner, numbered(name));
}

std::string gltf_owner(std::string_view owner, std::string_view key) {
  if (is_extensions(owner)) return std::string(key);
  if (key.ends_with("Texture")) return "textureInfo";
  return owner == "root" && key != "extensions" ? std::string(key)
                                                : fmt::format("{}.{}", owner, key);
}

void account_for_gltf_keys(GltfDocument& document) {
  KeyWalk(document).run();
}

}  // namespace winnow
