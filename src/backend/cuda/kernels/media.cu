// SPDX-License-Identifier: MIT
// Kernels of scenes with media. They render any scene: a build with one feature set has only these.
#include "backend/cuda/launch_stages.cuh"
#include "bvh/instanced_bvh.h"
#include "wavefront/stage/sample_medium.h"

namespace winnow {

using Scene = DeviceScene<kMedia>;
using A = InstancedBvh;

template void CudaBackend::for_each(WaveState*, const WorkQueue&, const SampleMedium<A, Scene>&);

}  // namespace winnow

#include "backend/cuda/kernels/extended_kernels.inc"
