// SPDX-License-Identifier: MIT
// Extensions of glTF that add layers to a surface, and their textures.

#include <gmock/gmock.h>

#include <cmath>
#include <glm/vec4.hpp>

#include "load/gltf/materials.h"
#include "load/textures/texels.h"
#include "tests/load/gltf/support/gltf_files.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

using nlohmann::json;

/// An image of one texel.
std::string tga_of_texel(uint8_t r, uint8_t g, uint8_t b, uint8_t a) {
  std::string bytes("\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\40\50", 18);  // 32 bits, top row first
  for (uint8_t byte : {b, g, r, a}) bytes += char(byte);
  return bytes;
}

constexpr const char* kBlender = "Khronos glTF Blender I/O v5.3.43";
const json kFirstImage = {{"index", 0}}, kSecondImage = {{"index", 1}};

class GltfLayers : public GltfTest {
 protected:
  /// A file with two textures, of the bytes 200, 100, 50, 25 and of 20, 40, 60, 80.
  GltfFile file(const std::string& extension, const json& members) const {
    GltfFile file = GltfFile::textured_triangle();
    file.json["materials"] = {{{"pbrMetallicRoughness", {{"roughnessFactor", 0.5}}},
                               {"extensions", {{extension, members}}}}};
    file.primitive()["material"] = 0;
    for (const std::string& image :
         {tga_of_texel(200, 100, 50, 25), tga_of_texel(20, 40, 60, 80)}) {
      file.json["textures"].push_back({{"source", file.json["textures"].size()}});
      file.json["images"].push_back({{"uri", "data:image/png;base64," + to_base64(image)}});
    }
    return file;
  }
  HostScene load_layers(const std::string& extension, const json& members) const {
    return load_file(file(extension, members));
  }
  /// The bytes of the only texel of a texture.
  static glm::ivec4 texel(const HostScene& scene, uint32_t texture) {
    EXPECT_NE(texture, kNoTexture);
    if (texture == kNoTexture) return {};
    const TextureImage& image = scene.images[scene.textures[texture].image];
    return {int(image.texels[0]), int(image.texels[1]), int(image.texels[2]), int(image.texels[3])};
  }
};

TEST_F(GltfLayers, HaveTheTexturesOfTheirClearCoat) {
  const char* const kCoat = "KHR_materials_clearcoat";
  json coat = {{"clearcoatFactor", 1}, {"clearcoatRoughnessFactor", 0.5}};
  auto load_coat = [&] {
    const HostScene scene = load_layers(kCoat, coat);
    EXPECT_EQ(scene.warnings, std::vector<std::string>{});
    EXPECT_EQ(scene.images.size(), 1u);
    return texel(scene, scene.materials.at(0).textures.coat);
  };
  coat["clearcoatTexture"] = kFirstImage;
  EXPECT_EQ(load_coat(), glm::ivec4(200, 255, 255, 255)) << "the roughness has no texture";
  coat["clearcoatRoughnessTexture"] = kSecondImage;
  EXPECT_EQ(load_coat(), glm::ivec4(200, 40, 255, 255));
  coat["clearcoatRoughnessTexture"] = kFirstImage;
  EXPECT_EQ(load_coat(), glm::ivec4(200, 100, 50, 25)) << "the image itself";
  coat.erase("clearcoatTexture");
  EXPECT_EQ(load_coat(), glm::ivec4(255, 100, 255, 255));
}

TEST_F(GltfLayers, HaveTheColorAndTheWeightOfDiffuseTransmission) {
  const char* const kName = "KHR_materials_diffuse_transmission";
  json members = {{"diffuseTransmissionFactor", 0.5},
                  {"diffuseTransmissionColorFactor", {0.2, 0.4, 0.6}}};
  auto load_members = [&] {
    const HostScene scene = load_layers(kName, members);
    EXPECT_EQ(scene.warnings, std::vector<std::string>{});
    return scene;
  };
  auto texel_of = [&](const HostScene& scene) {
    return texel(scene, scene.materials.at(0).textures.diffuse_transmission);
  };
  HostScene scene = load_members();
  const Material material = scene.materials.at(0);
  EXPECT_EQ(material.diffuse_transmission, 0.5f);
  expect_near(material.diffuse_transmission_color, {0.2f, 0.4f, 0.6f});
  EXPECT_EQ(material.textures.diffuse_transmission, kNoTexture);
  EXPECT_EQ(material.transmission, 0.0f);

  members["diffuseTransmissionColorTexture"] = kFirstImage;
  EXPECT_EQ(texel_of(load_members()), glm::ivec4(200, 100, 50, 255));
  members["diffuseTransmissionTexture"] = kSecondImage;
  scene = load_members();
  EXPECT_EQ(texel_of(scene), glm::ivec4(200, 100, 50, 80));
  EXPECT_EQ(scene.images[scene.textures[0].image].format, TexelFormat::kSrgb8);
  members.erase("diffuseTransmissionColorTexture");
  EXPECT_EQ(texel_of(load_members()), glm::ivec4(255, 255, 255, 80));

  members = json::object();
  EXPECT_EQ(load_members().materials.at(0).diffuse_transmission, 0.0f) << "the default";
}

