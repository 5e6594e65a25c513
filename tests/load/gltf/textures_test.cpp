// SPDX-License-Identifier: MIT
#include "load/gltf/textures.h"

#include <gtest/gtest.h>

#include <initializer_list>

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

using GltfSpecularGlossiness = GltfTest;

TEST_F(GltfSpecularGlossiness, ReadsItsTextures) {
  GltfFile file = GltfFile::triangle();
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
  scene = load_extension();
  EXPECT_EQ(scene.materials.at(0).textures.roughness_metallic, kNoTexture);
  EXPECT_EQ(scene.warnings.size(), 2u);
}

}  // namespace
}  // namespace winnow
