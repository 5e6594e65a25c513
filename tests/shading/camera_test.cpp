// SPDX-License-Identifier: MIT
#include "shading/camera.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "math/sampler.h"
#include "tests/scene/support/placed_at.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

constexpr uint32_t kCameraWidth = 200, kCameraHeight = 100;

CameraDescription along_x() {
  return {.position = {1.0f, 2.0f, 3.0f},
          .look_at = {5.0f, 2.0f, 3.0f},
          .up = {0.0f, 0.0f, 1.0f},
          .vertical_fov = 90.0f};
}

void expect_ray(const Camera& camera, glm::vec2 film, glm::vec3 origin, glm::vec3 direction) {
  const CameraRay ray = generate_camera_ray(camera, film, {0.3f, 0.9f});
  expect_near(ray.origin, origin, 1e-6f);
  expect_near(ray.direction, glm::normalize(direction), 1e-6f);
}

// Right of +x with z up is -y. At 90 degrees the film is 2 high and 4 wide, one metre ahead.
TEST(Camera, MiddleOfTheFilmLooksAtTheTargetAndCornersSpanTheFieldOfView) {
  const Camera camera = make_camera(along_x(), kCameraWidth, kCameraHeight);
  const glm::vec3 position{1.0f, 2.0f, 3.0f};
  expect_ray(camera, {100.0f, 50.0f}, position, {1.0f, 0.0f, 0.0f});
  expect_ray(camera, {0.0f, 0.0f}, position, {1.0f, 2.0f, 1.0f});
  expect_ray(camera, {200.0f, 0.0f}, position, {1.0f, -2.0f, 1.0f});
  expect_ray(camera, {0.0f, 100.0f}, position, {1.0f, 2.0f, -1.0f});
  expect_ray(camera, {200.0f, 100.0f}, position, {1.0f, -2.0f, -1.0f});
}

// 3 m high, so 6 m wide.
TEST(Camera, OrthographicRaysAreParallelAndSpanTheViewHeight) {
  CameraDescription description = along_x();
  description.projection = Projection::kOrthographic;
  description.view_height = 3.0f;
  const Camera camera = make_camera(description, kCameraWidth, kCameraHeight);
  const glm::vec3 ahead{1.0f, 0.0f, 0.0f};
  expect_ray(camera, {100.0f, 50.0f}, {1.0f, 2.0f, 3.0f}, ahead);
  expect_ray(camera, {0.0f, 0.0f}, {1.0f, 5.0f, 4.5f}, ahead);
  expect_ray(camera, {200.0f, 0.0f}, {1.0f, -1.0f, 4.5f}, ahead);
  expect_ray(camera, {200.0f, 100.0f}, {1.0f, -1.0f, 1.5f}, ahead);
}

// A quarter of 4 m to the right (-y), half of 2 m up.
TEST(Camera, ShiftMovesTheViewAndKeepsThePerspective) {
  CameraDescription description = along_x();
  description.shift = {0.25f, 0.5f};
  const glm::vec3 position{1.0f, 2.0f, 3.0f};
  const Camera camera = make_camera(description, kCameraWidth, kCameraHeight);
  expect_ray(camera, {100.0f, 50.0f}, position, {1.0f, -1.0f, 1.0f});
  expect_ray(camera, {50.0f, 100.0f}, position, {1.0f, 0.0f, 0.0f});

  description.projection = Projection::kOrthographic;
  description.view_height = 3.0f;
  const Camera flat = make_camera(description, kCameraWidth, kCameraHeight);
  expect_ray(flat, {100.0f, 50.0f}, {1.0f, 0.5f, 4.5f}, {1.0f, 0.0f, 0.0f});
}

// At 45 degrees from the axis, planes are farther by the root of 2.
TEST(Camera, ClippingPlanesArePerpendicularToTheAxis) {
  CameraDescription description = along_x();
  description.near_clip = 2.0f;
  description.far_clip = 5.0f;
  for (const auto& [film, factor] : {std::pair(glm::vec2(100.0f, 50.0f), 1.0f),
                                     std::pair(glm::vec2(100.0f, 0.0f), std::sqrt(2.0f))}) {
    const Camera camera = make_camera(description, kCameraWidth, kCameraHeight);
    const CameraRay ray = generate_camera_ray(camera, film, {0.3f, 0.9f});
    EXPECT_NEAR(ray.from_lens, 2.0f * factor, 1e-6f);
    expect_near(ray.origin, description.position + ray.from_lens * ray.direction, 1e-6f);
    EXPECT_NEAR(far_distance(camera, ray.direction), 3.0f * factor, 1e-5f);
  }
}