TEST_F(GltfLayers, LetLightIntoAVolumeDiffusely) {
  GltfFile candle = file("KHR_materials_diffuse_transmission", {{"diffuseTransmissionFactor", 1}});
  candle.json["materials"][0]["extensions"]["KHR_materials_volume"] = {
      {"thicknessFactor", 1}, {"attenuationDistance", 2}, {"attenuationColor", {0.5, 0.5, 0.5}}};
  const HostScene scene = load_file(candle);
  expect_warnings(scene, {"has open edges"});  // the mesh is a single triangle
  ASSERT_TRUE(scene.materials.at(0).bounds_media);
  EXPECT_NEAR(scene.media.at(0).absorption.x, std::log(2.0f) / 2.0f, 1e-5f);
  candle.json["materials"][0]["extensions"]["KHR_materials_volume"]["thicknessFactor"] = 0;
  EXPECT_FALSE(load_file(candle).materials.at(0).bounds_media);
}

TEST_F(GltfLayers, HaveTheTexturesOfTheirSheen) {
  const HostScene scene =
      load_layers("KHR_materials_sheen", {{"sheenColorFactor", {1, 1, 1}},
                                          {"sheenRoughnessFactor", 0.5},
                                          {"sheenColorTexture", kFirstImage},
                                          {"sheenRoughnessTexture", kSecondImage}});
  EXPECT_EQ(texel(scene, scene.materials.at(0).textures.sheen), glm::ivec4(200, 100, 50, 80));
  EXPECT_EQ(scene.images.at(0).format, TexelFormat::kSrgb8);
}

TEST_F(GltfLayers, HaveTheTexturesOfTheirSpecularReflection) {
  json specular = {{"specularFactor", 0.5}, {"specularColorTexture", kFirstImage}};
  HostScene scene = load_layers("KHR_materials_specular", specular);
  auto texel_of_tint = [&] { return texel(scene, scene.materials.at(0).textures.specular_tint); };
  EXPECT_EQ(texel_of_tint(), glm::ivec4(200, 100, 50, 255)) << "alpha is the second texture's";
  specular["specularTexture"] = kSecondImage;
  scene = load_layers("KHR_materials_specular", specular);
  EXPECT_EQ(scene.images.at(0).format, TexelFormat::kSrgb8);
  EXPECT_EQ(texel_of_tint(), glm::ivec4(200, 100, 50, 80));
  EXPECT_EQ(scene.materials.at(0).specular, glm::vec3(0.5f));
}

/// If one texture cannot hold both, the second is replaced by its mean.
TEST_F(GltfLayers, TakeTheMeanOfATextureThatLiesInAnotherWay) {
  const json moved = {{"index", 1},
                      {"extensions", {{"KHR_texture_transform", {{"scale", {2, 2}}}}}}};
  const HostScene scene =
      load_layers("KHR_materials_clearcoat", {{"clearcoatFactor", 1},
                                              {"clearcoatRoughnessFactor", 0.5},
                                              {"clearcoatTexture", kFirstImage},
                                              {"clearcoatRoughnessTexture", moved}});
  expect_warnings(scene, {"in another way than the one beside it is replaced by its mean"});
  const Material& material = scene.materials.at(0);
  EXPECT_EQ(texel(scene, material.textures.coat), glm::ivec4(200, 255, 255, 255));
  EXPECT_FLOAT_EQ(material.coat_roughness, 0.5f * 40.0f / 255.0f);
}

TEST_F(GltfLayers, SayThatAClearCoatHasTheNormalsBelowIt) {
  GltfFile coated = file("KHR_materials_clearcoat", {{"clearcoatFactor", 1}});
  json& material = coated.json["materials"][0];
  EXPECT_EQ(load_file(coated).warnings, std::vector<std::string>{});
  material["normalTexture"] = kFirstImage;
  expect_warnings(load_file(coated), {"/materials/0: a clear coat has the normals of the surface"});
  json& coat = material["extensions"]["KHR_materials_clearcoat"];
  coat["clearcoatNormalTexture"] = kFirstImage;
  EXPECT_EQ(load_file(coated).warnings, std::vector<std::string>{});
  coat["clearcoatNormalTexture"] = kSecondImage;
  EXPECT_EQ(load_file(coated).warnings.size(), 1u);
}

