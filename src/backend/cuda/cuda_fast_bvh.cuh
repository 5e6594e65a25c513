#pragma once

#include <optional>

#include "backend/cuda/cuda_memory.cuh"
#include "bvh/build/build_wide_bvh.h"
#include "bvh/bvh_geometry.h"
#include "bvh/wide_bvh.h"
#include "scene/host_scene.h"

namespace winnow {

/// Builds a BVH on the current GPU, as FastBvhBuilder does.
///
/// @param geometry  in the GPU's memory
/// @param memory    gets the finished arrays; what else is needed, about 500 bytes for each
///                  primitive, is given back
/// @return          none where the tree would be too deep for the traversal
/// Waits until it is done. Throws Error when memory runs out or there are too many primitives.
std::optional<WideBvh> build_fast_bvh(const BvhGeometry& geometry, CudaMemory& memory);

/// The same from and to memory of the host.
std::optional<WideBvhArrays> build_fast_bvh(const HostScene& scene);

}  // namespace winnow
