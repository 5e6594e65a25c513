// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "bvh/build/bvh_splits.h"
#include "tests/bvh/support/nasty_scenes.h"
#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

constexpr size_t kAnyNumber = 1 << 30;

std::vector<BvhReference> references_to_triangles(const HostScene& scene) {
  std::vector<BvhReference> references;
  for (uint32_t i = 0; i < scene.triangles.size(); ++i) {
    references.push_back({{}, i});
    for (int corner = 0; corner < 3; ++corner)
      references[i].box.extend(scene.positions[scene.triangles[i][corner]]);
  }
  return references;
}

Bounds box_around(const std::vector<BvhReference>& references) {
  Bounds box;
  for (const BvhReference& reference : references) box.extend(reference.box);
  return box;
}

SpatialSplit find(const HostScene& scene, const std::vector<BvhReference>& references,
                  size_t max_references = kAnyNumber) {
  return find_spatial_split(scene, {references.data(), references.size()}, box_around(references),
                            max_references);
}

SplitReferences split(const HostScene& scene, const std::vector<BvhReference>& references,
                      const SpatialSplit& at) {
  return split_references(scene, {references.data(), references.size()}, at);
}

float cost_of(const SplitReferences& parts) {
  return box_around(parts.below).half_area() * float(parts.below.size()) +
         box_around(parts.above).half_area() * float(parts.above.size());
}

/// Two long triangles side by side, which cross the plane x = 0, and a few small ones at each end.
HostScene two_long_triangles() {
  std::vector<glm::vec3> positions = {{-10, 0, 0}, {10, 0, 0}, {10, 1, 0},
                                      {-10, 0, 3}, {10, 0, 3}, {-10, 1, 3}};
  std::vector<glm::uvec3> triangles = {{0, 1, 2}, {3, 4, 5}};
  for (int i = 0; i < 12; ++i) {
    const float x = i % 2 ? 9.0f : -9.0f, z = 0.25f * float(i);
    const auto first = uint32_t(positions.size());
    positions.insert(positions.end(), {{x, 0, z}, {x, 1, z}, {x + 0.1f, 0, z + 0.1f}});
    triangles.push_back({first, first + 1, first + 2});
  }
  return triangle_scene(positions, triangles);
}

TEST(SpatialSplit, CutsTrianglesThatStraddleThePlane) {
  const HostScene scene = two_long_triangles();
  const std::vector<BvhReference> references = references_to_triangles(scene);
  const SpatialSplit best = find(scene, references);
  EXPECT_EQ(best.axis, 0);
  const SplitReferences parts = split(scene, references, best);
  EXPECT_EQ(parts.below.size(), 8);
  EXPECT_EQ(parts.above.size(), 8);
  EXPECT_LE(box_around(parts.below).max.x, best.position);
  EXPECT_GE(box_around(parts.above).min.x, best.position);
}

TEST(SpatialSplit, AddsNoMoreReferencesThanPermitted) {
  const HostScene scene = two_long_triangles();
  const std::vector<BvhReference> references = references_to_triangles(scene);
  EXPECT_LT(find(scene, references, references.size() + 2).cost, INFINITY);
  const SpatialSplit one = find(scene, references, references.size() + 1);
  if (one.cost < INFINITY) {
    const SplitReferences parts = split(scene, references, one);
    EXPECT_LE(parts.below.size() + parts.above.size(), references.size() + 1);
  }
}

TEST(SpatialSplit, CostsAboutTheEstimateOrLess) {
  RandomScene random(1);
  for (const HostScene& scene : {two_long_triangles(), slivers(random, 500), random.scene(40, 0)}) {
    const std::vector<BvhReference> references = references_to_triangles(scene);
    const SpatialSplit best = find(scene, references);
    ASSERT_LT(best.cost, INFINITY);
    EXPECT_LE(cost_of(split(scene, references, best)), best.cost * 1.001f);
  }
}

