// SPDX-License-Identifier: MIT
#pragma once

#include "scene/host_scene.h"

namespace winnow {

/// Sets the camera of a scene without one, so that the whole scene fills the image.
///
/// A room (three walls, a floor or a ceiling, and one open side) is seen straight through the open
/// side. A closed room is seen from inside, near a corner. Any other scene is seen in three-quarter
/// view from its front and a little from above. +y is up; +z is the front, except for a long body
/// with its head at -z. Uses the aspect ratio of the film.
/// @param scene  has geometry
void frame_scene(HostScene& scene);

/// Returns the point that the camera of a scene looks at: the middle of the scene if only its
/// direction is known.
/// @param scene  has geometry
glm::vec3 camera_target(const HostScene& scene);

/// Returns the camera of frame_scene(), farther away, so that the whole scene stays in view while
/// the camera turns about the vertical axis through the middle.
/// @param scene  its camera is of frame_scene(): CameraOrigin::kFramed
CameraDescription frame_turn(const HostScene& scene);

/// Adds light to a scene that gets none from outside: the sky of add_soft_sky() and, in a closed
/// room without any light, a lamp below the ceiling, with a warning.
void light_scene(HostScene& scene);

/// Makes a scene of a single mesh: adds a film, a framed camera, and a soft sky if nothing emits.
/// @param scene  has the materials that the triangles of `mesh` name, and nothing else
void complete_lone_mesh_scene(HostScene& scene, const Mesh& mesh);

}  // namespace winnow
