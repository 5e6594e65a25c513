// SPDX-License-Identifier: MIT
#include "math/sampler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "tests/support/chi_square.h"

namespace winnow {
namespace {

TEST(Sampler, UniformsNeverReachOne) {
  EXPECT_EQ(uniform_float(0), 0.0f);
  EXPECT_EQ(uniform_float(0x80000000u), 0.5f);
  EXPECT_LT(uniform_float(~0u), 1.0f);
  EXPECT_EQ(uniform_float(~0u), 1.0f - 0x1p-24f);
}

Sampler hash(uint64_t seed, uint32_t pixel, uint32_t sample) {
  return {.seed = seed, .pixel = pixel, .sample = sample};
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

TEST(Sampler, ReturnsTheSameNumbersInAnyOrder) {
  for (const Sampler& sampler : {hash(3, 17, 5), sobol(5, 17, 4, 11)}) {
    const glm::vec4 first = sampler.sample4(2);
    sampler.sample4(9);
    EXPECT_EQ(sampler.sample4(2), first);
  }
}

TEST(Sampler, ReturnsTheSameDirectionsAndLightsInAnyOrder) {
  for (const Sampler& sampler : {hash(3, 17, 5), sobol(5, 17, 4, 11)}) {
    const glm::vec4 direction = sampler.direction4(2);
    const glm::uvec3 light = sampler.light3(2);
    sampler.direction4(9);
    EXPECT_EQ(sampler.light3(2), light);
    EXPECT_EQ(sampler.direction4(2), direction);
  }
}

TEST(Sampler, EveryCoordinateMatters) {
  constexpr uint64_t kHighBit = uint64_t{1} << 32;
  for (Sampler sampler : {hash(0, 0, 0), sobol(0, 0, 0), sobol(6, 0, 0), sobol(16, 0, 0)}) {
    std::set<std::array<float, 4>> seen;
    size_t count = 0;
    for (uint64_t seed : {uint64_t{0}, uint64_t{1}, kHighBit, kHighBit + 1})
      for (uint32_t pixel : {0u, 1u, 2u, 256u, 999u, 1000u, 1u << 30, 1u << 31})
        for (uint32_t sample : {0u, 1u, 2u, 63u, 64u, 1u << 16, 1u << 30, 1u << 31})
          for (uint32_t dimension : {0u, 1u, 2u, 1u << 31}) {
            sampler.seed = seed, sampler.pixel = pixel, sampler.sample = sample;
            const glm::vec4 u = sampler.sample4(dimension);
            seen.insert({u.x, u.y, u.z, u.w});
            ++count;
          }
    EXPECT_EQ(seen.size(), count) << enum_name(sampler.type) << ", " << sampler.log2_samples;
  }
}

/// Returns two of the four numbers of a dimension.
glm::vec2 two_of(const Sampler& sampler, int a, int b, uint32_t dimension = 0) {
  const glm::vec4 u = sampler.sample4(dimension);
  return {u[a], u[b]};
}

/// Returns number k of each of two dimensions.
glm::vec2 across(const Sampler& sampler, uint32_t a, uint32_t b, int k = 0) {
  return {sampler.sample4(a)[k], sampler.sample4(b)[k]};
}

/// Number k of a light, as a float, and number j of the direction of the same dimension.
glm::vec2 light_and_direction(const Sampler& sampler, int k, int j) {
  return {uniform_float(sampler.light3(5)[k]), sampler.direction4(5)[j]};
}

/// Two numbers of a light.
glm::vec2 two_of_light(const Sampler& sampler, int a, int b) {
  const glm::uvec3 u = sampler.light3(1);
  return {uniform_float(u[a]), uniform_float(u[b])};
}

/// The first number of two samplers.
glm::vec2 first_of(const Sampler& a, const Sampler& b) {
  return {a.sample4(0).x, b.sample4(0).x};
}

// Any two numbers of one path, or of neighbours in pixel, sample or seed, fill the unit square. So
// do Sobol' points over seeds and over pixels far apart.
TEST(Sampler, PairsOfNumbersAreIndependentUniforms) {
  constexpr int kSide = 16, kPairs = 20'000;
  const struct {
    const char* name;
    glm::vec2 (*pair)(uint32_t i);
  } tests[] = {
      {"x and y", [](uint32_t i) { return two_of(hash(0, 0, i), 0, 1); }},
      {"x and z", [](uint32_t i) { return two_of(hash(0, i, 0), 0, 2); }},
      {"y and w", [](uint32_t i) { return two_of(hash(i, 0, 0), 1, 3); }},
      {"dimensions", [](uint32_t i) { return across(hash(0, 0, i), 0, 1); }},
      {"pixels", [](uint32_t i) { return first_of(hash(0, i, 4), hash(0, i + 1, 4)); }},
      {"samples", [](uint32_t i) { return first_of(hash(0, 4, i), hash(0, 4, i + 1)); }},
      {"seeds", [](uint32_t i) { return first_of(hash(i, 4, 4), hash(i + 1ull, 4, 4)); }},
      {"Sobol' x and y over seeds", [](uint32_t i) { return two_of(sobol(4, 1, 2, 3, i), 0, 1); }},
      {"Sobol' z and w over seeds", [](uint32_t i) { return two_of(sobol(4, 1, 2, 3, i), 2, 3); }},
      {"Sobol' x and z over seeds", [](uint32_t i) { return two_of(sobol(4, 1, 2, 3, i), 0, 2); }},
      {"Sobol' y and w over sequences",
       [](uint32_t i) { return two_of(sobol(4, 1, 2, 16 * i), 1, 3); }},
      {"Sobol' dimensions over seeds",
       [](uint32_t i) { return across(sobol(4, 1, 2, 3, i), 0, 1); }},
      {"Sobol' dimensions over pixels",
       [](uint32_t i) { return across(sobol(4, i % 1000, i / 1000), 1, 2, 2); }},
      {"Sobol' dimensions over samples",
       [](uint32_t i) { return across(sobol(16, 5, 6, i), 3, 4); }},
      {"light x and y", [](uint32_t i) { return two_of_light(hash(0, 0, i), 0, 1); }},
      {"light and direction", [](uint32_t i) { return light_and_direction(hash(i, 0, 0), 0, 0); }},
      {"light y and lobe", [](uint32_t i) { return light_and_direction(hash(0, i, 0), 1, 2); }},
      {"Sobol' light x and y", [](uint32_t i) { return two_of_light(sobol(4, 1, 2, 3, i), 0, 1); }},
      {"Sobol' light x and z", [](uint32_t i) { return two_of_light(sobol(4, 1, 2, 3, i), 0, 2); }},
      {"Sobol' light y and z over samples",
       [](uint32_t i) { return two_of_light(sobol(16, 5, 6, i), 1, 2); }},
      {"Sobol' light and direction",
       [](uint32_t i) { return light_and_direction(sobol(4, 1, 2, 3, i), 0, 1); }},
      {"Sobol' light and lobe",
       [](uint32_t i) { return light_and_direction(sobol(4, 1, 2, 3, i), 1, 2); }},
      {"Sobol' light and roulette over samples",
       [](uint32_t i) { return light_and_direction(sobol(16, 5, 6, i), 0, 3); }},
      {"Sobol' direction and lobe over samples",
       [](uint32_t i) {
         const glm::vec4 u = sobol(16, 5, 6, i).direction4(3);
         return glm::vec2(u.x, u.z);
       }},
      {"Sobol' lobe and roulette",
       [](uint32_t i) {
         const glm::vec4 u = sobol(4, 1, 2, 3, i).direction4(3);
         return glm::vec2(u.z, u.w);
       }},
      {"Sobol' direction and roulette over pixels",
       [](uint32_t i) {
         const glm::vec4 u = sobol(4, i % 1000, i / 1000).direction4(3);
         return glm::vec2(u.y, u.w);
       }},
      {"Sobol' seeds",
       [](uint32_t i) { return first_of(sobol(4, 5, 6, 7, i), sobol(4, 5, 6, 7, i + 1)); }},
      {"Sobol' points and hashes", [](uint32_t i) {
         Sampler point = sobol(4, 1, 2, 3, i), hash = point;
         hash.type = SamplerType::kHash;
         return first_of(point, hash);
       }}};
  for (const auto& test : tests) {
    SCOPED_TRACE(test.name);
    std::vector<HistogramBin> bins(kSide * kSide, {.expected = double(kPairs) / (kSide * kSide)});
    for (uint32_t i = 0; i < kPairs; ++i) {
      const glm::uvec2 cell(test.pair(i) * float(kSide));
      ++bins[cell.x * kSide + cell.y].observed;
    }
    EXPECT_TRUE(fits_density(bins, int(std::size(tests))));
  }
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
  constexpr uint32_t kMaxT = 2;  // for Sobol's first four dimensions and up to 2^10 points
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

TEST(SobolSampler, StratifiesTheLightOfAPixelTogetherWithTheDirectionThatCameThere) {
  for (uint32_t log2_samples : {2u, 5u, 8u})
    for (uint32_t dimension : {0u, 1u, 9u}) {
      SCOPED_TRACE(testing::Message() << log2_samples << " bits, dimension " << dimension);
      std::vector<glm::vec4> points;
      for (uint32_t i = 0; i < 1u << log2_samples; ++i) {
        const Sampler sampler = sobol(log2_samples, 77, 231, i);
        const glm::vec4 direction = sampler.direction4(dimension);
        const glm::uvec3 light = sampler.light3(dimension);
        points.push_back(
            {direction.x, direction.y, uniform_float(light.x), uniform_float(light.y)});
      }
      expect_nets(points);
    }
}

TEST(SobolSampler, StratifiesTheChoiceOfALobe) {
  constexpr uint32_t kCount = 256;
  std::set<uint32_t> seen;
  for (uint32_t i = 0; i < kCount; ++i)
    seen.insert(uint32_t(sobol(8, 5, 9, i).direction4(2).z * kCount));
  EXPECT_EQ(seen.size(), kCount);
}

TEST(SobolSampler, StratifiesEachNumberAlone) {
  constexpr uint32_t kCount = 256;
  std::set<uint32_t> seen[4];
  for (uint32_t i = 0; i < kCount; ++i)
    for (int k = 0; k < 4; ++k) seen[k].insert(uint32_t(sobol(8, 5, 9, i).sample4(2)[k] * kCount));
  for (const auto& s : seen) EXPECT_EQ(s.size(), kCount);
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
