// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "app/see/see.h"
#include "base/error.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using testing::HasSubstr;

constexpr Size kImage{200, 100};

PixelPosition position_of(uint32_t pixel) {
  return {pixel % kImage.width, pixel / kImage.width};
}

TEST(FollowedPixels, AreWarpsOf8By4DifferentPixels) {
  const std::vector<uint32_t> pixels = followed_pixels(kImage, 512, {});
  ASSERT_EQ(pixels.size(), 512u);
  EXPECT_EQ(std::set<uint32_t>(pixels.begin(), pixels.end()).size(), pixels.size());
  for (size_t path = 0; path < pixels.size(); ++path) {
    const PixelPosition first = position_of(pixels[path / 32 * 32]),
                        here = position_of(pixels[path]);
    EXPECT_EQ(first.x % 8, 0u);
    EXPECT_EQ(first.y % 4, 0u);
    EXPECT_EQ(here.x - first.x, path % 8);
    EXPECT_EQ(here.y - first.y, path % 32 / 8);
  }
}

TEST(FollowedPixels, AreSpreadOverTheWholeImage) {
  std::set<std::pair<uint32_t, uint32_t>> quarters;
  for (uint32_t pixel : followed_pixels(kImage, 512, {})) {
    const PixelPosition here = position_of(pixel);
    quarters.insert({here.x * 4 / kImage.width, here.y * 2 / kImage.height});
  }
  EXPECT_EQ(quarters.size(), 8u);
}

TEST(FollowedPixels, OfOnePixelAreAroundIt) {
  constexpr PixelPosition kPixel{130, 50};
  const std::vector<uint32_t> pixels = followed_pixels(kImage, 512, kPixel);
  EXPECT_TRUE(std::count(pixels.begin(), pixels.end(), kPixel.y * kImage.width + kPixel.x));
  for (uint32_t pixel : pixels) {
    EXPECT_NEAR(double(position_of(pixel).x), kPixel.x, 24);
    EXPECT_NEAR(double(position_of(pixel).y), kPixel.y, 24);
  }
}

TEST(FollowedPixels, AtACornerAreStillAsManyAsAsked) {
  for (PixelPosition corner : {PixelPosition{0, 0}, PixelPosition{199, 99}})
    EXPECT_EQ(followed_pixels(kImage, 100, corner).size(), 100u);
}

TEST(FollowedPixels, OfASmallImageAreItsFirst) {
  const std::vector<uint32_t> pixels = followed_pixels({5, 9}, 45, {});
  EXPECT_EQ(std::set<uint32_t>(pixels.begin(), pixels.end()).size(), 45u);
}

TEST(FollowedPixels, MustBeInTheImage) {
  EXPECT_THAT(message_of<UsageError>([] {
                followed_pixels({8, 8}, 65, {});
              }),
              HasSubstr("--paths: the image has 64 pixels, fewer than 65"));
  EXPECT_THAT(message_of<UsageError>([] {
                followed_pixels(kImage, 64, PixelPosition{200, 0});
              }),
              HasSubstr("--pixel: 200,0 is not in the image of 200x100 pixels"));
}

}  // namespace
}  // namespace winnow
