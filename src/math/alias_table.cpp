// SPDX-License-Identifier: MIT
#include "math/alias_table.h"

#include <numeric>

namespace winnow {

std::vector<AliasEntry> build_alias_table(const std::vector<float>& weights) {
  double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(sum > 0.0)) return {};

  // The weight of each item, scaled to a mean of 1, which is the capacity of an entry.
  std::vector<double> shares(weights.size());
  std::vector<uint32_t> small, large;
  for (uint32_t item = 0; item < weights.size(); ++item) {
    shares[item] = weights[item] / sum * double(weights.size());
    (shares[item] < 1.0 ? small : large).push_back(item);
  }

  // Fill the entry of each small item with a part of a large one.
  std::vector<AliasEntry> table(weights.size());
  while (!small.empty() && !large.empty()) {
    uint32_t less = small.back(), more = large.back();
    small.pop_back();
    table[less] = {float(shares[less]), more};
    shares[more] -= 1.0 - shares[less];
    if (shares[more] < 1.0) {
      large.pop_back();
      small.push_back(more);
    }
  }

  // The remaining items have a share of 1 up to rounding, so none of them has weight 0.
  for (uint32_t item : large) table[item] = {1.0f, item};
  for (uint32_t item : small) table[item] = {1.0f, item};
  return table;
}

}  // namespace winnow
