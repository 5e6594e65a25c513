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
    const Ray ray = random.ray();
    const glm::vec3 center = random.point(1.0f);
    const float radius = random.uniform(0.05f, 1.0f);
    const double expected = reference(ray, center, radius);
    const float t = intersect_sphere(ray, center, radius);
    ASSERT_NEAR(t, expected, 1e-4 * expected);
    hits += t > 0.0f;
  }
  EXPECT_GT(hits, 1000);
}

/// Counts the rays for which both forms of intersect_sphere() do not agree with double precision.
class SphereErrors {
 public:
  void test(const Ray& ray, glm::vec3 center, float radius) {
    const double expected = reference(ray, center, radius);
    const ShearedRay sheared(ray);
    const float t = intersect_sphere(sheared, sheared.permuted(center), radius, [&] {
      return sheared.shear_error(sheared.permuted(ray.direction));
    });
    wrong_ += differs(intersect_sphere(ray, center, radius), expected);
    wrong_ += differs(t > 0.0f ? t : 0.0f, expected);
    hits_ += expected > 0.0;
  }
  int wrong() const { return wrong_; }
  int hits() const { return hits_; }

 private:
  static bool differs(float t, double expected) {
    return (t > 0.0f) != (expected > 0.0) || std::abs(t - expected) > 1e-4 * expected;
  }
  int wrong_ = 0, hits_ = 0;
};

TEST(IntersectSphere, DecidesAtTheOutline) {
  // Rays that pass the outline at 20 roundings of the distance: float alone is wrong for one in 80.
  constexpr int kRays = 100'000;
  RandomScene random(6);
  for (const float distance : {3.0f, 30.0f, 300.0f, 30'000.0f}) {
    SphereErrors errors;
    for (int i = 0; i < kRays; ++i) {
      const Ray ray{.origin = random.point(10.0f), .direction = random.direction()};
      const glm::vec3 aside = glm::normalize(glm::cross(ray.direction, random.direction()));
      const float off = 1.0f + distance * random.uniform(-1e-6f, 1e-6f);
      errors.test(ray, ray.origin + distance * ray.direction + off * aside, 1.0f);
    }
    EXPECT_LE(errors.wrong(), 1) << distance;
    EXPECT_NEAR(errors.hits(), kRays / 2, kRays / 50) << distance;
  }
}

TEST(IntersectSphere, DecidesForRaysThatStartAtIt) {
  RandomScene random(7);
  SphereErrors errors;
  for (int i = 0; i < 100'000; ++i) {
    const glm::vec3 center = random.point(10.0f);
    const float radius = std::exp2(random.uniform(-4.0f, 4.0f));
    const float from_center = radius * (1.0f + random.uniform(-1e-6f, 1e-6f));
    errors.test(
        {.origin = center + from_center * random.direction(), .direction = random.direction()},
        center, radius);
  }
  EXPECT_EQ(errors.wrong(), 0);
  EXPECT_GT(errors.hits(), 50'000);
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
