// SPDX-License-Identifier: MIT
#include "math/sampler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "tests/support/chi_square.h"

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

Sampler sobol(uint32_t log2_samples, uint32_t x, uint32_t y, uint32_t sample = 0,
              uint64_t seed = 3) {
  constexpr uint32_t kWidth = 1000;
  return {.seed = seed,
          .pixel = y * kWidth + x,
          .sample = sample,
          .type = SamplerType::kSobol,
          .log2_samples = log2_samples,
          .width = kWidth};
}

/// Whether 2^m points put as many into each dyadic rectangle of area 2^(t - m), of every shape.
/// (0, m, 2)-nets are those with t = 0. Niederreiter, 1987.
bool is_net(const std::vector<glm::vec2>& points, uint32_t t) {
  const uint32_t m = log2_samples_for(uint32_t(points.size()));
  if (t >= m) return true;
  for (uint32_t a = 0; a <= m - t; ++a) {
    const uint32_t columns = 1u << a, rows = 1u << (m - t - a);
    std::vector<uint32_t> counts(size_t(columns) * rows);
    for (glm::vec2 p : points)
      ++counts[uint32_t(p.y * float(rows)) * columns + uint32_t(p.x * float(columns))];
    for (uint32_t count : counts)
      if (count != 1u << t) return false;
  }
  return true;
}

/// Two of the four numbers of each.
std::vector<glm::vec2> projection(const std::vector<glm::vec4>& points, int a, int b) {
  std::vector<glm::vec2> projected;
  for (glm::vec4 p : points) projected.push_back({p[a], p[b]});
  return projected;
}

/// Every pair of numbers is a net: the first two a perfect one, others with the t of their
/// polynomials, or a smaller one.
void expect_nets(const std::vector<glm::vec4>& points) {
  constexpr uint32_t kMaxT = 2;  // of Sobol's first four dimensions, up to 2^10 points
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b)
      EXPECT_TRUE(is_net(projection(points, a, b), b == 1 ? 0 : kMaxT)) << a << " and " << b;
}

TEST(IsNet, TellsANetFromOtherPoints) {
  EXPECT_TRUE(is_net({{0.1f, 0.3f}, {0.6f, 0.9f}}, 0));
  EXPECT_FALSE(is_net({{0.1f, 0.3f}, {0.6f, 0.4f}}, 0));
  EXPECT_FALSE(is_net({{0.1f, 0.1f}, {0.3f, 0.3f}, {0.6f, 0.6f}, {0.9f, 0.9f}}, 0));
  EXPECT_TRUE(is_net({{0.1f, 0.1f}, {0.3f, 0.3f}, {0.6f, 0.6f}, {0.9f, 0.9f}}, 1));
}

TEST(SobolSampler, StratifiesTheSamplesOfEveryPixel) {
  for (uint32_t log2_samples : {0u, 1u, 2u, 5u, 8u, 16u})
    for (uint32_t pixel : {0u, 1u, 77u, 999u})
      for (uint32_t dimension : {0u, 1u, 2u, 9u})
        for (uint32_t m = 0; m <= std::min(log2_samples, 8u); ++m) {
          SCOPED_TRACE(testing::Message() << log2_samples << " bits, pixel " << pixel
                                          << ", dimension " << dimension << ", 2^" << m);
          std::vector<glm::vec4> points;
          for (uint32_t i = 0; i < 1u << m; ++i)
            points.push_back(sobol(log2_samples, pixel, 3 * pixel, i).sample4(dimension));
          expect_nets(points);
        }
}

TEST(SobolSampler, StratifiesEachNumberAlone) {
  std::vector<bool> seen[4];
  constexpr uint32_t kCount = 256;
  for (auto& s : seen) s.resize(kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    const glm::vec4 u = sobol(8, 5, 9, i).sample4(2);
    for (int k = 0; k < 4; ++k) seen[k][uint32_t(u[k] * kCount)] = true;
  }
  for (const auto& s : seen) EXPECT_EQ(std::count(s.begin(), s.end(), true), kCount);
}

