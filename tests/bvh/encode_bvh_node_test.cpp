// SPDX-License-Identifier: MIT
#include "bvh/encode_bvh_node.h"

#include <gtest/gtest.h>

#include "tests/bvh/support/decoded_bvh.h"
#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

/// Boxes of all shapes: some flat, some points, some far from the origin.
std::vector<WideBvhChild> random_children(RandomScene& random, uint32_t count, float scale) {
  std::vector<WideBvhChild> children(count);
  const glm::vec3 shift = random.uniform(0, 1) < 0.5f ? glm::vec3(0.0f) : random.point(1000.0f);
  const float size = random.uniform(0, 1) < 0.5f ? 0.1f : 1e-4f;
  for (uint32_t i = 0; i < count; ++i) {
    Bounds box = random.box(1.0f, size);
    for (int axis = 0; axis < 3; ++axis)
      if (random.uniform(0, 1) < 0.2f) box.max[axis] = box.min[axis];
    children[i].box = {scale * (box.min + shift), scale * (box.max + shift)};
    children[i].leaf_size = i % 2 ? 0 : i % 3 + 1;
    children[i].index = i;
  }
  return children;
}

TEST(EncodeNode, ShrinksNoBoxAndEnlargesNoneMuch) {
  RandomScene random(1);
  for (float scale : {1e-12f, 1.0f, 1e12f})
    for (int i = 0; i < 2000; ++i) {
      std::vector<WideBvhChild> children = random_children(random, uint32_t(i) % 8 + 1, scale);
      assign_slots({children.data(), children.size()});
      const WideBvhNode node = encode_node({children.data(), children.size()}, 0, 0);
      Bounds all;
      for (const WideBvhChild& child : children) all.extend(child.box);
      double magnitude = 0.0;
      for (int axis = 0; axis < 3; ++axis)
        magnitude =
            std::max({magnitude, std::abs(double(all.min[axis])), std::abs(double(all.max[axis]))});
      for (const WideBvhChild& child : children) {
        const DecodedBox box = decoded_box(node, child.slot);
        for (int axis = 0; axis < 3; ++axis) {
          const double step = std::ldexp(1.0, node.exponents[axis] - 127 - 8);
          ASSERT_LE(box.min[axis] + step * WideBvhNode::kPadding, child.box.min[axis]);
          ASSERT_GE(box.max[axis] - step * WideBvhNode::kPadding, child.box.max[axis]);
          ASSERT_GE(box.min[axis] + 1.1 * step, child.box.min[axis]);
          ASSERT_LE(box.max[axis] - 1.1 * step, child.box.max[axis]);
          const double size = double(all.max[axis]) - all.min[axis];
          ASSERT_LE(step, std::max(size / 126.0, magnitude * 0x1p-20));
        }
      }
    }
}

TEST(EncodeNode, DescribesTheContentOfEachSlot) {
  std::vector<WideBvhChild> children(4);
  const uint32_t slots[] = {1, 2, 5, 7}, sizes[] = {0, 3, 0, 2};
  for (int i = 0; i < 4; ++i) {
    children[i].box.extend(glm::vec3(float(i)));
    children[i].slot = slots[i];
    children[i].leaf_size = sizes[i];
  }
  const WideBvhNode node = encode_node({children.data(), children.size()}, 70, 900);
  EXPECT_EQ(node.first_node, 70);
  EXPECT_EQ(node.first_primitive, 900);
  EXPECT_EQ(node.node_slots, 0b0010'0010);
  EXPECT_EQ(node.primitive_slots, 0b011'000'000'000'000'111'000'000u);
}

TEST(AssignSlots, PutsTheChildrenOfACubeIntoTheSlotsOfTheirCorners) {
  std::vector<WideBvhChild> children(8);
  for (uint32_t i = 0; i < 8; ++i) {
    const uint32_t corner = i * 5 % 8;
    const glm::vec3 lower(corner & 1, corner >> 1 & 1, corner >> 2);
    children[i].box.extend(lower);
    children[i].box.extend(lower + 1.0f);
    children[i].index = corner;
  }
  assign_slots({children.data(), children.size()});
  for (uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(children[i].slot, i);
    EXPECT_EQ(children[i].index, i);
  }
}

TEST(AssignSlots, GivesEachChildASlotOfItsOwn) {
  RandomScene random(2);
  for (uint32_t i = 0; i < 2000; ++i) {
    std::vector<WideBvhChild> children = random_children(random, i % 8 + 1, 1.0f);
    assign_slots({children.data(), children.size()});
    for (size_t k = 0; k < children.size(); ++k) {
      ASSERT_LT(children[k].slot, 8);
      ASSERT_TRUE(k == 0 || children[k - 1].slot < children[k].slot);
    }
  }
}

}  // namespace
}  // namespace winnow