TEST_F(GltfLayers, KeepTheirFactorsWhereAnImageIsBroken) {
  GltfFile broken = file("KHR_materials_clearcoat",
                         {{"clearcoatFactor", 0.75}, {"clearcoatTexture", kFirstImage}});
  broken.json["images"][0]["uri"] = "data:image/png;base64," + to_base64("no image");
  const HostScene scene = load_file(broken);
  expect_warnings(scene, {"/images/0: "});
  EXPECT_EQ(scene.materials.at(0).textures.coat, kNoTexture);
  EXPECT_EQ(scene.materials.at(0).coat, 0.75f);
}

TEST_F(GltfLayers, LoseOnlyATextureThatIsNotThere) {
  const json absent = {{"index", 99}};
  for (const auto& [extension, members] :
       {std::pair<const char*, json>("KHR_materials_sheen", {{"sheenColorFactor", {1, 1, 1}},
                                                             {"sheenColorTexture", absent}}),
        {"KHR_materials_anisotropy",
         {{"anisotropyStrength", 0.5}, {"anisotropyTexture", absent}}}}) {
    GltfFile broken = file(extension, members);
    broken.add_attribute("TEXCOORD_0", {0, 0, 1, 0, 0, 1}, "VEC2");
    expect_warnings(load_file(broken),
                    {"expected an index below 2, found 99; the texture is left out"});
  }
}

TEST_F(GltfLayers, AreIridescentByAFilm) {
  json film = {{"iridescenceFactor", 0.75}};
  HostScene scene = load_layers("KHR_materials_iridescence", film);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  EXPECT_EQ(scene.materials.at(0).iridescence, 0.75f);
  EXPECT_EQ(scene.materials.at(0).iridescence_ior, 1.3f);
  EXPECT_EQ(scene.materials.at(0).film_thickness, glm::vec2(100, 400));
  film = {{"iridescenceFactor", 1},
          {"iridescenceIor", 1.8},
          {"iridescenceThicknessMinimum", 50},
          {"iridescenceThicknessMaximum", 250},
          {"iridescenceTexture", kFirstImage},
          {"iridescenceThicknessTexture", kSecondImage}};
  scene = load_layers("KHR_materials_iridescence", film);
  EXPECT_EQ(scene.materials.at(0).iridescence_ior, 1.8f);
  EXPECT_EQ(scene.materials.at(0).film_thickness, glm::vec2(50, 250));
  EXPECT_EQ(texel(scene, scene.materials.at(0).textures.iridescence),
            glm::ivec4(200, 40, 255, 255));
}

TEST_F(GltfLayers, SayThatAFilmIgnoresTheSpecularColor) {
  GltfFile filmed = file("KHR_materials_iridescence", {{"iridescenceFactor", 1}});
  filmed.json["materials"][0]["extensions"]["KHR_materials_specular"] = {
      {"specularColorFactor", {1, 0, 0}}};
  expect_warnings(load_file(filmed), {"/materials/0: an iridescent film ignores"});
}

TEST_F(GltfLayers, DisperseLight) {
  EXPECT_EQ(
      load_layers("KHR_materials_dispersion", {{"dispersion", 0.5}}).materials.at(0).dispersion,
      0.5f);
}

TEST_F(GltfLayers, RotateTheirAnisotropyByAnyAngle) {
  const Material brushed = load_layers("KHR_materials_anisotropy",
                                       {{"anisotropyStrength", 0.5}, {"anisotropyRotation", 0.3}})
                               .materials.at(0);
  EXPECT_NEAR(brushed.anisotropy_rotation, 0.3f, 1e-6f);
  EXPECT_GT(brushed.anisotropy, 0.0f);
}

TEST_F(GltfLayers, SayWhichOfBlenderDiffer) {
  GltfFile brushed = file("KHR_materials_anisotropy", {{"anisotropyStrength", 0.5}});
  brushed.json["asset"]["generator"] = kBlender;
  expect_warnings(load_file(brushed), {"anisotropic highlights differ from Blender's"});
  GltfFile velvet = file("KHR_materials_sheen", {{"sheenColorFactor", {1, 1, 1}}});
  velvet.json["asset"] = brushed.json["asset"];
  expect_warnings(load_file(velvet), {"sheen is up to a third brighter"});
}

