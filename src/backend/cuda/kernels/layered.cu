// SPDX-License-Identifier: MIT
// Kernels of scenes with thin films, textured layers or the like, without media.
#include "backend/cuda/launch_stages.cuh"
#include "bvh/instanced_bvh.h"
#include "wavefront/stage/alpha_test.h"

namespace winnow {

using Scene = DeviceScene<kLayered>;
using A = InstancedBvh;

template void CudaBackend::for_each(WaveState*, const WorkQueue&, const AlphaTest<A, Scene>&);

}  // namespace winnow

#include "backend/cuda/kernels/extended_kernels.inc"
