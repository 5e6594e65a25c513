// SPDX-License-Identifier: MIT
#pragma once

#include "scene/host_scene.h"

namespace winnow {

/// Sets the camera of a scene that has none, so that the whole scene fills the image.
///
/// A room (three walls with a floor or a ceiling, and one open side) is seen straight through the
/// open side, any other scene in three-quarter view from its front and a little from above. +y is
/// up and +z the front, except of a long body with its head at -z. Uses the film's aspect ratio.
/// @param scene  has geometry
void frame_scene(HostScene& scene);

/// Bright overhead and darker below: lights a single object without a hard shadow.
Sky soft_sky();

/// Makes a scene of a single mesh: with a film, a framed camera, and a soft sky if nothing emits.
/// @param scene  has the materials that the triangles of `mesh` name, and nothing else
void complete_lone_mesh_scene(HostScene& scene, const Mesh& mesh);

}  // namespace winnow
