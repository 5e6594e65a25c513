#pragma once

#include <functional>
#include <vector>

#include "bvh/build/build_wide_bvh.h"
#include "bvh/instance_table.h"
#include "bvh/instanced_bvh.h"

namespace winnow {

/// The arrays that an InstancedBvh spans, in host memory.
struct InstancedBvhArrays {
  std::vector<WideBvhNode> nodes;
  std::vector<BvhPrimitive> primitives;
  std::vector<BvhInstance> instances;

  InstancedBvh view() const {
    return {.trees = {.nodes = {nodes.data(), nodes.size()},
                      .primitives = {primitives.data(), primitives.size()}},
            .instances = {instances.data(), instances.size()}};
  }
};

/// How the tree of one mesh is built, or that of what a scene has outside of instances: given as a
/// scene with nothing else in it.
using BuildWideBvh = std::function<WideBvhArrays(const HostScene&)>;

/// Builds the tree of each mesh by `build`, and the one over all instances by ours. Throws Error
/// where `build` does.
InstancedBvhArrays build_instanced_bvh(const HostScene& scene, const InstanceTable& table,
                                       const BuildWideBvh& build);

}  // namespace winnow
