// SPDX-License-Identifier: MIT
// Kernels of scenes with instances, without layers.
#include "bvh/instanced_bvh.h"
#include "device_scene/device_scene.h"

namespace winnow {
using Scene = DeviceScene<kInstanced>;
using A = InstancedBvh;
}  // namespace winnow

#include "backend/cuda/kernels/extended_kernels.inc"
