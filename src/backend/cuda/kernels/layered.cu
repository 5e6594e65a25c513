// SPDX-License-Identifier: MIT
// Kernels of scenes with thin films, textured layers or the like, without media.
#include "bvh/instanced_bvh.h"
#include "device_scene/device_scene.h"

namespace winnow {
using Scene = DeviceScene<kLayered>;
using A = InstancedBvh;
}  // namespace winnow

#include "backend/cuda/kernels/extended_kernels.inc"
