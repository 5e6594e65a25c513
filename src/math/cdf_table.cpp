// SPDX-License-Identifier: MIT
#include "math/cdf_table.h"

#include <algorithm>
#include <numeric>

namespace winnow {
namespace {

constexpr double kUnits = 0x1p32;

/// Returns the start of each interval, followed by the end of the last nonempty one.
std::vector<uint64_t> begin_intervals(std::span<const float> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double equal = sum > 0.0 ? 0.0 : 1.0;
  auto weight = [&](size_t item) { return sum > 0.0 ? double(weights[item]) : equal; };
  const double total = sum > 0.0 ? sum : double(weights.size());
  uint64_t positive = 0;  // items of positive weight from the current one on
  for (size_t item = 0; item < weights.size(); ++item) positive += weight(item) > 0.0;

  std::vector<uint64_t> begins(weights.size() + 1);
  double before = 0.0;
  for (size_t item = 0; item < weights.size(); ++item) {
    const bool has_weight = weight(item) > 0.0;
    before += weight(item);
    positive -= has_weight;
    const auto rounded = uint64_t(std::min(before / total, 1.0) * kUnits + 0.5);
    // An interval of positive weight is never empty, neither this one nor a later one.
    begins[item + 1] = std::clamp(rounded, begins[item] + has_weight, uint64_t(kUnits) - positive);
  }
  return begins;
}

}  // namespace

void append_cdf_table(std::span<const float> weights, std::vector<CdfEntry>& table) {
  const std::vector<uint64_t> begins = begin_intervals(weights);
  const size_t count = weights.size();
  const uint64_t end = begins[count];
  uint32_t item = 0;
  for (size_t entry = 0; entry <= count; ++entry) {
    const uint64_t bucket = (uint64_t(kUnits) * entry + count - 1) / count;
    while (item + 1 < count && begins[item + 1] <= bucket && begins[item + 1] < end) ++item;
    table.push_back({uint32_t(begins[entry]), item});
  }
}

}  // namespace winnow
