// SPDX-License-Identifier: MIT
#include "load/gltf/materials.h"

#include <gmock/gmock.h>

#include <cmath>
#include <glm/vec4.hpp>

#include "tests/load/gltf/support/gltf_files.h"
#include "tests/support/expect_near.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using nlohmann::json;

/// An image of 2 x 1 texels, red and blue; the blue one has this alpha.
std::string tga(uint8_t alpha) {
  std::string bytes("\0\0\2\0\0\0\0\0\0\0\0\0\2\0\1\0\40\50", 18);  // 32 bits, top row first
  for (uint8_t byte : {0, 0, 255, 255, 255, 0, 0, int(alpha)}) bytes += char(byte);
  return bytes;
}

class GltfMaterial : public GltfTest {
 protected:
  GltfFile file(const json& material) const {
    GltfFile file = GltfFile::textured_triangle();
    file.json["materials"] = {material};
    file.primitive()["material"] = 0;
    return file;
  }
  Material load_material(const json& material) const {
    return load_file(file(material)).materials.at(0);
  }
  Material load_extension(const std::string& name, const json& extension) const {
    return load_material({{"extensions", {{name, extension}}}});
  }

  /// A file with one texture, used by its material, of an image with this alpha.
  GltfFile textured(json material, uint8_t alpha = 255) const {
    GltfFile textured = file(material);
    textured.json["images"] = {{{"uri", "data:image/png;base64," + to_base64(tga(alpha))}}};
    textured.json["textures"] = {{{"source", 0}}};
    return textured;
  }
};

const json kTexture = {{"index", 0}};

json base_color(const json& texture) {
  return {{"pbrMetallicRoughness", {{"baseColorTexture", texture}}}};
}

TEST_F(GltfMaterial, HasTheDefaultsOfTheSpecification) {
  const HostScene scene = load_file(GltfFile::triangle());
  for (const Material& material : {scene.materials.at(0), load_material(json::object())}) {
    EXPECT_EQ(material.type, MaterialType::kPrincipled);
    EXPECT_EQ(material.reflectance, glm::vec3(1));
    EXPECT_EQ(material.metallic, 1.0f);
    EXPECT_EQ(material.roughness, 1.0f);
    EXPECT_EQ(material.emission, glm::vec3(0));
    EXPECT_EQ(material.ior, 1.5f);
    EXPECT_FALSE(has_alpha_cutouts(material));
  }
}

TEST_F(GltfMaterial, ReadsItsFactorsAndMovesThemIntoTheirRange) {
  Material material = load_material(
      {{"emissiveFactor", {0.1, 0.2, 0.3}},
       {"extensions", {{"KHR_materials_emissive_strength", {{"emissiveStrength", 10}}}}},
       {"pbrMetallicRoughness",
        {{"baseColorFactor", {0.5, 0.25, 2, 1}},
         {"metallicFactor", 0.75},
         {"roughnessFactor", 0.5}}}});
  EXPECT_EQ(material.reflectance, glm::vec3(0.5f, 0.25f, 1.0f));
  EXPECT_EQ(material.metallic, 0.75f);
  EXPECT_EQ(material.roughness, 0.5f);
  EXPECT_FLOAT_EQ(material.emission.z, 3.0f);
}

TEST_F(GltfMaterial, ReadsExtensions) {
  EXPECT_EQ(load_extension("KHR_materials_ior", {{"ior", 1.25}}).ior, 1.25f);
  const Material coated = load_extension(
      "KHR_materials_clearcoat", {{"clearcoatFactor", 0.5}, {"clearcoatRoughnessFactor", 0.25}});
  EXPECT_EQ(coated.coat, 0.5f);
  EXPECT_EQ(coated.coat_roughness, 0.25f);
  const Material cloth = load_extension(
      "KHR_materials_sheen", {{"sheenColorFactor", {1, 0.5, 0}}, {"sheenRoughnessFactor", 0.75}});
  EXPECT_EQ(cloth.sheen, glm::vec3(1, 0.5f, 0));
  EXPECT_EQ(cloth.sheen_roughness, 0.75f);
  const Material faint = load_extension(
      "KHR_materials_specular", {{"specularFactor", 0.5}, {"specularColorFactor", {1, 0.5, 0}}});
  EXPECT_EQ(faint.specular, glm::vec3(0.5f));
  EXPECT_EQ(faint.specular_tint, glm::vec3(1, 0.5f, 0));
}

