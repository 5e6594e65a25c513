#pragma once

#include <algorithm>
#include <vector>

namespace compaction {

/// The middle one of `values`, of which there must be some.
inline double median(std::vector<double> values) {
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace compaction
