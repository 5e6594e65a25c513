#include "bvh/build/spatial_split.h"

#include <algorithm>
#include <optional>

#include "bvh/build/reduce_references.h"
#include "bvh/build/split_bvh_primitive.h"

namespace winnow {
namespace {

constexpr int kSlabs = 32;

/// The corners of a reference's triangle; none of a sphere, which is as large as its box.
struct Corners {
  glm::vec3 at[3];
};

std::optional<Corners> corners_of(const HostScene& scene, uint32_t primitive) {
  if (primitive >= scene.triangles.size()) return {};
  const glm::uvec3 t = scene.triangles[primitive];
  return Corners{{scene.positions[t.x], scene.positions[t.y], scene.positions[t.z]}};
}

bool is_empty(const BvhBox& box) {
  return box.lower.x > box.upper.x || box.lower.y > box.upper.y || box.lower.z > box.upper.z;
}

struct Slab {
  BvhBox box;
  uint32_t first_count = 0, last_count = 0;  ///< references of which this is the first, or last one

  void add(const Slab& other) {
    box.add(other.box);
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
    const int first = slab_of(reference.box.lower[axis]);
    const int last = std::max(first, slab_of(reference.box.upper[axis]));
    ++slabs[first].first_count;
    ++slabs[last].last_count;
    if (first == last) {
      slabs[first].box.add(reference.box);
    } else {
      add_parts(corners_of(scene, reference.primitive), reference.box, first, last);
    }
  }

 private:
  /// Rounding does not matter here: these boxes only tell what a split would cost.
  void add_parts(const std::optional<Corners>& corners, const BvhBox& box, int first, int last) {
    BvhBox parts[kSlabs];
    if (corners) {
      for (int i = 0; i < 3; ++i)
        add_edge(corners->at[i], corners->at[(i + 1) % 3], first, last, parts);
    } else {
      std::fill(parts + first, parts + last + 1, box);
    }
    for (int slab = first; slab <= last; ++slab) {
      BvhBox part{glm::max(parts[slab].lower, box.lower), glm::min(parts[slab].upper, box.upper)};
      if (slab > first) part.lower[axis] = std::max(part.lower[axis], plane(slab));
      if (slab < last) part.upper[axis] = std::min(part.upper[axis], plane(slab + 1));
      if (!is_empty(part)) slabs[slab].box.add(part);
    }
  }

  /// Adds the start of an edge, and where it crosses planes.
  void add_edge(glm::vec3 from, glm::vec3 to, int first, int last, BvhBox* parts) const {
    const float x = from[axis];
    const bool is_within =
        (first == 0 || x >= plane(first)) && (last == kSlabs - 1 || x <= plane(last + 1));
    if (is_within) parts[slab_of(x)].add(from);
    if (from[axis] > to[axis]) std::swap(from, to);
    const glm::vec3 slope = (to - from) / (to[axis] - from[axis]);
    const int end = to[axis] >= plane(last + 1) ? last + 1 : slab_of(to[axis]);
    const int begin = from[axis] < plane(first) ? first : slab_of(from[axis]) + 1;
    for (int slab = begin; slab <= end; ++slab) {
      const glm::vec3 at = from + (plane(slab) - from[axis]) * slope;
      if (slab > first) parts[slab - 1].add(at);
      if (slab <= last) parts[slab].add(at);
    }
  }
};

BvhSplit cut(const HostScene& scene, const BvhReference& reference, const SpatialSplit& split) {
  const std::optional<Corners> corners = corners_of(scene, reference.primitive);
  if (!corners) return split_box(reference.box, split.axis, split.position);
  return split_triangle(corners->at[0], corners->at[1], corners->at[2], reference.box, split.axis,
                        split.position);
}

/// One side of a plane.
struct Side {
  BvhBox box;
  size_t count = 0;  ///< references

  float cost() const { return box.half_area() * float(count); }
  /// With all of a reference of which it has a part.
  Side with_all_of(const BvhReference& reference) const {
    Side side = *this;
    side.box.add(reference.box);
    return side;
  }
  Side with_one_less() const { return {box, count - 1}; }
};

}  // namespace

SpatialSplit find_spatial_split(const HostScene& scene, Span<const BvhReference> references,
                                const BvhBox& box, size_t most) {
  SpatialSplit best;
  for (int axis = 0; axis < 3; ++axis) {
    const float width = (box.upper[axis] - box.lower[axis]) / float(kSlabs);
    const bool has_planes =
        box.lower[axis] + width > box.lower[axis] && box.upper[axis] - width < box.upper[axis];
    if (!has_planes || std::isinf(width)) continue;
    const Slabs slabs = reduce_references(
        references, Slabs{axis, box.lower[axis], width, {}},
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
      if (below_count == 0 || above_count == 0 || below_count + above_count > most) continue;
      if (is_empty(below.box) || is_empty(above[i].box)) continue;
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
  std::vector<BvhReference> met;
  Side below, above;
  for (const BvhReference& reference : references) {
    if (reference.box.upper[split.axis] <= split.position) {
      result.below.push_back(reference);
      below.box.add(reference.box);
    } else if (reference.box.lower[split.axis] >= split.position) {
      result.above.push_back(reference);
      above.box.add(reference.box);
    } else {
      met.push_back(reference);
    }
  }
  std::vector<BvhSplit> parts(met.size());
  for (size_t i = 0; i < met.size(); ++i) {
    parts[i] = cut(scene, met[i], split);
    below.box.add(parts[i].below);
    above.box.add(parts[i].above);
  }
  below.count = result.below.size() + met.size();
  above.count = result.above.size() + met.size();
  for (size_t i = 0; i < met.size(); ++i) {
    const Side all_below = below.with_all_of(met[i]), all_above = above.with_all_of(met[i]);
    const float cost_cut = below.cost() + above.cost();
    const float cost_below = all_below.cost() + above.with_one_less().cost();
    const float cost_above = below.with_one_less().cost() + all_above.cost();
    if (cost_below < cost_cut && cost_below <= cost_above) {
      below = all_below;
      --above.count;
      result.below.push_back(met[i]);
    } else if (cost_above < cost_cut) {
      above = all_above;
      --below.count;
      result.above.push_back(met[i]);
    } else {
      result.below.push_back({parts[i].below, met[i].primitive});
      result.above.push_back({parts[i].above, met[i].primitive});
    }
  }
  return result;
}

}  // namespace winnow
