// SPDX-License-Identifier: MIT
// Kernels that all scenes with two-level trees share: those with instances, layers or media.
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
template void CudaBackend::for_each_ray(WaveState*, const AllShadowRays&,
                                        const TraceShadowRays<A, Scene>&);

}  // namespace winnow
