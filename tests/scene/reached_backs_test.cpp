// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <utility>

#include "scene/mesh.h"
#include "scene/open_edges.h"
#include "scene/shapes.h"

namespace winnow {
namespace {

const Material kOneSided{.black_back = true};

/// A scene with one material, seen from (0, 0, z).
HostScene seen_from(float z) {
  HostScene scene;
  scene.materials = {kOneSided};
  scene.material_names = {"one-sided"};
  scene.camera.position = {0.1f, 0.2f, z};
  return scene;
}

void add_object(HostScene& scene, const Mesh& mesh, glm::vec3 at = {}, uint32_t material = 0) {
  scene.object_starts.push_back(uint32_t(scene.triangles.size()));
  add_mesh(scene, mesh, glm::translate(glm::mat4(1.0f), at), material);
}

Mesh inside_out(Mesh mesh) {
  for (glm::uvec3& triangle : mesh.triangles) std::swap(triangle.y, triangle.z);
  return mesh;
}

bool is_reached(HostScene scene) {
  clear_unreached_backs(scene);
  return scene.materials[0].black_back;
}

const Mesh kBox = make_box(glm::vec3(-1.0f), glm::vec3(1.0f));
const Mesh kCard = make_rectangle({-1, -1, 0}, {2, 0, 0}, {0, 2, 0});

TEST(ReachedBacks, AreThoseOfCardsWithSomethingBehindThem) {
  HostScene scene = seen_from(5);
  add_object(scene, kCard);
  EXPECT_FALSE(is_reached(scene)) << "nothing is behind it";
  scene.camera.position.z = -5;
  EXPECT_TRUE(is_reached(scene)) << "the camera is behind it";
  scene.camera.position.z = 5;
  scene.spheres.push_back({.center = {0, 0, -3}, .radius = 0.5f, .material = 1});
  scene.materials.push_back({});
  EXPECT_TRUE(is_reached(scene)) << "light from a ball behind it";
}

TEST(ReachedBacks, AreNotThoseOfWallsAroundTheScene) {
  HostScene room = seen_from(0.5f);
  for (const glm::vec3 n : {glm::vec3(1, 0, 0), glm::vec3(0, 1, 0), glm::vec3(0, 0, 1)})
    for (const float side : {-1.0f, 1.0f}) {
      const glm::vec3 u = glm::vec3(n.y, n.z, n.x), v = -side * glm::vec3(n.z, n.x, n.y);
      add_object(room, make_rectangle(-2.0f * side * n - 2.0f * u - 2.0f * v, 4.0f * u, 4.0f * v));
    }
  add_object(room, kBox, {0, -1, -0.5f});
  EXPECT_FALSE(is_reached(room));
}

TEST(ReachedBacks, AreTheInsidesThatTheCameraIsIn) {
  HostScene box = seen_from(5);
  add_object(box, kBox);
  EXPECT_FALSE(is_reached(box));
  box.camera.position.z = 0.3f;
  EXPECT_TRUE(is_reached(box));
  HostScene turned = seen_from(0.3f);
  add_object(turned, inside_out(kBox));
  EXPECT_FALSE(is_reached(turned)) << "a room";
  turned.camera.position.z = 5;
  EXPECT_TRUE(is_reached(turned));

  HostScene ball = seen_from(5);
  ball.spheres.push_back({});
  EXPECT_FALSE(is_reached(ball));
  ball.camera.near_clip = 4.5f;
  EXPECT_TRUE(is_reached(ball)) << "rays start in it";
  ball.camera = {.position = {0, 0, 0.5f}};
  EXPECT_TRUE(is_reached(ball));
}

TEST(ReachedBacks, AreFoundInPartsOfAnObject) {
  Mesh both = kBox;
  add_mesh(both, inside_out(make_box(glm::vec3(2.0f), glm::vec3(2.5f))), glm::mat4(1.0f), 0);
  both.triangle_materials.clear();
  HostScene scene = seen_from(9);
  add_object(scene, both);
  EXPECT_TRUE(is_reached(scene)) << "the small box is turned inside out";
}

TEST(ReachedBacks, AreSeenThroughHoles) {
  HostScene box = seen_from(5);
  add_object(box, kBox);
  box.materials[0].alpha = 0.5f;
  EXPECT_TRUE(is_reached(box));
  Mesh open = kBox;
  open.triangles.erase(open.triangles.begin(), open.triangles.begin() + 2);
  HostScene bin = seen_from(5);
  add_object(bin, open);
  EXPECT_TRUE(is_reached(bin));
  // A lid of another material with holes.
  HostScene closed = seen_from(5);
  closed.materials.push_back({.alpha = 0.5f, .black_back = true});
  Mesh lid = kBox;
  lid.triangle_materials.assign(lid.triangles.size(), 0);
  lid.triangle_materials[0] = lid.triangle_materials[1] = 1;
  add_object(closed, lid);
  EXPECT_TRUE(is_reached(closed));
}

TEST(ReachedBacks, OfInstancesDependOnTheCamera) {
  HostScene scene = seen_from(9);
  add_mesh(scene.shared, kBox, glm::mat4(1.0f), 0);
  scene.meshes = {{0, uint32_t(kBox.triangles.size()), 0, uint32_t(kBox.positions.size())}};
  scene.instances = {{}, {.to_world = glm::mat4x3(glm::translate(glm::mat4(1.0f), {3, 0, 0}))}};
  EXPECT_FALSE(is_reached(scene));
  scene.camera.position = {3.1f, 0.2f, 0.1f};
  EXPECT_TRUE(is_reached(scene));
}

TEST(ReachedBacks, OfBallsWithSeamsAreNot) {
  constexpr int kRows = 8, kColumns = 12;
  Mesh ball;  // each face has its own corners
  auto corner = [](int row, int column) {
    const float theta = 3.14159265f * float(row) / kRows,
                phi = 6.2831853f * float(column) / kColumns;
    return glm::vec3(50.0f) + glm::vec3(std::sin(theta) * std::cos(phi),
                                        std::sin(theta) * std::sin(phi), std::cos(theta));
  };
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kColumns; ++column)
      for (const auto& [a, b, c] :
           {std::array{corner(row, column), corner(row + 1, column), corner(row + 1, column + 1)},
            std::array{corner(row, column), corner(row + 1, column + 1),
                       corner(row, column + 1)}}) {
        const auto first = uint32_t(ball.positions.size());
        ball.positions.insert(ball.positions.end(), {a, b, c});
        ball.triangles.push_back({first, first + 1, first + 2});
      }
  HostScene scene = seen_from(5);
  add_object(scene, ball);
  EXPECT_FALSE(is_reached(scene));
}

}  // namespace
}  // namespace winnow