/// Blender writes twice the level as specularFactor, and what is above 1 as specularColorFactor.
TEST_F(GltfLayers, AreReadAsBlenderMeansTheSpecularIorLevel) {
  auto read = [&](const json& specular, double transmission) {
    GltfFile blender = file("KHR_materials_specular", specular);
    blender.json["asset"]["generator"] = kBlender;
    if (transmission > 0.0)
      blender.json["materials"][0]["extensions"]["KHR_materials_transmission"] = {
          {"transmissionFactor", transmission}};
    return load_file(blender).materials.at(0);
  };
  const Material half = read({{"specularFactor", 0.5}}, 0.0);
  EXPECT_EQ(half.specular, glm::vec3(1.0f));
  EXPECT_EQ(half.specular_tint, glm::vec3(1.0f));
  EXPECT_NEAR(std::pow((half.ior - 1.0f) / (half.ior + 1.0f), 2.0f), 0.5f * 0.04f, 1e-6f);
  EXPECT_EQ(read({{"specularFactor", 0}}, 0.0).specular, glm::vec3(0.0f));
  const Material tinted = read({{"specularColorFactor", {1.6, 0.8, 0.4}}}, 0.0);
  EXPECT_EQ(tinted.specular_tint, glm::vec3(1.6f, 0.8f, 0.4f));
  EXPECT_EQ(tinted.ior, 1.5f);
  // The level has no effect on glass.
  EXPECT_EQ(read({{"specularFactor", 0.5}}, 1.0).specular, glm::vec3(1.0f));
  const Material glass = read({{"specularColorFactor", {1.6, 0.8, 0.4}}}, 1.0);
  EXPECT_EQ(glass.specular_tint, glm::vec3(1.0f, 0.5f, 0.25f));
}

TEST_F(GltfLayers, AreFilteredAsByCyclesInBlender) {
  GltfFile blender =
      file("KHR_materials_clearcoat", {{"clearcoatFactor", 1}, {"clearcoatTexture", kFirstImage}});
  EXPECT_EQ(load_file(blender).textures.at(0).filter, TextureFilter::kLinear);
  blender.json["asset"]["generator"] = kBlender;
  EXPECT_EQ(load_file(blender).textures.at(0).filter, TextureFilter::kBilinearEncoded);
  blender.json["samplers"] = {{{"magFilter", 9728}}};
  for (json& texture : blender.json["textures"]) texture["sampler"] = 0;
  EXPECT_EQ(load_file(blender).textures.at(0).filter, TextureFilter::kNearest);
}

/// Cycles multiplies colours by alpha where a material does not use the alpha of an image.
TEST_F(GltfLayers, AreMultipliedByAnUnusedAlphaInBlender) {
  GltfFile file = this->file("KHR_materials_ior", {{"ior", 1.5}});
  json& material = file.json["materials"][0];
  material["pbrMetallicRoughness"]["baseColorTexture"] = kFirstImage;
  material["emissiveTexture"] = kSecondImage;
  material["emissiveFactor"] = {1, 1, 1};
  auto texels = [&](const HostScene& scene) {
    const MaterialTextures& textures = scene.materials.at(0).textures;
    return std::pair(texel(scene, textures.reflectance), texel(scene, textures.emission));
  };
  EXPECT_EQ(texels(load_file(file)).first, glm::ivec4(200, 100, 50, 25));
  file.json["asset"]["generator"] = kBlender;
  const HostScene scene = load_file(file);
  EXPECT_EQ(texels(scene).first, glm::ivec4(20, 10, 5, 255));
  EXPECT_EQ(texels(scene).second, glm::ivec4(6, 13, 19, 255));
  expect_warnings(scene, {"multiplied by the alpha of its image, as in Blender unless"});
  material["alphaMode"] = "BLEND";
  const HostScene blended = load_file(file);
  EXPECT_EQ(texels(blended).first, glm::ivec4(200, 100, 50, 25));
  EXPECT_EQ(blended.warnings, std::vector<std::string>{});
}

TEST_F(GltfLayers, AreGreyWhereBlenderHasNoMaterial) {
  GltfFile blender = file("KHR_materials_ior", {{"ior", 1.5}});
  blender.primitive().erase("material");
  EXPECT_EQ(load_file(blender).materials.at(0).metallic, 1.0f);
  blender.json["asset"]["generator"] = kBlender;
  const HostScene scene = load_file(blender);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  EXPECT_EQ(scene.materials.at(0).metallic, 0.0f);
  EXPECT_EQ(scene.materials.at(0).reflectance, glm::vec3(0.8f));
  EXPECT_EQ(scene.materials.at(0).specular, glm::vec3(0.0f));

  blender.primitive()["material"] = 0;
  blender.json["materials"][0].erase("pbrMetallicRoughness");
  expect_warnings(load_file(blender),
                  {"without a Principled BSDF, Blender writes a rough white metal"});
}

