// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <vector>

#include "bvh/build/bvh_reference.h"
#include "scene/host_scene.h"

namespace winnow {

/// A partition of references by their centers: those below a plane, and the others.
struct ObjectSplit {
  float cost = INFINITY;  ///< m^2, half areas of the two boxes, each times its reference count
  int axis = 0;
  float twice_position = 0.0f;  ///< m, of the plane
  float shared_area = 0.0f;     ///< m^2, half area of the intersection of the two boxes

  bool exists() const { return cost < INFINITY; }
  bool is_below(const BvhReference& reference) const {
    return reference.twice_center()[axis] < twice_position;
  }
};

/// The object split of least cost: among all of them for few references, otherwise among those
/// between bins of equal width. There is none if all centers coincide.
ObjectSplit find_object_split(Span<const BvhReference> references,
                              const BvhReferenceBounds& bounds);

/// A plane that divides references.
struct SpatialSplit {
  float cost = INFINITY;  ///< as in ObjectSplit
  int axis = 0;
  float position = 0.0f;  ///< m
};

/// The spatial split of least cost among those between bins of equal width.
///
/// @param box             bounds of all references
/// @param max_references  limit on the references of both sides together
SpatialSplit find_spatial_split(const HostScene& scene, Span<const BvhReference> references,
                                const Bounds& box, size_t max_references);

/// The references below and above a plane.
struct SplitReferences {
  std::vector<BvhReference> below, above;
};

/// Divides references at a plane. Cuts a reference that straddles it in two, unless assigning all
/// of it to one side costs less.
SplitReferences split_references(const HostScene& scene, Span<const BvhReference> references,
                                 const SpatialSplit& split);

/// The bounds of the parts of an object below and above a plane.
struct SplitBounds {
  Bounds below, above;
};

/// Splits the part of a triangle that lies in `box` at the plane where coordinate `axis` is
/// `position`. Both results lie in `box`; together they cover that part despite rounding.
SplitBounds split_triangle(glm::vec3 p0, glm::vec3 p1, glm::vec3 p2, const Bounds& box, int axis,
                           float position);

/// Splits a box at the plane where coordinate `axis` is `position`.
SplitBounds split_box(const Bounds& box, int axis, float position);

}  // namespace winnow
