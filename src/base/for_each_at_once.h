// SPDX-License-Identifier: MIT
#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <cstddef>
#include <exception>
#include <vector>

namespace winnow {

/// Calls use(index) for all indices below `count`, with several threads. Rethrows the exception of
/// the lowest index that threw.
template <class Use>
void for_each_at_once(size_t count, Use use) {
  std::vector<std::exception_ptr> failures(count);
  oneapi::tbb::parallel_for(size_t(0), count, [&](size_t i) {
    try {
      use(i);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace winnow
