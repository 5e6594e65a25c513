#pragma once

#include <vector>

#include "geometry/bvh.h"
#include "scene/host_scene.h"

namespace winnow {

/// The arrays that a Bvh spans, in host memory.
struct BvhArrays {
  std::vector<BvhNode> nodes;
  std::vector<BvhPrimitive> primitives;

  Bvh view() const {
    return {.nodes = {nodes.data(), nodes.size()},
            .primitives = {primitives.data(), primitives.size()}};
  }
};

/// Builds over all triangles and spheres by the surface area heuristic, with Embree's builder and
/// all of oneTBB's threads. Throws Error when memory runs out or there are over 2^28 primitives.
BvhArrays build_bvh(const HostScene& scene);

}  // namespace winnow
