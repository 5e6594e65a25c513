// SPDX-License-Identifier: MIT
#include "math/random_stream.h"

#include <gtest/gtest.h>

#include "tests/support/estimate.h"

namespace winnow {
namespace {

TEST(RandomStream, IsUniformAlongTheSequenceAndAcrossNeighbouringSeeds) {
  constexpr uint32_t kCount = 100'000;
  constexpr double kSigmas = 5.0;
  RandomStream stream({1, 2});
  const Estimate along = estimate(kCount, [&](uint32_t) { return double(stream.uniform()); });
  EXPECT_NEAR(along.mean, 0.5, kSigmas * along.error);
  EXPECT_NEAR(along.error * std::sqrt(kCount), std::sqrt(1.0 / 12.0), 2e-3);
  for (uint32_t skipped : {0u, 1u, 5u}) {
    const auto number = [&](uint32_t seed) {
      RandomStream of_seed({seed, 7});
      for (uint32_t i = 0; i < skipped; ++i) of_seed.uniform();
      return double(of_seed.uniform());
    };
    const Estimate mean = estimate(kCount, number);
    EXPECT_NEAR(mean.mean, 0.5, kSigmas * mean.error);
    const Estimate product =
        estimate(kCount, [&](uint32_t seed) { return number(seed) * number(seed + 1); });
    EXPECT_NEAR(product.mean, 0.25, kSigmas * product.error);
  }
}

TEST(RandomStream, DrawsExponentialVariates) {
  RandomStream stream({3, 4});
  uint32_t above = 0;
  constexpr uint32_t kCount = 100'000;
  const Estimate mean = estimate(kCount, [&](uint32_t) {
    const float x = stream.exponential();
    EXPECT_GE(x, 0.0f);
    above += x > 1.0f;
    return double(x);
  });
  EXPECT_NEAR(mean.mean, 1.0, 5.0 * mean.error);
  EXPECT_NEAR(above / double(kCount), std::exp(-1.0), 8e-3);
}

}  // namespace
}  // namespace winnow
