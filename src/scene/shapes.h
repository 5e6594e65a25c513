// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

#include "scene/mesh.h"

namespace winnow {

/// Parallelogram that faces cross(edge_u, edge_v).
Mesh make_rectangle(glm::vec3 corner, glm::vec3 edge_u, glm::vec3 edge_v);

/// Axis-aligned box.
Mesh make_box(glm::vec3 min, glm::vec3 max);

inline constexpr uint32_t kCircleSides = 128;

/// The number of sides of circles that leaves a scene with many round shapes at most about
/// kMaxRoundTriangles: kCircleSides, fewer after many shapes, 0 if no more may follow.
/// @param triangles  of the round shapes so far
uint32_t circle_sides_after(size_t triangles);

/// Warnings about fewer sides, and about none.
inline constexpr const char* kCoarseRoundShape =
    "a round shape has fewer triangles, as there are many of them";
inline constexpr const char* kTooManyRoundShapes =
    "round shapes beyond 2^26 triangles are left out";

/// Disk as a regular polygon, which faces `normal`.
/// @param normal  unit length
Mesh make_disk(glm::vec3 center, glm::vec3 normal, float radius, uint32_t sides = kCircleSides);

/// Lateral surface of a cylinder along +z from z = 0 to 1, radius 1: flat strips with the normals
/// of the cylinder.
Mesh make_cylinder(uint32_t sides = kCircleSides);

/// Unit sphere of `sides` times half as many faces with the normals of the sphere.
Mesh make_sphere_mesh(uint32_t sides = kCircleSides);

}  // namespace winnow