TEST(SpatialSplit, DoesNotCutWhereThatCostsMore) {
  // Nine triangles from -1 to 0 and one from -1 to 0.01, cut at 0: cutting it costs more.
  std::vector<glm::vec3> positions;
  std::vector<glm::uvec3> triangles;
  for (uint32_t i = 0; i < 10; ++i) {
    const float end = i == 0 ? 0.01f : 0.0f;
    positions.insert(positions.end(), {{-1, 0, i}, {end, 1, i}, {end, 0, i}});
    triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  positions.insert(positions.end(), {{0, 0, 0}, {1, 1, 0}, {1, 0, 9}});
  triangles.push_back({30, 31, 32});
  const HostScene scene = triangle_scene(positions, triangles);
  const SplitReferences parts =
      split(scene, references_to_triangles(scene), {.axis = 0, .position = 0.0f});
  EXPECT_EQ(parts.below.size(), 10);
  EXPECT_EQ(parts.above.size(), 1);
}

TEST(SpatialSplit, LosesNoPartOfAnyTriangle) {
  RandomScene random(2);
  const HostScene scene = slivers(random, 300);
  const std::vector<BvhReference> references = references_to_triangles(scene);
  for (int axis = 0; axis < 3; ++axis) {
    const SplitReferences parts = split(scene, references, {.axis = axis, .position = 0.1f});
    EXPECT_GT(parts.below.size() + parts.above.size(), references.size());
    for (int sample = 0; sample < 30'000; ++sample) {
      const auto triangle = uint32_t(sample % 300);
      double u = random.uniform(0, 1), v = random.uniform(0, 1);
      if (u + v > 1) u = 1 - u, v = 1 - v;
      if (sample % 4 == 0) u = 0;  // on an edge
      const glm::uvec3 t = scene.triangles[triangle];
      double point[3];
      for (int k = 0; k < 3; ++k)
        point[k] = (1 - u - v) * scene.positions[t.x][k] + u * scene.positions[t.y][k] +
                   v * scene.positions[t.z][k];
      auto holds = [&](const BvhReference& part) {
        if (part.primitive != triangle) return false;
        for (int k = 0; k < 3; ++k)
          if (point[k] < part.box.min[k] || point[k] > part.box.max[k]) return false;
        return true;
      };
      ASSERT_TRUE(std::any_of(parts.below.begin(), parts.below.end(), holds) ||
                  std::any_of(parts.above.begin(), parts.above.end(), holds));
    }
  }
}

TEST(SpatialSplit, CutsSpheresLikeTheirBoxes) {
  HostScene scene;
  std::vector<BvhReference> references;
  for (uint32_t i = 0; i < 20; ++i) {  // one straddles the plane, the others do not
    scene.spheres.push_back({.center = {0, 0, 0}, .radius = 1.0f});
    references.push_back({{glm::vec3(-1.0f), glm::vec3(1.0f)}, i});
    if (i > 0) references[i].box.min.z = references[i].box.max.z = i % 2 ? 1.0f : -1.0f;
  }
  const SplitReferences parts = split(scene, references, {.axis = 2, .position = 0.25f});
  ASSERT_EQ(parts.below.size() + parts.above.size(), 21);
  EXPECT_EQ(parts.below.back().primitive, 0);
  EXPECT_EQ(parts.below.back().box.max, glm::vec3(1, 1, 0.25f));
  EXPECT_EQ(parts.above.back().box.min, glm::vec3(-1, -1, 0.25f));
}

TEST(SpatialSplit, DoesNotExistBelowThePrecisionOfFloats) {
  HostScene scene = two_long_triangles();
  for (glm::vec3& p : scene.positions) p = p * 1e-8f + 1.0f;
  EXPECT_EQ(find(scene, references_to_triangles(scene)).cost, INFINITY);
}

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
      // Each face of both boxes is at a vertex, or where an edge crosses the plane.
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

TEST(SplitTriangle, StaysInABoxThatTheTriangleDoesNotReach) {
  // A corner of the triangle's bounds that the triangle does not reach.
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
