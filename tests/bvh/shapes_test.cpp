// SPDX-License-Identifier: MIT
#include "bvh/shapes.h"

#include <gtest/gtest.h>

#include "tests/bvh/support/random_scene.h"
#include "tests/bvh/support/test_every_primitive.h"

namespace winnow {
namespace {

bool hits(const Ray& ray, glm::vec3 p0, glm::vec3 p1, glm::vec3 p2, Hit& hit) {
  const ShearedRay sheared(ray);
  const TriangleIntersection intersection(sheared, permuted_triangle(sheared, p0, p1, p2));
  if (!intersection.exists()) return false;
  EXPECT_NEAR(intersection.distance(sheared), intersection.plane_distance(sheared).t, 1e-4f);
  hit = {.t = intersection.plane_distance(sheared).t,
         .u = intersection.weights().x,
         .v = intersection.weights().y};
  return true;
}

TEST(ShearedRay, ReconstructsItsDirection) {
  RandomScene random(3);
  for (int i = 0; i < 1000; ++i) {
    const Ray ray = random.ray();
    const ShearedRay sheared(ray);
    const glm::vec3 expected(ray.direction[sheared.x_axis], ray.direction[sheared.y_axis],
                             ray.direction[sheared.z_axis]);
    EXPECT_LT(glm::distance(sheared.direction(), expected), 4e-7f);  // 3 roundings
  }
}

TEST(IntersectTriangle, GivesDistanceAndBarycentricWeights) {
  Ray ray{.origin = {0.25f, 0.5f, 3.0f}, .direction = {0, 0, -1}};
  Hit hit;
  ASSERT_TRUE(hits(ray, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, hit));
  EXPECT_FLOAT_EQ(hit.t, 2.0f);
  EXPECT_FLOAT_EQ(hit.u, 0.25f);  // second vertex
  EXPECT_FLOAT_EQ(hit.v, 0.5f);   // third vertex
}

TEST(IntersectTriangle, IsHitFromBothSidesAndAlongEveryAxis) {
  for (int axis = 0; axis < 3; ++axis)
    for (float side : {-1.0f, 1.0f}) {
      glm::vec3 p0(0.0f), p1(0.0f), p2(0.0f), origin(0.2f), direction(0.0f);
      p1[(axis + 1) % 3] = 1.0f;
      p2[(axis + 2) % 3] = 1.0f;
      origin[axis] = side;
      direction[axis] = -side;
      Hit hit;
      EXPECT_TRUE(hits({origin, direction}, p0, p1, p2, hit));
      EXPECT_FLOAT_EQ(hit.t, 1.0f);
    }
}

TEST(IntersectTriangle, MissesBesideAndGivesSignedDistances) {
  glm::vec3 p0(0, 0, 0), p1(1, 0, 0), p2(0, 1, 0);
  Hit hit;
  Ray away{.origin = {0.2f, 0.2f, 1.0f}, .direction = {0, 0, 1}};
  Ray beside{.origin = {0.6f, 0.6f, 1.0f}, .direction = {0, 0, -1}};
  Ray toward{.origin = {0.2f, 0.2f, 1.0f}, .direction = {0, 0, -1}};
  EXPECT_FALSE(hits(beside, p0, p1, p2, hit));
  EXPECT_TRUE(hits(toward, p0, p1, p2, hit));
  EXPECT_FLOAT_EQ(hit.t, 1.0f);
  // The caller checks whether a hit is within the range of the ray.
  EXPECT_TRUE(hits(away, p0, p1, p2, hit));
  EXPECT_FLOAT_EQ(hit.t, -1.0f);
}

TEST(IntersectTriangle, LetsNoRaySlipThroughASharedEdgeOrVertex) {
  // A fan around one vertex, with rays towards its spokes, its center and points in between.
  RandomScene random(7);
  constexpr int kSpokes = 7;
  for (int fan = 0; fan < 500; ++fan) {
    glm::vec3 center = random.point(1.0f);
    std::vector<glm::vec3> rim;
    for (int i = 0; i < kSpokes; ++i) {
      float angle = 6.2831853f * float(i) / kSpokes;
      rim.push_back(center +
                    glm::vec3(std::cos(angle), std::sin(angle), random.uniform(-0.3f, 0.3f)));
    }
    for (int i = 0; i < 4 * kSpokes; ++i) {
      float along = i % 4 == 0 ? 0.0f : random.uniform(0.0f, 0.9f);
      glm::vec3 target = center + along * (rim[i % kSpokes] - center);
      glm::vec3 origin = target + glm::vec3(random.uniform(-1, 1), random.uniform(-1, 1), 5.0f);
      const Ray ray{.origin = origin, .direction = glm::normalize(target - origin)};
      bool any = false;
      for (int k = 0; k < kSpokes; ++k) {
        Hit hit;
        any |= hits(ray, center, rim[k], rim[(k + 1) % kSpokes], hit);
      }
      ASSERT_TRUE(any);
    }
  }
}

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
