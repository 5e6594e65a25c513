// SPDX-License-Identifier: MIT
#include "bvh/sphere.h"

#include <gtest/gtest.h>

#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

/// The quadratic formula in double precision; 0 for a miss.
double reference(const Ray& ray, glm::dvec3 center, double radius) {
  glm::dvec3 d(ray.direction), f = glm::dvec3(ray.origin) - center;
  double a = glm::dot(d, d), b = glm::dot(f, d), c = glm::dot(f, f) - radius * radius;
  double discriminant = b * b - a * c;
  if (discriminant < 0) return 0;
  double t0 = (-b - std::sqrt(discriminant)) / a, t1 = (-b + std::sqrt(discriminant)) / a;
  double t = t0 > 0 ? t0 : t1;
  return t > 0 && t < ray.t_max ? t : 0;
}

TEST(IntersectSphere, AgreesWithDoublePrecision) {
  RandomScene random(5);
  int hits = 0;
  for (int i = 0; i < 20'000; ++i) {
    Ray ray = random.ray();
    glm::vec3 center = random.point(1.0f);
    float radius = random.uniform(0.05f, 1.0f);
    double expected = reference(ray, center, radius);
    // Rounding can turn a grazing hit into a miss: skip these rays.
    glm::dvec3 f = glm::dvec3(ray.origin) - glm::dvec3(center);
    glm::dvec3 closest = f - glm::dot(f, glm::dvec3(ray.direction)) * glm::dvec3(ray.direction);
    if (std::abs(glm::length(closest) - radius) < 1e-4) continue;
    float t = intersect_sphere(ray, center, radius);
    ASSERT_NEAR(t, expected, 1e-4);
    hits += t > 0.0f;
  }
  EXPECT_GT(hits, 1000);
}

TEST(IntersectSphere, StaysAccurateFarAway) {
  // A sphere of 1 m seen from 10 km: its depth is a thousandth of the rounding error of b^2 - c.
  Ray ray{.origin = {0, 0, 10'000.0f}, .direction = {0, 0, -1}};
  EXPECT_FLOAT_EQ(intersect_sphere(ray, {0.6f, 0, 0}, 1.0f), 10'000.0f - 0.8f);
  EXPECT_EQ(intersect_sphere(ray, {1.001f, 0, 0}, 1.0f), 0.0f);
}

TEST(IntersectSphere, IsLeftFromInside) {
  Ray ray{.origin = {0.5f, 0, 0}, .direction = {1, 0, 0}};
  EXPECT_FLOAT_EQ(intersect_sphere(ray, {0, 0, 0}, 2.0f), 1.5f);
  ray.t_max = 1.0f;
  EXPECT_EQ(intersect_sphere(ray, {0, 0, 0}, 2.0f), 0.0f);
}

}  // namespace
}  // namespace winnow
