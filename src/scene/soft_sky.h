// SPDX-License-Identifier: MIT
#pragma once

#include "scene/host_scene.h"

namespace winnow {

/// Returns a sky that is bright overhead and darker below, which lights without hard shadows.
Sky soft_sky();

/// Returns a photographer's studio for reflective surfaces: the soft sky, dimmed, with a large
/// bright softbox up on the left of +z, a narrow one on the right, and the ground below a visible
/// horizon. A surface that faces up or down has the same irradiance as under soft_sky().
EnvironmentMap studio_sky();

/// Adds a sky to a scene without lights: studio_sky() if a material reflects or refracts its
/// surroundings, else soft_sky(), which is faster to render.
void add_soft_sky(HostScene& scene);

}  // namespace winnow
