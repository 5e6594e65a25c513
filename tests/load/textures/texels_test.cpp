// SPDX-License-Identifier: MIT
#include "load/textures/texels.h"

#include <gtest/gtest.h>

#include <cmath>

namespace winnow {
namespace {

/// Grey bytes, as linear numbers.
TextureImage greys(uint32_t width, uint32_t height, const std::vector<uint8_t>& levels) {
  TextureImage image{.width = width, .height = height};
  for (uint8_t level : levels)
    image.texels.insert(image.texels.end(),
                        {std::byte(level), std::byte(level), std::byte(level), std::byte(255)});
  return image;
}

TEST(NormalsFromHeights, LeanAgainstTheSlope) {
  constexpr uint32_t kSide = 8;
  std::vector<uint8_t> rises_along_u, rises_down;
  for (uint32_t y = 0; y < kSide; ++y)
    for (uint32_t x = 0; x < kSide; ++x) {
      rises_along_u.push_back(uint8_t(30 * x));
      rises_down.push_back(uint8_t(30 * y));
    }
  // White is as high as the image is long: the slope is 30 / 255 times 8 texels.
  const float slope = 8.0f * 30.0f / 255.0f;
  const float lean = -slope / std::hypot(slope, 1.0f);
  const size_t middle = 3 * kSide + 3;
  const glm::vec4 along_u =
      linear_texel(normals_from_heights(greys(8, 8, rises_along_u), 1.0f), middle);
  EXPECT_NEAR(2.0f * along_u.r - 1.0f, lean, 0.01f);
  EXPECT_NEAR(2.0f * along_u.g - 1.0f, 0.0f, 0.01f);
  // Green points up the image, against v.
  const glm::vec4 down = linear_texel(normals_from_heights(greys(8, 8, rises_down), 1.0f), middle);
  EXPECT_NEAR(2.0f * down.g - 1.0f, -lean, 0.01f);
  EXPECT_NEAR(2.0f * down.r - 1.0f, 0.0f, 0.01f);
}

TEST(NormalsFromHeights, AreStraightWhereItIsFlat) {
  const glm::vec4 texel = mean_texel(normals_from_heights(greys(3, 2, {9, 9, 9, 9, 9, 9}), 5.0f));
  EXPECT_NEAR(texel.r, 0.5f, 0.003f);
  EXPECT_NEAR(texel.g, 0.5f, 0.003f);
  EXPECT_EQ(texel.b, 1.0f);
}

TEST(MeanTexel, IsLinear) {
  TextureImage image = greys(2, 1, {0, 255});
  image.format = TexelFormat::kSrgb8;
  EXPECT_NEAR(mean_texel(image).r, 0.5f, 1e-6f);
  EXPECT_EQ(mean_texel(image).a, 1.0f);
}

}  // namespace
}  // namespace winnow
