#pragma once

#include "bvh/build/bvh_tree.h"
#include "scene/host_scene.h"

namespace winnow {

/// Builds a tree from the root down by the surface area heuristic, with spatial splits where the
/// boxes of children would overlap, with all of oneTBB's threads; their number does not matter to
/// the tree. Leaves out primitives that are not finite.
/// Stich, Friedrich & Dietrich, "Spatial Splits in Bounding Volume Hierarchies", HPG 2009.
///
/// @param max_height  levels below the root; more than the binary logarithm of the references
BvhTree build_split_bvh(const HostScene& scene, uint32_t max_height);

}  // namespace winnow
