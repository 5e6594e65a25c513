// SPDX-License-Identifier: MIT
#include "load/gltf/gltf_keys.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "tests/load/gltf/support/gltf_files.h"

namespace winnow {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// Properties of the schemas of glTF 2.0, by their objects.
const std::pair<const char*, const char*> kPropertiesOfGltf[] = {
    {"root",
     "extensionsUsed extensionsRequired accessors animations asset buffers bufferViews cameras "
     "images materials meshes nodes samplers scene scenes skins textures extensions extras"},
    {"accessors",
     "bufferView byteOffset componentType normalized count type max min sparse name extensions "
     "extras"},
    {"accessors.sparse", "count indices values extensions extras"},
    {"accessors.sparse.indices", "bufferView byteOffset componentType extensions extras"},
    {"accessors.sparse.values", "bufferView byteOffset extensions extras"},
    {"animations", "channels samplers name extensions extras"},
    {"animations.channels", "sampler target extensions extras"},
    {"animations.channels.target", "node path extensions extras"},
    {"animations.samplers", "input interpolation output extensions extras"},
    {"asset", "copyright generator version minVersion extensions extras"},
    {"buffers", "uri byteLength name extensions extras"},
    {"bufferViews", "buffer byteOffset byteLength byteStride target name extensions extras"},
    {"cameras", "orthographic perspective type name extensions extras"},
    {"cameras.orthographic", "xmag ymag zfar znear extensions extras"},
    {"cameras.perspective", "aspectRatio yfov zfar znear extensions extras"},
    {"images", "uri mimeType bufferView name extensions extras"},
    {"materials",
     "name extensions extras pbrMetallicRoughness normalTexture occlusionTexture emissiveTexture "
     "emissiveFactor alphaMode alphaCutoff doubleSided"},
    {"materials.pbrMetallicRoughness",
     "baseColorFactor baseColorTexture metallicFactor roughnessFactor metallicRoughnessTexture "
     "extensions extras"},
    {"textureInfo", "index texCoord scale strength extensions extras"},
    {"meshes", "primitives weights name extensions extras"},
    {"meshes.primitives", "attributes indices material mode targets extensions extras"},
    {"meshes.primitives.attributes",
     "POSITION NORMAL TANGENT TEXCOORD_0 TEXCOORD_7 COLOR_0 COLOR_1 JOINTS_0 WEIGHTS_0"},
    {"meshes.primitives.targets", "POSITION NORMAL TANGENT TEXCOORD_0 COLOR_0 COLOR_1"},
    {"nodes",
     "camera children skin matrix mesh rotation scale translation weights name extensions extras"},
    {"samplers", "magFilter minFilter wrapS wrapT name extensions extras"},
    {"scenes", "nodes name extensions extras"},
    {"skins", "inverseBindMatrices skeleton joints name extensions extras"},
    {"textures", "sampler source name extensions extras"},
};

/// Properties of the schemas of extensions that are read.
const std::pair<const char*, const char*> kPropertiesOfExtensions[] = {
    {"KHR_animation_pointer", "pointer"},
    {"KHR_draco_mesh_compression", "bufferView attributes"},
    {"KHR_lights_punctual", "lights light"},
    {"KHR_lights_punctual.lights", "color intensity spot type range name"},
    {"KHR_lights_punctual.lights.spot", "innerConeAngle outerConeAngle"},
    {"KHR_materials_anisotropy", "anisotropyStrength anisotropyRotation anisotropyTexture"},
    {"KHR_materials_clearcoat",
     "clearcoatFactor clearcoatTexture clearcoatRoughnessFactor clearcoatRoughnessTexture "
     "clearcoatNormalTexture"},
    {"KHR_materials_diffuse_transmission",
     "diffuseTransmissionFactor diffuseTransmissionTexture diffuseTransmissionColorFactor "
     "diffuseTransmissionColorTexture"},
    {"KHR_materials_dispersion", "dispersion"},
    {"KHR_materials_emissive_strength", "emissiveStrength"},
    {"KHR_materials_ior", "ior"},
    {"KHR_materials_iridescence",
     "iridescenceFactor iridescenceTexture iridescenceIor iridescenceThicknessMinimum "
     "iridescenceThicknessMaximum iridescenceThicknessTexture"},
    {"KHR_materials_pbrSpecularGlossiness",
     "diffuseFactor diffuseTexture specularFactor glossinessFactor specularGlossinessTexture"},
    {"KHR_materials_sheen",
     "sheenColorFactor sheenColorTexture sheenRoughnessFactor sheenRoughnessTexture"},
    {"KHR_materials_specular",
     "specularFactor specularTexture specularColorFactor specularColorTexture"},
    {"KHR_materials_transmission", "transmissionFactor transmissionTexture"},
    {"KHR_materials_variants", "variants mappings"},
    {"KHR_materials_variants.mappings", "material variants name"},
    {"KHR_materials_volume",
     "thicknessFactor thicknessTexture attenuationDistance attenuationColor"},
    {"KHR_meshopt_compression",
     "fallback buffer byteOffset byteLength byteStride count mode filter"},
    {"KHR_node_visibility", "visible"},
    {"KHR_texture_transform", "offset rotation scale texCoord"},
    {"EXT_lights_image_based", "lights light"},
    {"EXT_lights_image_based.lights",
     "rotation intensity irradianceCoefficients specularImages specularImageSize name"},
    {"KHR_texture_basisu", "source"},
    {"EXT_mesh_gpu_instancing", "attributes"},
    {"EXT_meshopt_compression",
     "fallback buffer byteOffset byteLength byteStride count mode filter"},
    {"EXT_texture_webp", "source"},
};

/// The extension registry of 2026: ratified ones, release candidates, those of several vendors and
/// of one, and archived ones.
constexpr const char* kRegistry =
    "KHR_animation_pointer KHR_draco_mesh_compression KHR_lights_punctual KHR_materials_anisotropy "
    "KHR_materials_clearcoat KHR_materials_dispersion KHR_materials_emissive_strength "
    "KHR_materials_ior KHR_materials_iridescence KHR_materials_sheen KHR_materials_specular "
    "KHR_materials_transmission KHR_materials_unlit KHR_materials_variants KHR_materials_volume "
    "KHR_mesh_quantization KHR_node_visibility KHR_texture_basisu KHR_texture_transform "
    "KHR_xmp_json_ld KHR_gaussian_splatting KHR_interactivity KHR_materials_diffuse_transmission "
    "KHR_meshopt_compression KHR_node_hoverability KHR_node_selectability KHR_accessor_float64 "
    "KHR_audio_graph KHR_collision_shapes KHR_materials_subsurface KHR_physics_rigid_bodies "
    "KHR_texture_procedurals EXT_texture_procedurals_mx_1_39 KHR_texture_video "
    "EXT_mesh_gpu_instancing EXT_meshopt_compression EXT_texture_webp EXT_lights_ies "
    "EXT_lights_image_based EXT_mesh_manifold EXT_mesh_primitive_edge_visibility "
    "EXT_mesh_primitive_restart EXT_texture_astc ADOBE_materials_clearcoat_specular "
    "ADOBE_materials_clearcoat_tint ADOBE_materials_thin_transparency AGI_articulations "
    "AGI_stk_metadata CESIUM_primitive_outline FB_geometry_metadata GODOT_single_root "
    "GRIFFEL_bim_data MPEG_accessor_timed MPEG_animation_timing MPEG_audio_spatial "
    "MPEG_buffer_circular MPEG_media MPEG_mesh_linking MPEG_scene_dynamic MPEG_texture_video "
    "MPEG_viewport_recommended MSFT_lod MSFT_packing_normalRoughnessMetallic "
    "MSFT_packing_occlusionRoughnessMetallic MSFT_texture_dds NV_materials_mdl "
    "KHR_materials_pbrSpecularGlossiness KHR_techniques_webgl KHR_xmp";

TEST(GltfKeys, AccountForEachPropertyOfTheFormatAndOfExtensionsThatAreRead) {
  auto expect_rows = [](const auto& properties) {
    for (const auto& [owner, names] : properties)
      for (const std::string& name : words(names))
        EXPECT_NE(find_gltf_key(owner, name), nullptr) << owner << " " << name;
  };
  expect_rows(kPropertiesOfGltf);
  expect_rows(kPropertiesOfExtensions);
}

TEST(GltfKeys, AccountForEachExtensionOfTheRegistry) {
  for (const std::string& name : words(kRegistry))
    EXPECT_TRUE(std::ranges::any_of(gltf_keys().keys(), [&](const KnownKey& key) {
      return key.name == name;
    })) << name;
}

TEST(GltfKeys, SayWhyTheyAreNotRead) {
  for (const KnownKey& key : gltf_keys().keys())
    EXPECT_EQ(key.why.empty(), key.use == KeyUse::kUsed) << key.name;
}

class GltfKeysOfFiles : public GltfTest {};

TEST_F(GltfKeysOfFiles, HaveNoWarningsIfAllAreReadOrHarmless) {
  GltfFile file = GltfFile::triangle();
  file.json["asset"]["generator"] = "a test";
  file.json["extensionsUsed"] = {"KHR_xmp_json_ld", "KHR_mesh_quantization", "KHR_materials_ior",
                                 "MSFT_lod"};
  file.json["extensions"]["KHR_xmp_json_ld"]["packets"] = json::array({{{"dc:title", "a"}}});
  file.json["materials"] = {{{"name", "a"},
                             {"doubleSided", true},
                             {"extras", {{"anything", {{"at", "all"}}}}},
                             {"extensions", {{"KHR_materials_ior", {{"ior", 1.4}}}}}}};
  file.json["nodes"][0]["extensions"]["MSFT_lod"]["ids"] = {0};
  file.primitive()["material"] = 0;
  file.add_attribute("_TEMPERATURE", {1, 2, 3}, "SCALAR");
  EXPECT_EQ(load_file(file).warnings, std::vector<std::string>{});
}

TEST_F(GltfKeysOfFiles, ThatAreUnknownGetOneWarningEachKind) {
  GltfFile file = GltfFile::triangle();
  file.json["nodes"] = {{{"mesh", 0}, {"tint", 1}}, {{"tint", 2}}};
  file.json["materials"] = {
      {{"extensions", {{"KHR_materials_ior", {{"ior", 1.4}, {"dispersion", 3}}}}}}};
  file.primitive()["material"] = 0;
  expect_warnings(load_file(file),
                  {"/nodes/0/tint: the key \"tint\" is ignored (2 times)",
                   "/materials/0/extensions/KHR_materials_ior/dispersion: the key \"dispersion\" "
                   "is ignored"});
}

TEST_F(GltfKeysOfFiles, MustHaveValuesOfTheirType) {
  auto expect_warning = [&](const char* pointer, const json& value, const char* part) {
    GltfFile file = GltfFile::triangle();
    file.primitive()["material"] = 0;
    file.json["materials"] = {json::object()};
    const json::json_pointer path(std::string("/materials/0") + pointer);
    file.json[path] = value;
    if (part)
      expect_warnings(load_file(file), {path.to_string() + ": " + part});
    else
      expect_warnings(load_file(file), {});
  };
  const char* const kColor = "/pbrMetallicRoughness/baseColorFactor";
  expect_warning(kColor, {1, 0.5, 0, 1}, nullptr);
  expect_warning(kColor, {1, 0.5, 0}, "expected 4 numbers");
  expect_warning(kColor, "red", "expected 4 numbers");
  expect_warning(kColor, {1, 0.5, 0, "1"}, "expected 4 numbers");
  expect_warning(kColor, {1, 2, 0, 1}, "baseColorFactor is limited to [0, 1]");
  expect_warning("/pbrMetallicRoughness/roughnessFactor", "0.5", "expected a number");
  expect_warning("/pbrMetallicRoughness/metallicFactor", {1}, "expected a number");
  expect_warning("/alphaCutoff", "x", "expected a number");
  expect_warning("/emissiveFactor", {1, 1}, "expected 3 numbers");
  expect_warning("/emissiveFactor", {5, 1, 0}, nullptr);
  expect_warning("/emissiveFactor", {-1, 1, 0}, "emissiveFactor is limited to 0 or more");
  expect_warning("/extensions/KHR_materials_clearcoat/clearcoatFactor", 3,
                 "clearcoatFactor is limited to [0, 1]");
}

TEST_F(GltfKeysOfFiles, NameEachExtensionThatIsUsedAndNotRead) {
  GltfFile file = GltfFile::triangle();
  file.json["extensionsUsed"] = {"EXT_lights_ies", "ACME_fur", "ACME_smoke", "KHR_materials_ior"};
  file.json["nodes"] = {
      {{"mesh", 0}, {"extensions", {{"EXT_lights_ies", {{"light", 0}}}}}},
      {{"extensions", {{"ACME_fur", json::object()}, {"EXT_lights_ies", {{"light", 0}}}}}}};
  expect_warnings(load_file(file),
                  {"/nodes/0/extensions/EXT_lights_ies: the file uses \"EXT_lights_ies\", which is "
                   "ignored: its light is missing",
                   "/nodes/1/extensions/ACME_fur: the file uses \"ACME_fur\", which is ignored",
                   "/extensionsUsed/2: the file uses \"ACME_smoke\", which is ignored"});
  file.json["extensionsRequired"] = {"ACME_fur"};
  EXPECT_THAT(load_file(file).warnings,
              Contains(HasSubstr("/extensionsRequired/0: the file requires \"ACME_fur\", which is "
                                 "ignored")));
}

TEST_F(GltfKeysOfFiles, AreIgnoredWhereAnExtensionDoesNotBelong) {
  GltfFile file = GltfFile::triangle();
  file.json["nodes"][0]["extensions"]["KHR_materials_ior"]["ior"] = 2.0;
  expect_warnings(load_file(file), {"the file uses \"KHR_materials_ior\", which is ignored"});
}

TEST_F(GltfKeysOfFiles, AreCountedUpToALimit) {
  GltfFile file = GltfFile::triangle();
  for (int i = 0; i < 60; ++i) file.json["nodes"][0][fmt::format("key{}", i)] = i;
  const std::vector<std::string> warnings = load_file(file).warnings;
  EXPECT_EQ(warnings.size(), 51u);
  EXPECT_THAT(warnings.back(), HasSubstr("more keys are ignored (10 times)"));
}

TEST_F(GltfKeysOfFiles, IncludeTheLeastVersionThatTheFileNeeds) {
  GltfFile file = GltfFile::triangle();
  file.json["asset"]["minVersion"] = "2.0";
  expect_warnings(load_file(file), {});
  file.json["asset"]["minVersion"] = "2.1";
  expect_warnings(load_file(file),
                  {"the file needs version 2.1 of glTF and is read as one of 2.0"});
}

}  // namespace
}  // namespace winnow