TEST(Camera, LookingAlongUpStillGivesAPicture) {
  CameraDescription description = along_x();
  description.up = {1.0f, 0.0f, 0.0f};
  Camera camera = make_camera(description, kCameraWidth, kCameraHeight);
  expect_ray(camera, {100.0f, 50.0f}, description.position, {1.0f, 0.0f, 0.0f});
  EXPECT_NEAR(glm::length(camera.right), 1.0f, 1e-6f);
  EXPECT_NEAR(glm::length(camera.up), 1.0f, 1e-6f);
}

TEST(Camera, LengthOfUpDoesNotMatter) {
  CameraDescription description = along_x();
  description.up = {0.5f, 0.0f, 1e-3f};
  Camera camera = make_camera(description, kCameraWidth, kCameraHeight);
  expect_near(camera.up, {0.0f, 0.0f, 1.0f}, 1e-4f);
}

/// Intersection of the ray with the plane across the view axis at `distance`.
glm::vec3 at_distance(const CameraRay& ray, float distance) {
  float t = (1.0f + distance - ray.origin.x) / ray.direction.x;
  return ray.origin + t * ray.direction;
}

TEST(Camera, LensFocusesAtTheFocusDistance) {
  for (Projection projection : {Projection::kPerspective, Projection::kOrthographic})
    for (uint32_t blades : {0u, 5u})
      for (float focus : {0.0f, 2.5f}) {
        CameraDescription description = along_x();
        description.projection = projection;
        description.view_height = 3.0f;
        const Camera pinhole = make_camera(description, kCameraWidth, kCameraHeight);
        description.lens_radius = 0.25f;
        description.focus_distance = focus;
        description.blades = blades;
        description.blade_rotation = 10.0f;
        const Camera lens = make_camera(description, kCameraWidth, kCameraHeight);
        const float distance = focus == 0.0f ? 4.0f : focus;  // 0: the target, 4 m away
        for (glm::vec2 film : {glm::vec2{100.0f, 50.0f}, glm::vec2{10.0f, 80.0f}})
          for (glm::vec2 u : {glm::vec2{0.0f, 0.3f}, glm::vec2{0.9f, 0.6f}, {0.4f, 0.99f}}) {
            const CameraRay ray = generate_camera_ray(lens, film, u);
            const CameraRay through_middle = generate_camera_ray(pinhole, film, u);
            const float offset = glm::length(ray.origin - through_middle.origin);
            EXPECT_NEAR(glm::length(ray.direction), 1.0f, 1e-6f);
            EXPECT_GT(offset, 0.01f);
            EXPECT_LE(offset, 0.2501f);
            EXPECT_NEAR(ray.origin.x, 1.0f, 1e-6f);  // in the plane of the lens
            expect_near(at_distance(ray, distance), at_distance(through_middle, distance), 1e-5f);
          }
      }
}

/// Offsets from the middle of the lens, in m right and up, of many rays.
std::vector<glm::vec2> lens_points(CameraDescription description) {
  description.lens_radius = 0.25f;
  const Camera camera = make_camera(description, kCameraWidth, kCameraHeight);
  std::vector<glm::vec2> points;
  for (uint32_t i = 0; i < 50'000; ++i) {
    const glm::vec4 u = Sampler{.sample = i}.sample4(0);
    const glm::vec3 start = generate_camera_ray(camera, {50.0f, 20.0f}, {u.x, u.y}).origin;
    points.emplace_back(description.position.y - start.y, start.z - description.position.z);
  }
  return points;
}

/// Largest extent of the points in the direction at `degrees`, counter-clockwise from the right.
float lens_reach(const std::vector<glm::vec2>& points, float degrees) {
  const float angle = degrees * kRadians;
  float farthest = 0.0f;
  for (glm::vec2 p : points)
    farthest = std::max(farthest, p.x * std::cos(angle) + p.y * std::sin(angle));
  return farthest;
}

