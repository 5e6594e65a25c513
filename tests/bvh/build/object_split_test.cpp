// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "bvh/build/bvh_splits.h"
#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

std::vector<BvhReference> random_references(uint32_t count, uint64_t seed) {
  RandomScene random(seed);
  std::vector<BvhReference> references;
  for (uint32_t i = 0; i < count; ++i) {
    const glm::vec3 corner = random.point(1.0f);
    references.push_back({{corner, corner + random.uniform(0.0f, 0.1f)}, i});
  }
  return references;
}

ObjectSplit find(const std::vector<BvhReference>& references) {
  BvhReferenceBounds bounds;
  for (const BvhReference& reference : references) bounds.add(reference);
  return find_object_split({references.data(), references.size()}, bounds);
}

/// The cost of a split.
float cost_of(const std::vector<BvhReference>& references, const ObjectSplit& split) {
  Bounds boxes[2];
  float counts[2] = {};
  for (const BvhReference& reference : references) {
    const int side = split.is_below(reference) ? 0 : 1;
    boxes[side].extend(reference.box);
    ++counts[side];
  }
  if (counts[0] == 0 || counts[1] == 0) return INFINITY;
  return boxes[0].half_area() * counts[0] + boxes[1].half_area() * counts[1];
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
    const ObjectSplit split = find(references);
    ASSERT_TRUE(split.exists());
    EXPECT_NEAR(cost_of(references, split) / split.cost, 1.0, 1e-5) << count << " references";
  }
}

TEST(ObjectSplit, CostsTheLeastOrNearly) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<BvhReference> few = random_references(20, seed);
    EXPECT_FLOAT_EQ(find(few).cost, least_cost(few));
    const std::vector<BvhReference> many = random_references(300, seed);
    EXPECT_LE(find(many).cost, least_cost(many) * 1.03f);
  }
}

TEST(ObjectSplit, SeparatesTwoClusters) {
  for (uint32_t count : {10u, 100u}) {
    std::vector<BvhReference> references = random_references(count, 1);
    for (uint32_t i = 0; i < count; i += 2)
      references[i].box.min.y += 10.0f, references[i].box.max.y += 10.0f;
    const ObjectSplit split = find(references);
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
    EXPECT_FALSE(find(references).exists());
  }
}

}  // namespace
}  // namespace winnow
