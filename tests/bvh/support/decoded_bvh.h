// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <glm/common.hpp>
#include <glm/ext/vector_double3.hpp>
#include <vector>

#include "bvh/build/build_wide_bvh.h"
#include "math/bounds.h"

namespace winnow {

/// The box of a slot, in double precision.
struct DecodedBox {
  glm::dvec3 min, max;
};

template <class Box>
bool contains(const Box& box, glm::dvec3 point) {
  return glm::clamp(point, glm::dvec3(box.min), glm::dvec3(box.max)) == point;
}

inline DecodedBox decoded_box(const WideBvhNode& node, uint32_t slot) {
  DecodedBox box;
  for (int axis = 0; axis < 3; ++axis) {
    const double step = std::ldexp(1.0, int(node.exponents[axis]) - 127 - 8);
    box.min[axis] = double(node.corner[axis]) + node.lower[axis][slot] * step;
    box.max[axis] = double(node.corner[axis]) + node.upper[axis][slot] * step;
  }
  return box;
}

/// Calls `visit(reference, boxes around it from the root on)` for each primitive below a node.
/// Returns the number of levels of nodes.
template <class Visit>
uint32_t visit_leaves(const WideBvhArrays& bvh, uint32_t node_index,
                      std::vector<DecodedBox>& around, Visit visit) {
  const WideBvhNode& node = bvh.nodes.at(node_index);
  uint32_t next_node = node.first_node, next_primitive = node.first_primitive, levels = 0;
  for (uint32_t slot = 0; slot < WideBvhNode::kWidth; ++slot) {
    constexpr uint32_t kBits = WideBvhNode::kMaxLeafSize;
    const uint32_t leaf = node.primitive_slots >> (kBits * slot) & ((1u << kBits) - 1);
    around.push_back(decoded_box(node, slot));
    if (node.node_slots >> slot & 1)
      levels = std::max(levels, visit_leaves(bvh, next_node++, around, visit));
    for (int i = 0; i < std::popcount(leaf); ++i) visit(next_primitive++, around);
    around.pop_back();
  }
  return levels + 1;
}

/// Calls `visit` for each primitive of the tree. Returns the number of levels of nodes.
template <class Visit>
uint32_t visit_leaves(const WideBvhArrays& bvh, Visit visit) {
  std::vector<DecodedBox> around;
  return bvh.nodes.empty() ? 0 : visit_leaves(bvh, 0, around, visit);
}

}  // namespace winnow
