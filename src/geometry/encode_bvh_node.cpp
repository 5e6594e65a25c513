#include "geometry/encode_bvh_node.h"

#include <algorithm>

namespace winnow {
namespace {

constexpr uint32_t kWidth = WideBvhNode::kWidth;
constexpr int kMostSteps = 255;

BvhBox box_around(Span<const WideBvhChild> children) {
  BvhBox box;
  for (const WideBvhChild& child : children) box.add(child.box);
  return box;
}

float largest(glm::vec3 v) {
  return std::max(v.x, std::max(v.y, v.z));
}

/// Where the steps along one axis start, and how long they are.
struct Steps {
  // Of the exponents of floats. 256 steps have one, so a step's is smaller by 8.
  static constexpr int kBias = 127, kCountBits = 8, kLeast = 1 - kBias, kMost = kBias;

  float corner;  ///< m
  int exponent;  ///< of 256 steps

  double length() const { return std::ldexp(1.0, exponent - kCountBits); }
  double count(float x) const { return (double(x) - double(corner)) / length(); }
  double lower(float x) const { return std::floor(count(x) - WideBvhNode::kPadding); }
  double upper(float x) const { return std::ceil(count(x) + WideBvhNode::kPadding); }
};

/// The shortest steps that reach from `lower` to `upper`. They are not far below the spacing of
/// floats of size `magnitude`: a flat box has some width then, which rounding does not eat up.
Steps choose_steps(float lower, float upper, float magnitude) {
  constexpr double kLeastStep = 0x1p-24;
  const double size = double(upper) - double(lower);
  const double length = std::max(size / kMostSteps, magnitude * kLeastStep);
  Steps steps{lower, Steps::kLeast};
  if (length > 0.0)
    steps.exponent = std::max(steps.exponent, std::ilogb(length) + Steps::kCountBits);
  for (;; ++steps.exponent) {
    constexpr double kRoom = 2.0 * WideBvhNode::kPadding;
    steps.corner = float_at_most(double(lower) - kRoom * steps.length());
    if (steps.upper(upper) <= kMostSteps || steps.exponent == Steps::kMost) return steps;
  }
}

uint8_t to_byte(double steps) {
  return uint8_t(std::clamp(steps, 0.0, double(kMostSteps)));
}

}  // namespace

void assign_slots(Span<WideBvhChild> children) {
  const BvhBox box = box_around({children.data, children.size});
  constexpr uint32_t kNone = kWidth;
  for (WideBvhChild& child : children) child.slot = kNone;
  bool taken[kWidth] = {};
  for (size_t assigned = 0; assigned < children.size; ++assigned) {
    WideBvhChild* best = nullptr;
    uint32_t best_slot = 0;
    float best_fit = 0.0f;
    for (WideBvhChild& child : children) {
      if (child.slot != kNone) continue;
      // Twice the way from the middle of the node; the sum of halves cannot overflow.
      const glm::vec3 away = (child.box.lower - box.lower) - (box.upper - child.box.upper);
      for (uint32_t slot = 0; slot < kWidth; ++slot) {
        if (taken[slot]) continue;
        float fit = 0.0f;
        for (int axis = 0; axis < 3; ++axis) fit += slot >> axis & 1 ? away[axis] : -away[axis];
        if (!best || fit > best_fit) best = &child, best_slot = slot, best_fit = fit;
      }
    }
    best->slot = best_slot;
    taken[best_slot] = true;
  }
  std::sort(children.begin(), children.end(),
            [](const WideBvhChild& a, const WideBvhChild& b) { return a.slot < b.slot; });
}

WideBvhNode encode_node(Span<const WideBvhChild> children, uint32_t first_node,
                        uint32_t first_primitive) {
  WideBvhNode node{};
  node.first_node = first_node;
  node.first_primitive = first_primitive;
  uint32_t primitives = 0;
  for (const WideBvhChild& child : children) {
    if (child.leaf_size > 0) {
      const uint32_t bits = (1u << child.leaf_size) - 1;
      node.holds[child.slot] = uint8_t(bits << WideBvhNode::kShiftBits | primitives);
      primitives += child.leaf_size;
    } else {
      node.holds[child.slot] =
          uint8_t(1u << WideBvhNode::kShiftBits | (WideBvhNode::kFirstNodeBit + child.slot));
      node.node_slots |= uint8_t(1u << child.slot);
    }
  }

  const BvhBox box = box_around(children);
  const float magnitude = std::max(largest(glm::abs(box.lower)), largest(glm::abs(box.upper)));
  for (int axis = 0; axis < 3; ++axis) {
    const Steps steps = choose_steps(box.lower[axis], box.upper[axis], magnitude);
    node.corner[axis] = steps.corner;
    node.exponents[axis] = uint8_t(steps.exponent + Steps::kBias);
    std::fill_n(node.lower[axis], kWidth, uint8_t(kMostSteps));  // empty slots are met nowhere
    for (const WideBvhChild& child : children) {
      node.lower[axis][child.slot] = to_byte(steps.lower(child.box.lower[axis]));
      node.upper[axis][child.slot] = to_byte(steps.upper(child.box.upper[axis]));
    }
  }
  return node;
}

}  // namespace winnow
