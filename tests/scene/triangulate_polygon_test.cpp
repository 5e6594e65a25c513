// SPDX-License-Identifier: MIT
#include "scene/triangulate_polygon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

namespace winnow {
namespace {

/// Signed area of each triangle, seen from the side of `n`.
std::vector<float> areas(const std::vector<glm::vec3>& corners, glm::vec3 n) {
  std::vector<float> areas;
  for (glm::uvec3 t : triangulate_polygon(corners).triangles)
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
  auto expect_triangles = [](const std::vector<glm::vec3>& corners) {
    const PolygonTriangles cut = triangulate_polygon(corners);
    EXPECT_EQ(cut.triangles.size(), corners.size() - 2);
    EXPECT_FALSE(cut.overlap);
  };
  expect_triangles(std::vector<glm::vec3>(6, {1, 1, 1}));
  expect_triangles({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}});
  expect_triangles(std::vector<glm::vec3>(20'000, {1, 1, 1}));
}

TEST(TriangulatePolygon, SaysWhereTrianglesOverlap) {
  const PolygonTriangles bow_tie =
      triangulate_polygon({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}});
  EXPECT_EQ(bow_tie.triangles.size(), 2u);
  EXPECT_TRUE(bow_tie.overlap);
  EXPECT_FALSE(triangulate_polygon({{0, 0, 0}, {2, 0, 0}, {2, 2, 0.5f}, {0, 2, 0}}).overlap);
  // A quad of a steep terrain, which only its projection crosses.
  EXPECT_FALSE(triangulate_polygon({{0, 5, 0}, {1, 0, 0}, {1, 5, 1}, {0, -4, 1}}).overlap);
}

/// A gear: teeth between two radii, seen from +z.
std::vector<glm::vec3> gear(uint32_t teeth) {
  std::vector<glm::vec3> corners;
  for (uint32_t i = 0; i < 4 * teeth; ++i) {
    const float angle = 6.2831853f * float(i) / float(4 * teeth);
    const float radius = i % 4 < 2 ? 1.0f : 0.8f;
    corners.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0.0f);
  }
  return corners;
}

TEST(TriangulatePolygon, CoversOutlinesOfThousandsOfCorners) {
  for (const uint32_t teeth : {16u, 400u, 2000u}) {
    SCOPED_TRACE(teeth);
    const std::vector<glm::vec3> corners = gear(teeth);
    const PolygonTriangles cut = triangulate_polygon(corners);
    double area = 0.0, covered = 0.0;
    for (size_t i = 0; i < corners.size(); ++i) {
      const glm::dvec3 p = corners[i], q = corners[(i + 1) % corners.size()];
      area += 0.5 * (p.x * q.y - p.y * q.x);
    }
    for (const glm::uvec3 t : cut.triangles)
      covered +=
          0.5 *
          double(std::abs(glm::cross(corners[t.y] - corners[t.x], corners[t.z] - corners[t.x]).z));
    EXPECT_EQ(cut.triangles.size(), corners.size() - 2);
    EXPECT_FALSE(cut.overlap);
    EXPECT_NEAR(covered, area, 1e-3 * area);
  }
}

TEST(TriangulatePolygon, CoversACombWhoseEarsTouchAllRows) {
  std::vector<glm::vec3> corners = {{0, 0, 0}};
  constexpr int kTeeth = 1000;
  for (int i = 0; i < kTeeth; ++i) {  // slanted teeth, much longer than wide
    corners.emplace_back(i + 1, 0.0f, 0.0f);
    corners.emplace_back(float(i) + 1000.5f, 1000.0f, 0.0f);
  }
  std::reverse(corners.begin(), corners.end());
  corners.insert(corners.end(), {{0, -1, 0}, {kTeeth, -1, 0}});
  EXPECT_FALSE(triangulate_polygon(corners).overlap);
}

}  // namespace
}  // namespace winnow
