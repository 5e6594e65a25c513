// SPDX-License-Identifier: MIT
#include "math/cdf_table.h"

#include <numeric>

#include "tests/support/chi_square.h"
#include "tests/support/span_of.h"

namespace winnow {
namespace {

constexpr double kUnits = 0x1p32;

std::vector<CdfEntry> cdf_of(const std::vector<float>& weights) {
  std::vector<CdfEntry> table;
  append_cdf_table(weights, table);
  return table;
}

uint32_t draw(const std::vector<CdfEntry>& table, uint64_t u) {
  return sample_cdf_table(span_of(table), uint32_t(u)).item;
}

/// Lists with items of no weight, of hardly any and of nearly all.
std::vector<std::vector<float>> lists_of_weights() {
  std::vector<float> mostly_none(1000, 0.0f), one_of_many(5000, 1e-12f);
  for (size_t i = 0; i < mostly_none.size(); i += 3) mostly_none[i] = 0.1f + float(i % 11);
  one_of_many[4321] = 1.0f;
  return {{1.0f},
          {1.0f, 1.0f, 1.0f},
          {0.0f, 2.0f, 0.0f, 1.0f, 0.0f},
          {1e-30f, 1e30f, 1e-30f},
          {1e-40f, 3e-40f},
          {0.1f, 0.7f, 0.3f, 12.0f, 0.01f, 5.5f, 0.2f},
          {0.0f, 0.0f, 0.0f, 5.0f, 0.0f, 0.0f, 0.0f, 0.0f},
          mostly_none,
          one_of_many};
}

TEST(CdfTable, IntervalsAreProportionalToWeights) {
  for (const std::vector<float>& weights : lists_of_weights()) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    const std::vector<CdfEntry> table = cdf_of(weights);
    ASSERT_EQ(table.size(), weights.size() + 1);
    double before = 0.0;
    for (size_t item = 0; item < weights.size(); ++item) {
      if (weights[item] > 0.0f) {
        EXPECT_NEAR(table[item].begin, before / sum * kUnits, double(weights.size()));
      }
      before += weights[item];
    }
  }
}

// By a search through the whole list.
TEST(CdfTable, DrawsTheItemWhoseIntervalContainsTheUniform) {
  for (const std::vector<float>& weights : lists_of_weights()) {
    const std::vector<CdfEntry> table = cdf_of(weights);
    for (uint32_t i = 0; i < 2000; ++i) {
      uint32_t u = i * 0x9E3779B9;
      if (i < table.size() - 1 && weights[i] > 0.0f) u = table[i].begin - (i % 2);
      uint32_t expected = 0;
      for (uint32_t item = 0; item < weights.size(); ++item)
        if (weights[item] > 0.0f && table[item].begin <= u) expected = item;
      EXPECT_EQ(draw(table, u), expected) << weights.size() << " items, " << u;
    }
  }
}

TEST(CdfTable, EveryItemOfPositiveWeightIsDrawn) {
  for (const std::vector<float>& weights : lists_of_weights()) {
    const std::vector<CdfEntry> table = cdf_of(weights);
    for (uint32_t item = 0; item < weights.size(); ++item)
      if (weights[item] > 0.0f) {
        EXPECT_EQ(draw(table, table[item].begin), item);
      }
  }
}

TEST(CdfTable, NeverDrawsAnItemOfNoWeight) {
  const std::vector<float> weights = {0.0f, 0.0f, 1.0f, 0.0f, 2.0f, 0.0f, 0.0f};
  const std::vector<CdfEntry> table = cdf_of(weights);
  for (uint64_t u = 0; u < 1u << 16; ++u) EXPECT_GT(weights[draw(table, u * 0x10001)], 0.0f);
  EXPECT_EQ(draw(table, 0), 2u);
  EXPECT_EQ(draw(table, ~0u), 4u);
}

TEST(CdfTable, SamplesFollowTheWeights) {
  constexpr uint32_t kCount = 50'000;
  std::vector<float> weights;
  for (int i = 0; i < 37; ++i) weights.push_back(float(i % 7) + 0.25f * float(i % 3));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const std::vector<CdfEntry> table = cdf_of(weights);
  std::vector<HistogramBin> bins;
  for (float weight : weights) bins.push_back({.expected = weight / sum * kCount});
  for (uint32_t i = 0; i < kCount; ++i)
    ++bins[draw(table, Sampler{.sample = i}.light3(0).x)].observed;
  EXPECT_TRUE(fits_density(bins));
}

// 2^24 values of a float would give some of a million items 16 chances and others 17.
TEST(CdfTable, AMillionItemsAreEquallyLikely) {
  constexpr uint32_t kCount = 1'000'000;
  const std::vector<CdfEntry> table = cdf_of(std::vector<float>(kCount, 1.0f));
  for (uint32_t item : {1u, 2u, 333'333u, 999'999u}) {
    const uint64_t begin = uint64_t(std::ceil(item * (kUnits / kCount)));
    EXPECT_EQ(draw(table, begin + 1), item);
    EXPECT_EQ(draw(table, begin - 2), item - 1);
  }
}

// Neighbouring uniforms draw the same item or neighbours, and go through an item from 0 to 1.
TEST(CdfTable, IsMonotonic) {
  for (const std::vector<float>& weights : lists_of_weights()) {
    const std::vector<CdfEntry> table = cdf_of(weights);
    CdfSample before{};
    for (uint64_t u = 0; u <= UINT32_MAX; u += 0x10001) {
      const CdfSample sample = sample_cdf_table(span_of(table), uint32_t(u));
      EXPECT_GE(sample.rest, 0.0f);
      EXPECT_LT(sample.rest, 1.0f);
      ASSERT_TRUE(sample.item > before.item ||
                  (sample.item == before.item && sample.rest >= before.rest));
      before = sample;
    }
  }
}

TEST(CdfTable, TheRestOfAUniformIsUniform) {
  constexpr uint32_t kCount = 20'000, kBins = 32;
  const std::vector<CdfEntry> table = cdf_of({3.0f, 1.0f, 0.5f});
  std::vector<HistogramBin> bins(3 * kBins);
  for (uint32_t bin = 0; bin < bins.size(); ++bin)
    bins[bin].expected = (bin < kBins ? 3.0 : bin < 2 * kBins ? 1.0 : 0.5) / 4.5 * kCount / kBins;
  for (uint32_t i = 0; i < kCount; ++i) {
    const CdfSample sample = sample_cdf_table(span_of(table), Sampler{.sample = i}.light3(0).x);
    ++bins[sample.item * kBins + uint32_t(sample.rest * kBins)].observed;
  }
  EXPECT_TRUE(fits_density(bins));
}

TEST(CdfTable, WithoutAnyWeightAllItemsAreEquallyLikely) {
  const std::vector<CdfEntry> table = cdf_of({0.0f, 0.0f, 0.0f, 0.0f});
  for (uint32_t item = 0; item < 4; ++item) EXPECT_EQ(table[item].begin, item << 30);
}

}  // namespace
}  // namespace winnow
