// SPDX-License-Identifier: MIT
#include "bvh/build/bvh_splits.h"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/ext/vector_double3.hpp>

namespace winnow {
namespace {

/// Number of references up to which all splits are evaluated: as fast as bins, and better.
constexpr size_t kFew = 32;

struct Bin : CountedBoxes {
  float lowest = INFINITY;  ///< lowest of the doubled centers, along the axis of the bins

  void add(const BvhReference& reference, float twice_center) {
    CountedBoxes::add(reference.box);
    lowest = std::min(lowest, twice_center);
  }
  void add(const Bin& other) {
    CountedBoxes::add(other);
    lowest = std::min(lowest, other.lowest);
  }
};

struct Bins {
  Bin bins[3][kMaxBins];

  void add(const Bins& other) {
    for (int axis = 0; axis < 3; ++axis)
      for (int bin = 0; bin < kMaxBins; ++bin) bins[axis][bin].add(other.bins[axis][bin]);
  }
};

/// Replaces `best` by the best split between two of `count` bins, if that is better.
void try_all(const Bin* bins, int count, int axis, ObjectSplit& best) {
  for_each_plane(bins, count, [&](int, const Bin& below, const Bin& above) {
    if (below.count == 0 || above.count == 0) return;
    const float cost = below.cost() + above.cost();
    if (cost < best.cost) best = {cost, axis, above.lowest, shared_area(below.box, above.box)};
  });
}

ObjectSplit find_between_bins(Span<const BvhReference> references,
                              const BvhReferenceBounds& bounds) {
  const glm::vec3 lower = bounds.twice_centers.min, upper = bounds.twice_centers.max;
  const glm::vec3 scale = float(kMaxBins) / (upper - lower);
  const Bins bins =
      reduce_references(references, Bins{}, [&](Bins& sum, const BvhReference& reference) {
        const glm::vec3 center = reference.twice_center();
        for (int axis = 0; axis < 3; ++axis) {
          const float at = (center[axis] - lower[axis]) * scale[axis];
          // Never negative, but 0 times infinity is NaN.
          const int bin = at > 0.0f ? int(std::min(at, float(kMaxBins - 1))) : 0;
          sum.bins[axis][bin].add(reference, center[axis]);
        }
      });
  ObjectSplit best;
  for (int axis = 0; axis < 3; ++axis)
    if (upper[axis] > lower[axis]) try_all(bins.bins[axis], kMaxBins, axis, best);
  return best;
}

/// Finds the best split with one bin per distinct center.
ObjectSplit find_among_all(Span<const BvhReference> references, const BvhReferenceBounds& bounds) {
  ObjectSplit best;
  const auto count = uint32_t(references.size);
  for (int axis = 0; axis < 3; ++axis) {
    if (!(bounds.twice_centers.max[axis] > bounds.twice_centers.min[axis])) continue;
    std::pair<float, uint32_t> order[kFew];
    for (uint32_t i = 0; i < count; ++i) order[i] = {references[i].twice_center()[axis], i};
    std::sort(order, order + count);
    Bin bins[kFew];
    int used = 0;
    for (uint32_t i = 0; i < count; ++i) {
      if (i > 0 && order[i].first > order[i - 1].first) ++used;
      bins[used].add(references[order[i].second], order[i].first);
    }
    try_all(bins, used + 1, axis, best);
  }
  return best;
}

constexpr int kSlabs = kMaxBins;

struct Slab {
  Bounds box;
  uint32_t first_count = 0, last_count = 0;  ///< references that start, or end, in this slab

  void add(const Slab& other) {
    box.extend(other.box);
    first_count += other.first_count;
    last_count += other.last_count;
  }
};

struct Slabs {
  int axis;
  float lower, width;
  Slab slabs[kSlabs];

  void add(const Slabs& other) {
    for (int slab = 0; slab < kSlabs; ++slab) slabs[slab].add(other.slabs[slab]);
  }

  float plane(int slab) const { return lower + float(slab) * width; }
  int slab_of(float x) const {
    return int(std::clamp((x - lower) / width, 0.0f, float(kSlabs - 1)));
  }

