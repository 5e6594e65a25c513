// SPDX-License-Identifier: MIT
#include "load/gltf/textures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>

#include "tests/image/support/ktx2_files.h"
#include "tests/load/gltf/support/gltf_files.h"

namespace winnow {
namespace {

using nlohmann::json;

TextureImage image_of(uint32_t width, std::initializer_list<int> bytes) {
  TextureImage image{.width = width, .height = 1, .format = TexelFormat::kSrgb8};
  for (int byte : bytes) image.texels.push_back(std::byte(byte));
  return image;
}

std::vector<int> bytes_of(const TextureImage& image) {
  std::vector<int> bytes;
  for (std::byte byte : image.texels) bytes.push_back(int(byte));
  return bytes;
}

/// Gold beside a red plastic, of other roughness.
TEST(SpecularGlossiness, BecomesMetallicAndRoughnessTexelByTexel) {
  const TextureImage diffuse = image_of(2, {0, 0, 0, 255, 200, 0, 0, 100});
  const TextureImage specular = image_of(2, {255, 224, 128, 255, 0, 0, 0, 55});
  const MetallicRoughnessImages images = metallic_roughness_images(&diffuse, specular, {});
  EXPECT_EQ(images.base_color.format, TexelFormat::kSrgb8);
  EXPECT_EQ(images.roughness_metallic.format, TexelFormat::kLinear8);
  const std::vector<int> color = bytes_of(images.base_color);
  const std::vector<int> data = bytes_of(images.roughness_metallic);
  EXPECT_NEAR(color[1], 224, 1);
  EXPECT_NEAR(color[2], 128, 1);
  EXPECT_EQ(data[1], 0) << "gold is smooth";
  EXPECT_EQ(data[2], 255) << "gold is a metal";
  EXPECT_NEAR(color[4], 200, 5);
  EXPECT_EQ(color[5], 0);
  EXPECT_EQ(color[7], 100) << "alpha";
  EXPECT_EQ(data[5], 200);
  EXPECT_EQ(data[6], 0);
}

TEST(SpecularGlossiness, TakesTheSizeOfTheLargerImage) {
  const TextureImage narrow = image_of(1, {0, 0, 0, 255});
  const TextureImage wide = image_of(2, {255, 255, 255, 0, 255, 255, 255, 255});
  EXPECT_EQ(metallic_roughness_images(&narrow, wide, {}).base_color.width, 2u);
  EXPECT_EQ(metallic_roughness_images(&wide, narrow, {}).base_color.width, 2u);
  EXPECT_EQ(metallic_roughness_images(nullptr, wide, {}).roughness_metallic.texels.size(), 8u);
}

using GltfTextures = GltfTest;

TEST_F(GltfTextures, WarnOfCoordinatesThatTheMeshLacks) {
  GltfFile file = GltfFile::triangle();
  write_texel("t.png", {255, 0, 0, 255});
  file.json["images"] = {{{"uri", "t.png"}}};
  file.json["textures"] = {{{"source", 0}}};
  file.json["materials"] = {
      {{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}, {"texCoord", 1}}}}}}};
  file.primitive()["material"] = 0;
  expect_warnings(load_file(file), {"its textures need TEXCOORD_1, which it lacks"});
  file.json["materials"][0]["pbrMetallicRoughness"].erase("baseColorTexture");
  expect_warnings(load_file(file), {});
}

using GltfSpecularGlossiness = GltfTest;

TEST_F(GltfSpecularGlossiness, ReadsItsTextures) {
  GltfFile file = GltfFile::textured_triangle();
  write_texel("diffuse.png", {0, 0, 0, 255});
  write_texel("specular.png", {255, 0, 0, 155});
  file.json["images"] = {{{"uri", "diffuse.png"}}, {{"uri", "specular.png"}}};
  file.json["textures"] = {{{"source", 0}}, {{"source", 1}}};
  json extension = {{"diffuseTexture", {{"index", 0}}},
                    {"specularGlossinessTexture", {{"index", 1}}}};
  auto load_extension = [&] {
    file.json["materials"] = {
        {{"extensions", {{"KHR_materials_pbrSpecularGlossiness", extension}}}}};
    file.primitive()["material"] = 0;
    return load_file(file);
  };
  HostScene scene = load_extension();
  expect_warnings(scene, {"approximated by metallic and roughness"});
  const Material& material = scene.materials.at(0);
  ASSERT_NE(material.textures.reflectance, kNoTexture);
  ASSERT_NE(material.textures.roughness_metallic, kNoTexture);
  EXPECT_EQ(material.roughness, 1.0f);
  EXPECT_EQ(scene.images.size(), 2u) << "the images of the file are not kept";
  const TextureImage& data =
      scene.images[scene.textures[material.textures.roughness_metallic].image];
  EXPECT_EQ(data.texels.at(1), std::byte{100});
  EXPECT_EQ(data.texels.at(2), std::byte{255});

  extension["diffuseTexture"]["texCoord"] = 1;
  file.primitive()["attributes"]["TEXCOORD_1"] = file.primitive()["attributes"]["TEXCOORD_0"];
  scene = load_extension();
  EXPECT_EQ(scene.materials.at(0).textures.roughness_metallic, kNoTexture);
  EXPECT_EQ(scene.warnings.size(), 2u);
}

