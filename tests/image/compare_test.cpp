// SPDX-License-Identifier: MIT
#include "image/compare.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.h"

namespace winnow {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Compare, EqualImagesDifferByNothing) {
  Image image{2, 1, {{0.5f, 1.0f, 2.0f}, {0.0f, -1.0f, 1e6f}}};
  Difference difference = compare(image, image);
  EXPECT_EQ(difference.mse, 0.0);
  EXPECT_EQ(difference.relative_mse, 0.0);
  EXPECT_EQ(difference.max, 0.0);
  EXPECT_EQ(difference.psnr, double(kInfinity));
  EXPECT_EQ(difference.not_finite_count, 0u);
}

TEST(Compare, MatchesValuesByHand) {
  Image a{1, 2, {{1.0f, 2.0f, 3.0f}, {0.0f, 0.0f, 0.0f}}};
  Image b{1, 2, {{1.5f, 2.0f, 1.0f}, {0.0f, 0.0f, 1.0f}}};
  Difference difference = compare(a, b);  // differences: 0.5, 0, 2, 0, 0, 1
  EXPECT_DOUBLE_EQ(difference.mse, (0.25 + 4.0 + 1.0) / 6.0);
  EXPECT_DOUBLE_EQ(difference.relative_mse, (0.25 / 2.26 + 4.0 / 1.01 + 1.0 / 1.01) / 6.0);
  EXPECT_DOUBLE_EQ(difference.psnr, 10.0 * std::log10(6.0 / 5.25));
  EXPECT_EQ(difference.max, 2.0);
}

TEST(Compare, RelativeErrorIsRelativeToTheSecondImage) {
  Image dark{1, 1, {glm::vec3(1.0f)}}, bright{1, 1, {glm::vec3(3.0f)}};
  EXPECT_DOUBLE_EQ(compare(dark, bright).relative_mse, 4.0 / 9.01);
  EXPECT_DOUBLE_EQ(compare(bright, dark).relative_mse, 4.0 / 1.01);
}

TEST(Compare, LeavesOutAndCountsWhatIsNotFinite) {
  Image a{2, 1, {{kNan, 1.0f, kInfinity}, {0.0f, 0.0f, 0.0f}}};
  Image b{2, 1, {{0.0f, 2.0f, kInfinity}, {0.0f, -kInfinity, 0.0f}}};
  Difference difference = compare(a, b);
  EXPECT_EQ(difference.not_finite_count, 3u);
  EXPECT_DOUBLE_EQ(difference.mse, 1.0 / 3.0);
  EXPECT_EQ(difference.max, 1.0);
}

TEST(Compare, SurvivesImagesWithoutAFiniteValue) {
  Image image{1, 1, {glm::vec3(kNan)}};
  Difference difference = compare(image, image);
  EXPECT_EQ(difference.not_finite_count, 3u);
  EXPECT_EQ(difference.mse, 0.0);
}

TEST(Compare, RefusesDifferentSizes) {
  Image a{2, 1, std::vector<glm::vec3>(2)}, b{1, 2, std::vector<glm::vec3>(2)};
  EXPECT_THROW(compare(a, b), Error);
  EXPECT_THROW(difference_image(a, b), Error);
}

TEST(DifferenceImage, IsTheAbsoluteDifference) {
  Image a{1, 1, {{1.0f, 2.0f, -1.0f}}}, b{1, 1, {{3.0f, 2.0f, 1.5f}}};
  Image difference = difference_image(a, b);
  EXPECT_EQ(difference.width, 1u);
  EXPECT_EQ(difference.height, 1u);
  EXPECT_EQ(difference.pixels, std::vector<glm::vec3>(1, {2.0f, 0.0f, 2.5f}));
}

TEST(DifferenceImage, ShowsWhatIsNotFinite) {
  Image a{1, 1, {{kNan, kInfinity, kInfinity}}}, b{1, 1, {{1.0f, kInfinity, -kInfinity}}};
  EXPECT_EQ(difference_image(a, b).pixels[0], glm::vec3(kInfinity, 0.0f, kInfinity));
}

Image gradient(uint32_t width, uint32_t height) {
  Image image{width, height, {}};
  for (uint32_t pixel = 0; pixel < width * height; ++pixel)
    image.pixels.emplace_back(0.25f * float(pixel), 1.0f, -3.0f);
  return image;
}

TEST(ImageHash, StaysTheSameFromVersionToVersion) {
  EXPECT_EQ(image_hash({}), "2d06800538d394c2");
  EXPECT_EQ(image_hash(gradient(3, 2)), "65c4b071011e541a");
}

TEST(ImageHash, EveryBitCounts) {
  Image image = gradient(4, 3);
  std::set<std::string> hashes = {image_hash(image)};
  for (glm::vec3& pixel : image.pixels)
    for (int channel = 0; channel < 3; ++channel)
      for (int bit = 0; bit < 32; ++bit) {
        float original = pixel[channel];
        pixel[channel] = std::bit_cast<float>(std::bit_cast<uint32_t>(original) ^ (1u << bit));
        hashes.insert(image_hash(image));
        pixel[channel] = original;
      }
  EXPECT_EQ(hashes.size(), 1u + 4 * 3 * 3 * 32);
}

TEST(ImageHash, TellsOrderAndShapeApart) {
  Image image = gradient(4, 3), swapped = image, turned = image;
  std::swap(swapped.pixels[0], swapped.pixels[1]);
  std::swap(turned.width, turned.height);
  EXPECT_NE(image_hash(image), image_hash(swapped));
  EXPECT_NE(image_hash(image), image_hash(turned));
}

}  // namespace
}  // namespace winnow