  void add(const BvhGeometry& geometry, const BvhReference& reference) {
    const int first = slab_of(reference.box.min[axis]);
    const int last = std::max(first, slab_of(reference.box.max[axis]));
    ++slabs[first].first_count;
    ++slabs[last].last_count;
    if (first == last) {
      slabs[first].box.extend(reference.box);
    } else {
      add_parts(geometry, reference, first, last);
    }
  }

 private:
  /// Adds the parts of a reference. Rounding is not critical: these boxes only estimate costs.
  void add_parts(const BvhGeometry& geometry, const BvhReference& reference, int first, int last) {
    const auto& [box, primitive] = reference;
    Bounds parts[kSlabs];
    if (geometry.is_triangle(primitive)) {
      for (int i = 0; i < 3; ++i)
        add_edge(geometry.vertex(primitive, i), geometry.vertex(primitive, (i + 1) % 3), first,
                 last, parts);
    } else {  // a sphere is treated as its box
      std::fill(parts + first, parts + last + 1, box);
    }
    for (int slab = first; slab <= last; ++slab) {
      Bounds part{glm::max(parts[slab].min, box.min), glm::min(parts[slab].max, box.max)};
      if (slab > first) part.min[axis] = std::max(part.min[axis], plane(slab));
      if (slab < last) part.max[axis] = std::min(part.max[axis], plane(slab + 1));
      if (!part.is_empty()) slabs[slab].box.extend(part);
    }
  }

