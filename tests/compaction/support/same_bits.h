// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <vector>

namespace {

/// Compares items of equally many bit by bit, so that NaNs and zeros of both signs differ.
template <class T>
testing::AssertionResult same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (std::memcmp(&a[i], &b[i], sizeof(T)) != 0)
      return testing::AssertionFailure() << a[i] << " and " << b[i] << " at " << i;
  return testing::AssertionSuccess();
}

}  // namespace
