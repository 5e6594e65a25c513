// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "backend/cuda/cuda_memory.h"
#include "bvh/build/build_wide_bvh.h"
#include "bvh/bvh_geometry.h"
#include "bvh/wide_bvh.h"
#include "scene/host_scene.h"

namespace winnow {

/// Builds a BVH on the current GPU with FastBvhBuilder.
///
/// @param geometry  arrays in the GPU's memory
/// @param memory    allocates the finished arrays. Another 500 bytes per primitive are allocated
///                  temporarily
/// @return          none if the tree is too deep for the traversal
/// Synchronizes. Throws Error if memory runs out or there are too many primitives.
std::optional<WideBvh> build_fast_bvh(const BvhGeometry& geometry, CudaMemory& memory);

/// Builds a BVH of a scene in host memory on the current GPU and copies it to host memory.
std::optional<WideBvhArrays> build_fast_bvh(const HostScene& scene);

}  // namespace winnow
