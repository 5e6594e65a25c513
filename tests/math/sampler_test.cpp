#include "math/sampler.h"

#include <array>
#include <set>
#include <tuple>

#include "tests/math/chi_square.h"

namespace winnow {
namespace {

TEST(Sampler, UniformsNeverReachOne) {
  EXPECT_EQ(uniform_float(0), 0.0f);
  EXPECT_EQ(uniform_float(0x80000000u), 0.5f);
  EXPECT_LT(uniform_float(~0u), 1.0f);
  EXPECT_EQ(uniform_float(~0u), 1.0f - 0x1p-24f);
}

TEST(Sampler, ReturnsTheSameNumbersInAnyOrder) {
  Sampler sampler{.seed = 3, .pixel = 17, .sample = 5};
  glm::vec4 first = sampler.sample4(2);
  sampler.sample4(9);
  EXPECT_EQ(sampler.sample4(2), first);
}

TEST(Sampler, EveryCoordinateMatters) {
  constexpr uint64_t kHighBit = uint64_t{1} << 32;
  std::set<std::tuple<float, float, float, float>> seen;
  int count = 0;
  for (uint64_t seed : {uint64_t{0}, uint64_t{1}, kHighBit, kHighBit + 1})
    for (uint32_t pixel : {0u, 1u, 2u, 1u << 31})
      for (uint32_t sample : {0u, 1u, 2u, 1u << 31})
        for (uint32_t dimension : {0u, 1u, 2u, 1u << 31}) {
          glm::vec4 u = Sampler{seed, pixel, sample}.sample4(dimension);
          seen.insert({u.x, u.y, u.z, u.w});
          ++count;
        }
  EXPECT_EQ(int(seen.size()), count);
}

// Any two numbers of one path, or of neighbours in pixel, sample or seed, fill the unit square.
TEST(Sampler, PairsOfNumbersAreIndependentUniforms) {
  constexpr int kSide = 16, kPairs = 20'000, kTests = 7;
  struct Test {
    const char* name;
    std::array<float, 2> (*pair)(uint32_t i);
  };
  const Test tests[kTests] = {
      {"x and y",
       [](uint32_t i) {
         glm::vec4 u = Sampler{0, 0, i}.sample4(0);
         return std::array{u.x, u.y};
       }},
      {"x and z",
       [](uint32_t i) {
         glm::vec4 u = Sampler{0, i, 0}.sample4(0);
         return std::array{u.x, u.z};
       }},
      {"y and w",
       [](uint32_t i) {
         glm::vec4 u = Sampler{i, 0, 0}.sample4(0);
         return std::array{u.y, u.w};
       }},
      {"dimensions",
       [](uint32_t i) {
         Sampler s{0, 0, i};
         return std::array{s.sample4(0).x, s.sample4(1).x};
       }},
      {"pixels",
       [](uint32_t i) {
         return std::array{Sampler{0, i, 4}.sample4(0).x, Sampler{0, i + 1, 4}.sample4(0).x};
       }},
      {"samples",
       [](uint32_t i) {
         return std::array{Sampler{0, 4, i}.sample4(0).x, Sampler{0, 4, i + 1}.sample4(0).x};
       }},
      {"seeds",
       [](uint32_t i) {
         return std::array{Sampler{i, 4, 4}.sample4(0).x, Sampler{i + 1ull, 4, 4}.sample4(0).x};
       }},
  };
  for (const Test& test : tests) {
    SCOPED_TRACE(test.name);
    std::vector<HistogramBin> bins(kSide * kSide,
                                   HistogramBin{double(kPairs) / (kSide * kSide), 0.0});
    for (uint32_t i = 0; i < kPairs; ++i) {
      auto [a, b] = test.pair(i);
      bins[int(a * kSide) * kSide + int(b * kSide)].observed += 1.0;
    }
    EXPECT_TRUE(fits_density(bins, kTests));
  }
}

}  // namespace
}  // namespace winnow
