// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>

/// Whether COMPACTION_SMALL_TESTS is set: then tests run fewer and smaller cases, for
/// compute-sanitizer, which makes kernels hundreds of times slower.
inline bool small_tests() {
  return std::getenv("COMPACTION_SMALL_TESTS") != nullptr;
}

/// `full`, or `small` in small tests.
template <class T>
T full_or_small(const T& full, const T& small) {
  return small_tests() ? small : full;
}
