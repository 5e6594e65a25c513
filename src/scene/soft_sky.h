// SPDX-License-Identifier: MIT
#pragma once

#include "scene/host_scene.h"

namespace winnow {

/// Bright overhead and darker below: lights a single object without a hard shadow.
Sky soft_sky();

/// A photographer's studio for surfaces that mirror it: the soft sky, dimmed, with a large bright
/// softbox up on the left of +z, a narrow one on the right, and the ground below a visible horizon.
/// A surface that faces up or down has the same irradiance as under soft_sky().
EnvironmentMap studio_sky();

/// Adds the sky of a scene that has no light of its own: studio_sky() if a material mirrors or
/// refracts what surrounds it, else soft_sky(), which is faster to render.
void add_soft_sky(HostScene& scene);

}  // namespace winnow
