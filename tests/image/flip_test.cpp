// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "image/compare.h"

namespace winnow {
namespace {

constexpr uint32_t kFlipWidth = 60, kFlipHeight = 40;
/// Largest difference between float results in another order of operations.
constexpr double kFlipTolerance = 2e-5;

template <class F>
Image make_image(F color) {
  Image image{kFlipWidth, kFlipHeight, {}};
  for (uint32_t y = 0; y < kFlipHeight; ++y)
    for (uint32_t x = 0; x < kFlipWidth; ++x) image.pixels.push_back(color(x, y));
  return image;
}

Image grey(float value) {
  return make_image([=](uint32_t, uint32_t) { return glm::vec3(value); });
}

double mean_of_flip(const Image& image, const Image& reference) {
  double sum = 0.0;
  for (float difference : flip(image, reference)) sum += double(difference);
  return sum / (kFlipWidth * kFlipHeight);
}

TEST(Flip, OfEqualImagesIsZero) {
  EXPECT_EQ(mean_of_flip(grey(0.3f), grey(0.3f)), 0.0);
}

TEST(Flip, OfGreenAndBlueIsOne) {
  const Image green = make_image([](uint32_t, uint32_t) { return glm::vec3(0.0f, 1.0f, 0.0f); });
  const Image blue = make_image([](uint32_t, uint32_t) { return glm::vec3(0.0f, 0.0f, 1.0f); });
  EXPECT_NEAR(mean_of_flip(green, blue), 1.0, kFlipTolerance);
}

TEST(Flip, SeesImagesAsAScreenShowsThem) {
  EXPECT_EQ(mean_of_flip(grey(1.0f), grey(7.0f)), 0.0);
  EXPECT_EQ(mean_of_flip(grey(0.0f), grey(-7.0f)), 0.0);
}

// The authors' own program, flip-evaluator 1.7 for Python, made the numbers.
TEST(Flip, AgreesWithItsAuthors) {
  EXPECT_NEAR(mean_of_flip(grey(0.5f), grey(0.4f)), 0.215645, kFlipTolerance);

  auto pattern = [](uint32_t k) {
    return make_image([k](uint32_t x, uint32_t y) {
      return glm::vec3(float((7 * x + 13 * y + k) % 16) / 15.0f,
                       float((5 * x + 3 * y) % 11) / 10.0f, float((x * y + k) % 7) / 6.0f);
    });
  };
  EXPECT_NEAR(mean_of_flip(pattern(0), pattern(3)), 0.261633, kFlipTolerance);

  auto ramp = [](uint32_t shift) {
    return make_image([shift](uint32_t x, uint32_t) {
      return glm::vec3(float((x + kFlipWidth - shift) % kFlipWidth) / float(kFlipWidth - 1));
    });
  };
  EXPECT_NEAR(mean_of_flip(ramp(0), ramp(3)), 0.228627, kFlipTolerance);
}

TEST(Flip, SeesEdgesAndPoints) {
  const Image edge =
      make_image([](uint32_t x, uint32_t) { return glm::vec3(x < kFlipWidth / 2 ? 0.5f : 0.3f); });
  EXPECT_NEAR(mean_of_flip(grey(0.5f), edge), 0.206320, kFlipTolerance);

  const Image point = make_image([](uint32_t x, uint32_t y) {
    return glm::vec3(x == kFlipWidth / 2 && y == kFlipHeight / 2 ? 1.0f : 0.5f);
  });
  EXPECT_NEAR(mean_of_flip(grey(0.5f), point), 0.000926248, 1e-2 * kFlipTolerance);
}

TEST(Flip, RefusesWhatItCannotCompare) {
  Image small{1, 1, {glm::vec3(0.0f)}};
  EXPECT_THROW(flip(grey(0.0f), small), Error);
  EXPECT_THROW(flip(grey(0.0f), grey(std::numeric_limits<float>::quiet_NaN())), Error);
}

}  // namespace
}  // namespace winnow
