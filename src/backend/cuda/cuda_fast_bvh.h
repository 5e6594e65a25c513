// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "backend/cuda/cuda_memory.h"
#include "bvh/build/build_wide_bvh.h"
#include "bvh/bvh_geometry.h"
#include "bvh/wide_bvh.h"
#include "scene/host_scene.h"

namespace winnow {

/// Builds a BVH of a scene in host memory on the current GPU with FastBvhBuilder, and copies it to
/// host memory.
///
/// @return  none if the tree is too deep for the traversal
/// Synchronizes. Allocates 500 bytes per primitive temporarily. Throws Error if memory runs out or
/// there are too many primitives.
std::optional<WideBvhArrays> build_fast_bvh(const HostScene& scene);

}  // namespace winnow
