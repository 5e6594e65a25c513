// SPDX-License-Identifier: MIT
// Shading kernels of scenes with instances, without layers. shared.cu has their other kernels.
#include "device_scene/device_scene.h"

namespace winnow {
using Scene = DeviceScene<kInstanced>;
}  // namespace winnow

#include "backend/cuda/kernels/shading_kernels.inc"