/// A slope to the right of the image points down where the image is turned by a right angle, as in
/// the reference renderer of glTF, also on meshes with tangents; Cycles turns the image alone.
TEST_F(GltfTextures, TurnBumpsOfNormalMapsWithTheirImages) {
  write_texel("t.png", {227, 128, 220, 255});
  GltfFile file = GltfFile::textured_triangle();
  file.json["images"] = {{{"uri", "t.png"}}};
  file.json["textures"] = {{{"source", 0}}};
  json& normal = file.json["materials"][0]["normalTexture"];
  normal["index"] = 0;
  json& transform = normal["extensions"]["KHR_texture_transform"];
  file.primitive()["material"] = 0;
  auto expect_texel = [&](std::vector<int> expected) {
    const HostScene scene = load_file(file);
    const uint32_t texture = scene.materials.at(0).textures.normal;
    const std::vector<int> texel = bytes_of(scene.images.at(scene.textures.at(texture).image));
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(texel.at(i), expected[i], 1) << i;
  };
  const double right_angle = std::acos(0.0);
  transform["scale"] = {3, 2};
  expect_texel({227, 128, 220, 255});
  transform["rotation"] = right_angle;
  expect_texel({128, 28, 220, 255});
  transform["rotation"] = -right_angle;
  expect_texel({128, 227, 220, 255});
  file.add_attribute("NORMAL", {0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
  file.add_attribute("TEXCOORD_0", {0, 1, 1, 1, 0, 0}, "VEC2");  // u is along x, v against y
  file.add_attribute("TANGENT", {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}, "VEC4");
  expect_texel({128, 227, 220, 255});
  transform["rotation"] = 0;
  transform["scale"] = {-1, 1};
  expect_texel({28, 128, 220, 255});
  transform["rotation"] = right_angle / 2.0;
  transform["scale"] = {1, 1};
  expect_texel({198, 57, 220, 255});
  file.json["asset"]["generator"] = "Khronos glTF Blender I/O v5.3.43";
  expect_texel({227, 128, 220, 255});
}

class GltfBasisTextures : public GltfTest {
 protected:
  /// A triangle with a texture that has a PNG image and, by KHR_texture_basisu, a KTX2 image.
  static GltfFile textured(const char* key, const std::string& uri) {
    GltfFile file = GltfFile::textured_triangle();
    file.json["images"] = {{{"uri", "white.png"}}, {{"uri", uri}, {"mimeType", "image/ktx2"}}};
    file.json["textures"] = {{{"source", 0}}};
    file.json["textures"][0]["extensions"]["KHR_texture_basisu"]["source"] = 1;
    json& material = file.json["materials"][0];
    json& owner =
        std::string_view(key) == "normalTexture" ? material : material["pbrMetallicRoughness"];
    owner[key]["index"] = 0;
    file.primitive()["material"] = 0;
    return file;
  }
};

TEST_F(GltfBasisTextures, AreSrgbOrLinearByTheirUse) {
  write_texel("white.png", {255, 255, 255, 255});
  write("t.ktx2", Ktx2File::etc1s().bytes());
  for (const auto& [key, format] : {std::pair{"baseColorTexture", TexelFormat::kSrgb8},
                                    {"metallicRoughnessTexture", TexelFormat::kLinear8},
                                    {"normalTexture", TexelFormat::kLinear8}}) {
    const HostScene scene = load_file(textured(key, "t.ktx2"));
    EXPECT_EQ(scene.warnings, std::vector<std::string>{}) << key;
    ASSERT_EQ(scene.images.size(), 1u) << key;
    EXPECT_EQ(scene.images[0].width, 12u);
    EXPECT_EQ(scene.images[0].format, format) << key;
    EXPECT_EQ(scene.images[0].texels.at(0), std::byte{202});
  }
}

TEST_F(GltfBasisTextures, AreReadFromDataAndViews) {
  const std::string bytes = Ktx2File::uastc().bytes();
  GltfFile file = textured("baseColorTexture", "data:image/ktx2;base64," + to_base64(bytes));
  HostScene scene = load_file(file);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  EXPECT_EQ(scene.images.at(0).texels.at(0), std::byte{200});

  const int view = file.add_view(bytes);
  file.json["images"][1] = {{"bufferView", view}, {"mimeType", "image/ktx2"}};
  file.json["textures"][0].erase("source");  // without an image for other readers
  scene = load("s.glb", file.glb());
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  EXPECT_EQ(scene.images.at(0).texels.at(0), std::byte{200});
}

TEST_F(GltfBasisTextures, AreReplacedOrLeftOutIfBroken) {
  write_texel("white.png", {255, 255, 255, 255});
  write("t.ktx2", Ktx2File::uastc().bytes().substr(0, 200));
  GltfFile file = textured("baseColorTexture", "t.ktx2");
  HostScene scene = load_file(file);
  expect_warnings(scene, {"truncated; the image for other readers is used"});
  EXPECT_EQ(scene.images.at(0).texels.at(0), std::byte{255});
  file.json["textures"][0].erase("source");
  scene = load_file(file);
  expect_warnings(scene, {"truncated; the texture is left out"});
  EXPECT_TRUE(scene.textures.empty());
}

}  // namespace
}  // namespace winnow
