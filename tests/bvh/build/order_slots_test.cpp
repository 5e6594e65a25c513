// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "bvh/build/collapse_bvh.h"
#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

std::vector<WideBvhChild> children_with(const std::vector<Bounds>& boxes) {
  std::vector<WideBvhChild> children(boxes.size());
  for (uint32_t i = 0; i < boxes.size(); ++i) children[i] = {.box = boxes[i], .index = i};
  assign_slots({children.data(), children.size()});
  return children;
}

void order(std::vector<WideBvhChild>& children) {
  order_slots({children.data(), children.size()});
}

/// The indices of the children in the order in which a ray of an octant visits them.
std::vector<uint32_t> visited(const std::vector<WideBvhChild>& children, uint32_t octant) {
  std::vector<uint32_t> indices;
  for (uint32_t i = 0; i < WideBvhNode::kWidth; ++i)
    for (const WideBvhChild& child : children)
      if (child.slot == (i ^ ~octant) % WideBvhNode::kWidth) indices.push_back(child.index);
  return indices;
}

TEST(OrderSlots, OrdersTwoNodesBySeparationWhereverLeavesLie) {
  RandomScene random(3);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Bounds> boxes(8);
    for (uint32_t i = 0; i < 8; ++i) {
      const glm::vec3 lower = i < 2 ? glm::vec3(0.0f) : random.point(3.0f);
      boxes[i] = {lower, lower + 1.0f};
    }
    boxes[1].min[axis] += 2.0f;
    boxes[1].max[axis] += 2.0f;
    std::vector<WideBvhChild> children = children_with(boxes);
    for (WideBvhChild& child : children) child.leaf_size = child.index < 2 ? 0 : 1;
    order(children);
    for (uint32_t octant = 0; octant < 8; ++octant) {
      std::vector<uint32_t> nodes = visited(children, octant);
      std::erase_if(nodes, [](uint32_t index) { return index >= 2; });
      EXPECT_EQ(nodes[0], octant >> axis & 1 ? 0 : 1) << "axis " << axis << " octant " << octant;
    }
  }
}

TEST(OrderSlots, KeepsTheOrderOfTheChildrenOfACube) {
  std::vector<Bounds> cube(8);
  for (uint32_t i = 0; i < 8; ++i) {
    const glm::vec3 lower(i & 1, i >> 1 & 1, i >> 2);
    cube[i] = {lower, lower + 1.0f};
  }
  std::vector<WideBvhChild> children = children_with(cube);
  order(children);
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(children[i].index, i);
}

/// Pairs of disjoint boxes that rays of an octant can both hit but visit back to front.
int wrong_pairs(const std::vector<WideBvhChild>& children) {
  int wrong = 0;
  for (uint32_t octant = 0; octant < 8; ++octant) {
    const std::vector<uint32_t> order = visited(children, octant);
    std::vector<Bounds> boxes(children.size());
    for (const WideBvhChild& child : children) boxes[child.index] = child.box;
    for (size_t i = 0; i < order.size(); ++i)
      for (size_t j = i + 1; j < order.size(); ++j) {
        const Bounds &early = boxes[order[i]], &late = boxes[order[j]];
        bool early_first = false, late_first = false;
        for (int axis = 0; axis < 3; ++axis) {
          const bool up = octant >> axis & 1;
          const bool late_above = late.min[axis] >= early.max[axis];
          const bool early_above = early.min[axis] >= late.max[axis];
          early_first |= up ? late_above : early_above;
          late_first |= up ? early_above : late_above;
        }
        wrong += late_first && !early_first;
      }
  }
  return wrong;
}

TEST(OrderSlots, VisitsFewerPairsInTheWrongOrder) {
  RandomScene random(1);
  int before = 0, after = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<Bounds> boxes(8);
    for (Bounds& box : boxes) {
      const glm::vec3 center = glm::vec3(4, 2, 1) * random.point(1.0f);
      box = {center - 0.3f, center + 0.3f};
    }
    std::vector<WideBvhChild> children = children_with(boxes);
    before += wrong_pairs(children);
    order(children);
    after += wrong_pairs(children);
  }
  EXPECT_LT(after, before * 3 / 4);
}

TEST(OrderSlots, GivesEachChildASlotOfItsOwn) {
  RandomScene random(2);
  for (uint32_t i = 0; i < 1000; ++i) {
    std::vector<Bounds> boxes(i % 8 + 1);
    for (Bounds& box : boxes)
      for (int corner = 0; corner < 2; ++corner) box.extend(random.point(1.0f));
    std::vector<WideBvhChild> children = children_with(boxes);
    for (WideBvhChild& child : children) child.leaf_size = child.index % 3;
    order(children);
    std::vector<bool> there(children.size());
    for (size_t k = 0; k < children.size(); ++k) {
      ASSERT_LT(children[k].slot, 8);
      ASSERT_TRUE(k == 0 || children[k - 1].slot < children[k].slot);
      there[children[k].index] = true;
    }
    ASSERT_EQ(std::count(there.begin(), there.end(), false), 0);
  }
}

}  // namespace
}  // namespace winnow
