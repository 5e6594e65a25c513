#pragma once

#include <cmath>

#include "bvh/build/bvh_reference.h"

namespace winnow {

/// Two groups of references: those with their center below a plane, and the others.
struct ObjectSplit {
  float cost = INFINITY;  ///< areas of the two boxes, each times the references in it, m^2
  int axis = 0;
  float twice_position = 0.0f;  ///< of the plane, m
  float shared_area = 0.0f;     ///< of the two boxes, m^2

  bool exists() const { return cost < INFINITY; }
  bool is_below(const BvhReference& reference) const {
    return reference.twice_center()[axis] < twice_position;
  }
};

/// The one of least cost: of all where there are few references, else of those between bins of
/// equal width. None where all centers are in one place.
ObjectSplit find_object_split(Span<const BvhReference> references,
                              const BvhReferenceBounds& bounds);

}  // namespace winnow
