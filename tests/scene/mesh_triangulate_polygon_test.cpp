// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include "scene/mesh.h"

namespace winnow {
namespace {

/// Signed area of each triangle, seen from the side of `n`.
std::vector<float> areas(const std::vector<glm::vec3>& corners, glm::vec3 n) {
  std::vector<float> areas;
  for (glm::uvec3 t : triangulate_polygon(corners))
    areas.push_back(
        0.5f * glm::dot(n, glm::cross(corners[t.y] - corners[t.x], corners[t.z] - corners[t.x])));
  return areas;
}

void expect_cover(const std::vector<glm::vec3>& corners, glm::vec3 n, float area) {
  std::vector<float> parts = areas(corners, n);
  EXPECT_EQ(parts.size(), corners.size() - 2);
  float sum = 0.0f;
  for (float part : parts) {
    EXPECT_GT(part, 0.0f);
    sum += part;
  }
  EXPECT_NEAR(sum, area, 1e-4f * area);
}

TEST(TriangulatePolygon, CoversConvexOutlinesAnywhere) {
  for (uint32_t n : {3u, 4u, 5u, 6u, 17u, 300u})
    for (glm::vec3 center : {glm::vec3(0), glm::vec3(100, -50, 7)}) {
      std::vector<glm::vec3> corners;
      for (uint32_t i = 0; i < n; ++i) {
        float angle = 6.2831853f * float(i) / float(n);
        corners.push_back(center + glm::vec3(std::cos(angle), std::sin(angle), 0.0f));
      }
      SCOPED_TRACE(n);
      expect_cover(corners, {0, 0, 1}, 0.5f * float(n) * std::sin(6.2831853f / float(n)));
    }
}

TEST(TriangulatePolygon, CoversAnArrowThatAFanWouldNot) {
  // A fan around the first corner would leave the outline.
  expect_cover({{2, 0, 0}, {-2, 2, 0}, {0, 0, 0}, {-2, -2, 0}}, {0, 0, 1}, 4.0f);
  expect_cover({{-2, 2, 0}, {0, 0, 0}, {-2, -2, 0}, {2, 0, 0}}, {0, 0, 1}, 4.0f);
}

TEST(TriangulatePolygon, CoversAnLInEveryPlaneAndDirection) {
  std::vector<glm::vec2> outline = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
  for (int axis = 0; axis < 3; ++axis)
    for (bool reversed : {false, true}) {
      std::vector<glm::vec3> corners;
      for (glm::vec2 p : outline) {
        glm::vec3 corner(5.0f);
        corner[(axis + 1) % 3] = p.x;
        corner[(axis + 2) % 3] = p.y;
        corners.push_back(corner);
      }
      if (reversed) std::reverse(corners.begin(), corners.end());
      glm::vec3 n(0.0f);
      n[axis] = reversed ? -1.0f : 1.0f;
      expect_cover(corners, n, 5.0f);
    }
}

TEST(TriangulatePolygon, ReturnsFromOutlinesWithoutArea) {
  EXPECT_EQ(triangulate_polygon(std::vector<glm::vec3>(6, {1, 1, 1})).size(), 4u);
  EXPECT_EQ(triangulate_polygon({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}).size(), 2u);
  EXPECT_EQ(triangulate_polygon({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}).size(),
            2u);  // bow tie
  EXPECT_EQ(triangulate_polygon(std::vector<glm::vec3>(20'000, {1, 1, 1})).size(), 19'998u);
}

}  // namespace
}  // namespace winnow
