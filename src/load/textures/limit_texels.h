// SPDX-License-Identifier: MIT
#pragma once

#include "scene/host_scene.h"

namespace winnow {

/// Limits the texels of textures so that materials get values that scene files may state: each
/// factor times its texels is in [0, 1], or in [0, 1e9] for emission. Textures of normals may have
/// any values. Factors of `reflectance` above 1 become part of the texels. Adds one warning for
/// each image and use that changes.
void limit_texels(HostScene& scene);

}  // namespace winnow
