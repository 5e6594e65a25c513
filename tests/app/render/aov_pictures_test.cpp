// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "app/render/aov.h"
#include "base/error.h"
#include "image/color_map.h"
#include "image/image_io.h"
#include "image/srgb.h"
#include "tests/support/folder_test.h"

namespace winnow {
namespace {

using testing::HasSubstr;

constexpr uint32_t kWidth = 3, kHeight = 2;

/// Four samples in each pixel but the last, which has none.
HostFilm film_of_terminations() {
  HostFilm film = make_host_film(kWidth, kHeight, {.terminations = true});
  film.samples = {4, 4, 4, 4, 4, 0};
  film.termination_bounces = {0, 1, 2, 6, 8, 0};
  auto set = [&](size_t pixel, Termination cause, uint32_t paths) {
    film.terminations[pixel * kTerminationCount + size_t(cause)] = paths;
  };
  set(0, Termination::kEscaped, 4);
  set(1, Termination::kHitLight, 4);
  set(2, Termination::kRoulette, 4);
  set(3, Termination::kEscaped, 2);
  set(3, Termination::kRoulette, 2);
  set(4, Termination::kMaxDepth, 4);
  return film;
}

class TerminationPictures : public FolderTest {
 protected:
  /// Writes `aov`, keeps the legend, and returns the image as read from the file.
  Image written(Aov aov, const std::string& name) {
    legend_ = write_aov({aov, folder_ / name}, film_of_terminations());
    return read_image(folder_ / name);
  }

