// SPDX-License-Identifier: MIT
#include "shading/light/sky.h"

#include "shading/light/light.h"
#include "tests/support/chi_square.h"

namespace winnow {
namespace {

const glm::vec3 kTilted = glm::normalize(glm::vec3{0.3f, 0.8f, -0.5f});

std::vector<Sky> skies() {
  return {
      {.zenith = glm::vec3(1.0f), .horizon = glm::vec3(1.0f), .ground = glm::vec3(1.0f)},
      {.zenith = {0.2f, 0.4f, 1.0f}, .horizon = {0.9f, 0.9f, 0.8f}, .ground = {0.1f, 0.08f, 0.05f}},
      {.zenith = {0.0f, 0.0f, 5.0f}, .up = kTilted},
      {.horizon = {3.0f, 1.0f, 0.0f}, .up = kTilted},
      {.ground = glm::vec3(2.0f), .up = {0.0f, 0.0f, -1.0f}},
  };
}

TEST(Sky, IsAGradientAboveTheHorizonAndOneColourBelow) {
  Sky sky = skies()[1];
  EXPECT_EQ(eval_sky(sky, {0.0f, 1.0f, 0.0f}), sky.zenith);
  EXPECT_EQ(eval_sky(sky, {1.0f, 0.0f, 0.0f}), sky.horizon);
  EXPECT_EQ(eval_sky(sky, {0.0f, -1.0f, 0.0f}), sky.ground);
  glm::vec3 middle = eval_sky(sky, {std::sqrt(0.75f), 0.5f, 0.0f});  // 30 degrees up
  EXPECT_LT(glm::length(middle - 0.5f * (sky.zenith + sky.horizon)), 1e-6f);
}

TEST(Sky, SamplesFollowTheDensity) {
  for (const Sky& sky : skies()) {
    EXPECT_TRUE(samples_follow_density(
        {.axis = sky.up}, [&](glm::vec4 u) { return sample_lit_sky(sky, glm::vec2(u)); },
        [&](glm::vec3 w) { return sky_pdf(sky, w); }, int(skies().size())));
  }
}

TEST(Sky, DensityIsProportionalToLuminance) {
  for (const Sky& sky : skies()) {
    float ratio = 0.0f;
    for (uint32_t i = 0; i < 1000; ++i) {
      const glm::vec3 w = sample_lit_sky(sky, Sampler{.sample = i}.sample4(0));
      float value = luminance(eval_sky(sky, w)) / sky_pdf(sky, w);
      if (i == 0) ratio = value;
      EXPECT_NEAR(value / ratio, 1.0f, 1e-5f);
    }
  }
}

TEST(Sky, BlackHasNoSamples) {
  EXPECT_TRUE(is_black({}));
  EXPECT_EQ(sky_pdf({}, {0.0f, 1.0f, 0.0f}), 0.0f);
  EXPECT_EQ(light_of(sample_gradient({}, {}, {0.5f, 0.5f}), 1.0f).pdf, 0.0f);
  for (const Sky& sky : skies()) EXPECT_FALSE(is_black(sky));
}

TEST(Sky, CornersOfTheUnitSquareAreFine) {
  for (const Sky& sky : skies())
    for (glm::vec2 u : {glm::vec2{0.0f, 0.0f}, glm::vec2{kOneMinusEpsilon, kOneMinusEpsilon},
                        glm::vec2{0.5f, 0.0f}}) {
      const glm::vec3 w = sample_lit_sky(sky, u);
      EXPECT_NEAR(glm::length(w), 1.0f, 1e-5f);
      EXPECT_TRUE(sky_pdf(sky, w) >= 0.0f && std::isfinite(sky_pdf(sky, w)));
    }
}

}  // namespace
}  // namespace winnow
