// SPDX-License-Identifier: MIT
#include "denoise/denoise_covered.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "math/constants.h"
#include "math/sampler.h"
#include "tests/denoise/support/fake_oidn.h"
#include "tests/support/folder_test.h"

namespace winnow {
namespace {

constexpr uint32_t kWidth = 96, kHeight = 48;
constexpr size_t kPixels = size_t{kWidth} * kHeight;
const glm::vec3 kLeft(2.0f, 1.8f, 1.6f), kRight(0.2f, 0.5f, 0.4f);

/// Two discs with edges a pixel wide: one of kLeft, one of kRight. The straight colours of pixels
/// err by up to `noise`.
Image two_discs(float noise) {
  Image image{kWidth, kHeight, {}};
  for (uint32_t i = 0; i < kPixels; ++i) {
    const bool is_left = i % kWidth < kWidth / 2;
    const float x = float(i % kWidth) - (is_left ? 26.2f : 68.7f), y = float(i / kWidth) - 23.6f;
    const float alpha = std::clamp(12.5f - std::hypot(x, y), 0.0f, 1.0f);
    const float random = float(philox({i, 0, 0, 0}, {1, 2}).x >> 8) * 0x1p-24f;
    image.alpha.push_back(alpha);
    image.pixels.push_back(alpha * (1.0f + noise * (2.0f * random - 1.0f)) *
                           (is_left ? kLeft : kRight));
  }
  return image;
}

class CoveredPictures : public FolderTest {
 protected:
  CoveredPictures() { environment_.use_fake(log_); }
  const std::filesystem::path log_ = folder_ / "log.txt";
  DenoiseEnvironment environment_;
};

TEST_F(CoveredPictures, AreDenoisedInFrontOfTheColorsBesideEachPixel) {
  const Image noisy = two_discs(0.0f), clean = denoise_covered(Denoiser({}), noisy, {});
  EXPECT_EQ(clean.alpha, noisy.alpha);
  for (size_t i = 0; i < kPixels; ++i) {
    const float alpha = noisy.alpha[i];
    const glm::vec3& behind = i % kWidth < kWidth / 2 ? kLeft : kRight;
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(clean.pixels[i][c],
                  alpha > 0.0f ? 2.0f * noisy.pixels[i][c] + (1.0f - alpha) * behind[c] : 0.0f,
                  0.03f * kLeft.x)
          << i;
  }
}

TEST_F(CoveredPictures, HaveAlbedoInFrontOfItsOwnColors) {
  environment_.set("FAKE_OIDN_TAKES", "albedo");
  Image black = two_discs(0.0f), albedo = black;
  std::ranges::fill(black.pixels, glm::vec3(0.0f));
  for (float& alpha : albedo.alpha) alpha = std::round(4.0f * alpha) / 4.0f;  // of fewer samples
  for (size_t i = 0; i < kPixels; ++i) albedo.pixels[i] = albedo.alpha[i] * glm::vec3(0.5f);
  const Image clean =
      denoise_covered(Denoiser({}), black, {.albedo = albedo, .has_no_noise = true});
  for (size_t i = 0; i < kPixels; ++i)
    EXPECT_NEAR(clean.pixels[i].y, black.alpha[i] > 0.0f ? 1.0f : 0.0f, 1e-5f) << i;
}

TEST_F(CoveredPictures, StayAsTheyAreWhereNothingIs) {
  Image image{40, 40, std::vector<glm::vec3>(1600, glm::vec3(0.0f)), std::vector<float>(1600)};
  const Denoiser denoiser({});
  EXPECT_EQ(denoise_covered(denoiser, image, {}).pixels, image.pixels);
  EXPECT_THAT(lines_of(log_), testing::ElementsAre("device CPU", "numThreads 0"));
  image.pixels[820] = glm::vec3(1.0f, 2.0f, 3.0f);  // light that covers nothing
  EXPECT_EQ(denoise_covered(denoiser, image, {}).pixels[820], glm::vec3(2.0f, 4.0f, 6.0f));
  image.alpha.clear();
  EXPECT_EQ(denoise_covered(denoiser, image, {}).pixels[820], glm::vec3(2.0f, 4.0f, 6.0f));
}

TEST_F(CoveredPictures, AreNotSpoiledByInfiniteAndOddPixels) {
  Image image = two_discs(0.0f);
  const size_t middle = 24 * kWidth + 26;
  image.pixels[middle].x = kInfinity;
  image.alpha[middle + 1] = NAN;
  image.alpha[middle + 2] = 3.0f;
  const Image clean = denoise_covered(Denoiser({}), image, {});
  for (size_t i = 0; i < kPixels; ++i) EXPECT_TRUE(std::isfinite(clean.pixels[i].x)) << i;
  const Image one{1, 1, {glm::vec3(0.5f)}, {0.5f}};
  EXPECT_EQ(denoise_covered(Denoiser({}), one, {}).pixels[0], glm::vec3(1.5f));
}

TEST(CoveredPicturesByOidn, HaveLessErrorAtTheEdgesOfBrightAndDarkParts) {
  std::optional<Denoiser> denoiser;
  try {
    denoiser.emplace(DenoiserSettings{});
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  const Image noisy = two_discs(0.3f), truth = two_discs(0.0f);
  const Image clean = denoise_covered(*denoiser, noisy, {});
  for (const bool is_left : {true, false}) {
    double before = 0.0, after = 0.0;
    for (size_t i = 0; i < kPixels; ++i) {
      if ((i % kWidth < kWidth / 2) != is_left) continue;
      if (noisy.alpha[i] == 0.0f || noisy.alpha[i] == 1.0f) continue;
      before += std::pow(double(noisy.pixels[i].y - truth.pixels[i].y), 2.0);
      after += std::pow(double(clean.pixels[i].y - truth.pixels[i].y), 2.0);
    }
    EXPECT_LT(after, before) << is_left;
  }
}

}  // namespace
}  // namespace winnow
