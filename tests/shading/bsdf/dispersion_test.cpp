// SPDX-License-Identifier: MIT
#include "shading/bsdf/dispersion.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/support/expect_near.h"

namespace winnow {
namespace {

const Material kFlint{.type = MaterialType::kDielectric, .ior = 1.62f, .dispersion = 20.0f / 36.0f};

TEST(Dispersion, HasTheAbbeNumberOfTheGlass) {
  const float red = channel_ior(kFlint, 0), green = channel_ior(kFlint, 1),
              blue = channel_ior(kFlint, 2);
  EXPECT_FLOAT_EQ(green, kFlint.ior);
  EXPECT_NEAR((green - 1.0f) / (blue - red), 36.0f, 0.01f);
  EXPECT_GT(blue, green) << "blue is refracted more";
}

TEST(Dispersion, IsTheSameIfTheNormalIsReversed) {
  Material bubble = kFlint;
  bubble.ior = 1.0f / kFlint.ior;
  for (int channel = 0; channel < 3; ++channel)
    EXPECT_FLOAT_EQ(channel_ior(bubble, channel), 1.0f / channel_ior(kFlint, channel));
}

TEST(Dispersion, KeepsTheMeanOfAPath) {
  const glm::vec3 throughput{0.9f, 0.5f, 0.2f};
  glm::vec3 mean(0.0f);
  for (int channel = 0; channel < 3; ++channel) {
    Material glass = kFlint;
    glm::vec3 one = throughput;
    disperse(glass, one, channel);
    EXPECT_EQ(glass.ior, channel_ior(kFlint, channel));
    mean += one / 3.0f;
  }
  expect_near(mean, throughput, 1e-6f);
}

TEST(Dispersion, LeavesAPathOfOneChannelAsItIs) {
  for (int channel = 0; channel < 3; ++channel) {
    Material glass = kFlint;
    glm::vec3 blue{0.0f, 0.0f, 0.7f};
    disperse(glass, blue, channel);
    EXPECT_EQ(blue, glm::vec3(0.0f, 0.0f, 0.7f));
    EXPECT_EQ(glass.ior, channel_ior(kFlint, 2));
  }
}

TEST(Dispersion, GivesEachChannelAThirdOfTheSamples) {
  std::array<int, 3> of_pixel{}, of_first{};
  for (uint32_t sample = 0; sample < 300; ++sample)
    ++of_pixel[size_t(channel_of({.seed = 1, .pixel = 7, .sample = sample}))];
  for (uint32_t pixel = 0; pixel < 3000; ++pixel)
    ++of_first[size_t(channel_of({.seed = 1, .pixel = pixel}))];
  for (size_t channel = 0; channel < 3; ++channel) {
    EXPECT_EQ(of_pixel[channel], 100);
    EXPECT_NEAR(of_first[channel], 1000, 110);  // four standard deviations
  }
}

}  // namespace
}  // namespace winnow
