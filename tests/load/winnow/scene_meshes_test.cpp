// SPDX-License-Identifier: MIT
// Meshes in memory, beside the text of a scene.

#include <gmock/gmock.h>

#include <glm/geometric.hpp>
#include <limits>

#include "load/winnow/winnow_json.h"
#include "tests/support/message_of.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

/// A square of two triangles, of the material `white`.
SceneMesh square_mesh(const std::string& name = "") {
  SceneMesh square{.name = name, .material = "white", .mesh = {}};
  square.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  square.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return square;
}

HostScene read_with(const SceneMesh& mesh, const std::string& shapes = "") {
  return read_winnow_json(scene_of(shapes), "scene", "", {mesh});
}

std::string message_with(const SceneMesh& mesh) {
  return message_of<Error>([&] { read_with(mesh); });
}

TEST(SceneMeshes, AreShapesOfTheScene) {
  const HostScene scene = read_with(square_mesh());
  EXPECT_EQ(scene.triangles.size(), 2u);
  EXPECT_EQ(scene.material_names[scene.triangle_materials[1]], "white");
}

TEST(SceneMeshes, ArePlacedByInstancesIfTheyHaveAName) {
  const HostScene scene = read_with(square_mesh("tile"), R"({"type": "instances", "mesh": "tile",
      "transforms": [[{"translate": [0, 0, 2]}], [{"scale": 3}]]})");
  EXPECT_EQ(scene.instances.size(), 2u);
  EXPECT_TRUE(scene.triangles.empty());
}

TEST(SceneMeshes, GetNormalsOfUnitLength) {
  SceneMesh mesh = square_mesh();
  mesh.mesh.normals = {{0, 0, 5}, {0, 3, 4}, {0, 0, 0}, {0, 0, 1}};
  const HostScene scene = read_with(mesh);
  EXPECT_FLOAT_EQ(glm::length(scene.normals[0]), 1.0f);
  EXPECT_FLOAT_EQ(scene.normals[1].y, 0.6f);
  EXPECT_EQ(scene.normals[2], glm::vec3(0.0f));  // flat
}

TEST(SceneMeshes, WithoutAreaArePartlyLeftOut) {
  SceneMesh mesh = square_mesh();
  mesh.mesh.triangles.push_back({1, 1, 1});
  expect_warnings(read_with(mesh), {"scene: mesh 0: 1 of 3 triangles have no area"});
  mesh.mesh.triangles = {{1, 1, 1}};
  EXPECT_EQ(message_with(mesh),
            "scene: mesh 0: no triangle of it has an area; expected a visible one");
}

TEST(SceneMeshes, ThatDoNotFitAreRefusedInOneLine) {
  SceneMesh mesh = square_mesh();
  mesh.material = "wod";
  EXPECT_EQ(message_with(mesh), "scene: mesh 0: unknown material \"wod\"; did you mean \"wood\"?");
  mesh = square_mesh("tile");
  mesh.mesh.triangles[1].y = 4;
  EXPECT_EQ(message_with(mesh),
            "scene: mesh \"tile\": indices: triangle 1 has vertex 4; expected one below 4");
  mesh = square_mesh();
  mesh.mesh.uvs.resize(3);
  EXPECT_EQ(message_with(mesh), "scene: mesh 0: uvs: expected as many as vertices, 4, found 3");
  mesh = square_mesh();
  mesh.mesh.positions[2].y = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(message_with(mesh),
            "scene: mesh 0: vertices: expected numbers from -1e9 to 1e9, item 2 has nan");
  EXPECT_EQ(message_with({.name = "", .material = "white", .mesh = {}}),
            "scene: mesh 0: expected at least one vertex and one triangle");
}

}  // namespace
}  // namespace winnow
