// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "bvh/wide_bvh.h"
#include "math/bounds.h"
#include "scene/host_scene.h"

namespace winnow {

/// The arrays that a WideBvh spans, in host memory.
struct WideBvhArrays {
  std::vector<WideBvhNode> nodes;
  std::vector<BvhPrimitive> primitives;

  WideBvh view() const {
    return {.nodes = {nodes.data(), nodes.size()},
            .primitives = {primitives.data(), primitives.size()}};
  }
};

/// Runs the quality build over all triangles and spheres: builds a binary tree by the surface area
/// heuristic with spatial splits, optimizes it by reinsertion and collapses it to the 8-wide tree
/// of least expected cost. Uses all threads of oneTBB; the result does not depend on their number.
/// Throws Error if memory runs out or there are too many primitives.
WideBvhArrays build_wide_bvh(const HostScene& scene);

/// A tree of 8-wide nodes over boxes, one in each leaf.
struct InstanceTree {
  std::vector<WideBvhNode> nodes;    ///< root first; empty without boxes
  std::vector<uint32_t> references;  ///< indices of boxes, node by node
};

/// Builds a tree by the surface area heuristic, without spatial splits and reinsertion. Leaves hold
/// a single box, as each of them costs the traversal of a whole tree.
InstanceTree build_instance_tree(const std::vector<Bounds>& boxes);

}  // namespace winnow
