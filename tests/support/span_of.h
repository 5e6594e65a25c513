// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "compaction/simt/span.h"

namespace winnow {

/// The span of a vector in host memory: the `upload` of tables that stay there.
inline constexpr auto span_of = []<class T>(const std::vector<T>& items) {
  return simt::Span<const T>(items.data(), items.size());
};

}  // namespace winnow