TEST(Camera, BladesMakeAPolygonWithACornerUpOrWhereItIsTurned) {
  constexpr float kRadius = 0.25f, kTolerance = 0.03f * kRadius;  // no sample is in the corner
  for (uint32_t blades : {3u, 5u, 6u, 8u})
    for (float rotation : {0.0f, 20.0f, -75.0f}) {
      CameraDescription description = along_x();
      description.blades = blades;
      description.blade_rotation = rotation;
      const std::vector<glm::vec2> points = lens_points(description);
      const float step = 360.0f / float(blades);
      for (uint32_t k = 0; k < blades; ++k) {
        const float corner = 90.0f + rotation + float(k) * step;
        EXPECT_NEAR(lens_reach(points, corner), kRadius, kTolerance) << blades << ", " << rotation;
        const float side = kRadius * std::cos(0.5f * step * kRadians);
        EXPECT_NEAR(lens_reach(points, corner + 0.5f * step), side, kTolerance)
            << blades << ", " << rotation;
      }
    }
}

TEST(Camera, WithoutBladesTheLensIsADiskThatRotationLeavesAlone) {
  CameraDescription description = along_x();
  const std::vector<glm::vec2> points = lens_points(description);
  for (float angle = 0.0f; angle < 360.0f; angle += 15.0f)
    EXPECT_NEAR(lens_reach(points, angle), 0.25f, 0.005f) << angle;
  description.blade_rotation = 20.0f;
  EXPECT_EQ(lens_points(description), points);
}

/// A moving camera casts the rays that the camera would cast at rest, at each of its places.
TEST(MovingCamera, CastsTheRaysOfACameraAtItsPlace) {
  CameraDescription description = along_x();
  description.shift = {0.1f, -0.2f};
  description.near_clip = 0.5f;
  for (const bool is_flat : {false, true})
    for (const float lens_radius : {0.0f, 0.3f}) {
      description.lens_radius = lens_radius;
      description.projection = is_flat ? Projection::kOrthographic : Projection::kPerspective;
      CameraDescription turned = description;
      turned.position = {3.0f, 0.0f, 1.0f};
      turned.look_at = turned.position + glm::vec3(0.0f, 2.0f, 1.0f);
      const auto steps = shutter_steps(std::vector{description, turned});
      set_motion(description, steps);
      const Camera moving =
          make_camera(description, kCameraWidth, kCameraHeight, [](const auto& items) {
            return simt::Span<const CameraPose>{items.data(), items.size()};
          });
      for (const size_t step : {0u, 100u, 255u}) {
        CameraDescription resting = placed_at(description.motion[step], description);
        resting.focus_distance = moving.focus_distance;
        const Camera camera = make_camera(resting, kCameraWidth, kCameraHeight);
        const glm::vec2 film{30.25f, 70.5f}, lens{0.2f, 0.7f};
        const CameraRay expected = generate_camera_ray(camera, film, lens);
        const CameraRay ray = moved_ray(moving, generate_camera_ray(moving, film, lens),
                                        float(step) / float(steps.size() - 1));
        expect_near(ray.origin, expected.origin, 1e-5f);
        expect_near(ray.direction, expected.direction, 1e-5f);
        EXPECT_NEAR(ray.from_lens, expected.from_lens, 1e-5f);
      }
    }
}

TEST(MovingCamera, MovesEvenlyBetweenItsPlaces) {
  CameraDescription description = along_x();
  std::vector<CameraDescription> places(2, description);
  places[1].position.y += 4.0f;
  places[1].look_at.y += 4.0f;
  set_motion(description, places);
  Camera camera = make_camera(description, kCameraWidth, kCameraHeight);
  camera.poses = {description.motion.data(), description.motion.size()};
  const CameraRay ray = generate_camera_ray(camera, {10, 20}, {});
  for (const float moment : {0.0f, 0.25f, 0.75f, 0x1.fffffep-1f}) {
    const CameraRay moved = moved_ray(camera, ray, moment);
    expect_near(moved.origin, ray.origin + glm::vec3(0.0f, 4.0f * moment, 0.0f), 1e-5f);
    expect_near(moved.direction, ray.direction, 1e-6f);
  }
}

}  // namespace
}  // namespace winnow
