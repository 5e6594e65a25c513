// SPDX-License-Identifier: MIT
#include "shading/camera.h"

#include <gtest/gtest.h>

#include <vector>

#include "math/sampler.h"

namespace winnow {
namespace {

constexpr uint32_t kWidth = 200, kHeight = 100;

CameraDescription along_x() {
  return {.position = {1.0f, 2.0f, 3.0f},
          .look_at = {5.0f, 2.0f, 3.0f},
          .up = {0.0f, 0.0f, 1.0f},
          .vertical_fov = 90.0f};
}

void expect_near(glm::vec3 value, glm::vec3 expected, float tolerance = 1e-6f) {
  EXPECT_LT(glm::length(value - expected), tolerance)
      << value.x << " " << value.y << " " << value.z << " instead of " << expected.x << " "
      << expected.y << " " << expected.z;
}

TEST(Camera, MiddleOfTheFilmLooksAtTheTarget) {
  CameraRay ray = generate_camera_ray(make_camera(along_x(), kWidth, kHeight), {100.0f, 50.0f}, {});
  expect_near(ray.origin, {1.0f, 2.0f, 3.0f});
  expect_near(ray.direction, {1.0f, 0.0f, 0.0f});
}

// Right of +x with z up is -y. At 90 degrees the film is 2 high and 4 wide, one metre ahead.
TEST(Camera, CornersSpanTheFieldOfView) {
  Camera camera = make_camera(along_x(), kWidth, kHeight);
  auto direction = [&](float x, float y) {
    return generate_camera_ray(camera, {x, y}, {}).direction;
  };
  expect_near(direction(0.0f, 0.0f), glm::normalize(glm::vec3(1.0f, 2.0f, 1.0f)));
  expect_near(direction(200.0f, 0.0f), glm::normalize(glm::vec3(1.0f, -2.0f, 1.0f)));
  expect_near(direction(0.0f, 100.0f), glm::normalize(glm::vec3(1.0f, 2.0f, -1.0f)));
  expect_near(direction(200.0f, 100.0f), glm::normalize(glm::vec3(1.0f, -2.0f, -1.0f)));
}

TEST(Camera, LookingAlongUpStillGivesAPicture) {
  CameraDescription description = along_x();
  description.up = {1.0f, 0.0f, 0.0f};
  Camera camera = make_camera(description, kWidth, kHeight);
  expect_near(generate_camera_ray(camera, {100.0f, 50.0f}, {}).direction, {1.0f, 0.0f, 0.0f});
  EXPECT_NEAR(glm::length(camera.right), 1.0f, 1e-6f);
  EXPECT_NEAR(glm::length(camera.up), 1.0f, 1e-6f);
}

TEST(Camera, LengthOfUpDoesNotMatter) {
  CameraDescription description = along_x();
  description.up = {0.5f, 0.0f, 1e-3f};
  Camera camera = make_camera(description, kWidth, kHeight);
  expect_near(camera.up, {0.0f, 0.0f, 1.0f}, 1e-4f);
}

/// Intersection of the ray with the plane across the view axis at `distance`.
glm::vec3 at_distance(const CameraRay& ray, float distance) {
  float t = (1.0f + distance - ray.origin.x) / ray.direction.x;
  return ray.origin + t * ray.direction;
}

TEST(Camera, ThinLensFocusesAtTheFocusDistance) {
  CameraDescription description = along_x();
  Camera pinhole = make_camera(description, kWidth, kHeight);
  description.lens_radius = 0.25f;
  for (float focus : {0.0f, 2.5f}) {
    description.focus_distance = focus;
    Camera lens = make_camera(description, kWidth, kHeight);
    float distance = focus == 0.0f ? 4.0f : focus;  // 0: the target, 4 m away
    for (glm::vec2 film : {glm::vec2{100.0f, 50.0f}, glm::vec2{10.0f, 80.0f}})
      for (glm::vec2 u : {glm::vec2{0.0f, 0.3f}, glm::vec2{0.9f, 0.6f}}) {
        CameraRay ray = generate_camera_ray(lens, film, u);
        EXPECT_NEAR(glm::length(ray.direction), 1.0f, 1e-6f);
        EXPECT_GT(glm::length(ray.origin - description.position), 0.01f);
        EXPECT_LE(glm::length(ray.origin - description.position), 0.2501f);
        EXPECT_NEAR(ray.origin.x, 1.0f, 1e-6f);  // in the plane of the lens
        expect_near(at_distance(ray, distance),
                    at_distance(generate_camera_ray(pinhole, film, u), distance), 1e-5f);
      }
  }
}

/// Offsets from the middle of the lens, in m right and up, of many rays.
std::vector<glm::vec2> lens_points(CameraDescription description) {
  description.lens_radius = 0.25f;
  const Camera camera = make_camera(description, kWidth, kHeight);
  std::vector<glm::vec2> points;
  for (uint32_t i = 0; i < 50'000; ++i) {
    const glm::vec4 u = Sampler{.sample = i}.sample4(0);
    const glm::vec3 start = generate_camera_ray(camera, {50.0f, 20.0f}, {u.x, u.y}).origin;
    points.emplace_back(description.position.y - start.y, start.z - description.position.z);
  }
  return points;
}

/// How far the points reach in the direction at `degrees`, counter-clockwise from the right.
float reach(const std::vector<glm::vec2>& points, float degrees) {
  const float angle = degrees * kRadians;
  float reach = 0.0f;
  for (glm::vec2 p : points) reach = std::max(reach, p.x * std::cos(angle) + p.y * std::sin(angle));
  return reach;
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
        EXPECT_NEAR(reach(points, corner), kRadius, kTolerance) << blades << ", " << rotation;
        const float side = kRadius * std::cos(0.5f * step * kRadians);
        EXPECT_NEAR(reach(points, corner + 0.5f * step), side, kTolerance)
            << blades << ", " << rotation;
      }
    }
}

