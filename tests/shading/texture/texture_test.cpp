// SPDX-License-Identifier: MIT
#include "shading/texture/texture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/vec2.hpp>

#include "load/textures/texels.h"
#include "scene/vertex_attributes.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

/// Adds an image of floats, texel by texel from the upper left, and its texture.
uint32_t add_floats(HostScene& scene, uint32_t width, const std::vector<glm::vec4>& texels,
                    TextureDescription description = {}) {
  TextureImage image{
      .width = width, .height = uint32_t(texels.size()) / width, .format = TexelFormat::kFloat};
  fill_texels(image, [&](uint32_t x, uint32_t y) { return texels[y * width + x]; });
  description.image = uint32_t(scene.images.size());
  scene.images.push_back(std::move(image));
  scene.textures.push_back(description);
  return uint32_t(scene.textures.size() - 1);
}

const std::vector<glm::vec4> kHalfClear = {{1, 1, 1, 0}, {0, 0, 0, 1}, {1, 1, 1, 0}, {0, 0, 0, 1}};

TEST(TextureTable, AveragesColoursOfOpaqueMaterialsWithoutTheirAlpha) {
  HostScene scene;
  scene.materials.resize(1);
  scene.materials[0].textures.reflectance = add_floats(scene, 2, kHalfClear);
  const TextureTable table = build_texture_table(scene);
  const Texture& texture = table.textures[table.materials[0].textures.reflectance];
  expect_near(glm::vec3(sample_levels(texture, {0.5f, 0.5f}, 1.0f)), glm::vec3(0.5f));
}

TEST(TextureTable, WeightsColoursByTheAlphaOfEachMaterial) {
  HostScene scene;
  scene.materials.resize(3);
  const uint32_t colors = add_floats(scene, 2, kHalfClear);
  for (Material& material : scene.materials) material.textures.reflectance = colors;
  scene.materials[1].textures.alpha = colors;
  scene.materials[2].textures.alpha = add_floats(
      scene, 2, {glm::vec4(0.75f), glm::vec4(0.25f), glm::vec4(0.75f), glm::vec4(0.25f)});
  const TextureTable table = build_texture_table(scene);
  auto color = [&](size_t material) {
    const Texture& texture = table.textures[table.materials[material].textures.reflectance];
    return glm::vec3(sample_texture(texture, {0.5f, 0.5f}, 1.0f));  // one texel of the last level
  };
  expect_near(color(0), glm::vec3(0.5f));
  expect_near(color(1), glm::vec3(0.0f));  // white is transparent
  expect_near(color(2), glm::vec3(0.75f));
  EXPECT_EQ(table.weighted.size(), 2u);
}

TEST(TextureTable, WeightsByWhatACutoffLeaves) {
  HostScene scene;
  scene.materials.resize(1);
  Material& material = scene.materials[0];
  material.alpha = 0.5f;
  material.alpha_cutoff = 0.3f;
  material.textures.reflectance = add_floats(scene, 2, {{1, 0, 0, 0.5f}, {0, 1, 0, 0.7f}});
  material.textures.alpha = material.textures.reflectance;
  const TextureTable table = build_texture_table(scene);
  const Texture& texture = table.textures[table.materials[0].textures.reflectance];
  expect_near(glm::vec3(sample_texture(texture, {0.5f, 0.5f}, 1.0f)), {0, 1, 0});
}

TEST(TextureTable, WeightsImagesOfAnotherSizeThanTheCoverage) {
  std::vector<glm::vec4> fine(16, glm::vec4(0.0f));
  for (size_t i = 0; i < 16; ++i) fine[i] = glm::vec4(i % 4 < 2 ? 0.25f : (i % 2 ? 0.5f : 1.0f));
  HostScene scene;
  scene.materials.resize(1);
  MaterialTextures& textures = scene.materials[0].textures;
  textures.reflectance = add_floats(scene, 2, {{1, 0, 0, 1}, {0, 1, 0, 1}});
  textures.alpha = add_floats(scene, 4, fine);
  const TextureTable table = build_texture_table(scene);
  const Texture& texture = table.textures[table.materials[0].textures.reflectance];
  expect_near(glm::vec3(sample_texture(texture, {0.5f, 0.5f}, 1.0f)), {0.25f, 0.75f, 0});
}

TEST(TextureTable, LeavesTexturesAloneThatLieOtherwiseOrAreNotFiltered) {
  for (int i = 0; i < 4; ++i) {
    HostScene scene;
    scene.materials.resize(1);
    MaterialTextures& textures = scene.materials[0].textures;
    TextureDescription color, coverage;
    if (i == 0) color.from_uv[0].x = 2.0f;
    if (i == 1) color.filter = TextureFilter::kBilinear;
    if (i == 2) coverage.wrap_u = TextureWrap::kClamp;
    if (i == 3) put_on_second_uvs(textures, TextureUse::kAlpha);
    textures.reflectance = add_floats(scene, 2, kHalfClear, color);
    textures.alpha = add_floats(scene, 2, kHalfClear, coverage);
    const TextureTable table = build_texture_table(scene);
    EXPECT_TRUE(table.weighted.empty()) << i;
    EXPECT_EQ(table.materials[0].textures, scene.materials[0].textures) << i;
  }
}

