#include "shading/camera.h"

#include <gtest/gtest.h>

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

/// Where the ray meets the plane across the view axis at `distance`.
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

}  // namespace
}  // namespace winnow