  /// Adds the start of an edge and its intersections with the planes.
  void add_edge(glm::vec3 from, glm::vec3 to, int first, int last, Bounds* parts) const {
    const float x = from[axis];
    const bool is_within =
        (first == 0 || x >= plane(first)) && (last == kSlabs - 1 || x <= plane(last + 1));
    if (is_within) parts[slab_of(x)].extend(from);
    if (from[axis] > to[axis]) std::swap(from, to);
    const glm::vec3 slope = (to - from) / (to[axis] - from[axis]);
    const int end = to[axis] >= plane(last + 1) ? last + 1 : slab_of(to[axis]);
    const int begin = from[axis] < plane(first) ? first : slab_of(from[axis]) + 1;
    for (int slab = begin; slab <= end; ++slab) {
      const glm::vec3 at = from + (plane(slab) - from[axis]) * slope;
      if (slab > first) parts[slab - 1].extend(at);
      if (slab <= last) parts[slab].extend(at);
    }
  }
};

SplitBounds cut(const BvhGeometry& geometry, const BvhReference& reference,
                const SpatialSplit& split) {
  const auto& [box, primitive] = reference;
  if (!geometry.is_triangle(primitive)) return split_box(box, split.axis, split.position);
  return split_triangle(geometry.vertex(primitive, 0), geometry.vertex(primitive, 1),
                        geometry.vertex(primitive, 2), box, split.axis, split.position);
}

/// Returns a box that contains the point where the edge crosses the plane, despite rounding.
Bounds crossing(glm::vec3 a, glm::vec3 b, int axis, float position) {
  constexpr double kDoubleError = 0x1p-50;  // 8 half ulps of a double, for 5 roundings
  constexpr double kFloatError = 0x1p-23;   // 2 half ulps of a float, for the rounding of this sum
  const glm::dvec3 from(a), to(b);
  const double along = (double(position) - from[axis]) / (to[axis] - from[axis]);
  const glm::dvec3 at = from + along * (to - from);
  const glm::dvec3 error =
      kDoubleError * (glm::abs(from) + glm::abs(to)) + kFloatError * glm::abs(at);
  Bounds box{glm::vec3(at - error), glm::vec3(at + error)};
  box.min[axis] = box.max[axis] = position;
  return box;
}

/// Returns the part of `inner` that lies in `outer`; a box without extent if there is none.
Bounds clamped(const Bounds& inner, const Bounds& outer) {
  const glm::vec3 lower = glm::clamp(inner.min, outer.min, outer.max);
  return {lower, glm::max(lower, glm::clamp(inner.max, outer.min, outer.max))};
}

}  // namespace

ObjectSplit find_object_split(Span<const BvhReference> references,
                              const BvhReferenceBounds& bounds) {
  return references.size <= kFew ? find_among_all(references, bounds)
                                 : find_between_bins(references, bounds);
}

SpatialSplit find_spatial_split(const BvhGeometry& geometry, Span<const BvhReference> references,
                                const Bounds& box, size_t max_references) {
  SpatialSplit best;
  for (int axis = 0; axis < 3; ++axis) {
    const float width = (box.max[axis] - box.min[axis]) / float(kSlabs);
    const bool has_planes =
        box.min[axis] + width > box.min[axis] && box.max[axis] - width < box.max[axis];
    if (!has_planes || std::isinf(width)) continue;
    const Slabs slabs = reduce_references(
        references, Slabs{axis, box.min[axis], width, {}},
        [&](Slabs& sum, const BvhReference& reference) { sum.add(geometry, reference); });
    for_each_plane(slabs.slabs, kSlabs, [&](int i, const Slab& below, const Slab& above) {
      const CountedBoxes first{below.box, below.first_count}, last{above.box, above.last_count};
      if (first.count == 0 || last.count == 0 || first.count + last.count > max_references) return;
      if (first.box.is_empty() || last.box.is_empty()) return;
      const float cost = first.cost() + last.cost();
      if (cost < best.cost) best = {cost, axis, slabs.plane(i)};
    });
  }
  return best;
}

SplitReferences split_references(const BvhGeometry& geometry, Span<const BvhReference> references,
                                 const SpatialSplit& split) {
  SplitReferences result;
  std::vector<BvhReference> straddling;
  CountedBoxes below, above;
  for (const BvhReference& reference : references) {
    if (reference.box.max[split.axis] <= split.position) {
      result.below.push_back(reference);
      below.box.extend(reference.box);
    } else if (reference.box.min[split.axis] >= split.position) {
      result.above.push_back(reference);
      above.box.extend(reference.box);
    } else {
      straddling.push_back(reference);
    }
  }
  std::vector<SplitBounds> parts(straddling.size());
  for (size_t i = 0; i < straddling.size(); ++i) {
    parts[i] = cut(geometry, straddling[i], split);
    below.box.extend(parts[i].below);
    above.box.extend(parts[i].above);
  }
  below.count = result.below.size() + straddling.size();
  above.count = result.above.size() + straddling.size();
  for (size_t i = 0; i < straddling.size(); ++i) {
    const CountedBoxes all_below{join(below.box, straddling[i].box), below.count},
        all_above{join(above.box, straddling[i].box), above.count};
    const float cost_cut = below.cost() + above.cost();
    const float cost_below = all_below.cost() + CountedBoxes{above.box, above.count - 1}.cost();
    const float cost_above = CountedBoxes{below.box, below.count - 1}.cost() + all_above.cost();
    if (cost_below < cost_cut && cost_below <= cost_above) {
      below = all_below;
      --above.count;
      result.below.push_back(straddling[i]);
    } else if (cost_above < cost_cut) {
      above = all_above;
      --below.count;
      result.above.push_back(straddling[i]);
    } else {
      result.below.push_back({parts[i].below, straddling[i].primitive});
      result.above.push_back({parts[i].above, straddling[i].primitive});
    }
  }
  return result;
}

SplitBounds split_triangle(glm::vec3 p0, glm::vec3 p1, glm::vec3 p2, const Bounds& box, int axis,
                           float position) {
  const glm::vec3 corners[3] = {p0, p1, p2};
  SplitBounds split;
  for (int i = 0; i < 3; ++i) {
    const glm::vec3 a = corners[i], b = corners[(i + 1) % 3];
    if (a[axis] <= position) split.below.extend(a);
    if (a[axis] >= position) split.above.extend(a);
    if ((a[axis] < position && position < b[axis]) || (b[axis] < position && position < a[axis])) {
      const Bounds point = crossing(a, b, axis, position);
      split.below.extend(point);
      split.above.extend(point);
    }
  }
  const SplitBounds halves = split_box(box, axis, position);
  return {clamped(split.below, halves.below), clamped(split.above, halves.above)};
}

SplitBounds split_box(const Bounds& box, int axis, float position) {
  SplitBounds split{box, box};
  split.below.max[axis] = std::min(box.max[axis], position);
  split.above.min[axis] = std::max(box.min[axis], position);
  return split;
}

}  // namespace winnow
