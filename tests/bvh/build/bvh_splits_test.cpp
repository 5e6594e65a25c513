// SPDX-License-Identifier: MIT
#include "bvh/build/bvh_splits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/bvh/support/decoded_bvh.h"
#include "tests/bvh/support/nasty_scenes.h"

namespace winnow {
namespace {

std::vector<BvhReference> random_references(uint32_t count, uint64_t seed) {
  RandomScene random(seed);
  std::vector<BvhReference> references;
  for (uint32_t i = 0; i < count; ++i) references.push_back({random.box(1.0f, 0.05f), i});
  return references;
}

ObjectSplit find_object(const std::vector<BvhReference>& references) {
  BvhReferenceBounds bounds;
  for (const BvhReference& reference : references) bounds.add(reference);
  return find_object_split({references.data(), references.size()}, bounds);
}

/// Returns the cost of a split.
float cost_of(const std::vector<BvhReference>& references, const ObjectSplit& split) {
  CountedBoxes below, above;
  for (const BvhReference& reference : references)
    (split.is_below(reference) ? below : above).add(reference.box);
  return below.count == 0 || above.count == 0 ? INFINITY : below.cost() + above.cost();
}

float least_cost(const std::vector<BvhReference>& references) {
  float least = INFINITY;
  for (int axis = 0; axis < 3; ++axis)
    for (const BvhReference& at : references)
      least = std::min(
          least, cost_of(references, {.axis = axis, .twice_position = at.twice_center()[axis]}));
  return least;
}

TEST(ObjectSplit, CostsTheEstimate) {
  for (uint32_t count : {2u, 3u, 10u, 32u, 33u, 1000u, 40'000u}) {
    const std::vector<BvhReference> references = random_references(count, count);
    const ObjectSplit split = find_object(references);
    ASSERT_TRUE(split.exists());
    EXPECT_NEAR(cost_of(references, split) / split.cost, 1.0, 1e-5) << count << " references";
  }
}

TEST(ObjectSplit, CostsTheLeastOrNearly) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<BvhReference> few = random_references(20, seed);
    EXPECT_FLOAT_EQ(find_object(few).cost, least_cost(few));
    const std::vector<BvhReference> many = random_references(300, seed);
    EXPECT_LE(find_object(many).cost, least_cost(many) * 1.03f);
  }
}

TEST(ObjectSplit, SeparatesTwoClusters) {
  for (uint32_t count : {10u, 100u}) {
    std::vector<BvhReference> references = random_references(count, 1);
    for (uint32_t i = 0; i < count; i += 2)
      references[i].box.min.y += 10.0f, references[i].box.max.y += 10.0f;
    const ObjectSplit split = find_object(references);
    EXPECT_EQ(split.axis, 1);
    EXPECT_EQ(split.shared_area, 0.0f);
    for (uint32_t i = 0; i < count; ++i) EXPECT_EQ(split.is_below(references[i]), i % 2 == 1);
  }
}

TEST(ObjectSplit, DoesNotExistIfAllCentersCoincide) {
  for (uint32_t count : {2u, 100u}) {
    std::vector<BvhReference> references;
    for (uint32_t i = 0; i < count; ++i)
      references.push_back({{glm::vec3(-1.0f - float(i)), glm::vec3(1.0f + float(i))}, i});
    EXPECT_FALSE(find_object(references).exists());
  }
}

constexpr size_t kAnyNumber = 1 << 30;

std::vector<BvhReference> references_to_triangles(const HostScene& scene) {
  std::vector<BvhReference> references;
  for (uint32_t i = 0; i < scene.triangles.size(); ++i)
    references.push_back({geometry_of(scene).bounds(i), i});
  return references;
}

Bounds box_around(const std::vector<BvhReference>& references) {
  Bounds box;
  for (const BvhReference& reference : references) box.extend(reference.box);
  return box;
}

SpatialSplit find_spatial(const HostScene& scene, const std::vector<BvhReference>& references,
                          size_t max_references = kAnyNumber) {
  return find_spatial_split(geometry_of(scene), {references.data(), references.size()},
                            box_around(references), max_references);
}

SplitReferences split(const HostScene& scene, const std::vector<BvhReference>& references,
                      const SpatialSplit& at) {
  return split_references(geometry_of(scene), {references.data(), references.size()}, at);
}

float cost_of(const SplitReferences& parts) {
  return box_around(parts.below).half_area() * float(parts.below.size()) +
         box_around(parts.above).half_area() * float(parts.above.size());
}

/// Two long triangles side by side, which cross the plane x = 0, and a few small ones at each end.
HostScene two_long_triangles() {
  std::vector<glm::vec3> positions = {{-10, 0, 0}, {10, 0, 0}, {10, 1, 0},
                                      {-10, 0, 3}, {10, 0, 3}, {-10, 1, 3}};
  for (int i = 0; i < 12; ++i) {
    const float x = i % 2 ? 9.0f : -9.0f, z = 0.25f * float(i);
    positions.insert(positions.end(), {{x, 0, z}, {x, 1, z}, {x + 0.1f, 0, z + 0.1f}});
  }
  return triangle_scene(positions);
}

TEST(SpatialSplit, CutsTrianglesThatStraddleThePlane) {
  const HostScene scene = two_long_triangles();
  const std::vector<BvhReference> references = references_to_triangles(scene);
  const SpatialSplit best = find_spatial(scene, references);
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
  EXPECT_LT(find_spatial(scene, references, references.size() + 2).cost, INFINITY);
  const SpatialSplit one = find_spatial(scene, references, references.size() + 1);
  if (one.cost < INFINITY) {
    const SplitReferences parts = split(scene, references, one);
    EXPECT_LE(parts.below.size() + parts.above.size(), references.size() + 1);
  }
}

TEST(SpatialSplit, CostsAboutTheEstimateOrLess) {
  RandomScene random(1);
  for (const HostScene& scene : {two_long_triangles(), slivers(random, 500), random.scene(40, 0)}) {
    const std::vector<BvhReference> references = references_to_triangles(scene);
    const SpatialSplit best = find_spatial(scene, references);
    ASSERT_LT(best.cost, INFINITY);
    EXPECT_LE(cost_of(split(scene, references, best)), best.cost * 1.001f);
  }
}

TEST(SpatialSplit, DoesNotCutWhereThatCostsMore) {
  // Nine triangles from -1 to 0 and one from -1 to 0.01, cut at 0: cutting it costs more.
  std::vector<glm::vec3> positions;
  for (uint32_t i = 0; i < 10; ++i) {
    const float end = i == 0 ? 0.01f : 0.0f;
    positions.insert(positions.end(), {{-1, 0, i}, {end, 1, i}, {end, 0, i}});
  }
  positions.insert(positions.end(), {{0, 0, 0}, {1, 1, 0}, {1, 0, 9}});
  const HostScene scene = triangle_scene(positions);
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
      const glm::dvec3 point = random.point_on(scene, triangle);
      auto holds = [&](const BvhReference& part) {
        return part.primitive == triangle && contains(part.box, point);
      };
      ASSERT_TRUE(std::ranges::any_of(parts.below, holds) ||
                  std::ranges::any_of(parts.above, holds));
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
  EXPECT_EQ(find_spatial(scene, references_to_triangles(scene)).cost, INFINITY);
}

bool contains_box(const Bounds& outer, const Bounds& inner) {
  return contains(outer, inner.min) && contains(outer, inner.max);
}

TEST(SplitTriangle, CoversBothPartsAndIsTight) {
  RandomScene random(1);
  for (float scale : {1e-10f, 1.0f, 1e10f})
    for (int i = 0; i < 3000; ++i) {
      const glm::vec3 shift = float(i % 3) * 100.0f * scale * random.direction();
      const glm::vec3 p[3] = {scale * random.point(1) + shift, scale * random.point(1) + shift,
                              scale * random.point(1) + shift};
      Bounds box;
      for (glm::vec3 corner : p) box.extend(corner);
      const int axis = i % 3;
      const float position = glm::mix(box.min[axis], box.max[axis], random.uniform(0, 1));
      const SplitBounds split = split_triangle(p[0], p[1], p[2], box, axis, position);
      EXPECT_TRUE(contains_box(box, split.below) && contains_box(box, split.above));
      EXPECT_LE(split.below.max[axis], position);
      EXPECT_GE(split.above.min[axis], position);
      for (int sample = 0; sample < 30; ++sample) {
        const glm::dvec3 point = random.point_on(p[0], p[1], p[2]);
        EXPECT_TRUE(contains(point[axis] < position ? split.below : split.above, point));
      }
      // Each face of both boxes is at a vertex, or where an edge crosses the plane.
      for (int k = 0; k < 3; ++k) {
        const double room = 1e-6 * (std::abs(double(box.min[k])) + std::abs(double(box.max[k])));
        double lowest = INFINITY;  // minimum of the part below
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
  EXPECT_TRUE(contains_box(box, split.below) && contains_box(box, split.above));
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
