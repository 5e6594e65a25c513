// SPDX-License-Identifier: MIT
#include "shading/phase_function.h"

#include <gtest/gtest.h>

#include "tests/support/chi_square.h"

namespace winnow {
namespace {

const glm::vec3 kTravel = glm::normalize(glm::vec3(0.3f, -0.8f, 0.5f));
const std::vector<float> kAsymmetries = {0.0f, 0.3f, -0.5f, 0.8f, -0.9f, 0.99f};

/// Bins around the peak.
DirectionBins bins_about(float asymmetry) {
  return {.axis = asymmetry < 0.0f ? -kTravel : kTravel, .focus = kNarrowFocus};
}

TEST(PhaseFunction, IntegratesToOneAndHasItsMeanCosine) {
  for (float g : kAsymmetries) {
    SCOPED_TRACE(g);
    const DirectionBins bins = bins_about(g);
    auto cosine = [](glm::vec3 w) { return glm::dot(w, kTravel); };
    EXPECT_NEAR(bins.integral([&](glm::vec3 w) { return eval_phase(g, cosine(w)); }), 1.0, 2e-3);
    EXPECT_NEAR(bins.integral([&](glm::vec3 w) { return cosine(w) * eval_phase(g, cosine(w)); }), g,
                2e-3);
  }
}

TEST(PhaseFunction, SamplesFollowTheDensity) {
  for (float g : kAsymmetries) {
    SCOPED_TRACE(g);
    EXPECT_TRUE(samples_follow_density(
        bins_about(g),
        [&](glm::vec4 u) {
          return sample_phase(g, kTravel, {u.x, u.y}).wi;
        },
        [&](glm::vec3 w) { return eval_phase(g, glm::dot(w, kTravel)); },
        int(kAsymmetries.size())));
  }
}

TEST(PhaseFunction, SamplesKnowTheirDensityAtTheEndsToo) {
  for (float g : {0.0f, 0.5f, -0.5f, 0.999f, -0.999f})
    for (float u : {0.0f, 1e-6f, 0.3f, 0.9f, kOneMinusEpsilon}) {
      SCOPED_TRACE(testing::Message() << "g " << g << ", u " << u);
      const PhaseSample sample = sample_phase(g, {0.0f, 0.0f, 1.0f}, {u, 0.25f});
      EXPECT_NEAR(glm::length(sample.wi), 1.0f, 1e-6f);
      EXPECT_GT(sample.pdf, 0.0f);
      if (std::abs(g) < 0.9f) {
        EXPECT_NEAR(sample.pdf, eval_phase(g, sample.wi.z), 1e-5f);
      }
    }
}

}  // namespace
}  // namespace winnow
