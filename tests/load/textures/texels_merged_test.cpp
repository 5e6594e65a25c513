// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "load/textures/texels.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

using Rgba = std::array<uint8_t, 4>;

TextureImage row_of_texels(TexelFormat format, const std::vector<Rgba>& texels) {
  TextureImage image{.width = uint32_t(texels.size()), .height = 1, .format = format};
  for (const Rgba& texel : texels)
    for (uint8_t byte : texel) image.texels.push_back(std::byte(byte));
  return image;
}

Rgba texel_of(const TextureImage& image, size_t i) {
  Rgba texel;
  for (size_t k = 0; k < texel.size(); ++k) texel[k] = uint8_t(image.texels[4 * i + k]);
  return texel;
}

TEST(MergedTexels, TakeTheSizeOfTheLargerImage) {
  const TextureImage weights = row_of_texels(TexelFormat::kLinear8, {{10, 0, 0, 0}, {20, 0, 0, 0}});
  const TextureImage roughnesses = row_of_texels(
      TexelFormat::kLinear8, {{0, 1, 0, 0}, {0, 2, 0, 0}, {0, 3, 0, 0}, {0, 4, 0, 0}});
  const TextureImage merged = merge_texels(&weights, &roughnesses, ChannelMerge::kRedGreen);
  ASSERT_EQ(merged.width, 4u);
  EXPECT_EQ(merged.format, TexelFormat::kLinear8);
  EXPECT_EQ(texel_of(merged, 0), (Rgba{10, 1, 255, 255}));
  EXPECT_EQ(texel_of(merged, 1), (Rgba{10, 2, 255, 255}));
  EXPECT_EQ(texel_of(merged, 2), (Rgba{20, 3, 255, 255}));
}

TEST(MergedTexels, AreWhiteWhereThereIsNoImage) {
  const TextureImage one = row_of_texels(TexelFormat::kLinear8, {{10, 20, 30, 40}});
  EXPECT_EQ(texel_of(merge_texels(&one, nullptr, ChannelMerge::kRedGreen), 0),
            (Rgba{10, 255, 255, 255}));
  EXPECT_EQ(texel_of(merge_texels(nullptr, &one, ChannelMerge::kRedGreen), 0),
            (Rgba{255, 20, 255, 255}));
  const TextureImage color = row_of_texels(TexelFormat::kSrgb8, {{10, 20, 30, 40}});
  EXPECT_EQ(texel_of(merge_texels(&color, nullptr, ChannelMerge::kColorAlpha), 0),
            (Rgba{10, 20, 30, 255}));
}

TEST(MergedTexels, KeepColours) {
  const TextureImage color = row_of_texels(TexelFormat::kSrgb8, {{250, 120, 3, 77}});
  const TextureImage alpha = row_of_texels(TexelFormat::kSrgb8, {{0, 0, 0, 128}});
  EXPECT_EQ(texel_of(merge_texels(&color, &alpha, ChannelMerge::kColorAlpha), 0),
            (Rgba{250, 120, 3, 128}));
}

}  // namespace
}  // namespace winnow
