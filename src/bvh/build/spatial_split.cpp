// SPDX-License-Identifier: MIT
#include <algorithm>
#include <glm/common.hpp>
#include <glm/ext/vector_double3.hpp>
#include <optional>

#include "bvh/build/bvh_splits.h"
#include "bvh/bvh_geometry.h"

namespace winnow {
namespace {

constexpr int kSlabs = 32;

/// The vertices of a triangle; none for a sphere, which is treated as its box.
struct Corners {
  glm::vec3 at[3];
};

std::optional<Corners> corners_of(const HostScene& scene, uint32_t primitive) {
  const BvhGeometry geometry = geometry_of(scene);
  if (!geometry.is_triangle(primitive)) return {};
  return Corners{{geometry.vertex(primitive, 0), geometry.vertex(primitive, 1),
                  geometry.vertex(primitive, 2)}};
}

struct Slab {
  Bounds box;
  uint32_t first_count = 0, last_count = 0;  ///< references that start, or end, in this slab

  void add(const Slab& other) {
    box.extend(other.box);
    first_count += other.first_count;
    last_count += other.last_count;
  }
};

/// Slabs of equal width along one axis.
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

  void add(const HostScene& scene, const BvhReference& reference) {
    const int first = slab_of(reference.box.min[axis]);
    const int last = std::max(first, slab_of(reference.box.max[axis]));
    ++slabs[first].first_count;
    ++slabs[last].last_count;
    if (first == last) {
      slabs[first].box.extend(reference.box);
    } else {
      add_parts(corners_of(scene, reference.primitive), reference.box, first, last);
    }
  }

 private:
  /// Rounding is not critical: these boxes only estimate the cost of splits.
  void add_parts(const std::optional<Corners>& corners, const Bounds& box, int first, int last) {
    Bounds parts[kSlabs];
    if (corners) {
      for (int i = 0; i < 3; ++i)
        add_edge(corners->at[i], corners->at[(i + 1) % 3], first, last, parts);
    } else {
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

SplitBounds cut(const HostScene& scene, const BvhReference& reference, const SpatialSplit& split) {
  const std::optional<Corners> corners = corners_of(scene, reference.primitive);
  if (!corners) return split_box(reference.box, split.axis, split.position);
  return split_triangle(corners->at[0], corners->at[1], corners->at[2], reference.box, split.axis,
                        split.position);
}

/// One side of a plane.
struct Side {
  Bounds box;
  size_t count = 0;  ///< references

  float cost() const { return box.half_area() * float(count); }
  /// With the whole of a reference of which it contains a part.
  Side with_all_of(const BvhReference& reference) const {
    Side side = *this;
    side.box.extend(reference.box);
    return side;
  }
  Side with_one_less() const { return {box, count - 1}; }
};

/// A box that contains the intersection of the edge from `a` to `b` with the plane despite
/// rounding.
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

/// The part of `inner` that lies in `outer`; a box without extent if there is none.
Bounds clamped(const Bounds& inner, const Bounds& outer) {
  const glm::vec3 lower = glm::clamp(inner.min, outer.min, outer.max);
  return {lower, glm::max(lower, glm::clamp(inner.max, outer.min, outer.max))};
}

}  // namespace

SpatialSplit find_spatial_split(const HostScene& scene, Span<const BvhReference> references,
                                const Bounds& box, size_t max_references) {
  SpatialSplit best;
  for (int axis = 0; axis < 3; ++axis) {
    const float width = (box.max[axis] - box.min[axis]) / float(kSlabs);
    const bool has_planes =
        box.min[axis] + width > box.min[axis] && box.max[axis] - width < box.max[axis];
    if (!has_planes || std::isinf(width)) continue;
    const Slabs slabs = reduce_references(
        references, Slabs{axis, box.min[axis], width, {}},
        [&](Slabs& sum, const BvhReference& reference) { sum.add(scene, reference); });
    Slab above[kSlabs];
    for (int i = kSlabs - 1; i > 0; --i) {
      above[i] = slabs.slabs[i];
      if (i + 1 < kSlabs) above[i].add(above[i + 1]);
    }
    Slab below;
    for (int i = 1; i < kSlabs; ++i) {
      below.add(slabs.slabs[i - 1]);
      const size_t below_count = below.first_count, above_count = above[i].last_count;
      if (below_count == 0 || above_count == 0 || below_count + above_count > max_references)
        continue;
      if (below.box.is_empty() || above[i].box.is_empty()) continue;
      const float cost = below.box.half_area() * float(below_count) +
                         above[i].box.half_area() * float(above_count);
      if (cost < best.cost) best = {cost, axis, slabs.plane(i)};
    }
  }
  return best;
}

SplitReferences split_references(const HostScene& scene, Span<const BvhReference> references,
                                 const SpatialSplit& split) {
  SplitReferences result;
  std::vector<BvhReference> straddling;
  Side below, above;
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
    parts[i] = cut(scene, straddling[i], split);
    below.box.extend(parts[i].below);
    above.box.extend(parts[i].above);
  }
  below.count = result.below.size() + straddling.size();
  above.count = result.above.size() + straddling.size();
  for (size_t i = 0; i < straddling.size(); ++i) {
    const Side all_below = below.with_all_of(straddling[i]),
               all_above = above.with_all_of(straddling[i]);
    const float cost_cut = below.cost() + above.cost();
    const float cost_below = all_below.cost() + above.with_one_less().cost();
    const float cost_above = below.with_one_less().cost() + all_above.cost();
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
