// SPDX-License-Identifier: MIT
#pragma once

#include "scene/host_scene.h"

namespace winnow {

/// Sets the camera of a scene that has none, so that the whole scene fills the image.
///
/// A room (three walls with a floor or a ceiling, and one open side) is seen straight through the
/// open side, a closed room from inside, near a corner, and any other scene in three-quarter view
/// from its front and a little from above. +y is up and +z the front, except of a long body with
/// its head at -z. Uses the film's aspect ratio.
/// @param scene  has geometry
void frame_scene(HostScene& scene);

/// Lights a scene without light from outside: by the sky of add_soft_sky() and, if it is a closed
/// room without any light, by a lamp below the ceiling, with a warning.
void light_scene(HostScene& scene);

/// Makes a scene of a single mesh: with a film, a framed camera, and a soft sky if nothing emits.
/// @param scene  has the materials that the triangles of `mesh` name, and nothing else
void complete_lone_mesh_scene(HostScene& scene, const Mesh& mesh);

}  // namespace winnow