/// Only the product with the reflectance at normal incidence is limited to 1.
TEST_F(GltfMaterial, KeepsSpecularColorsAbove1) {
  const Material shiny =
      load_extension("KHR_materials_specular", {{"specularColorFactor", {2, 1.5, 30}}});
  EXPECT_EQ(shiny.specular_tint, glm::vec3(2, 1.5f, 30));
  EXPECT_EQ(shiny.specular, glm::vec3(1));
}

TEST_F(GltfMaterial, HasAnyIndexOfRefraction) {
  auto index = [&](double ior) { return load_extension("KHR_materials_ior", {{"ior", ior}}).ior; };
  EXPECT_EQ(index(0), kInfiniteIor);
  EXPECT_EQ(index(1000), 1000.0f);
  EXPECT_EQ(index(1e9), kInfiniteIor);
  EXPECT_NEAR(index(1), 1.0f, 1e-3f);
  EXPECT_EQ(index(2.42), 2.42f);
  const json invalid = {{"extensions", {{"KHR_materials_ior", {{"ior", 0.5}}}}}};
  const HostScene scene = load_file(file(invalid));
  EXPECT_NEAR(scene.materials.at(0).ior, 1.0f, 1e-3f);
  expect_warnings(scene, {"/materials/0: an index of refraction below 1"});

  auto of_roughness = [&](double roughness) {
    return load_file(
        file({{"pbrMetallicRoughness", {{"roughnessFactor", roughness}, {"metallicFactor", 0}}},
              {"extensions", {{"KHR_materials_ior", {{"ior", 0}}}}}}));
  };
  expect_warnings(of_roughness(0.2), {});
  expect_warnings(of_roughness(0.5), {"an index of 0 reflects all light, but rough surfaces lose"});
}

/// By the formula of the extension, alpha is 0.25 + 0.75 * 0.5^2 along its direction and 0.25
/// across.
TEST_F(GltfMaterial, IsRougherAlongTheDirectionOfItsAnisotropy) {
  json material = {{"pbrMetallicRoughness", {{"roughnessFactor", 0.5}}},
                   {"extensions", {{"KHR_materials_anisotropy", {{"anisotropyStrength", 0.5}}}}}};
  const Material along = load_material(material);
  EXPECT_NEAR((1.0f + along.anisotropy) / (1.0f - along.anisotropy), 0.4375f / 0.25f, 1e-5f);
  EXPECT_NEAR(std::pow(along.roughness, 4.0f), 0.4375f * 0.25f, 1e-5f);
  material["extensions"]["KHR_materials_anisotropy"]["anisotropyRotation"] = std::acos(0.0);
  EXPECT_EQ(load_material(material).anisotropy, -along.anisotropy);
}

TEST_F(GltfMaterial, IsASheetWithoutThicknessAndBendsLightWithIt) {
  for (double transmission : {0.1, 0.5, 1.0})
    for (double roughness : {0.0, 0.05, 0.06, 1.0}) {
      json glass = {
          {"pbrMetallicRoughness", {{"metallicFactor", 0.2}, {"roughnessFactor", roughness}}},
          {"extensions",
           {{"KHR_materials_transmission", {{"transmissionFactor", transmission}}},
            {"KHR_materials_clearcoat", {{"clearcoatFactor", 0.5}}},
            {"KHR_materials_dispersion", {{"dispersion", 0.5}}}}}};
      const HostScene scene = load_file(file(glass));
      EXPECT_EQ(scene.warnings, std::vector<std::string>{});
      const Material& sheet = scene.materials.at(0);
      EXPECT_EQ(sheet.type, MaterialType::kPrincipled);
      EXPECT_TRUE(sheet.thin);
      EXPECT_EQ(sheet.transmission, float(transmission));
      EXPECT_EQ(sheet.dispersion, 0.0f);
      json& volume = glass["extensions"]["KHR_materials_volume"];
      volume = {{"thicknessFactor", 0}};
      EXPECT_TRUE(load_material(glass).thin);
      volume = {{"thicknessFactor", 1}};
      EXPECT_FALSE(load_material(glass).thin);
      EXPECT_EQ(load_material(glass).dispersion, 0.5f);
    }
  EXPECT_FALSE(load_material(json::object()).thin);
}

