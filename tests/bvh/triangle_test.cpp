// SPDX-License-Identifier: MIT
#include "bvh/triangle.h"

#include <gtest/gtest.h>

#include "tests/bvh/support/permuted_triangle.h"
#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

bool hits(const Ray& ray, glm::vec3 p0, glm::vec3 p1, glm::vec3 p2, Hit& hit) {
  const ShearedRay sheared(ray);
  const TriangleIntersection intersection(sheared, permuted_triangle(sheared, p0, p1, p2));
  if (!intersection.exists()) return false;
  EXPECT_NEAR(intersection.distance(sheared), intersection.plane_distance(sheared), 1e-4f);
  hit = {.t = intersection.plane_distance(sheared),
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

}  // namespace
}  // namespace winnow
