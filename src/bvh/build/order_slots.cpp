#include "bvh/build/order_slots.h"

#include <algorithm>
#include <bit>

namespace winnow {
namespace {

constexpr uint32_t kSlots = WideBvhNode::kWidth;
constexpr uint32_t kOctants = 8;

/// How dear it is that rays meet two children in the wrong order, by how their slots differ: as if
/// the highest axis along which they do decided the order. Rays take their longest one first, but
/// to average over that gains nothing.
struct PairCost {
  float cost[3][2] = {};  ///< [axis][the first child is in the upper slot]
};

/// How sure it is that a ray of that octant that meets both boxes meets `a` first: 1 is certain, -1
/// is certain that it does not, 0 is either, or that none meets both.
float comes_first(const BvhBox& a, const BvhBox& b, uint32_t octant) {
  float ahead = 0.0f, most = 0.0f;
  bool a_first = false, b_first = false;
  for (int axis = 0; axis < 3; ++axis) {
    // Both are doubled: the way from center to center, and where the boxes just touch.
    const float up = (b.lower[axis] - a.lower[axis]) + (b.upper[axis] - a.upper[axis]);
    const float along = octant >> axis & 1 ? up : -up;
    const float touch = (a.upper[axis] - a.lower[axis]) + (b.upper[axis] - b.lower[axis]);
    a_first |= along >= touch;
    b_first |= -along >= touch;
    ahead += along;
    most += touch;
  }
  if (a_first != b_first) return a_first ? 1.0f : -1.0f;
  if (a_first || !(most > 0.0f)) return 0.0f;
  return std::clamp(ahead / most, -1.0f, 1.0f);
}

PairCost pair_cost(const WideBvhChild& a, const WideBvhChild& b) {
  PairCost pair;
  if (a.leaf_size > 0 || b.leaf_size > 0) return pair;
  const float rays = std::min(a.box.half_area(), b.box.half_area());
  for (uint32_t octant = 0; octant < kOctants; ++octant) {
    const float first = comes_first(a.box, b.box, octant);
    const float a_before_b = rays * std::max(0.0f, -first);
    const float b_before_a = rays * std::max(0.0f, first);
    for (int axis = 0; axis < 3; ++axis) {
      const bool up = octant >> axis & 1;
      pair.cost[axis][0] += up ? a_before_b : b_before_a;
      pair.cost[axis][1] += up ? b_before_a : a_before_b;
    }
  }
  return pair;
}

class Order {
 public:
  explicit Order(Span<const WideBvhChild> children) {
    for (uint32_t i = 0; i < children.size; ++i) {
      in_slot_[children[i].slot] = i;
      for (uint32_t j = 0; j < children.size; ++j)
        if (i != j) pairs_[i][j] = pair_cost(children[i], children[j]);
    }
  }

  /// Swaps what two slots hold, as long as that makes it better.
  void improve() {
    float best = cost();
    for (bool better = true; better;) {
      better = false;
      for (uint32_t a = 0; a < kSlots; ++a)
        for (uint32_t b = a + 1; b < kSlots; ++b) {
          std::swap(in_slot_[a], in_slot_[b]);
          const float now = cost();
          constexpr float kLess = 0.9999f;  // by more than rounding
          if (now < best * kLess) {
            best = now;
            better = true;
          } else {
            std::swap(in_slot_[a], in_slot_[b]);
          }
        }
    }
  }

  /// The child in a slot, or kNobody.
  uint32_t operator[](uint32_t slot) const { return in_slot_[slot]; }
  static constexpr uint32_t kNobody = kSlots;

 private:
  float cost() const {
    float sum = 0.0f;
    for (uint32_t a = 0; a < kSlots; ++a)
      for (uint32_t b = a + 1; b < kSlots; ++b) {
        const int axis = std::bit_width(a ^ b) - 1;
        sum += pairs_[in_slot_[a]][in_slot_[b]].cost[axis][0];
      }
    return sum;
  }

  uint32_t in_slot_[kSlots] = {kNobody, kNobody, kNobody, kNobody,
                               kNobody, kNobody, kNobody, kNobody};
  PairCost pairs_[kSlots + 1][kSlots + 1];  ///< [child][child], nobody last
};

}  // namespace

void order_slots(Span<WideBvhChild> children) {
  Order order({children.data, children.size});
  order.improve();
  for (uint32_t slot = 0; slot < kSlots; ++slot)
    if (order[slot] != Order::kNobody) children[order[slot]].slot = slot;
  std::sort(children.begin(), children.end(),
            [](const WideBvhChild& a, const WideBvhChild& b) { return a.slot < b.slot; });
}

}  // namespace winnow
