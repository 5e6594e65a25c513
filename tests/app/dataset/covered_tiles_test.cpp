// SPDX-License-Identifier: MIT
#include "app/dataset/covered_tiles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <random>

namespace winnow {
namespace {

constexpr Size kSize{200, 120};

DataCamera camera_at(const glm::dvec3& position) {
  DataCamera camera = centered_camera(kSize, 40.0);
  camera.position = position;
  look_at_origin(camera);
  camera.cx += 7.0, camera.cy -= 5.0, camera.fl_x *= 1.1;
  return camera;
}

/// Returns whether a ray hits a triangle: whether it passes its edges on the same side.
bool hits(const glm::dvec3& origin, const glm::dvec3& direction, const glm::dvec3 (&corners)[3]) {
  int left = 0, right = 0;
  for (int i = 0; i < 3; ++i) {
    const glm::dvec3 a = corners[i] - origin, b = corners[(i + 1) % 3] - origin;
    (glm::dot(direction, glm::cross(a, b)) > 0.0 ? left : right)++;
  }
  const glm::dvec3 n = glm::cross(corners[1] - corners[0], corners[2] - corners[0]);
  return (left == 0 || right == 0) &&
         glm::dot(corners[0] - origin, n) / glm::dot(direction, n) > 0.0;
}

/// Small triangles in a cube around the origin.
HostScene scattered_triangles(uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> within(-1.0f, 1.0f);
  auto point = [&] { return glm::vec3(within(random), within(random), within(random)); };
  HostScene scene;
  for (uint32_t i = 0; i < 8; ++i) {
    const glm::vec3 middle = point();
    for (int corner = 0; corner < 3; ++corner) scene.positions.push_back(middle + 0.3f * point());
    scene.triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
  }
  return scene;
}

TEST(CoveredTiles, HoldEachPixelWhoseRaysHitATriangle) {
  for (uint32_t seed = 0; seed < 4; ++seed) {
    HostScene scene = scattered_triangles(seed);
    scene.filter.radius = 1.5f;
    const Placement placement{.center = {0.1, -0.2, 0.3}, .scale = 0.7};
    const DataCamera camera = camera_at({1.0 + seed, 2.0, 2.5});
    const FilmTiles tiles = covered_tiles(scene, camera, placement, kSize);
    EXPECT_FALSE(tiles.is_whole());
    uint32_t hit_count = 0;
    for (uint32_t pixel = 0; pixel < kSize.width * kSize.height; ++pixel)
      for (const double offset : {-1.49, 0.0, 1.49}) {
        const glm::dvec2 at(pixel % kSize.width + 0.5 + offset, pixel / kSize.width + 0.5 - offset);
        const glm::dvec3 direction =
            camera.axes *
            glm::dvec3((at.x - camera.cx) / camera.fl_x, -(at.y - camera.cy) / camera.fl_y, -1.0);
        for (const glm::uvec3 triangle : scene.triangles) {
          glm::dvec3 corners[3];
          for (int i = 0; i < 3; ++i)
            corners[i] =
                (glm::dvec3(scene.positions[triangle[i]]) - placement.center) * placement.scale;
          if (!hits(camera.position, direction, corners)) continue;
          ++hit_count;
          ASSERT_TRUE(tiles.holds(pixel)) << "pixel " << pixel << " of scene " << seed;
        }
      }
    EXPECT_GT(hit_count, 100u);
  }
}

TEST(CoveredTiles, AreThoseAroundASphereOrAnInstance) {
  const DataCamera camera = camera_at({0.0, 0.0, 10.0});
  HostScene sphere;
  sphere.spheres.push_back({.center = {0.0f, 0.0f, 0.0f}, .radius = 0.4f, .material = 0});
  const FilmTiles around = covered_tiles(sphere, camera, {}, kSize);
  EXPECT_TRUE(around.holds(55 * kSize.width + 107)) << "the principal point";
  EXPECT_LE(around.tile_count(), 9u);

  HostScene instance;
  instance.shared.positions = {{-0.4f, -0.4f, 0.0f}, {0.4f, -0.4f, 0.0f}, {0.0f, 0.4f, 0.0f}};
  instance.shared.triangles = {{0, 1, 2}};
  instance.meshes.push_back({.first_triangle = 0, .triangle_count = 1});
  instance.instances.push_back({.mesh = 0});
  EXPECT_TRUE(covered_tiles(instance, camera, {}, kSize).holds(55 * kSize.width + 107));
  const glm::mat4 aside = glm::translate(glm::mat4(1.0f), {2.0f, 0.0f, 0.0f});
  instance.instances[0].to_world = glm::mat4x3(aside);
  EXPECT_FALSE(covered_tiles(instance, camera, {}, kSize).holds(55 * kSize.width + 107));
}

TEST(CoveredTiles, AreNoneIfTheCameraSeesNothing) {
  DataCamera camera = camera_at({0.0, 0.0, 10.0});
  camera.cx += 10'000.0;
  EXPECT_EQ(covered_tiles(scattered_triangles(1), camera, {}, kSize).tile_count(), 0u);
}

TEST(CoveredTiles, AreAllIfTheirNumberIsNotKnown) {
  HostScene scene = scattered_triangles(1);
  const DataCamera inside = camera_at({0.0, 0.0, 0.2});
  EXPECT_TRUE(covered_tiles(scene, inside, {}, kSize).is_whole()) << "some are behind the camera";

  const DataCamera camera = camera_at({0.0, 0.0, 10.0});
  EXPECT_FALSE(covered_tiles(scene, camera, {}, kSize).is_whole());
  const Placement far{.center = {1e6, 0.0, 0.0}, .scale = 1.0};
  for (glm::vec3& position : scene.positions) position.x += 1e6f;
  EXPECT_TRUE(covered_tiles(scene, camera, far, kSize).is_whole()) << "cameras are rounded";

  HostScene smoke = scattered_triangles(1);
  smoke.media.emplace_back();
  EXPECT_TRUE(covered_tiles(smoke, camera, {}, kSize).is_whole());
}

}  // namespace
}  // namespace winnow
