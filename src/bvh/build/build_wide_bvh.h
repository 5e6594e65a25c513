#pragma once

#include <vector>

#include "bvh/wide_bvh.h"
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

/// Builds over all triangles and spheres with all of oneTBB's threads: a binary tree by the surface
/// area heuristic with spatial splits, optimized, and from it the 8-wide tree of the least expected
/// cost. The same whatever the number of threads. Throws Error when memory runs out or there are
/// too many primitives.
WideBvhArrays build_wide_bvh(const HostScene& scene);

}  // namespace winnow
