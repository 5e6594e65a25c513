// SPDX-License-Identifier: MIT
#include "math/alias_table.h"

#include <numeric>

#include "tests/support/chi_square.h"
#include "tests/support/span_of.h"

namespace winnow {
namespace {

/// Chance of each item, summed over the entries that can draw it.
std::vector<double> alias_chances(const std::vector<AliasEntry>& table) {
  std::vector<double> result(table.size());
  for (size_t entry = 0; entry < table.size(); ++entry) {
    result[entry] += table[entry].probability / table.size();
    result[table[entry].alias] += (1.0 - table[entry].probability) / table.size();
  }
  return result;
}

TEST(AliasTable, ChancesAreProportionalToWeights) {
  std::vector<float> mostly_none(1000, 0.0f);
  for (size_t i = 0; i < mostly_none.size(); i += 3) mostly_none[i] = 0.1f + float(i % 11);
  const std::vector<std::vector<float>> lists = {
      {1.0f},
      {1.0f, 1.0f, 1.0f},
      {0.0f, 2.0f, 0.0f, 1.0f},
      {1e-30f, 1e30f, 1e-30f},
      {1e-40f, 3e-40f},
      {0.1f, 0.7f, 0.3f, 12.0f, 0.01f, 5.5f, 0.2f},
      mostly_none,
  };
  for (const std::vector<float>& weights : lists) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    const std::vector<double> result = alias_chances(build_alias_table(weights));
    ASSERT_EQ(result.size(), weights.size());
    for (size_t item = 0; item < weights.size(); ++item)
      EXPECT_NEAR(result[item], weights[item] / sum, weights[item] == 0.0f ? 0.0 : 1e-6)
          << "item " << item;
  }
}

TEST(AliasTable, SamplesFollowTheWeights) {
  constexpr uint32_t kCount = 50'000;
  std::vector<float> weights;
  for (int i = 0; i < 37; ++i) weights.push_back(float(i % 7) + 0.25f * float(i % 3));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);

  const std::vector<AliasEntry> table = build_alias_table(weights);
  std::vector<HistogramBin> bins;
  for (float weight : weights) bins.push_back({.expected = weight / sum * kCount});
  for (uint32_t i = 0; i < kCount; ++i)
    ++bins[sample_alias_table(span_of(table), Sampler{.sample = i}.sample4(0))].observed;
  EXPECT_TRUE(fits_density(bins));
}

// 2^24 values of one float give some of a million items 16 chances and others 17.
TEST(AliasTable, AMillionItemsAreEquallyLikely) {
  constexpr size_t kOddPart = 15'625, kCount = kOddPart << 6;
  std::vector<AliasEntry> table = build_alias_table(std::vector<float>(kCount, 1.0f));
  for (uint64_t item : {uint64_t{1}, uint64_t{2}, uint64_t{333'333}, uint64_t{999'999}}) {
    // The interval of an item begins at item / n of 48 bits.
    uint64_t begin = ((item << (48 - 6)) + kOddPart - 1) / kOddPart;
    auto draw = [&](uint64_t u) {
      return sample_alias_table(span_of(table),
                                {float(u >> 24) * 0x1p-24f, float(u & 0xFFFFFF) * 0x1p-24f});
    };
    EXPECT_EQ(draw(begin + 1), item);  // the last binary place may be lost
    EXPECT_EQ(draw(begin - 1), item - 1);
  }
}

TEST(AliasTable, UniformsNextToOneDrawTheLastItem) {
  std::vector<AliasEntry> table = build_alias_table({1.0f, 1.0f, 1.0f});
  EXPECT_EQ(sample_alias_table(span_of(table), {0.0f, 0.0f}), 0u);
  EXPECT_EQ(sample_alias_table(span_of(table), {1.0f - 0x1p-24f, 1.0f - 0x1p-24f}), 2u);
}

TEST(AliasTable, IsEmptyWhereNothingHasWeight) {
  EXPECT_TRUE(build_alias_table({}).empty());
  EXPECT_TRUE(build_alias_table({0.0f, 0.0f}).empty());
}

}  // namespace
}  // namespace winnow
