// SPDX-License-Identifier: MIT
// Kernels of scenes with any material and light, without instances and layers.
#include "backend/cuda/launch_stages.cuh"
#include "bvh/wide_bvh.h"
#include "wavefront/stage/alpha_test.h"

namespace winnow {

using Scene = DeviceScene<kExtended>;
using A = WideBvh;

template void CudaBackend::for_each(WaveState*, const WorkQueue&, const AlphaTest<A, Scene>&);

}  // namespace winnow

#include "backend/cuda/kernels/extended_kernels.inc"
