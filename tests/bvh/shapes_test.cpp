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

/// Returns the distance to a sphere, m; 0 for a miss. Long doubles hold products of three floats
/// without rounding.
double reference(const Ray& ray, glm::vec3 center, float radius) {
  using Vector = glm::vec<3, long double>;
  const Vector d(ray.direction), f = Vector(ray.origin) - Vector(center), m = glm::cross(f, d);
  const long double a = glm::dot(d, d), b = glm::dot(f, d), r2 = (long double)radius * radius;
  const long double discriminant = r2 * a - glm::dot(m, m);
  if (discriminant < 0) return 0;
  const long double far = -b - std::copysign(std::sqrt(discriminant), b);
  const long double first = far / a, second = (glm::dot(f, f) - r2) / far;
  const auto near = double(std::min(first, second));
  const double t = near > 0 ? near : double(std::max(first, second));
  return t > 0 && t < ray.t_max ? t : 0;
}

/// The distance as the traversal computes it from a sheared ray; 0 for a miss.
float traversal_distance(const Ray& ray, glm::vec3 center, float radius) {
  const ShearedRay sheared(ray);
  const float t =
      distance_to_sphere({sheared.origin, sheared.direction()}, sheared.permuted(center), radius,
                         [&] { return sheared.permuted(ray.direction); });
  return t > 0.0f && t < ray.t_max ? t : 0.0f;
}

/// Counts the rays whose distances are not the true ones up to 10^-4.
class SphereErrors {
 public:
  void test(const Ray& ray, glm::vec3 center, float radius) {
    const double expected = reference(ray, center, radius);
    wrong_ += differs(intersect_sphere(ray, center, radius), expected);
    wrong_ += differs(traversal_distance(ray, center, radius), expected);
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

constexpr int kSphereRays = 100'000;

TEST(IntersectSphere, AgreesWithHigherPrecision) {
  RandomScene random(5);
  SphereErrors errors;
  for (int i = 0; i < kSphereRays; ++i)
    errors.test(random.ray(), random.point(1.0f), random.uniform(0.05f, 1.0f));
  EXPECT_EQ(errors.wrong(), 0);
  EXPECT_GT(errors.hits(), kSphereRays / 20);
}

TEST(IntersectSphere, DecidesAtTheOutline) {
  RandomScene random(6);
  for (const float distance : {0.3f, 3.0f, 30.0f, 300.0f, 30'000.0f}) {
    SphereErrors errors;
    for (int i = 0; i < kSphereRays; ++i) {
      const Ray ray{.origin = random.point(10.0f), .direction = random.direction()};
      const glm::vec3 aside = glm::normalize(glm::cross(ray.direction, random.direction()));
      const float off = 1.0f + (10.0f + distance) * random.uniform(-1e-6f, 1e-6f);
      errors.test(ray, ray.origin + distance * ray.direction + off * aside, 1.0f);
    }
    EXPECT_EQ(errors.wrong(), 0) << distance;
    EXPECT_NEAR(errors.hits(), kSphereRays / 2, kSphereRays / 50) << distance;
  }
}

TEST(IntersectSphere, FindsTinySpheresFarAway) {
  // The rounding of the direction is as long as the radius.
  RandomScene random(8);
  SphereErrors errors;
  for (int i = 0; i < kSphereRays; ++i) {
    const Ray ray{.origin = random.point(10.0f), .direction = random.direction()};
    const float distance = random.uniform(900.0f, 1100.0f);
    errors.test(ray, ray.origin + distance * ray.direction + random.point(2e-4f), 1e-4f);
  }
  EXPECT_EQ(errors.wrong(), 0);
  EXPECT_GT(errors.hits(), kSphereRays / 10);
}

TEST(IntersectSphere, DecidesForRaysThatStartAtIt) {
  RandomScene random(7);
  for (const float roundings : {1.0f, 10.0f, 100.0f, 1e4f, 1e6f}) {
    SphereErrors errors;
    for (int i = 0; i < kSphereRays; ++i) {
      const glm::vec3 center = random.point(10.0f);
      const float radius = std::exp2(random.uniform(-4.0f, 4.0f));
      const float from_center = radius * (1.0f + roundings * random.uniform(-kHalfUlp, kHalfUlp));
      errors.test(
          {.origin = center + from_center * random.direction(), .direction = random.direction()},
          center, radius);
    }
    EXPECT_EQ(errors.wrong(), 0) << roundings;
    EXPECT_GT(errors.hits(), kSphereRays / 2) << roundings;
  }
}

TEST(IntersectSphere, IsRightAtAPlanet) {
  // Rays from anywhere on the ground, and from 1 cm to 100 km above a place, most of them along the
  // ground.
  constexpr float kRadius = 6'371'000.0f;
  const glm::vec3 center(0.0f, -kRadius, 0.0f);
  RandomScene random(9);
  SphereErrors errors;
  for (int i = 0; i < kSphereRays; ++i) {
    glm::vec3 origin = center + kRadius * random.direction();
    if (i % 2) {
      origin = random.point(100.0f);
      const float below = (origin.x * origin.x + origin.z * origin.z) / (2.0f * kRadius);
      origin.y = std::exp2(random.uniform(-6.6f, 17.0f)) - below;
    }
    const glm::vec3 flat(1.0f, std::exp2(random.uniform(-20.0f, 0.0f)), 1.0f);
    errors.test({.origin = origin, .direction = glm::normalize(random.direction() * flat)}, center,
                kRadius);
  }
  EXPECT_EQ(errors.wrong(), 0);
  EXPECT_GT(errors.hits(), kSphereRays / 4);
}

TEST(IntersectSphere, RarelyNeedsDoublePrecision) {
  RandomScene random(10);
  int hits = 0, uncertain = 0;
  for (int i = 0; i < kSphereRays; ++i) {
    const Ray ray = random.ray();
    const SphereIntersection intersection(
        ray, ray.origin + 5.0f * ray.direction + random.point(1.0f), 1.0f);
    hits += intersection.exists();
    uncertain += intersection.may_exist() && intersection.is_uncertain();
  }
  EXPECT_GT(hits, kSphereRays / 2);
  EXPECT_LT(uncertain, hits / 1000);
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
