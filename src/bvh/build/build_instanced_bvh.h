// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "bvh/build/build_wide_bvh.h"
#include "bvh/instanced_bvh.h"
#include "bvh/instances.h"

namespace winnow {

/// The arrays that an InstancedBvh spans, in host memory.
struct InstancedBvhArrays : WideBvhArrays {
  std::vector<BvhInstance> instances;

  InstancedBvh view() const {
    return {.trees = WideBvhArrays::view(), .instances = {instances.data(), instances.size()}};
  }
};

/// Builds the tree of a scene that is one mesh, or the geometry outside of instances.
using BuildWideBvh = std::function<WideBvhArrays(const HostScene&)>;

/// Builds the tree of each mesh with `build`, and the top level. Throws Error if `build` does.
InstancedBvhArrays build_instanced_bvh(const HostScene& scene, const InstanceTable& table,
                                       const BuildWideBvh& build = build_wide_bvh);

/// Returns a scene with one of the shared meshes as its only geometry.
HostScene scene_of(const Mesh& shared, const SharedMesh& mesh);

}  // namespace winnow
