// SPDX-License-Identifier: MIT
#include "denoise/bright_pixels.h"

#include <gmock/gmock.h>

#include <cmath>

#include "image/compare.h"
#include "math/constants.h"

namespace winnow {
namespace {

using testing::Each;

constexpr uint32_t kSide = 16;

Image grey_square(float value = 0.5f) {
  return {kSide, kSide, std::vector<glm::vec3>(kSide * kSide, glm::vec3(value))};
}

/// Sets a square of pixels whose upper left is at (x, y).
void set_square(Image& image, uint32_t x, uint32_t y, uint32_t side, glm::vec3 value) {
  for (uint32_t row = y; row < y + side; ++row)
    for (uint32_t column = x; column < x + side; ++column)
      image.pixels[row * image.width + column] = value;
}

TEST(BrightPixels, GetTheColorOfTheirNeighbours) {
  for (const glm::vec3 bright :
       {glm::vec3(kInfinity), glm::vec3(-kInfinity, 0, 0), glm::vec3(0, kInfinity, 0),
        glm::vec3(kInfinity, NAN, 0), glm::vec3(65504.0f), glm::vec3(0, 0, 1e6f), glm::vec3(3e38f)})
    for (const uint32_t side : {1u, 2u, 5u}) {
      Image image = grey_square();
      set_square(image, 3, 4, side, bright);
      set_square(image, 15, 15, 1, bright);  // in the corner
      const BrightPixels found = fill_bright_pixels(image);
      EXPECT_EQ(found.filled, side * side + 1);
      EXPECT_TRUE(found.areas.empty());
      EXPECT_THAT(image.pixels, Each(glm::vec3(0.5f)));
    }
}

TEST(BrightPixels, OfAreasAreHiddenAndRestored) {
  Image image = grey_square();
  set_square(image, 2, 2, 8, glm::vec3(1e6f, 1e5f, 0));
  const Image before = image;
  const BrightPixels found = fill_bright_pixels(image);
  EXPECT_EQ(found.filled, 0u);
  EXPECT_EQ(found.areas.size(), 64u);
  EXPECT_THAT(image.pixels, Each(glm::vec3(0.5f)));
  restore_areas(found, image);
  EXPECT_EQ(image_hash(image), image_hash(before));
}

TEST(BrightPixels, OfInfiniteAreasBecomeFinite) {
  Image image = grey_square();
  set_square(image, 2, 2, 8, glm::vec3(kInfinity));
  restore_areas(fill_bright_pixels(image), image);
  EXPECT_EQ(image.pixels[3 * kSide + 3], glm::vec3(65504.0f));
}

TEST(BrightPixels, AreBrightForTheirImage) {
  Image image = grey_square(1e5f);  // physical units
  const Image before = image;
  EXPECT_EQ(fill_bright_pixels(image).filled, 0u);
  EXPECT_EQ(image_hash(image), image_hash(before));
  set_square(image, 3, 4, 1, glm::vec3(1e10f));
  EXPECT_EQ(fill_bright_pixels(image).filled, 1u);
  EXPECT_EQ(image_hash(image), image_hash(before));
}

TEST(BrightPixels, AreSpotsIfTheyAreSingleAndOutshineWhatIsNotBlack) {
  for (const float background : {0.5f, 1e-3f}) {
    Image image = grey_square(0.0f);
    set_square(image, 0, 0, 10, glm::vec3(background));
    const Image before = image;
    set_square(image, 2, 2, 1, glm::vec3(1000 * background, 0, 0));
    set_square(image, 7, 7, 1, glm::vec3(1e4f * background));
    const BrightPixels found = fill_bright_pixels(image);
    EXPECT_EQ(found.spots, 2u);
    EXPECT_EQ(found.filled, 0u);
    EXPECT_TRUE(found.areas.empty());
    EXPECT_EQ(image_hash(image), image_hash(before));
  }
}

TEST(BrightPixels, OfSmallLampsAreHiddenAndRestored) {
  Image image = grey_square();
  set_square(image, 2, 2, 3, glm::vec3(3000, 1000, 0));
  const Image before = image;
  const BrightPixels found = fill_bright_pixels(image);
  EXPECT_EQ(found.spots, 0u);
  EXPECT_EQ(found.areas.size(), 9u);
  EXPECT_THAT(image.pixels, Each(glm::vec3(0.5f)));
  restore_areas(found, image);
  EXPECT_EQ(image_hash(image), image_hash(before));
}

TEST(BrightPixels, OfLargeLampsStayForTheDenoiser) {
  Image image = grey_square();
  set_square(image, 2, 2, 6, glm::vec3(3000));
  const Image before = image;
  const BrightPixels found = fill_bright_pixels(image);
  EXPECT_EQ(found.spots + found.left + found.areas.size(), 0u);
  EXPECT_EQ(image_hash(image), image_hash(before));
}

TEST(BrightPixels, AreLeftIfTheyAreTheNoiseOfTheImage) {
  Image image = grey_square();
  for (uint32_t i = 0; i < 17; ++i) set_square(image, 2 * (i % 8), 2 * (i / 8), 1, glm::vec3(3000));
  const Image before = image;
  const BrightPixels found = fill_bright_pixels(image);
  EXPECT_EQ(found.left, 17u);
  EXPECT_EQ(found.spots, 0u);
  EXPECT_EQ(image_hash(image), image_hash(before));
}

TEST(BrightPixels, NanAndNegativeOnesStayForTheDenoiser) {
  Image image = grey_square();
  set_square(image, 3, 4, 1, glm::vec3(NAN, 0, 0));
  set_square(image, 8, 4, 1, glm::vec3(-1));
  set_square(image, 12, 4, 1, glm::vec3(-1e4f));
  const BrightPixels found = fill_bright_pixels(image);
  EXPECT_EQ(found.filled + found.spots + found.left + found.areas.size(), 0u);
  EXPECT_TRUE(std::isnan(image.pixels[4 * kSide + 3].x));
  EXPECT_EQ(image.pixels[4 * kSide + 8], glm::vec3(-1));
}

TEST(BrightPixels, MayBeAllOfAnImage) {
  for (const uint32_t side : {1u, 9u}) {
    Image image{side, side, std::vector<glm::vec3>(side * side, glm::vec3(kInfinity))};
    restore_areas(fill_bright_pixels(image), image);
    for (const glm::vec3& pixel : image.pixels) EXPECT_TRUE(std::isfinite(pixel.x));
  }
}

}  // namespace
}  // namespace winnow
