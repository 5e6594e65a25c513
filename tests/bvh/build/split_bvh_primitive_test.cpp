#include <gtest/gtest.h>

#include "bvh/build/bvh_splits.h"
#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

Bounds box_around(const glm::vec3 (&corners)[3]) {
  Bounds box;
  for (glm::vec3 corner : corners) box.extend(corner);
  return box;
}

bool contains(const Bounds& box, glm::dvec3 p) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(double(box.min[axis]) <= p[axis] && p[axis] <= double(box.max[axis]))) return false;
  return true;
}

bool contains(const Bounds& outer, const Bounds& inner) {
  return contains(outer, glm::dvec3(inner.min)) && contains(outer, glm::dvec3(inner.max));
}

TEST(SplitTriangle, CoversBothPartsAndIsTight) {
  RandomScene random(1);
  for (float scale : {1e-10f, 1.0f, 1e10f})
    for (int i = 0; i < 3000; ++i) {
      const glm::vec3 shift = float(i % 3) * 100.0f * scale * random.direction();
      const glm::vec3 p[3] = {scale * random.point(1) + shift, scale * random.point(1) + shift,
                              scale * random.point(1) + shift};
      const Bounds box = box_around(p);
      const int axis = i % 3;
      const float position = glm::mix(box.min[axis], box.max[axis], random.uniform(0, 1));
      const SplitBounds split = split_triangle(p[0], p[1], p[2], box, axis, position);
      EXPECT_TRUE(contains(box, split.below) && contains(box, split.above));
      EXPECT_LE(split.below.max[axis], position);
      EXPECT_GE(split.above.min[axis], position);
      for (int sample = 0; sample < 30; ++sample) {
        double u = random.uniform(0, 1), v = sample % 3 ? random.uniform(0, 1) : 0.0;
        if (u + v > 1) u = 1 - u, v = 1 - v;
        glm::dvec3 point =
            (1 - u - v) * glm::dvec3(p[0]) + u * glm::dvec3(p[1]) + v * glm::dvec3(p[2]);
        EXPECT_TRUE(contains(point[axis] < position ? split.below : split.above, point));
      }
      // Each face of both boxes is at a corner, or where an edge crosses the plane.
      for (int k = 0; k < 3; ++k) {
        const double room = 1e-6 * (std::abs(double(box.min[k])) + std::abs(double(box.max[k])));
        double lowest = INFINITY;  // of the part below
        for (int c = 0; c < 3; ++c) {
          const glm::dvec3 a(p[c]), b(p[(c + 1) % 3]);
          if (a[axis] <= position) lowest = std::min(lowest, a[k]);
          if ((a[axis] < position) != (b[axis] < position))
            lowest =
                std::min(lowest, a[k] + (position - a[axis]) / (b[axis] - a[axis]) * (b[k] - a[k]));
        }
        EXPECT_NEAR(split.below.min[k], lowest, room);
      }
    }
}

TEST(SplitTriangle, StaysInTheBoxOfAPartThatItHasNoPointsIn) {
  // The box is the corner of the triangle's box that the triangle does not reach.
  const Bounds box{{0.9f, 0.9f, 0.0f}, {1.0f, 1.0f, 0.0f}};
  const SplitBounds split = split_triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, box, 0, 0.95f);
  EXPECT_TRUE(contains(box, split.below) && contains(box, split.above));
  EXPECT_LE(split.below.max.x, 0.95f);
  EXPECT_GE(split.above.min.x, 0.95f);
}

TEST(SplitBox, CutsItInTwo) {
  const SplitBounds split = split_box({{0, 1, 2}, {3, 4, 5}}, 1, 3.0f);
  EXPECT_EQ(split.below.min, glm::vec3(0, 1, 2));
  EXPECT_EQ(split.below.max, glm::vec3(3, 3, 5));
  EXPECT_EQ(split.above.min, glm::vec3(0, 3, 2));
  EXPECT_EQ(split.above.max, glm::vec3(3, 4, 5));
}

}  // namespace
}  // namespace winnow