TEST_F(GltfMaterial, AttenuatesLightInsideOfAVolumeByItsDistance) {
  json glass = {{"extensions",
                 {{"KHR_materials_transmission", {{"transmissionFactor", 1}}},
                  {"KHR_materials_volume",
                   {{"thicknessFactor", 1},
                    {"attenuationDistance", 0.5},
                    {"attenuationColor", {0.25, 0.5, 1}}}}}}};
  const HostScene scene = load_file(file(glass));
  ASSERT_EQ(scene.media.size(), 1u);
  expect_near(scene.media[0].absorption, {std::log(16.0f), std::log(4.0f), 0.0f});
  EXPECT_EQ(scene.media[0].scattering, glm::vec3(0.0f));
  EXPECT_TRUE(scene.materials.at(0).bounds_media);
  EXPECT_EQ(scene.materials.at(0).interior, 0u);
  EXPECT_EQ(scene.materials.at(0).exterior, kNoMedium);
  GltfFile blender = file(glass);
  blender.json["asset"]["generator"] = "Khronos glTF Blender I/O v5.3.43";
  expect_near(load_file(blender).media.at(0).absorption, {1.5f, 1.0f, 0.0f});
  json& volume = glass["extensions"]["KHR_materials_volume"];
  volume["attenuationColor"] = {0, 0.5, 1};  // nothing may be infinite
  EXPECT_LT(load_file(file(glass)).media.at(0).absorption.x, 1e3f);
  volume.erase("attenuationDistance");  // it is infinite then
  EXPECT_TRUE(load_file(file(glass)).media.empty());
  volume["attenuationDistance"] = 0.5;
  volume["thicknessFactor"] = 0;
  EXPECT_TRUE(load_file(file(glass)).media.empty());
}

/// A white volume scatters all that it attenuates, a black one nothing, and any other the more the
/// brighter it is.
TEST_F(GltfMaterial, ScattersInsideOfAVolumeByItsColor) {
  json glass = {{"extensions",
                 {{"KHR_materials_transmission", {{"transmissionFactor", 1}}},
                  {"KHR_materials_volume",
                   {{"thicknessFactor", 1},
                    {"attenuationDistance", 1},
                    {"attenuationColor", {0.5, 0.5, 0.5}}}}}}};
  auto load_medium = [&](const json& scatter) {
    glass["extensions"]["KHR_materials_volume_scatter"] = scatter;
    return load_file(file(glass)).media.at(0);
  };
  const float lost = std::log(2.0f);
  const Medium medium = load_medium({{"multiscatterColor", {1, 0, 0.5}}});
  expect_near(medium.scattering + medium.absorption, glm::vec3(lost));
  EXPECT_NEAR(medium.scattering.x, lost, 1e-5f);
  EXPECT_NEAR(medium.scattering.y, 0.0f, 1e-4f);
  const float albedo = medium.scattering.z / lost, s = std::sqrt(1.0f - albedo);
  EXPECT_NEAR((1.0f - s) * (1.0f - 0.139f * s) / (1.0f + 1.17f * s), 0.5f, 1e-4f);
  const Medium forward =
      load_medium({{"multiscatterColor", {0.5, 0.5, 0.5}}, {"scatterAnisotropy", 0.8}});
  EXPECT_EQ(forward.asymmetry, 0.8f);
  EXPECT_GT(forward.scattering.x, medium.scattering.z);
}

/// Both parametrizations describe the same metal, and the same plastic.
TEST_F(GltfMaterial, MakesMetalAndRoughnessOfSpecularAndGlossiness) {
  const Material gold =
      load_extension("KHR_materials_pbrSpecularGlossiness", {{"diffuseFactor", {0, 0, 0, 1}},
                                                             {"specularFactor", {1, 0.75, 0.25}},
                                                             {"glossinessFactor", 0.75}});
  EXPECT_NEAR(gold.metallic, 1.0f, 1e-3f);
  EXPECT_NEAR(gold.reflectance.y, 0.75f, 1e-3f);
  EXPECT_EQ(gold.roughness, 0.25f);
  const Material plastic = load_extension(
      "KHR_materials_pbrSpecularGlossiness",
      {{"diffuseFactor", {0.5, 0.25, 0.125, 1}}, {"specularFactor", {0.04, 0.04, 0.04}}});
  EXPECT_NEAR(plastic.metallic, 0.0f, 1e-3f);
  EXPECT_NEAR(plastic.reflectance.x, 0.5f, 1e-3f);
  EXPECT_NEAR(plastic.reflectance.z, 0.125f, 1e-3f);
}

TEST_F(GltfMaterial, ShowsItsColourInAnyLightWhereItIsUnlit) {
  const Material unlit =
      load_material({{"pbrMetallicRoughness", {{"baseColorFactor", {0.5, 0.25, 0, 1}}}},
                     {"extensions", {{"KHR_materials_unlit", json::object()}}}});
  EXPECT_EQ(unlit.reflectance, glm::vec3(0));
  EXPECT_EQ(unlit.emission, glm::vec3(0.5f, 0.25f, 0));
}

