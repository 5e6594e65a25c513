// SPDX-License-Identifier: MIT
// Kernels of all stages but shading for scenes with two-level trees: with instances, layers or
// media.
#include "bvh/instanced_bvh.h"
#include "device_scene/device_scene.h"

namespace winnow {
using Scene = DeviceScene<kMedia>;
using A = InstancedBvh;
}  // namespace winnow

#include "backend/cuda/kernels/shared_kernels.inc"
#include "wavefront/stage/media.h"

namespace winnow {

template void CudaBackend::for_each(WaveState*, const WorkQueue&, const SampleMedium<A, Scene>&);

}  // namespace winnow
