// SPDX-License-Identifier: MIT
#include "load/textures/texture_library.h"

#include <gtest/gtest.h>

#include <chrono>

namespace winnow {
namespace {

TextureDescription scaled_texture(float scale) {
  TextureDescription texture;
  texture.from_uv[0].x = scale;
  return texture;
}

TEST(TextureLibrary, KeepsEqualTexturesOnce) {
  HostScene scene;
  TextureLibrary library(scene);
  EXPECT_EQ(library.add(scaled_texture(1.0f)), 0u);
  EXPECT_EQ(library.add(scaled_texture(2.0f)), 1u);
  EXPECT_EQ(library.add(scaled_texture(1.0f)), 0u);
  EXPECT_EQ(library.add(scaled_texture(0.0f)), library.add(scaled_texture(-0.0f)));
  TextureDescription clamped = scaled_texture(1.0f);
  clamped.wrap_v = TextureWrap::kClamp;
  EXPECT_EQ(library.add(clamped), 3u);
  clamped.image = 1;
  EXPECT_EQ(library.add(clamped), 4u);
  EXPECT_EQ(scene.textures.size(), 5u);
}

TEST(TextureLibrary, KeepsEqualCheckerboardsOnce) {
  HostScene scene;
  TextureLibrary library(scene);
  const glm::vec3 black(0.0f), white(1.0f);
  EXPECT_EQ(library.add_checkerboard(black, white, scaled_texture(1.0f)), 0u);
  EXPECT_EQ(library.add_checkerboard(white, black, scaled_texture(1.0f)), 1u);
  EXPECT_EQ(library.add_checkerboard(black, white, scaled_texture(1.0f)), 0u);
  EXPECT_EQ(library.add_checkerboard(black, white, scaled_texture(3.0f)), 2u);
  EXPECT_EQ(scene.images.size(), 2u);
}

/// A search through all earlier textures for each would take a minute here.
TEST(TextureLibrary, AddsHundredThousandTexturesInASecond) {
  HostScene scene;
  TextureLibrary library(scene);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 100'000; ++i) {
    library.add(scaled_texture(float(i)));
    library.add_checkerboard(glm::vec3(float(i)), glm::vec3(0.0f), scaled_texture(1.0f));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start,
            std::chrono::seconds(15));  // the machine may be busy
  EXPECT_EQ(scene.images.size(), 100'000u);
}

}  // namespace
}  // namespace winnow