TEST_F(GltfMaterial, ReadsImagesOfEveryPlaceForWhatTheyMean) {
  GltfFile in_data = textured(base_color(kTexture));
  GltfFile in_view = in_data, in_file = in_data;
  const int view = in_view.add_view(tga(255));
  in_view.json["images"] = {{{"bufferView", view}, {"mimeType", "image/png"}}};
  write("an image.tga", tga(255));
  in_file.json["images"] = {{{"uri", "an%20image.tga"}}};
  for (GltfFile file : {in_data, in_view, in_file}) {
    file.json["materials"][0]["normalTexture"] = {{"index", 0}, {"scale", 0.5}};
    const HostScene scene = load_file(file);
    EXPECT_EQ(scene.warnings, std::vector<std::string>{});
    const Material& material = scene.materials.at(0);
    ASSERT_EQ(scene.textures.size(), 2u);
    ASSERT_EQ(scene.images.size(), 2u);
    const TextureImage& color = scene.images[scene.textures[material.textures.reflectance].image];
    EXPECT_EQ(color.format, TexelFormat::kSrgb8);
    EXPECT_EQ(color.width, 2u);
    EXPECT_EQ(color.texels.at(0), std::byte{255}) << "the left texel is red";
    EXPECT_EQ(color.texels.at(4), std::byte{0});
    EXPECT_EQ(scene.images[scene.textures[material.textures.normal].image].format,
              TexelFormat::kLinear8);
    EXPECT_EQ(material.normal_scale, 0.5f);
  }
}

TEST_F(GltfMaterial, ReadsAnImageOnceForAllItsMaterials) {
  GltfFile file = textured(base_color(kTexture));
  file.json["materials"].push_back(base_color(kTexture));
  json second = file.primitive();
  second["material"] = 1;
  file.json["meshes"][0]["primitives"].push_back(second);
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.materials.size(), 2u);
  EXPECT_EQ(scene.images.size(), 1u);
  EXPECT_EQ(scene.textures.size(), 1u);
}

TEST_F(GltfMaterial, WrapsAndFiltersTexturesAsTheirSamplersSay) {
  GltfFile file = textured(base_color(kTexture));
  TextureDescription texture = load_file(file).textures.at(0);
  EXPECT_EQ(texture.wrap_u, TextureWrap::kRepeat);
  EXPECT_EQ(texture.filter, TextureFilter::kLinear);
  file.json["samplers"] = {{{"wrapS", 33071}, {"wrapT", 33648}, {"magFilter", 9728}}};
  file.json["textures"][0]["sampler"] = 0;
  texture = load_file(file).textures.at(0);
  EXPECT_EQ(texture.wrap_u, TextureWrap::kClamp);
  EXPECT_EQ(texture.wrap_v, TextureWrap::kMirror);
  EXPECT_EQ(texture.filter, TextureFilter::kNearest);
}

/// The example of the extension: it shows the lower left quarter of the image, rotated clockwise.
TEST_F(GltfMaterial, TransformsTextureCoordinates) {
  const json transform = {{"offset", {0, 1}}, {"rotation", std::acos(0.0)}, {"scale", {0.5, 0.5}}};
  const GltfFile file =
      textured(base_color({{"index", 0}, {"extensions", {{"KHR_texture_transform", transform}}}}));
  const glm::mat3x2 from_uv = load_file(file).textures.at(0).from_uv;
  auto expect_at = [&](glm::vec2 uv, glm::vec2 expected) {
    const glm::vec2 at = from_uv * glm::vec3(uv, 1.0f);
    EXPECT_NEAR(at.x, expected.x, 1e-6f);
    EXPECT_NEAR(at.y, expected.y, 1e-6f);
  };
  expect_at({0, 0}, {0, 1});
  expect_at({1, 0}, {0, 0.5f});
  expect_at({0, 1}, {0.5f, 1});
}

TEST_F(GltfMaterial, TakesTheTextureCoordinatesThatItsTextureNames) {
  GltfFile file = textured(base_color({{"index", 0}, {"texCoord", 1}}));
  file.add_attribute("TEXCOORD_0", {0, 0, 0, 0, 0, 0}, "VEC2");
  file.add_attribute("TEXCOORD_1", {0, 0, 3, 0, 0, 4}, "VEC2");
  HostScene scene = load_file(file);
  EXPECT_EQ(scene.uvs.at(2), glm::vec2(0, 4));
  EXPECT_EQ(scene.warnings.size(), 0u);
  file.json["materials"][0]["normalTexture"] = kTexture;
  EXPECT_EQ(load_file(file).warnings.size(), 0u);
}