TEST_F(GltfLayers, TintBlendersGlassOnce) {
  GltfFile glass = file("KHR_materials_transmission", {{"transmissionFactor", 1}});
  json& material = glass.json["materials"][0];
  material["extensions"]["KHR_materials_volume"] = {{"thicknessFactor", 1}};
  material["pbrMetallicRoughness"] = {
      {"baseColorFactor", {0.25, 1, 0.81, 1}}, {"metallicFactor", 0}, {"roughnessFactor", 0.3}};
  EXPECT_EQ(load_file(glass).materials.at(0).reflectance, glm::vec3(0.25f, 1.0f, 0.81f));
  glass.json["asset"]["generator"] = kBlender;
  const HostScene tinted = load_file(glass);
  EXPECT_THAT(tinted.warnings, testing::Each(testing::HasSubstr("has open edges")));
  EXPECT_EQ(tinted.materials.at(0).reflectance, glm::sqrt(glm::vec3(0.25f, 1.0f, 0.81f)));

  material["pbrMetallicRoughness"]["roughnessFactor"] = 0.5;
  EXPECT_THAT(load_file(glass).warnings,
              testing::Contains(testing::HasSubstr("rough glass keeps the energy")));
  material["extensions"]["KHR_materials_transmission"]["transmissionFactor"] = 0.5;
  EXPECT_THAT(load_file(glass).warnings,
              testing::Contains(testing::HasSubstr("glass that is textured or mixed")));
  material["extensions"].erase("KHR_materials_volume");
  expect_warnings(load_file(glass), {"without a thickness, glass is a thin pane"});
}

TEST_F(GltfLayers, SayThatAnisotropyNeedsTextureCoordinates) {
  GltfFile brushed = file("KHR_materials_anisotropy", {{"anisotropyStrength", 0.5}});
  EXPECT_EQ(load_file(brushed).warnings, std::vector<std::string>{});
  brushed.primitive()["attributes"].erase("TEXCOORD_0");
  expect_warnings(load_file(brushed), {"/meshes/0/primitives/0: anisotropy without texture"});
}

/// With a texture, the strength is converted where the roughness is known.
TEST_F(GltfLayers, KeepTheStrengthOfATexturedAnisotropy) {
  const HostScene scene =
      load_layers("KHR_materials_anisotropy", {{"anisotropyStrength", 0.5},
                                               {"anisotropyRotation", 0.3},
                                               {"anisotropyTexture", kFirstImage}});
  const Material& brushed = scene.materials.at(0);
  EXPECT_EQ(brushed.anisotropy, 0.5f);
  EXPECT_EQ(brushed.roughness, 0.5f);
  EXPECT_NEAR(brushed.anisotropy_rotation, 0.3f, 1e-6f);
  EXPECT_EQ(texel(scene, brushed.textures.anisotropy), glm::ivec4(200, 100, 50, 25));

  GltfFile rough = file("KHR_materials_anisotropy", {{"anisotropyStrength", 0.5}});
  rough.json["materials"][0]["pbrMetallicRoughness"]["metallicRoughnessTexture"] = kSecondImage;
  const HostScene constant = load_file(rough);
  EXPECT_EQ(texel(constant, constant.materials.at(0).textures.anisotropy),
            glm::ivec4(255, 128, 255, 255));
  EXPECT_EQ(constant.materials.at(0).anisotropy, 0.5f);
}

TEST_F(GltfLayers, UseThePngBesideATextureOfBasisUniversalThatIsMissing) {
  GltfFile file = GltfFile::textured_triangle();
  file.json["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", kFirstImage}}}}};
  file.primitive()["material"] = 0;
  file.json["images"] = {
      {{"uri", "data:image/png;base64," + to_base64(tga_of_texel(1, 2, 3, 255))}},
      {{"uri", "colours.ktx2"}}};
  file.json["textures"] = {
      {{"source", 0}, {"extensions", {{"KHR_texture_basisu", {{"source", 1}}}}}}};
  const HostScene scene = load_file(file);
  expect_warnings(scene, {"colours.ktx2: cannot be opened as an image; the image for other readers "
                          "is used"});
  EXPECT_EQ(texel(scene, scene.materials.at(0).textures.reflectance), glm::ivec4(1, 2, 3, 255));
}

}  // namespace
}  // namespace winnow
