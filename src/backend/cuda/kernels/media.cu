// SPDX-License-Identifier: MIT
// Kernels of scenes with media. They render any scene: a build with one feature set has only these.
#include "bvh/instanced_bvh.h"
#include "device_scene/device_scene.h"

namespace winnow {
using Scene = DeviceScene<kMedia>;
using A = InstancedBvh;
}  // namespace winnow

#include "backend/cuda/kernels/extended_kernels.inc"
