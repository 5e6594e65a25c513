#pragma once

#include <cmath>
#include <vector>

#include "bvh/build/bvh_reference.h"
#include "scene/host_scene.h"

namespace winnow {

/// A plane that cuts references in two.
struct SpatialSplit {
  float cost = INFINITY;  ///< areas of the two boxes, each times the references in it, m^2
  int axis = 0;
  float position = 0.0f;  ///< m
};

/// The one of least cost of those between bins of equal width.
///
/// @param box   around all references
/// @param most  references that there may be afterwards, on both sides together
SpatialSplit find_spatial_split(const HostScene& scene, Span<const BvhReference> references,
                                const BvhBox& box, size_t most);

/// What is below and above a plane.
struct SplitReferences {
  std::vector<BvhReference> below, above;
};

/// Cuts those references in two that the plane meets and where that costs less than to have all of
/// it on one side.
SplitReferences split_references(const HostScene& scene, Span<const BvhReference> references,
                                 const SpatialSplit& split);

}  // namespace winnow
