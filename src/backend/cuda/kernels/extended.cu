// SPDX-License-Identifier: MIT
// Kernels of scenes with any material and light, without instances and layers.
#include "bvh/wide_bvh.h"
#include "device_scene/device_scene.h"

namespace winnow {
using Scene = DeviceScene<kExtended>;
using A = WideBvh;
}  // namespace winnow

// In this order: with the path loop before shading, nvcc 13.0 prints "Invalid bitcast".
#include "backend/cuda/kernels/shading_kernels.inc"
#include "backend/cuda/kernels/shared_kernels.inc"
#include "wavefront/stage/follow_path.h"

namespace winnow {

template void CudaBackend::for_each(WaveState*, const AllPaths&, const FollowPath<A, Scene>&);

}  // namespace winnow
