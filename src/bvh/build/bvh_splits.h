// SPDX-License-Identifier: MIT
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "bvh/bvh_geometry.h"
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

/// Returns half the area of the intersection of two boxes, m^2; 0 if they are disjoint.
inline float shared_area(const Bounds& a, const Bounds& b) {
  const Bounds both{glm::max(a.min, b.min), glm::min(a.max, b.max)};
  return both.is_empty() ? 0.0f : both.half_area();
}

/// Calls `add(sum, reference)` for all references, in parallel if there are many. The partial sums
/// of threads are combined in any order by `Sum::add`, so the sum must not depend on the order.
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

/// Boxes on one side of a plane, or in one bin.
struct CountedBoxes {
  Bounds box;  ///< box around all of them
  size_t count = 0;

  void add(const Bounds& other) {
    box.extend(other);
    ++count;
  }
  void add(const CountedBoxes& other) {
    box.extend(other.box);
    count += other.count;
  }
  float cost() const { return box.half_area() * float(count); }
};

inline constexpr int kMaxBins = 32;

/// Calls `visit(i, below, above)` for each plane between bins `i - 1` and `i`, with the sums of the
/// bins on both sides, as `Bin::add` forms them.
///
/// @param count  number of bins, at most kMaxBins
template <class Bin, class Visit>
void for_each_plane(const Bin* bins, int count, Visit visit) {
  Bin above[kMaxBins];
  for (int i = count - 1; i > 0; --i) {
    above[i] = bins[i];
    if (i + 1 < count) above[i].add(above[i + 1]);
  }
  Bin below;
  for (int i = 1; i < count; ++i) {
    below.add(bins[i - 1]);
    visit(i, below, above[i]);
  }
}

/// A partition of references by their centers: those below a plane, and the others.
struct ObjectSplit {
  float cost = INFINITY;  ///< m^2, half areas of the two boxes, each times its reference count
  int axis = 0;
  float twice_position = 0.0f;  ///< m, twice the position of the plane
  float shared_area = 0.0f;     ///< m^2, half area of the intersection of the two boxes
  bool exists() const { return cost < INFINITY; }
  bool is_below(const BvhReference& reference) const {
    return reference.twice_center()[axis] < twice_position;
  }
};

/// Returns the object split of least cost: among all of them for few references, otherwise among
/// those between bins of equal width. There is none if all centers coincide.
ObjectSplit find_object_split(Span<const BvhReference> references,
                              const BvhReferenceBounds& bounds);

struct SpatialSplit {
  float cost = INFINITY;  ///< see ObjectSplit::cost
  int axis = 0;
  float position = 0.0f;  ///< m
};

/// Returns the spatial split of least cost among those between bins of equal width.
///
/// @param box             bounds of all references
/// @param max_references  limit on the references of both sides together
SpatialSplit find_spatial_split(const BvhGeometry& geometry, Span<const BvhReference> references,
                                const Bounds& box, size_t max_references);

struct SplitReferences {
  std::vector<BvhReference> below, above;
};

/// Divides references at a plane. Cuts a reference that straddles it in two, unless assigning all
/// of it to one side costs less.
SplitReferences split_references(const BvhGeometry& geometry, Span<const BvhReference> references,
                                 const SpatialSplit& split);

struct SplitBounds {
  Bounds below, above;
};

/// Splits the part of a triangle that lies in `box` at the plane where coordinate `axis` is
/// `position`. Both results lie in `box`; together they cover that part despite rounding.
SplitBounds split_triangle(glm::vec3 p0, glm::vec3 p1, glm::vec3 p2, const Bounds& box, int axis,
                           float position);

SplitBounds split_box(const Bounds& box, int axis, float position);

}  // namespace winnow
