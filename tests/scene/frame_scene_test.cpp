// SPDX-License-Identifier: MIT
#include "scene/frame_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <utility>

#include "scene/mesh.h"
#include "scene/shapes.h"

namespace winnow {
namespace {

/// Distance of a point from the centre of the image: 1 is its edge; infinite behind the camera.
float reach(const HostScene& scene, glm::vec3 p) {
  const CameraDescription& camera = scene.camera;
  glm::vec3 forward = glm::normalize(camera.look_at - camera.position);
  glm::vec3 right = glm::normalize(glm::cross(forward, camera.up));
  glm::vec3 up = glm::cross(right, forward);
  float depth = glm::dot(p - camera.position, forward);
  if (depth <= 0.0f) return INFINITY;
  float half_height = depth * std::tan(glm::radians(0.5f * camera.vertical_fov));
  float half_width = half_height * float(scene.width) / float(scene.height);
  return std::max(std::abs(glm::dot(p - camera.position, right)) / half_width,
                  std::abs(glm::dot(p - camera.position, up)) / half_height);
}

HostScene box_scene(glm::vec3 min, glm::vec3 max) {
  HostScene scene;
  add_mesh(scene, make_box(min, max), glm::mat4(1.0f), 0);
  return scene;
}

TEST(FrameScene, ContainsEveryCornerAndFillsTheImage) {
  struct Case {
    glm::vec3 min, max;
    uint32_t width, height;
  };
  for (const Case& c :
       {Case{{-1, -1, -1}, {1, 1, 1}, 512, 512}, Case{{0, 0, 0}, {10, 1, 1}, 512, 512},
        Case{{0, 0, 0}, {1, 10, 1}, 512, 512}, Case{{0, 0, 0}, {1, 1, 10}, 1920, 200},
        Case{{1000, 1000, 1000}, {1001, 1002, 1001}, 200, 1920},
        Case{{0, 0, 0}, {1e-3f, 1e-3f, 1e-3f}, 64, 64},
        Case{{-1e6f, 0, -1e6f}, {1e6f, 1e6f, 1e6f}, 640, 480}}) {
    HostScene scene = box_scene(c.min, c.max);
    scene.width = c.width;
    scene.height = c.height;
    frame_scene(scene);
    float farthest = 0.0f;
    for (glm::vec3 p : scene.positions) farthest = std::max(farthest, reach(scene, p));
    EXPECT_LE(farthest, 0.95f);
    EXPECT_GE(farthest, 0.85f);
  }
}

TEST(FrameScene, ContainsSpheres) {
  HostScene scene;
  scene.spheres = {{{5, 5, 5}, 2.0f, 0}, {{9, 5, 5}, 1.0f, 0}};
  frame_scene(scene);
  for (const Sphere& sphere : scene.spheres)
    for (int corner = 0; corner < 8; ++corner)
      EXPECT_LE(reach(scene, sphere.center + sphere.radius * glm::vec3(corner & 1 ? 1 : -1,
                                                                       corner & 2 ? 1 : -1,
                                                                       corner & 4 ? 1 : -1)),
                0.95f);
}

TEST(FrameScene, SeesAnObjectFromItsFrontAndAbove) {
  HostScene scene = box_scene({-1, 0, -1}, {1, 1, 1});
  frame_scene(scene);
  EXPECT_GT(scene.camera.position.z, 1.0f);
  EXPECT_GT(scene.camera.position.y, 1.0f);
}

TEST(FrameScene, SeesALongBodyFromTheEndOfItsHead) {
  for (float end : {-1.0f, 1.0f}) {
    HostScene scene = box_scene({-0.5f, 0, -2}, {0.5f, 1, 2});
    Mesh head = make_box({-0.3f, 1, -0.4f}, {0.3f, 1.8f, 0.4f});
    for (glm::vec3& p : head.positions) p.z += 1.6f * end;
    add_mesh(scene, head, glm::mat4(1.0f), 0);
    frame_scene(scene);
    EXPECT_GT(scene.camera.position.z * end, 2.0f);
  }
}

TEST(FrameScene, LooksIntoARoomThroughItsOpenSide) {
  // Floor, ceiling, three of four walls, and a box inside.
  const std::vector<Mesh> kWalls = {make_rectangle({0, 0, 0}, {0, 0, 4}, {0, 3, 0}),
                                    make_rectangle({5, 0, 0}, {0, 0, 4}, {0, 3, 0}),
                                    make_rectangle({0, 0, 0}, {5, 0, 0}, {0, 3, 0}),
                                    make_rectangle({0, 0, 4}, {5, 0, 0}, {0, 3, 0})};
  const glm::vec3 kOut[] = {{-1, 0, 0}, {1, 0, 0}, {0, 0, -1}, {0, 0, 1}};
  for (size_t open = 0; open < 4; ++open) {
    HostScene scene;
    add_mesh(scene, make_rectangle({0, 0, 0}, {5, 0, 0}, {0, 0, 4}), glm::mat4(1.0f), 0);
    add_mesh(scene, make_rectangle({0, 3, 0}, {5, 0, 0}, {0, 0, 4}), glm::mat4(1.0f), 0);
    for (size_t wall = 0; wall < 4; ++wall)
      if (wall != open) add_mesh(scene, kWalls[wall], glm::mat4(1.0f), 0);
    add_mesh(scene, make_box({2, 0, 1}, {3, 1, 2}), glm::mat4(1.0f), 0);
    frame_scene(scene);
    glm::vec3 back = glm::normalize(scene.camera.position - scene.camera.look_at);
    EXPECT_NEAR(glm::distance(back, kOut[open]), 0.0f, 1e-5f);
    for (glm::vec3 p : scene.positions) EXPECT_LE(reach(scene, p), 1.0f);
  }
}

/// The walls of a room of 5 x 3 x 4 m.
/// @param inward  whether they face inwards
Mesh closed_room(bool inward) {
  Mesh walls = make_box({0, 0, 0}, {5, 3, 4});
  if (inward)
    for (glm::uvec3& triangle : walls.triangles) std::swap(triangle.y, triangle.z);
  walls.normals.clear();
  return walls;
}

HostScene room_scene(bool inward) {
  HostScene scene;
  scene.materials = {Material{}, Material{.emission = glm::vec3(5.0f)}};
  add_mesh(scene, closed_room(inward), glm::mat4(1.0f), 0);
  return scene;
}

bool is_inside(const HostScene& scene) {
  const glm::vec3 eye = scene.camera.position;
  return eye.x > 0.0f && eye.x < 5.0f && eye.y > 0.0f && eye.y < 3.0f && eye.z > 0.0f &&
         eye.z < 4.0f;
}

TEST(FrameScene, AClosedRoomWithoutACameraIsSeenFromInside) {
  HostScene scene = room_scene(true);
  add_mesh(scene, make_box({2, 0, 1}, {3, 1, 2}), glm::mat4(1.0f), 0);
  frame_scene(scene);
  EXPECT_TRUE(is_inside(scene));
  EXPECT_NEAR(scene.camera.position.y, 1.8f, 0.4f);           // eye height
  EXPECT_GT(std::abs(scene.camera.position.x - 2.5f), 1.5f);  // near a corner
  EXPECT_GT(std::abs(scene.camera.position.z - 2.0f), 1.2f);
  EXPECT_LT(reach(scene, {2.5f, 1.2f, 2.0f}), 0.1f);  // towards the centre
}

TEST(FrameScene, StandsInACornerThatNoCupboardFills) {
  for (float x : {0.1f, 3.9f})
    for (float z : {0.1f, 2.9f}) {
      HostScene scene = room_scene(true);
      for (float other_x : {0.1f, 3.9f})
        for (float other_z : {0.1f, 2.9f})
          if (other_x != x || other_z != z)
            add_mesh(scene, make_box({other_x, 0, other_z}, {other_x + 1, 2.9f, other_z + 1}),
                     glm::mat4(1.0f), 0);
      frame_scene(scene);
      EXPECT_EQ(scene.camera.position.x < 2.5f, x < 2.5f);
      EXPECT_EQ(scene.camera.position.z < 2.0f, z < 2.0f);
    }
}

TEST(FrameScene, WallsThatFaceOutwardsAreSeenFromInsideIfTheyHoldALamp) {
  HostScene scene = room_scene(false);
  add_mesh(scene, make_box({2, 0, 1}, {3, 1, 2}), glm::mat4(1.0f), 0);
  frame_scene(scene);
  EXPECT_FALSE(is_inside(scene));  // a closed box
  add_mesh(scene, make_box({2, 2.2f, 1}, {3, 2.4f, 2}), glm::mat4(1.0f), 1);
  frame_scene(scene);
  EXPECT_TRUE(is_inside(scene));
}

TEST(FrameScene, AnEmptyBoxIsSeenFromOutside) {
  for (bool inward : {false, true}) {
    HostScene scene = room_scene(inward);
    frame_scene(scene);
    EXPECT_FALSE(is_inside(scene));
  }
}

TEST(LightScene, HangsALampInADarkRoomAndSaysSo) {
  HostScene scene = room_scene(true);
  add_mesh(scene, make_box({2, 0, 1}, {3, 1, 2}), glm::mat4(1.0f), 0);
  HostScene lit = scene;
  light_scene(scene);
  ASSERT_EQ(scene.delta_lights.size(), 1u);
  EXPECT_LT(scene.delta_lights[0].position.y, 3.0f);
  EXPECT_EQ(scene.warnings.size(), 1u);

  add_mesh(lit, make_box({2, 2.2f, 1}, {3, 2.4f, 2}), glm::mat4(1.0f), 1);
  light_scene(lit);
  EXPECT_TRUE(lit.delta_lights.empty());
  EXPECT_TRUE(lit.warnings.empty());
}

}  // namespace
}  // namespace winnow
