// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

namespace winnow {

struct Mesh {
  std::vector<glm::vec3> positions;   ///< [vertex], m
  std::vector<glm::vec3> normals;     ///< [vertex], zero where flat; empty if all are flat
  std::vector<glm::vec2> uvs;         ///< [vertex], (0, 0) is the upper left corner of a texture;
                                      ///< empty if there are none
  std::vector<glm::vec2> second_uvs;  ///< [vertex], second UV set; empty if there is none
  std::vector<glm::vec4> colors;      ///< [vertex], linear rgb and coverage; empty if all are white
  std::vector<glm::uvec3> triangles;  ///< [triangle], counter-clockwise seen from outside
  std::vector<uint32_t> triangle_materials;  ///< [triangle]; empty if all are the same
};

/// True if the coordinates of a point are finite and at most kMaxSceneValue.
bool is_near(glm::vec3 p);

/// Returns `v` scaled to unit length. A vector whose length is 1 up to rounding is returned
/// unchanged, so that a scene that is written and read again does not change.
/// @param length  length of `v`, above 0
glm::vec3 with_unit_length(glm::vec3 v, float length);

/// True for a uniform scale with a rotation or mirroring.
bool is_similarity(const glm::mat3& linear);

/// True for a similarity that is not just a scale.
bool is_rotated(const glm::mat3& similarity);

/// True for a triangle that a ray can hit: is_near() holds for its corners, and its area is large
/// enough for a normal.
bool is_solid_triangle(glm::vec3 a, glm::vec3 b, glm::vec3 c);

/// Adds the transformed `mesh` to `to`, without triangles that are not solid. `to` has a normal per
/// vertex and a material per triangle, before and after.
///
/// Normals are transformed by the inverse transpose. A transform that mirrors reverses the winding,
/// so that triangles still face the same side of the surface.
/// @param material  material of the triangles, unless the mesh has its own
/// @return          number of triangles left out
size_t add_mesh(Mesh& to, const Mesh& mesh, const glm::mat4& transform, uint32_t material);

/// A corner of a triangle: a position, and the smoothing group of its face (0 is flat).
struct SmoothCorner {
  uint32_t position;
  uint32_t group;
};

/// Normals of smoothing groups: at each position, the mean of the normals of the group's triangles
/// weighted by their angles at that position.
struct SmoothNormals {
  std::vector<glm::vec3> normals;  ///< unit length
  std::vector<uint32_t> corners;   ///< [corner], index in `normals`; kFlat for group 0
  static constexpr uint32_t kFlat = ~0u;
};

/// Computes the normals of smoothing groups.
/// @param corners  [3 x triangle]
/// Thürmer & Wüthrich, "Computing Vertex Normals from Polygonal Facets", 1998.
SmoothNormals compute_smooth_normals(std::span<const glm::vec3> positions,
                                     std::span<const SmoothCorner> corners);

/// Gives each vertex the mean normal of the triangles around it.
void add_smooth_normals(Mesh& mesh);

}  // namespace winnow