  std::string legend_;
};

TEST_F(TerminationPictures, BouncesAreNumbersWhereTheFormatHoldsThem) {
  for (const char* name : {"b.exr", "b.pfm", "b.hdr"}) {
    Image image = written(Aov::kBounces, name);
    ASSERT_EQ(image.width, kWidth) << name;
    ASSERT_EQ(image.height, kHeight) << name;
    std::array<float, kWidth* kHeight> means = {0.0f, 0.25f, 0.5f, 1.5f, 2.0f, 0.0f};
    for (size_t pixel = 0; pixel < means.size(); ++pixel)
      EXPECT_EQ(image.pixels[pixel], glm::vec3(means[pixel])) << name << ", pixel " << pixel;
    EXPECT_THAT(legend_, HasSubstr("numbers from 0 to 2")) << name;
  }
}

TEST_F(TerminationPictures, BouncesAreColoursWhereTheFormatHoldsThose) {
  Image image = written(Aov::kBounces, "b.png");
  std::array<float, kWidth* kHeight> shares = {0.0f, 0.125f, 0.25f, 0.75f, 1.0f, 0.0f};
  for (size_t pixel = 0; pixel < shares.size(); ++pixel)
    for (int channel = 0; channel < 3; ++channel)
      EXPECT_EQ(tone_map(image.pixels[pixel][channel]),
                tone_map(false_color(shares[pixel])[channel]))
          << "pixel " << pixel;
  EXPECT_THAT(legend_, HasSubstr("from 0 (dark violet)"));
  EXPECT_THAT(legend_, HasSubstr("to 2 (pale yellow)"));
  EXPECT_EQ(written(Aov::kBounces, "b.jpg").width, kWidth);
}

TEST_F(TerminationPictures, WithoutAnyBounceThePictureIsOfTheLowestColour) {
  HostFilm film = make_host_film(1, 1, {.terminations = true});
  film.samples = {1};
  const Image bounces = aov_image(Aov::kBounces, film);
  EXPECT_EQ(false_color_image(bounces).pixels.at(0), false_color(0.0f));
}

TEST_F(TerminationPictures, AFewExtremePixelsDoNotDarkenTheRest) {
  constexpr uint32_t kSide = 100;
  HostFilm film = make_host_film(kSide, kSide, {.terminations = true});
  std::fill(film.samples.begin(), film.samples.end(), 1);
  std::fill(film.termination_bounces.begin(), film.termination_bounces.end(), 3);
  film.termination_bounces[0] = 0;
  film.termination_bounces[1] = 1000;
  Image numbers = aov_image(Aov::kBounces, film), colors = false_color_image(numbers);
  EXPECT_EQ(top_of_scale(numbers), 3.0f);
  EXPECT_EQ(colors.pixels[0], false_color(0.0f));
  EXPECT_EQ(colors.pixels[1], false_color(1.0f));
  EXPECT_EQ(colors.pixels[2], false_color(1.0f));
  EXPECT_THAT(write_aov({Aov::kBounces, folder_ / "b.png"}, film),
              HasSubstr("to 3 and more, up to 1000 (pale yellow)"));
}

TEST_F(TerminationPictures, WhereFewPathsBounceTheScaleEndsAtTheMost) {
  Image numbers{1000, 1, std::vector<glm::vec3>(1000, glm::vec3(0.0f))};
  numbers.pixels[7] = glm::vec3(2.5f);
  EXPECT_EQ(top_of_scale(numbers), 2.5f);
}

TEST_F(TerminationPictures, TerminationsAreTheMeanOfTheSamplesColours) {
  Image image = aov_image(Aov::kTerminations, film_of_terminations());
  EXPECT_EQ(image.pixels[0], termination_color(Termination::kEscaped));
  EXPECT_EQ(image.pixels[2], termination_color(Termination::kRoulette));
  glm::vec3 mean =
      0.5f * (termination_color(Termination::kEscaped) + termination_color(Termination::kRoulette));
  for (int channel = 0; channel < 3; ++channel)
    EXPECT_FLOAT_EQ(image.pixels[3][channel], mean[channel]);
  EXPECT_EQ(image.pixels[5], glm::vec3(0.0f));
}

TEST_F(TerminationPictures, TerminationsKeepTheirColoursInEightBits) {
  Image image = written(Aov::kTerminations, "d.png");
  std::array<int, 3> sky_blue = {86, 180, 233}, yellow = {240, 228, 66};
  for (int channel = 0; channel < 3; ++channel) {
    EXPECT_EQ(tone_map(image.pixels[0][channel]), sky_blue[channel]);
    EXPECT_EQ(tone_map(image.pixels[1][channel]), yellow[channel]);
  }
}

TEST_F(TerminationPictures, TheLegendNamesWhatIsThere) {
  written(Aov::kTerminations, "d.png");
  EXPECT_THAT(legend_,
              HasSubstr("d.png: why paths ended; sky blue: left the scene (30.0 %), yellow: "
                        "hit a light (20.0 %), orange: "));
  EXPECT_THAT(legend_, testing::Not(HasSubstr("NaN")));
  EXPECT_EQ(legend_.find('\n'), std::string::npos);
}

TEST_F(TerminationPictures, TheLegendDoesNotRoundTheRareToNothing) {
  HostFilm film = make_host_film(1, 1, {.terminations = true});
  film.samples = {5000};
  film.terminations[size_t(Termination::kEscaped)] = 4999;
  film.terminations[size_t(Termination::kNotFinite)] = 1;
  EXPECT_THAT(write_aov({Aov::kTerminations, folder_ / "d.png"}, film),
              HasSubstr("white: NaN or infinity (< 0.1 %)"));
}

/// Oklab of a linear colour. Ottosson, "A perceptual color space for image processing", 2020.
glm::vec3 oklab(glm::vec3 c) {
  float l = std::cbrt(0.4122214708f * c.x + 0.5363325363f * c.y + 0.0514459929f * c.z);
  float m = std::cbrt(0.2119034982f * c.x + 0.6806995451f * c.y + 0.1073969566f * c.z);
  float s = std::cbrt(0.0883024619f * c.x + 0.2817188376f * c.y + 0.6299787005f * c.z);
  return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
          1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
          0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

/// Simulated colour vision without one kind of cones; rows of a matrix for linear RGB. Machado,
/// Oliveira & Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
/// 2009.
using Sight = std::array<glm::vec3, 3>;
constexpr Sight kAllCones = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Sight kNoLongCones = {{{0.152286f, 1.052583f, -0.204868f},
                                 {0.114503f, 0.786281f, 0.099216f},
                                 {-0.003882f, -0.048116f, 1.051998f}}};
constexpr Sight kNoMediumCones = {{{0.367322f, 0.860646f, -0.227968f},
                                   {0.280085f, 0.672501f, 0.047413f},
                                   {-0.011820f, 0.042940f, 0.968881f}}};
constexpr Sight kNoShortCones = {{{1.255528f, -0.076749f, -0.178779f},
                                  {-0.078411f, 0.930809f, 0.147602f},
                                  {0.004733f, 0.691367f, 0.303900f}}};

glm::vec3 seen(const Sight& sight, glm::vec3 color) {
  glm::vec3 seen;
  for (int row = 0; row < 3; ++row) seen[row] = std::clamp(glm::dot(sight[row], color), 0.0f, 1.0f);
  return oklab(seen);
}

TEST(TerminationColors, AreToldApartByEveryEye) {
  constexpr float kJustNoticeable = 0.02f;  // in Oklab
  for (const Sight& sight : {kAllCones, kNoLongCones, kNoMediumCones, kNoShortCones})
    for (uint32_t a = 0; a < kTerminationCount; ++a)
      for (uint32_t b = 0; b < a; ++b) {
        glm::vec3 difference = seen(sight, termination_color(Termination(a))) -
                               seen(sight, termination_color(Termination(b)));
        EXPECT_GT(glm::length(difference), 5.0f * kJustNoticeable)
            << kEnumNames<Termination>[a] << " and " << kEnumNames<Termination>[b];
      }
}

}  // namespace
}  // namespace winnow
