// SPDX-License-Identifier: MIT
#include "scene/scene_bounds.h"

#include <gtest/gtest.h>

#include "scene/mesh.h"
#include "scene/shapes.h"

namespace winnow {
namespace {

TEST(SceneBounds, ContainTrianglesSpheresAndInstances) {
  HostScene scene;
  add_mesh(scene, make_box({0, 0, 0}, {1, 2, 3}), glm::mat4(1.0f), 0);
  EXPECT_EQ(scene_bounds(scene), (Bounds{{0, 0, 0}, {1, 2, 3}}));
  scene.spheres = {{{5, 0, 0}, 1.0f, 0}};
  EXPECT_EQ(scene_bounds(scene), (Bounds{{0, -1, -1}, {6, 2, 3}}));
  add_mesh(scene.shared, make_box({0, 0, 0}, {1, 1, 1}), glm::mat4(1.0f), 0);
  scene.meshes = {{.first_triangle = 0, .triangle_count = 12, .vertex_count = 24}};
  glm::mat4x3 to_world(2.0f);
  to_world[3] = {0, 7, 0};
  scene.instances = {{.mesh = 0, .to_world = to_world}};
  EXPECT_EQ(scene_bounds(scene), (Bounds{{0, -1, -1}, {6, 9, 3}}));
}

TEST(SceneBounds, VisitVerticesOfTrianglesOnceAndOthersNever) {
  HostScene scene;
  const glm::vec3 kUnused{9, 9, 9};
  scene.positions = {{0, 0, 0}, kUnused, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  scene.triangles = {{0, 2, 3}, {3, 2, 4}, {0, 2, 4}};
  std::vector<glm::vec3> visited;
  for_each_outline_point(scene, [&](glm::vec3 point) { visited.push_back(point); });
  EXPECT_EQ(visited, (std::vector<glm::vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}));
  EXPECT_EQ(mesh_bounds(scene), (Bounds{{0, 0, 0}, {1, 1, 0}}));
}

}  // namespace
}  // namespace winnow
