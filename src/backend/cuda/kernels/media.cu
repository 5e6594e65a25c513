// SPDX-License-Identifier: MIT
// Shading kernels of scenes with layers or media. They shade any scene: a build with one feature
// set has only these.
#include "device_scene/device_scene.h"

namespace winnow {
using Scene = DeviceScene<kMedia>;
}  // namespace winnow

#include "backend/cuda/kernels/shading_kernels.inc"