TEST(SobolSampler, StratifiesTheSamplesOfASquareOfPixels) {
  for (uint32_t log2_samples : {0u, 1u, 2u, 3u})
    for (uint32_t log2_side : {1u, 2u, 3u})
      for (uint32_t dimension : {0u, 5u}) {
        SCOPED_TRACE(testing::Message() << log2_samples << " bits, side 2^" << log2_side
                                        << ", dimension " << dimension);
        const uint32_t side = 1u << log2_side;
        std::vector<glm::vec4> points;
        for (uint32_t y = 0; y < side; ++y)
          for (uint32_t x = 0; x < side; ++x)
            for (uint32_t i = 0; i < 1u << log2_samples; ++i)
              points.push_back(
                  sobol(log2_samples, 3 * side + x, 7 * side + y, i).sample4(dimension));
        expect_nets(points);
      }
}

TEST(SobolSampler, GoesOnAfterTheLastPointOfAPixel) {
  // Another sequence begins: stratified again, and unlike the first.
  std::vector<glm::vec4> first, second;
  for (uint32_t i = 0; i < 16; ++i) first.push_back(sobol(4, 8, 9, i).sample4(1));
  for (uint32_t i = 16; i < 32; ++i) second.push_back(sobol(4, 8, 9, i).sample4(1));
  expect_nets(second);
  EXPECT_EQ(std::find_first_of(first.begin(), first.end(), second.begin(), second.end()),
            first.end());
}

TEST(SobolSampler, ReturnsTheSameNumbersInAnyOrder) {
  const Sampler sampler = sobol(5, 17, 4, 11);
  const glm::vec4 first = sampler.sample4(2);
  sampler.sample4(9);
  EXPECT_EQ(sampler.sample4(2), first);
}

TEST(SobolSampler, EveryCoordinateMatters) {
  constexpr uint64_t kHighBit = uint64_t{1} << 32;
  for (uint32_t log2_samples : {0u, 6u, 16u}) {
    std::set<std::tuple<float, float, float, float>> seen;
    int count = 0;
    for (uint64_t seed : {uint64_t{0}, uint64_t{1}, kHighBit, kHighBit + 1})
      for (uint32_t pixel : {0u, 1u, 256u, 999u, 1000u, 1u << 30})
        for (uint32_t sample : {0u, 1u, 63u, 64u, 1u << 16, 1u << 30})
          for (uint32_t dimension : {0u, 1u, 2u, 1u << 31}) {
            Sampler sampler = sobol(log2_samples, 0, 0, sample, seed);
            sampler.pixel = pixel;
            const glm::vec4 u = sampler.sample4(dimension);
            seen.insert({u.x, u.y, u.z, u.w});
            ++count;
          }
    EXPECT_EQ(int(seen.size()), count) << log2_samples << " bits";
  }
}

