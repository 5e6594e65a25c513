// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace winnow {

/// A mean and its standard error.
struct Estimate {
  double mean = 0.0, error = 0.0;
};

/// Estimates a mean from the independent samples value(0), ..., value(count - 1).
template <class Value>
Estimate estimate(uint32_t count, const Value& value) {
  double sum = 0.0, squares = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    const double sample = value(i);
    sum += sample;
    squares += sample * sample;
  }
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(squares / count - mean * mean, 0.0) / (count - 1.0))};
}

}  // namespace winnow
