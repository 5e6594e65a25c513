// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

namespace winnow {

/// Triangles and their vertices.
struct Mesh {
  std::vector<glm::vec3> positions;   ///< [vertex], m
  std::vector<glm::vec3> normals;     ///< [vertex], zero where flat; empty if all vertices are
  std::vector<glm::vec2> uvs;         ///< [vertex], (0, 0) is the upper left corner of a texture;
                                      ///< empty if no vertex has any
  std::vector<glm::vec2> second_uvs;  ///< [vertex], another parametrization; empty if no vertex has
                                      ///< any
  std::vector<glm::vec4> colors;      ///< [vertex], linear rgb and coverage; empty if all are white
  std::vector<glm::uvec3> triangles;  ///< [triangle], counter-clockwise seen from outside
  std::vector<uint32_t> triangle_materials;  ///< [triangle]; empty if all have the same
};

/// True for a point that is finite, with coordinates of at most kMaxSceneValue.
bool is_near(glm::vec3 p);

/// `v` with unit length. A vector of unit length, up to rounding, is returned as it is: a scene
/// that is written and read again must not change.
/// @param length  of `v`, above 0
glm::vec3 with_unit_length(glm::vec3 v, float length);

/// True for a triangle that a ray can hit: its corners are near, and its area is large enough for a
/// normal.
bool is_solid_triangle(glm::vec3 a, glm::vec3 b, glm::vec3 c);

/// Adds `mesh` to `to`, transformed, without the triangles that are not solid. `to` has, and keeps,
/// a normal for each vertex and a material for each triangle.
///
/// Normals are transformed by the inverse transpose. A transform that mirrors reverses the winding,
/// so that triangles face the same side of the surface.
/// @param material  of the triangles, unless the mesh has materials of its own
/// @return  number of triangles that are left out
size_t add_mesh(Mesh& to, const Mesh& mesh, const glm::mat4& transform, uint32_t material);

}  // namespace winnow
