// SPDX-License-Identifier: MIT
// Kernels of scenes with instances, without layers.
#include "backend/cuda/launch_stages.cuh"
#include "bvh/instanced_bvh.h"
#include "wavefront/stage/alpha_test.h"

namespace winnow {

using Scene = DeviceScene<kInstanced>;
using A = InstancedBvh;

template void CudaBackend::for_each(WaveState*, const WorkQueue&, const AlphaTest<A, Scene>&);

}  // namespace winnow

#include "backend/cuda/kernels/extended_kernels.inc"
