// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <glm/common.hpp>
#include <random>

#include "load/pbrt/convert.h"
#include "scene/volumes/density_grid.h"

namespace winnow {
namespace {

/// The expected values are those of a program that was written after pbrt's documentation alone.
TEST(PbrtCloud, HasTheDensitiesOfItsDefinition) {
  const PbrtCloud plain, thick{.density = 2.0, .wispiness = 0.0, .frequency = 3.0};
  EXPECT_NEAR(cloud_density({0.31, 0.62, 0.17}, plain), 0.5080138683694082, 1e-6);
  EXPECT_NEAR(cloud_density({0.2, 0.55, 0.81}, plain), 0.08636755775865972, 1e-6);
  EXPECT_EQ(cloud_density({0.77, 0.9, 0.4}, plain), 0.0f);
  EXPECT_NEAR(cloud_density({0.4, 0.3, 0.1}, plain), 0.4, 1e-6);
  EXPECT_NEAR(cloud_density({0.4, 0.3, 0.1}, thick), 0.8488229616865006, 1e-6);
}

/// Below, it is as dense as can be; at the height 1, clear.
TEST(PbrtCloud, ThinsOutWithItsHeight) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform;
  for (int i = 0; i < 200; ++i) {
    const double x = 9.0 * uniform(random), z = -uniform(random);
    EXPECT_EQ(cloud_density({x, -uniform(random), z}, {}), 1.0f);
    EXPECT_EQ(cloud_density({x, 1.0, z}, {}), 0.0f);
  }
}

/// Its wisps are finer than the samples, but change no mean.
TEST(PbrtCloud, IsSampledFinely) {
  const glm::dvec3 low(-0.2, 0.3, 0.1), high(0.4, 0.9, 0.6);
  for (const bool has_wisps : {false, true}) {
    const PbrtCloud cloud{.wispiness = has_wisps ? 1.0 : 0.0};
    const GridVolume volume = cloud_volume(cloud, low, high);
    EXPECT_NEAR(volume.size.x, 96, 1);
    EXPECT_NEAR(volume.size.z, 80, 1);
    const auto value = [&](glm::uvec3 at) {
      return double(volume.values[(size_t(at.z) * volume.size.y + at.y) * volume.size.x + at.x]);
    };
    std::mt19937 random(2);
    double off = 0.0, sum = 0.0, exact = 0.0;
    constexpr int kPoints = 10'000;
    for (int n = 0; n < kPoints; ++n) {
      glm::uvec3 cell;
      glm::dvec3 f;
      for (int axis = 0; axis < 3; ++axis) {
        cell[axis] = uint32_t(random() % (volume.size[axis] - 1));
        f[axis] = double(random() % 1000) / 1000.0;
      }
      double between = 0.0;
      for (uint32_t corner = 0; corner < 8; ++corner) {
        const glm::uvec3 o{corner & 1, corner >> 1 & 1, corner >> 2};
        const glm::dvec3 weight = glm::mix(1.0 - f, f, glm::dvec3(o));
        between += weight.x * weight.y * weight.z * value(cell + o);
      }
      const glm::dvec3 share = (glm::dvec3(cell) + f + 0.5) / glm::dvec3(volume.size);
      const double density = cloud_density(glm::mix(low, high, share), cloud);
      off += std::abs(between - density);
      sum += between;
      exact += density;
    }
    EXPECT_NEAR(sum, exact, 0.01 * exact);
    if (!has_wisps) {
      EXPECT_LT(off, 0.03 * exact);
    }
    EXPECT_GT(exact, 0.1 * kPoints);
  }
}

}  // namespace
}  // namespace winnow