// Over seeds and over pixels far apart the numbers are independent, as the hash's are.
TEST(SobolSampler, PairsOfNumbersAreIndependentUniforms) {
  constexpr int kSide = 16, kPairs = 20'000, kTests = 9;
  struct Test {
    const char* name;
    std::array<float, 2> (*pair)(uint32_t i);
  };
  const Test tests[kTests] = {
      {"x and y over seeds",
       [](uint32_t i) {
         glm::vec4 u = sobol(4, 1, 2, 3, i).sample4(0);
         return std::array{u.x, u.y};
       }},
      {"z and w over seeds",
       [](uint32_t i) {
         glm::vec4 u = sobol(4, 1, 2, 3, i).sample4(0);
         return std::array{u.z, u.w};
       }},
      {"x and z over seeds",
       [](uint32_t i) {
         glm::vec4 u = sobol(4, 1, 2, 3, i).sample4(0);
         return std::array{u.x, u.z};
       }},
      {"y and w over sequences",
       [](uint32_t i) {
         glm::vec4 u = sobol(4, 1, 2, 16 * i).sample4(0);
         return std::array{u.y, u.w};
       }},
      {"dimensions over seeds",
       [](uint32_t i) {
         Sampler s = sobol(4, 1, 2, 3, i);
         return std::array{s.sample4(0).x, s.sample4(1).x};
       }},
      {"dimensions over pixels",
       [](uint32_t i) {
         Sampler s = sobol(4, i % 1000, i / 1000);
         return std::array{s.sample4(1).z, s.sample4(2).z};
       }},
      {"dimensions over samples",
       [](uint32_t i) {
         Sampler s = sobol(16, 5, 6, i);
         return std::array{s.sample4(3).x, s.sample4(4).x};
       }},
      {"seeds",
       [](uint32_t i) {
         return std::array{sobol(4, 5, 6, 7, i).sample4(0).x,
                           sobol(4, 5, 6, 7, i + 1).sample4(0).x};
       }},
      {"hashes beside it",
       [](uint32_t i) {
         Sampler s = sobol(4, 1, 2, 3, i), hash = s;
         hash.type = SamplerType::kHash;
         return std::array{s.sample4(0).x, hash.sample4(0).x};
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

/// Root of the mean square error of a smooth function's mean over the samples of a pixel.
double smooth_error(SamplerType type, uint32_t log2_samples) {
  constexpr uint32_t kSide = 32;
  const double exact = 0.25 * (M_E - 1.0) + 0.5;
  double squares = 0.0;
  for (uint32_t pixel = 0; pixel < kSide * kSide; ++pixel) {
    double sum = 0.0;
    for (uint32_t i = 0; i < 1u << log2_samples; ++i) {
      Sampler sampler = sobol(10, pixel % kSide, pixel / kSide, i);
      sampler.type = type;
      const glm::vec4 u = sampler.sample4(3);
      sum += u.x * u.y * std::exp(u.z) + u.w;
    }
    const double error = sum / (1u << log2_samples) - exact;
    squares += error * error;
  }
  return std::sqrt(squares / (kSide * kSide));
}

TEST(SobolSampler, ErrsLessAndLessThanHashesWithMoreSamples) {
  // Sixteen times the samples: a quarter of the error by hashes, a twentieth or less by points.
  const double hash_ratio =
      smooth_error(SamplerType::kHash, 8) / smooth_error(SamplerType::kHash, 4);
  EXPECT_NEAR(hash_ratio, 0.25, 0.03);
  EXPECT_LT(smooth_error(SamplerType::kSobol, 4), 0.25 * smooth_error(SamplerType::kHash, 4));
  EXPECT_LT(smooth_error(SamplerType::kSobol, 8), 0.05 * smooth_error(SamplerType::kSobol, 4));
}

TEST(SobolSampler, LeavesNoiseThatNeighboursMakeUpFor) {
  // The mean of 4 by 4 pixels of one sample: by hashes its variance is a 16th of a pixel's.
  constexpr uint32_t kSide = 128, kBlock = 4;
  auto variance_of_blocks = [](SamplerType type) {
    double squares = 0.0;
    for (uint32_t y = 0; y < kSide; y += kBlock)
      for (uint32_t x = 0; x < kSide; x += kBlock) {
        double sum = 0.0;
        for (uint32_t i = 0; i < kBlock * kBlock; ++i) {
          Sampler sampler = sobol(0, x + i % kBlock, y + i / kBlock);
          sampler.type = type;
          const glm::vec4 u = sampler.sample4(1);
          sum += u.x + u.y > 0.9f;
        }
        const double error = sum / (kBlock * kBlock) - (1.0 - 0.5 * 0.9 * 0.9);
        squares += error * error;
      }
    return squares / (kSide * kSide / (kBlock * kBlock));
  };
  EXPECT_LT(variance_of_blocks(SamplerType::kSobol), 0.25 * variance_of_blocks(SamplerType::kHash));
}

TEST(Log2SamplesFor, RoundsUp) {
  EXPECT_EQ(log2_samples_for(1), 0u);
  EXPECT_EQ(log2_samples_for(2), 1u);
  EXPECT_EQ(log2_samples_for(100), 7u);
  EXPECT_EQ(log2_samples_for(128), 7u);
  EXPECT_EQ(log2_samples_for(1u << 30), SamplerSettings::kMaxLog2Samples);
  EXPECT_EQ(log2_samples_for(0), SamplerSettings::kMaxLog2Samples);  // not known
}

}  // namespace
}  // namespace winnow
