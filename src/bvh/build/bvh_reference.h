// SPDX-License-Identifier: MIT
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <cstdint>

#include "compaction/simt/span.h"
#include "math/bounds.h"

namespace winnow {

using simt::Span;

/// A primitive, or the part of one that spatial splits have left in a subtree.
struct BvhReference {
  Bounds box;
  uint32_t primitive;

  glm::vec3 twice_center() const { return box.twice_center(); }
};

/// The bounds of all references of a subtree, and of their centers.
struct BvhReferenceBounds {
  Bounds box, twice_centers;

  void add(const BvhReference& reference) {
    box.extend(reference.box);
    twice_centers.extend(reference.twice_center());
  }
  void add(const BvhReferenceBounds& other) {
    box.extend(other.box);
    twice_centers.extend(other.twice_centers);
  }
};

/// Half the area of the intersection of two boxes, m^2; 0 if they are disjoint.
inline float shared_area(const Bounds& a, const Bounds& b) {
  const Bounds both{glm::max(a.min, b.min), glm::min(a.max, b.max)};
  return both.is_empty() ? 0.0f : both.half_area();
}

/// Calls `add(sum, reference)` for all references, in parallel where there are many. The partial
/// sums of threads are combined in any order by `Sum::add`, so the sum must not depend on the
/// order.
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
