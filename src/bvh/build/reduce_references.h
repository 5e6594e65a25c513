#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "bvh/build/bvh_reference.h"

namespace winnow {

/// Calls `sum.add(reference)` for all of them. Many are shared out between threads, whose sums are
/// then added up: in whatever order, so the sum must not depend on it.
template <class Sum, class Add>
Sum reduce_references(Span<const BvhReference> references, Sum start, Add add) {
  constexpr size_t kMany = 1 << 14;
  using Range = tbb::blocked_range<size_t>;
  auto add_range = [&](const Range& range, Sum sum) {
    for (size_t i = range.begin(); i < range.end(); ++i) add(sum, references[i]);
    return sum;
  };
  const Range all(0, references.size, kMany / 2);
  if (references.size < kMany) return add_range(all, start);
  return tbb::parallel_reduce(all, start, add_range, [](Sum a, const Sum& b) {
    a.add(b);
    return a;
  });
}

}  // namespace winnow
