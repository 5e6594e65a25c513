// SPDX-License-Identifier: MIT
#include "scene/mesh.h"

#include <gtest/gtest.h>

#include <array>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <limits>

#include "scene/shapes.h"

namespace winnow {
namespace {

/// Six times the volume that the triangles enclose; negative if they face inwards.
float volume(const Mesh& scene) {
  float sum = 0.0f;
  for (glm::uvec3 t : scene.triangles)
    sum += glm::dot(scene.positions[t.x], glm::cross(scene.positions[t.y], scene.positions[t.z]));
  return sum;
}

TEST(AddMesh, TransformsPositionsAndKeepsTheOrientation) {
  Mesh box = make_box({0, 0, 0}, {1, 2, 3});
  const glm::mat4 kIdentity(1.0f);
  struct Case {
    glm::mat4 transform;
    float volume;
  };
  for (const Case& c :
       {Case{kIdentity, 36}, Case{glm::scale(kIdentity, {2, 1, 1}), 72},
        Case{glm::scale(kIdentity, {-2, 1, 1}), 72}, Case{glm::scale(kIdentity, {-1, -1, -1}), 36},
        Case{glm::rotate(kIdentity, 1.0f, {1, 2, 3}), 36},
        Case{glm::translate(kIdentity, {5, 6, 7}), 36}}) {
    Mesh scene;
    EXPECT_EQ(add_mesh(scene, box, c.transform, 3), 0u);
    EXPECT_NEAR(volume(scene), c.volume, 1e-3f);
    EXPECT_EQ(scene.triangle_materials, std::vector<uint32_t>(12, 3));
  }
}

TEST(AddMesh, TransformsNormalsByTheInverseTranspose) {
  Mesh slope;  // the plane x + y = 1
  slope.positions = {{1, 0, 0}, {0, 1, 0}, {0, 1, 1}};
  slope.normals = {{1, 1, 0}, {0, 0, 0}, {2, 2, 0}};
  slope.triangles = {{0, 1, 2}};
  Mesh scene;
  add_mesh(scene, slope, glm::scale(glm::mat4(1.0f), {2.0f, 1.0f, 1.0f}), 0);
  // Now the plane is x / 2 + y = 1.
  glm::vec3 expected = glm::normalize(glm::vec3(0.5f, 1.0f, 0.0f));
  EXPECT_NEAR(glm::distance(scene.normals[0], expected), 0.0f, 1e-6f);
  EXPECT_EQ(scene.normals[1], glm::vec3(0));
  EXPECT_NEAR(glm::distance(scene.normals[2], expected), 0.0f, 1e-6f);
  EXPECT_NEAR(glm::dot(scene.positions[1] - scene.positions[0], expected), 0.0f, 1e-6f);
}

/// Vertices of a mesh without colours are white; those without UVs are at the origin.
TEST(AddMesh, KeepsColoursAndBothParametrizations) {
  Mesh plain, rich;
  plain.positions = rich.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  plain.triangles = rich.triangles = {{0, 1, 2}};
  rich.colors = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 0.5f}};
  rich.second_uvs = {{0.1f, 0.2f}, {0.3f, 0.4f}, {0.5f, 0.6f}};
  Mesh scene;
  for (const Mesh* mesh : {&plain, &rich, &plain}) add_mesh(scene, *mesh, glm::mat4(1.0f), 0);
  ASSERT_EQ(scene.colors.size(), 9u);
  EXPECT_EQ(scene.colors[2], glm::vec4(1.0f));
  EXPECT_EQ(scene.colors[5], glm::vec4(0, 0, 1, 0.5f));
  EXPECT_EQ(scene.colors[8], glm::vec4(1.0f));
  ASSERT_EQ(scene.second_uvs.size(), 9u);
  EXPECT_EQ(scene.second_uvs[2], glm::vec2(0.0f));
  EXPECT_EQ(scene.second_uvs[4], glm::vec2(0.3f, 0.4f));
  EXPECT_TRUE(scene.uvs.empty());
}

TEST(AddMesh, MirroredNormalsStayOnTheSideOfTheWinding) {
  Mesh triangle;
  triangle.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  triangle.normals = std::vector<glm::vec3>(3, {0, 0, 1});
  triangle.triangles = {{0, 1, 2}};
  for (glm::vec3 scale : {glm::vec3(-1, 1, 1), glm::vec3(1, 1, -1), glm::vec3(-1, -1, -1)}) {
    Mesh scene;
    add_mesh(scene, triangle, glm::scale(glm::mat4(1.0f), scale), 0);
    glm::uvec3 t = scene.triangles[0];
    glm::vec3 n = glm::cross(scene.positions[t.y] - scene.positions[t.x],
                             scene.positions[t.z] - scene.positions[t.x]);
    EXPECT_GT(glm::dot(n, scene.normals[0]), 0.0f);
  }
}