TEST(Camera, WithoutBladesTheLensIsADiskThatRotationLeavesAlone) {
  CameraDescription description = along_x();
  const std::vector<glm::vec2> points = lens_points(description);
  for (float angle = 0.0f; angle < 360.0f; angle += 15.0f)
    EXPECT_NEAR(reach(points, angle), 0.25f, 0.005f) << angle;
  description.blade_rotation = 20.0f;
  EXPECT_EQ(lens_points(description), points);
}

TEST(Camera, BladesKeepTheFocus) {
  CameraDescription description = along_x();
  const Camera pinhole = make_camera(description, kWidth, kHeight);
  description.lens_radius = 0.25f;
  description.blades = 5;
  description.blade_rotation = 10.0f;
  const Camera lens = make_camera(description, kWidth, kHeight);
  const glm::vec2 film(10.0f, 80.0f);
  for (glm::vec2 u : {glm::vec2{0.0f, 0.3f}, glm::vec2{0.9f, 0.6f}, glm::vec2{0.4f, 0.99f}})
    expect_near(at_distance(generate_camera_ray(lens, film, u), 4.0f),
                at_distance(generate_camera_ray(pinhole, film, {}), 4.0f), 1e-5f);
}

// 3 m high, so 6 m wide; right of +x with z up is -y.
TEST(Camera, OrthographicRaysAreParallelAndSpanTheViewHeight) {
  CameraDescription description = along_x();
  description.projection = Projection::kOrthographic;
  description.view_height = 3.0f;
  const Camera camera = make_camera(description, kWidth, kHeight);
  auto expect_start = [&](glm::vec2 film, glm::vec3 start) {
    const CameraRay ray = generate_camera_ray(camera, film, {0.3f, 0.9f});
    expect_near(ray.origin, start);
    expect_near(ray.direction, {1.0f, 0.0f, 0.0f});
  };
  expect_start({100.0f, 50.0f}, {1.0f, 2.0f, 3.0f});
  expect_start({0.0f, 0.0f}, {1.0f, 5.0f, 4.5f});
  expect_start({200.0f, 0.0f}, {1.0f, -1.0f, 4.5f});
  expect_start({200.0f, 100.0f}, {1.0f, -1.0f, 1.5f});
}

TEST(Camera, AnOrthographicLensFocusesAtTheFocusDistance) {
  CameraDescription description = along_x();
  description.projection = Projection::kOrthographic;
  description.view_height = 3.0f;
  const Camera parallel = make_camera(description, kWidth, kHeight);
  description.lens_radius = 0.25f;
  description.focus_distance = 2.5f;
  const Camera lens = make_camera(description, kWidth, kHeight);
  for (glm::vec2 film : {glm::vec2{100.0f, 50.0f}, glm::vec2{10.0f, 80.0f}})
    for (glm::vec2 u : {glm::vec2{0.0f, 0.3f}, glm::vec2{0.9f, 0.6f}}) {
      const CameraRay ray = generate_camera_ray(lens, film, u);
      const CameraRay straight = generate_camera_ray(parallel, film, u);
      EXPECT_NEAR(glm::length(ray.direction), 1.0f, 1e-6f);
      EXPECT_GT(glm::length(ray.origin - straight.origin), 0.01f);
      EXPECT_LE(glm::length(ray.origin - straight.origin), 0.2501f);
      expect_near(at_distance(ray, 2.5f), at_distance(straight, 2.5f), 1e-5f);
    }
}

}  // namespace
}  // namespace winnow