TEST_F(GltfMaterial, HasAlphaCutoutsByItsAlphaMode) {
  auto load_alpha = [&](const char* mode, double factor, uint8_t alpha) {
    json material = base_color(kTexture);
    material["alphaMode"] = mode;
    material["pbrMetallicRoughness"]["baseColorFactor"] = {1, 1, 1, factor};
    return load_file(textured(material, alpha)).materials.at(0);
  };
  EXPECT_FALSE(has_alpha_cutouts(load_alpha("OPAQUE", 0.5, 10)));
  const Material blend = load_alpha("BLEND", 0.5, 10);
  EXPECT_EQ(blend.alpha, 0.5f);
  EXPECT_EQ(blend.alpha_cutoff, 0.0f);
  EXPECT_EQ(blend.textures.alpha, blend.textures.reflectance);
  const Material mask = load_alpha("MASK", 1.0, 10);
  EXPECT_EQ(mask.alpha_cutoff, 0.5f);
  EXPECT_NE(mask.textures.alpha, kNoTexture);
  EXPECT_FALSE(has_alpha_cutouts(load_material({{"alphaMode", "MASK"}, {"alphaCutoff", 0}})));
  const Material gone = load_material({{"alphaMode", "MASK"}, {"alphaCutoff", 1.5}});
  EXPECT_LT(gone.alpha, gone.alpha_cutoff);
  EXPECT_FALSE(has_alpha_cutouts(load_alpha("BLEND", 1.0, 255))) << "the image is opaque";
}

TEST_F(GltfMaterial, IgnoresTexturesThatAreMissingOrBroken) {
  GltfFile file = textured(base_color(kTexture));
  file.json["images"][0]["uri"] = "absent.png";
  HostScene scene = load_file(file);
  EXPECT_EQ(scene.materials.at(0).textures.reflectance, kNoTexture);
  expect_warnings(scene, {"absent.png: the texture does not exist"});

  file.json["images"][0]["uri"] = "data:image/png;base64," + to_base64("no image");
  scene = load_file(file);
  EXPECT_EQ(scene.materials.at(0).textures.reflectance, kNoTexture);
  expect_warnings(scene, {"/images/0: "});

  file.json["textures"][0].erase("source");
  EXPECT_EQ(load_file(file).warnings.size(), 1u);
}

TEST_F(GltfMaterial, NamesTheExtensionOfATextureThatItCannotRead) {
  GltfFile file = textured(base_color(kTexture));
  file.json["textures"][0] = {{"extensions", {{"MSFT_texture_dds", {{"source", 0}}}}}};
  expect_warnings(load_file(file),
                  {"/textures/0: a texture that MSFT_texture_dds alone describes is left out"});
  file.json["textures"][0] = {{"extensions", {{"EXT_texture_webp", {{"source", 0}}}}}};
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  EXPECT_NE(scene.materials.at(0).textures.reflectance, kNoTexture);
}

