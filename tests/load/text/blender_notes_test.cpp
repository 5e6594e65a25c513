// SPDX-License-Identifier: MIT
#include "load/text/blender_notes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scene/mesh.h"

namespace winnow {
namespace {

/// A prism with this number of sides and smooth normals, whose corners lean by 180 degrees over the
/// number of sides.
Mesh prism(int sides) {
  Mesh mesh;
  for (int i = 0; i < sides; ++i) {
    const float angle = 6.2831853f * float(i) / float(sides);
    for (float z : {0.0f, 1.0f}) {
      mesh.positions.emplace_back(std::cos(angle), std::sin(angle), z);
      mesh.normals.emplace_back(std::cos(angle), std::sin(angle), 0.0f);
    }
    const auto a = uint32_t(2 * i), b = uint32_t(2 * ((i + 1) % sides));
    mesh.triangles.push_back({a, b, a + 1});
    mesh.triangles.push_back({b, b + 1, a + 1});
  }
  return mesh;
}

/// Adds a square with normals that lean by an angle, radians.
void add_square(Mesh& mesh, float side, float angle) {
  const auto first = uint32_t(mesh.positions.size());
  for (const glm::vec3 corner :
       {glm::vec3(0, 0, 0), glm::vec3(1, 0, 0), glm::vec3(1, 1, 0), glm::vec3(0, 1, 0)}) {
    mesh.positions.push_back(side * corner);
    mesh.normals.emplace_back(std::sin(angle), 0.0f, std::cos(angle));
  }
  mesh.triangles.push_back({first, first + 1, first + 2});
  mesh.triangles.push_back({first, first + 2, first + 3});
}

TEST(CoarseNormals, LeanFarFromTheirTriangles) {
  EXPECT_TRUE(has_coarse_normals(prism(8)));   // 22.5 degrees
  EXPECT_FALSE(has_coarse_normals(prism(9)));  // 20 degrees
  EXPECT_FALSE(has_coarse_normals(prism(64)));
}

TEST(CoarseNormals, AreNotThoseOfFlatTriangles) {
  Mesh mesh = prism(64);
  mesh.normals.clear();
  EXPECT_FALSE(has_coarse_normals(mesh));
  mesh.normals.assign(mesh.positions.size(), glm::vec3(0.0f));
  EXPECT_FALSE(has_coarse_normals(mesh));
  add_square(mesh, 1.0f, 0.0f);
  EXPECT_FALSE(has_coarse_normals(mesh));
}

TEST(CoarseNormals, AreComparedWithWhatIsCurved) {
  Mesh mesh;
  add_square(mesh, 1.0f, 0.6f);
  add_square(mesh, 100.0f, 0.0f);  // flat
  EXPECT_TRUE(has_coarse_normals(mesh));
  add_square(mesh, 1.9f, 0.1f);  // 1 / 4.6 of what is curved
  EXPECT_TRUE(has_coarse_normals(mesh));
  add_square(mesh, 1.5f, 0.1f);  // 1 / 6.9
  EXPECT_FALSE(has_coarse_normals(mesh));
}

TEST(CoarseNormals, MayPointAway) {
  Mesh mesh;
  add_square(mesh, 1.0f, 3.0f);
  EXPECT_TRUE(has_coarse_normals(mesh));
  mesh.positions[2] = mesh.positions[1];  // triangles without an area
  mesh.positions[3] = mesh.positions[0];
  EXPECT_FALSE(has_coarse_normals(mesh));
}

}  // namespace
}  // namespace winnow