/// Adds an image of sRGB-encoded bytes, one row.
uint32_t add_bytes(HostScene& scene, const std::vector<glm::u8vec4>& texels,
                   TextureDescription description) {
  TextureImage image{.width = uint32_t(texels.size()), .height = 1, .format = TexelFormat::kSrgb8};
  for (const glm::u8vec4& texel : texels)
    for (int i = 0; i < 4; ++i) image.texels.push_back(std::byte(texel[i]));
  description.image = uint32_t(scene.images.size());
  scene.images.push_back(std::move(image));
  scene.textures.push_back(description);
  return uint32_t(scene.textures.size() - 1);
}

// Between 0 and 255, half of the light is 0.5, and half of the byte stands for 0.214.
TEST(TextureTable, FiltersEncodedValuesAsCycles) {
  HostScene scene;
  for (TextureFilter filter : {TextureFilter::kBilinear, TextureFilter::kBilinearEncoded})
    add_bytes(scene, {{0, 0, 0, 0}, {255, 255, 255, 255}}, {.filter = filter});
  const TextureTable table = build_texture_table(scene);
  const glm::vec2 middle(0.5f, 0.5f);
  EXPECT_NEAR(sample_texture(table.textures[0], middle, 1.0f).x, 0.5f, 1e-5f);
  const glm::vec4 encoded = sample_texture(table.textures[1], middle, 1.0f);
  EXPECT_NEAR(encoded.x, std::pow((0.5 + 0.055) / 1.055, 2.4), 1e-5);
  EXPECT_NEAR(encoded.w, 0.5f, 1e-5f);  // alpha is linear
  EXPECT_NEAR(sample_texture(table.textures[1], {0.75f, 0.5f}, 1.0f).x, 1.0f, 1e-5f);
}

// A red texel covers all, a green one a quarter: (1, 0.25, 0) of encoded light over 1.25.
TEST(TextureTable, WeightsEncodedValuesByTheirOwnAlpha) {
  for (float cutoff : {0.0f, 0.6f}) {
    HostScene scene;
    scene.materials.resize(2);
    const uint32_t texture = add_bytes(scene, {{255, 0, 0, 255}, {0, 255, 0, 64}},
                                       {.filter = TextureFilter::kBilinearEncoded});
    for (Material& material : scene.materials) material.textures.reflectance = texture;
    scene.materials[1].textures.alpha = texture;
    scene.materials[1].alpha_cutoff = cutoff;
    const TextureTable table = build_texture_table(scene);
    auto color = [&](size_t material) {
      const Texture& used = table.textures[table.materials[material].textures.reflectance];
      return glm::vec3(sample_texture(used, {0.5f, 0.5f}, 1.0f));
    };
    auto linear = [](double encoded) { return float(std::pow((encoded + 0.055) / 1.055, 2.4)); };
    expect_near(color(0), {linear(0.5), linear(0.5), 0});
    const double covered = 1.0 + 64.0 / 255.0;
    expect_near(color(1), {linear(1.0 / covered), linear(64.0 / 255.0 / covered), 0});
  }
}

TEST(TextureTable, HasLevelsOnlyForImagesThatNeedThem) {
  HostScene scene;
  add_floats(scene, 2, kHalfClear, {.filter = TextureFilter::kNearest});
  add_floats(scene, 2, kHalfClear, {.filter = TextureFilter::kBilinear});
  add_floats(scene, 2, kHalfClear);
  const TextureTable table = build_texture_table(scene);
  EXPECT_EQ(table.pyramids[0].levels.size(), 1u);
  EXPECT_EQ(table.pyramids[1].levels.size(), 1u);
  EXPECT_EQ(table.pyramids[2].levels.size(), 2u);
}

TEST(TextureTable, FiltersTexelsOfSixteenBits) {
  HostScene scene;
  TextureImage image{.width = 2, .height = 1, .format = TexelFormat::kLinear16};
  fill_texels(image, [](uint32_t x, uint32_t) { return glm::vec4(x == 0 ? 0.2f : 0.6001f); });
  scene.images.push_back(image);
  scene.textures.push_back({});
  const TextureTable table = build_texture_table(scene);
  EXPECT_NEAR(sample_levels(table.textures[0], {0.25f, 0.5f}, 0.0f).x, 0.2f, 1e-5f);
  EXPECT_NEAR(sample_levels(table.textures[0], {0.75f, 0.5f}, 0.0f).x, 0.6001f, 1e-5f);
  EXPECT_NEAR(sample_levels(table.textures[0], {0.5f, 0.5f}, 1.0f).x, 0.40005f, 1.0f / 65535);
}

}  // namespace
}  // namespace winnow
