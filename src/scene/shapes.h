// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

#include "scene/mesh.h"

namespace winnow {

/// Returns a parallelogram that faces cross(edge_u, edge_v).
Mesh make_rectangle(glm::vec3 corner, glm::vec3 edge_u, glm::vec3 edge_v);

Mesh make_box(glm::vec3 min, glm::vec3 max);

inline constexpr uint32_t kCircleSides = 128;

/// Returns the number of sides of the next circle, so that round shapes have at most about
/// kMaxRoundTriangles: kCircleSides, fewer after many shapes, 0 if no more may follow.
/// @param triangles  triangles of the round shapes so far
uint32_t circle_sides_after(size_t triangles);

/// Warnings about round shapes with fewer sides, and about those left out.
inline constexpr const char* kCoarseRoundShape =
    "a round shape has fewer triangles, as the scene has many round shapes";
inline constexpr const char* kTooManyRoundShapes =
    "round shapes beyond 2^26 triangles are left out";

/// Returns a disk, as a regular polygon that faces the unit vector `normal`.
Mesh make_disk(glm::vec3 center, glm::vec3 normal, float radius, uint32_t sides = kCircleSides);

/// Returns the lateral surface of a cylinder along +z from z = 0 to 1 with radius 1: flat strips
/// with the normals of the cylinder.
Mesh make_cylinder(uint32_t sides = kCircleSides);

/// Returns a unit sphere of `sides` x `sides` / 2 faces with the normals of the sphere.
Mesh make_sphere_mesh(uint32_t sides = kCircleSides);

}  // namespace winnow