TEST_F(GltfMaterial, WarnsOfTangentsThatDifferFromThoseOfTheTextureCoordinates) {
  auto warnings_with = [&](const std::vector<float>& tangent) {
    GltfFile file = textured({{"normalTexture", kTexture}});
    file.add_attribute("NORMAL", {0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
    file.add_attribute("TEXCOORD_0", {0, 1, 1, 1, 0, 0}, "VEC2");  // u is along x, v against y
    std::vector<float> tangents;
    for (int corner = 0; corner < 3; ++corner)
      tangents.insert(tangents.end(), tangent.begin(), tangent.end());
    file.add_attribute("TANGENT", tangents, "VEC4");
    return load_file(file).warnings;
  };
  EXPECT_EQ(warnings_with({1, 0, 0, 1}), std::vector<std::string>{});
  EXPECT_EQ(warnings_with({0.9f, 0.4f, 0, 1}), std::vector<std::string>{});
  for (const std::vector<float>& other :
       {std::vector<float>{0, 1, 0, 1}, {-1, 0, 0, 1}, {1, 0, 0, -1}})
    EXPECT_THAT(warnings_with(other),
                testing::ElementsAre(testing::HasSubstr("tangents that differ from those of the")));
}

TEST_F(GltfMaterial, NamesAnAlphaModeThatItDoesNotKnow) {
  expect_warnings(load_file(file({{"alphaMode", "HASHED"}})),
                  {"/materials/0: the alphaMode \"HASHED\" is not known; the surface is opaque"});
}

/// Three triangles: the first is red, the second green in the variants "Winter" and "Night", the
/// third has no variants.
class GltfVariants : public GltfTest {
 protected:
  GltfFile file_ = [] {
    GltfFile file = GltfFile::triangle();
    for (const char* name : {"red", "green", "blue"})
      file.json["materials"].push_back({{"name", name}});
    for (const char* name : {"Summer", "Winter", "Night"})
      file.json["extensions"]["KHR_materials_variants"]["variants"].push_back({{"name", name}});
    json& primitives = file.json["meshes"][0]["primitives"];
    primitives[0]["material"] = 0;
    primitives.push_back(primitives[0]);
    primitives.push_back(primitives[0]);
    json& mappings = primitives[0]["extensions"]["KHR_materials_variants"]["mappings"];
    mappings = {{{"material", 1}, {"variants", {1, 2}}}};
    primitives[1]["extensions"]["KHR_materials_variants"]["mappings"] = {
        {{"material", 2}, {"variants", {0}}}, {{"material", 1}, {"variants", {2}}}};
    return file;
  }();

  std::vector<std::string> names_in(const std::string& variant) const {
    const HostScene scene = load_scene(write("s.gltf", file_.text()), {}, {},
                                       OutsideFiles::kAllowed, {.variant = variant});
    EXPECT_EQ(scene.warnings, std::vector<std::string>{});
    std::vector<std::string> names;
    for (const uint32_t material : scene.triangle_materials)
      names.push_back(scene.material_names[material]);
    return names;
  }
};

TEST_F(GltfVariants, ReplaceTheMaterialsOfTheirPrimitives) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_in(""), (Names{"red", "red", "red"}));
  EXPECT_EQ(names_in("Summer"), (Names{"red", "blue", "red"}));
  EXPECT_EQ(names_in("Winter"), (Names{"green", "red", "red"}));
  EXPECT_EQ(names_in("Night"), (Names{"green", "green", "red"}));
  EXPECT_EQ(load_file(file_).variant_names, (Names{"Summer", "Winter", "Night"}));
}

TEST_F(GltfVariants, GiveAMaterialToAPrimitiveWithout) {
  file_.primitive().erase("material");
  EXPECT_EQ(names_in("Winter").front(), "green");
  EXPECT_EQ(names_in("").front(), "(none)");
}

TEST_F(GltfVariants, AreListedForAnUnknownOne) {
  EXPECT_THAT(message_of<UsageError>([&] { names_in("Spring"); }),
              testing::EndsWith("s.gltf has the variants \"Summer\", \"Winter\", \"Night\""));
  file_.json.erase("extensions");
  EXPECT_THAT(message_of<UsageError>([&] { names_in("Spring"); }),
              testing::EndsWith("s.gltf has no variants"));
}

TEST_F(GltfVariants, ThatAreBrokenLeaveTheDefaultMaterial) {
  file_.primitive()["extensions"]["KHR_materials_variants"]["mappings"][0]["material"] = 9;
  const HostScene scene = load_scene(write("s.gltf", file_.text()), {}, {}, OutsideFiles::kAllowed,
                                     {.variant = "Winter"});
  expect_warnings(scene, {"expected an index below 3, found 9; glTF's default material is used"});
}

TEST_F(GltfMaterial, LeavesOutAnImageWithoutAPlace) {
  GltfFile file = textured(base_color(kTexture));
  file.json["images"][0] = {{"name", ""}};
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.materials.at(0).textures.reflectance, kNoTexture);
  expect_warnings(scene, {"/images/0: the key \"uri\" is missing; the texture is left out"});
}

TEST_F(GltfMaterial, NamesThePlaceOfATextureThatIsNotThere) {
  GltfFile file = textured(base_color({{"index", 3}}));
  EXPECT_EQ(
      error_of("s.gltf", file.text()),
      "s.gltf: /materials/0/pbrMetallicRoughness/baseColorTexture/index: expected an index below "
      "1, found 3");
  file = textured(base_color(kTexture));
  file.json["textures"][0]["source"] = 1;
  EXPECT_EQ(error_of("s.gltf", file.text()),
            "s.gltf: /textures/0/source: expected an index below 1, found 1");
}

}  // namespace
}  // namespace winnow
