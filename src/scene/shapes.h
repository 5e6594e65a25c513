// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

#include "scene/mesh.h"

namespace winnow {

/// Parallelogram that faces cross(edge_u, edge_v).
Mesh make_rectangle(glm::vec3 corner, glm::vec3 edge_u, glm::vec3 edge_v);

/// Axis-aligned box.
Mesh make_box(glm::vec3 min, glm::vec3 max);

/// Disk as a regular polygon of 128 sides, which faces `normal`.
/// @param normal  unit length
Mesh make_disk(glm::vec3 center, glm::vec3 normal, float radius);

/// Lateral surface of a cylinder along +z from z = 0 to 1, radius 1: 128 flat strips with the
/// normals of the cylinder.
Mesh make_cylinder();

/// Unit sphere of 128 x 64 faces with the normals of the sphere.
Mesh make_sphere_mesh();

}  // namespace winnow
