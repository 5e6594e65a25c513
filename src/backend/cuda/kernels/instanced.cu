// SPDX-License-Identifier: MIT
// Shading kernels and the path loop of scenes with instances, without layers. shared.cu has their
// other kernels.
#include "bvh/instanced_bvh.h"
#include "device_scene/device_scene.h"

namespace winnow {
using Scene = DeviceScene<kInstanced>;
}  // namespace winnow

#include "backend/cuda/kernels/shading_kernels.inc"
#include "wavefront/stage/follow_path.h"

namespace winnow {

template void CudaBackend::for_each(WaveState*, const AllPaths&,
                                    const FollowPath<InstancedBvh, Scene>&);

}  // namespace winnow
