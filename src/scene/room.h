// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <optional>

#include "math/bounds.h"
#include "scene/host_scene.h"

namespace winnow {

// A room is recognized by its walls: triangles in the planes of the sides of the scene's bounds.

/// Returns the direction out of the open side if the scene is a room with three walls and a floor
/// or a ceiling.
std::optional<glm::vec3> open_side(const HostScene& scene, const Bounds& bounds);

/// True for a room with walls on all six sides that is worth seeing from inside: its walls face
/// inwards and it is not empty, or there is a lamp inside. An empty box is no room.
bool is_closed_room(const HostScene& scene, const Bounds& bounds);

}  // namespace winnow
