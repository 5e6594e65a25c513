// SPDX-License-Identifier: MIT
// Rays in two-level trees: scenes that are neither basic nor extended. A unit of its own: traversal
// takes long to compile.
#include "backend/cuda/launch_stages.cuh"
#include "bvh/instanced_bvh.h"
#include "wavefront/stage/intersect.h"

namespace winnow {

template void CudaBackend::for_each_ray(WaveState*, const WorkQueue&,
                                        const IntersectClosest<InstancedBvh>&);

}  // namespace winnow
