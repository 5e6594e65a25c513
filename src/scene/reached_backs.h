// SPDX-License-Identifier: MIT
#pragma once

#include "scene/host_scene.h"

namespace winnow {

/// Clears Material::black_back of the materials whose backs no path reaches, so that the scene is
/// rendered by kernels for surfaces with two sides.
///
/// Paths start at the scene's camera. The backs that they do not reach are the insides of closed
/// objects, and those of walls that have the whole scene in front of them. What hides other backs
/// is not looked for. Objects that overlap are examined one by one, so the result also holds where
/// they do.
void clear_unreached_backs(HostScene& scene);

}  // namespace winnow
