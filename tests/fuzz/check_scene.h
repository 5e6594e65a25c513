// SPDX-License-Identifier: MIT
#pragma once

#include "scene/host_scene.h"

namespace winnow {

/// Throws FuzzFinding unless all indices of a scene are those of something, its arrays have the
/// sizes that they should have, and its geometry is finite: what the renderer takes for granted.
void check_scene(const HostScene& scene);

/// Checks the grids of the media of a scene.
void check_media(const HostScene& scene);

}  // namespace winnow
