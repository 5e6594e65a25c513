// SPDX-License-Identifier: MIT
#include "device_scene/textured_material.h"

#include <gtest/gtest.h>

#include "math/sampler.h"
#include "tests/support/sample_directions.h"

namespace winnow {
namespace {

TEST(BentNormal, MirrorsTheViewerToAboveTheSurface) {
  int bent_count = 0;
  for (uint32_t i = 0; i < 10'000; ++i) {
    const glm::vec4 u = Sampler{.sample = i}.sample4(0);
    const glm::vec3 n = sample_uniform_sphere({u.z, u.w});
    const Frame frame(n);
    const glm::vec3 wo = frame.to_world(sample_cosine_hemisphere({u.x, u.y}));
    const glm::vec3 mapped = frame.to_world(sample_cosine_hemisphere({u.y, u.z}));
    const float up = glm::dot(wo, n), min_height = std::min(0.01f, 0.9f * up);
    const auto height = [&](glm::vec3 ns) {
      return glm::dot(2.0f * glm::dot(ns, wo) * ns - wo, n);
    };
    const glm::vec3 bent = bend_normal(mapped, n, wo);
    if (height(mapped) >= min_height) {
      EXPECT_EQ(bent, mapped);
      continue;
    }
    ++bent_count;
    EXPECT_NEAR(height(bent), min_height, 1e-5f);
    EXPECT_NEAR(glm::length(bent), 1.0f, 1e-5f);
    EXPECT_GT(glm::dot(bent, wo), 0.0f);
    // It is between the two normals.
    EXPECT_NEAR(glm::dot(bent, glm::cross(n, mapped)), 0.0f, 1e-6f);
    EXPECT_GE(glm::dot(bent, n), glm::dot(mapped, n));
    EXPECT_GE(glm::dot(bent, mapped), glm::dot(mapped, n));
  }
  EXPECT_GT(bent_count, 1000);
}

TEST(BentNormal, IsTheMappedOneWhereThereIsNothingToBend) {
  const glm::vec3 n(0, 0, 1), grazing(1, 0, 0);
  EXPECT_EQ(bend_normal(n, n, n), n);
  EXPECT_EQ(bend_normal(n, n, grazing), n);
  const glm::vec3 leaning = glm::normalize(glm::vec3(0, 1, 1));
  const glm::vec3 bent = bend_normal(leaning, n, grazing);
  EXPECT_NEAR(glm::length(bent), 1.0f, 1e-6f);
}

}  // namespace
}  // namespace winnow
