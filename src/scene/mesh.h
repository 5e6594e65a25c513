#pragma once

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <vector>

namespace winnow {

/// Triangles and their vertices.
struct Mesh {
  std::vector<glm::vec3> positions;  ///< [vertex], m
  std::vector<glm::vec3> normals;  ///< [vertex], zero where the surface is flat; empty if it is all
  std::vector<glm::vec2> uvs;      ///< [vertex], where a texture's (0, 0) is its upper left corner;
                                   ///< empty if no vertex has any
  std::vector<glm::uvec3> triangles;         ///< [triangle], vertices; counter-clockwise is outside
  std::vector<uint32_t> triangle_materials;  ///< [triangle]; empty if there is only one
};

/// True for a point that is finite and near enough to compute with.
bool is_near(glm::vec3 p);

/// True for what a ray can hit: finite corners near enough, and an area whose normal is no rounding
/// error.
bool is_solid_triangle(glm::vec3 a, glm::vec3 b, glm::vec3 c);

/// Adds `mesh` to `to`, transformed; leaves out triangles without area. What is in `to` has a
/// normal for each vertex and a material for each triangle.
///
/// Normals go by the inverse transpose. A transform that mirrors swaps the winding, so that the
/// outside stays outside.
/// @param material  of triangles whose mesh does not say
/// @return  how many triangles were left out
size_t add_mesh(Mesh& to, const Mesh& mesh, const glm::mat4& transform, uint32_t material);

}  // namespace winnow