TEST(AddMesh, LeavesOutWhatHasNoArea) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 0, 2}};
  mesh.triangle_materials = {7, 8, 9};
  Mesh scene;
  EXPECT_EQ(add_mesh(scene, mesh, glm::mat4(1.0f), 0), 2u);
  EXPECT_EQ(scene.triangles, std::vector<glm::uvec3>({{0, 1, 2}}));
  EXPECT_EQ(scene.triangle_materials, std::vector<uint32_t>({7}));
}

TEST(AddMesh, AppendsToAMesh) {
  Mesh scene;
  add_mesh(scene, make_box({0, 0, 0}, {1, 1, 1}), glm::mat4(1.0f), 0);
  add_mesh(scene, make_rectangle({0, 0, 5}, {1, 0, 0}, {0, 1, 0}), glm::mat4(1.0f), 1);
  EXPECT_EQ(scene.triangles[12], glm::uvec3(24, 25, 26));
  EXPECT_EQ(scene.normals.size(), 28u);
}

/// Each of 10,000 meshes would copy all earlier ones, in time quadratic in their number.
TEST(AddMesh, ReallocatesAFewTimesForThousandsOfMeshes) {
  Mesh small = make_box({0, 0, 0}, {1, 1, 1});
  small.uvs.resize(small.positions.size());
  small.second_uvs.resize(small.positions.size());
  small.colors.resize(small.positions.size());
  Mesh to;
  constexpr int kArrays = 7;
  std::array<const void*, kArrays> before{};
  int reallocations = 0;
  for (int mesh = 0; mesh < 10'000; ++mesh) {
    // Attributes that only some of the meshes have are filled in for the others.
    small.colors.resize(mesh % 2 ? 0 : small.positions.size());
    add_mesh(to, small, glm::mat4(1.0f), 0);
    const std::array<const void*, kArrays> now = {
        to.positions.data(),         to.normals.data(), to.uvs.data(),
        to.second_uvs.data(),        to.colors.data(),  to.triangles.data(),
        to.triangle_materials.data()};
    for (size_t i = 0; i < now.size(); ++i) reallocations += now[i] != before[i];
    before = now;
  }
  EXPECT_EQ(to.triangles.size(), 120'000u);
  EXPECT_LE(reallocations, kArrays * 20);  // doubling, 14 times at least
}

TEST(IsNear, IsFalseOfWhatIsNotFiniteOrTooFar) {
  EXPECT_TRUE(is_near({1e9f, -1e9f, 0.0f}));
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1.1e9f})
    for (int axis = 0; axis < 3; ++axis) {
      glm::vec3 p(1.0f);
      p[axis] = value;
      EXPECT_FALSE(is_near(p)) << value << " on axis " << axis;
      EXPECT_FALSE(is_near(-p)) << -value << " on axis " << axis;
    }
}

TEST(IsSolidTriangle, RefusesWhatIsNotFiniteOrTooFar) {
  const float kNan = std::numeric_limits<float>::quiet_NaN();
  const float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(is_solid_triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}));
  EXPECT_TRUE(is_solid_triangle({0, 0, 0}, {1e-6f, 0, 0}, {0, 1e-6f, 0}));
  EXPECT_FALSE(is_solid_triangle({0, 0, 0}, {1e-12f, 0, 0}, {0, 1e-12f, 0}));
  EXPECT_FALSE(is_solid_triangle({0, 0, 0}, {kNan, 0, 0}, {0, 1, 0}));
  EXPECT_FALSE(is_solid_triangle({0, 0, 0}, {kInfinity, 0, 0}, {0, 1, 0}));
  EXPECT_FALSE(is_solid_triangle({0, 0, 0}, {1e10f, 0, 0}, {0, 1, 0}));
}

TEST(Shapes, FaceOutwards) {
  Mesh rectangle = make_rectangle({0, 0, 0}, {2, 0, 0}, {0, 3, 0});
  Mesh disk = make_disk({1, 2, 3}, {0, 1, 0}, 2.0f);
  auto area_vector = [](const Mesh& mesh) {
    glm::vec3 sum(0.0f);
    for (glm::uvec3 t : mesh.triangles)
      sum += 0.5f * glm::cross(mesh.positions[t.y] - mesh.positions[t.x],
                               mesh.positions[t.z] - mesh.positions[t.x]);
    return sum;
  };
  EXPECT_NEAR(glm::distance(area_vector(rectangle), {0, 0, 6}), 0.0f, 1e-5f);
  glm::vec3 disk_area = area_vector(disk);
  EXPECT_NEAR(disk_area.y, 4.0f * 3.14159265f, 0.01f);
  EXPECT_NEAR(disk_area.x, 0.0f, 1e-4f);
  EXPECT_NEAR(disk_area.z, 0.0f, 1e-4f);
}

}  // namespace
}  // namespace winnow
