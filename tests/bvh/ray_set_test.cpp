// SPDX-License-Identifier: MIT
#include "bvh/ray_set.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

constexpr int kCells = 1 << RayOrder::kCellBits;

Ray ray(glm::vec3 origin, glm::vec3 direction) {
  return {.origin = origin, .direction = direction};
}

TEST(RayOrder, PutsCellsBeforeOctants) {
  const RayOrder order(glm::vec3(-1.0f), glm::vec3(float(kCells)));  // cells of 1 m
  const uint32_t down = order.key(ray({0.5f, 0.5f, 0.5f}, {-1, -1, -1}));
  const uint32_t up = order.key(ray({0.9f, 0.1f, 0.9f}, {1, 1, 1}));
  EXPECT_EQ(down / 8, up / 8);
  EXPECT_EQ(down % 8, 0u);
  EXPECT_EQ(up % 8, 7u);
  EXPECT_NE(order.key(ray({1.1f, 0.5f, 0.5f}, {1, 1, 1})) / 8, up / 8);
}

TEST(RayOrder, OrdersTheCellsAlongAMortonCurve) {
  const RayOrder order(glm::vec3(0.0f), glm::vec3(float(kCells)));
  EXPECT_EQ(order.key(ray({0.5f, 0.5f, 0.5f}, {-1, -1, -1})) / 8, 0u);
  EXPECT_EQ(order.key(ray({0.5f, 0.5f, 1.5f}, {-1, -1, -1})) / 8, 1u);
  EXPECT_EQ(order.key(ray({0.5f, 1.5f, 0.5f}, {-1, -1, -1})) / 8, 2u);
  EXPECT_EQ(order.key(ray({1.5f, 0.5f, 0.5f}, {-1, -1, -1})) / 8, 4u);
  EXPECT_EQ(order.key(ray({0.5f, 0.5f, 2.5f}, {-1, -1, -1})) / 8, 8u);
}

TEST(RayOrder, KeepsKeysWithinTheirBitsForRaysFromOutside) {
  const RayOrder order(glm::vec3(0.0f), glm::vec3(1.0f, 0.0f, 1.0f));  // a flat scene
  for (float far : {-1e30f, 0.0f, 1.0f, 1e30f})
    EXPECT_LT(order.key(ray(glm::vec3(far), {1, 1, 1})), 1u << RayOrder::kKeyBits);
}

}  // namespace
}  // namespace winnow
