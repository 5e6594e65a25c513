#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <glm/vec3.hpp>

#include "bvh/bvh_words.h"
#include "bvh/offset_origin.h"
#include "bvh/sphere.h"
#include "bvh/triangle.h"
#include "bvh/warp_rays.h"
#include "bvh/wide_bvh_node.h"
#include "compaction/group/warp_reduce.h"
#include "compaction/group/warp_scan.h"
#include "compaction/simt/simt.h"
#include "math/ray.h"
#include "math/rounded.h"

namespace winnow {

using simt::Span;

/// Counts what a traversal looks at. This one counts nothing, and costs nothing.
struct NoVisits {
  SIMT_HOST_DEVICE void node() {}
  SIMT_HOST_DEVICE void primitive() {}
};

/// An 8-wide bounding volume hierarchy in flat arrays: an Accel for CUDA, and for tests on the
/// host. Does not own its arrays. Of several hits at one distance it reports the lowest primitive,
/// so that a ray's hit does not depend on what the other threads of its warp do.
struct WideBvh {
  /// Levels of nodes. Each leaves at most two entries on the stack.
  static constexpr int kMaxDepth = 32;
  static constexpr uint32_t kMaxPrimitives = 1u << 30;

  Span<const WideBvhNode> nodes;        ///< [node], the root first; empty without geometry
  Span<const BvhPrimitive> primitives;  ///< [reference], node by node

  struct Group;
  struct Stack;
  class Traversal;

  SIMT_HOST_DEVICE Hit intersect(const Ray& ray) const { return intersect(ray, NoVisits()); }
  SIMT_HOST_DEVICE bool occluded(const Ray& ray) const { return occluded(ray, NoVisits()); }

  template <class Visits>
  SIMT_HOST_DEVICE Hit intersect(const Ray& ray, Visits&& visits) const;
  template <class Visits>
  SIMT_HOST_DEVICE bool occluded(const Ray& ray, Visits&& visits) const;
};

/// Some children of one node that a ray meets and that are still to be visited: nodes or
/// primitives.
struct WideBvh::Group {
  static constexpr uint32_t kFirstNodeBit = 24, kNodeBits = 0xffu << kFirstNodeBit;
  /// One node, which needs no counting from the first.
  static constexpr uint32_t kRoot = 1u << 31;

  uint32_t first;  ///< node or primitive that the others are counted from
  uint32_t bits;   ///< from kFirstNodeBit on the slots of the nodes to visit, and lowest
                   ///< WideBvhNode::node_slots; or, below kFirstNodeBit, primitives to test

  SIMT_HOST_DEVICE bool has_nodes() const { return bits >= 1u << kFirstNodeBit; }
};

/// Where a traversal goes on later: lies in memory, unlike the traversal, which lies in registers.
struct WideBvh::Stack {
  Group groups[2 * kMaxDepth];
  uint32_t slots[2 * kMaxDepth];  ///< of the nodes whose primitives wait
};

/// A ray on its way through a WideBvh, which can stop after every node: so that a warp can take new
/// rays while some of its lanes are still on their way.
class WideBvh::Traversal {
 public:
  /// Holds no ray.
  Traversal() = default;

  /// @param for_any_hit  whether any hit is enough
  template <class AnyStack>
  SIMT_HOST_DEVICE Traversal(const WideBvh& bvh, const Ray& ray, AnyStack& stack,
                             bool for_any_hit = false)
      : box_ray_(ray, for_any_hit), sheared_(ray) {
    stack.slots[0] = 0;            // read where there is nothing to visit
    t_ = float_before(ray.t_max);  // a hit at t_ counts, one at t_max does not
    if (bvh.nodes.size > 0 && ray.t_max > 0.0f) near_ = {.first = 0, .bits = Group::kRoot};
  }

  /// Whether there is more to do.
  SIMT_HOST_DEVICE bool active() const { return near_.bits != 0; }

  /// Visits the next node, and tests primitives. Only while it goes on.
  ///
  /// @tparam kAnyHit     it does not after a hit
  /// @tparam kPostpones  primitives wait while few lanes have any: for rays that do not stay close
  ///                     together
  template <bool kAnyHit, bool kPostpones, class Visits = NoVisits>
  SIMT_HOST_DEVICE void step(const WideBvh& bvh, Stack& stack, Visits&& visits = {}) {
    Leaves leaves = advance(bvh, stack, visits);
    if (!test<kAnyHit, kPostpones>(bvh, leaves, stack, visits))
      stop();
    else if (!near_.has_nodes())
      pop(stack);
  }

  /// The same for a warp whose 32 lanes call it together. Any lane tests primitives of any ray: of
  /// scattered rays that test their own, three lanes of four would wait for the fourth. A lane
  /// whose ray does not go on only tests.
  ///
  /// @param running  how many lanes have a ray that goes on
  /// @param rays     what they show
  template <bool kAnyHit>
  SIMT_KERNEL void step_warp_cooperative(simt::Warp auto warp, const WideBvh& bvh, Stack& stack,
                                         uint32_t running, WarpRays& rays) {
    NoVisits visits;
    Leaves leaves{};
    if (active()) leaves = advance(bvh, stack, visits);
    test_together<kAnyHit>(warp, bvh, leaves, stack, running, rays);
    if (kAnyHit && rays.has_hit(warp.thread_rank()))
      stop();
    else if (!near_.has_nodes())
      pop(stack);
  }

  /// Shows the ray to the other lanes.
  SIMT_HOST_DEVICE void show(WarpRays& rays, uint32_t lane) const { rays.show(lane, sheared_, t_); }

  /// Takes over what has come of it. What it has shown needs no register until then.
  SIMT_HOST_DEVICE void take_back(const WarpRays& rays, uint32_t lane) {
    sheared_ = rays.ray(lane);
    t_ = rays.nearest[lane].t;
    reference_ = rays.nearest[lane].reference;
  }

  /// Whether the ray has met anything so far.
  SIMT_HOST_DEVICE bool has_hit() const { return reference_ != kNone; }

  /// What it has met so far.
  template <class AnyStack>
  SIMT_HOST_DEVICE Hit hit(const WideBvh& bvh, const AnyStack&) const {
    if (!has_hit()) return {};
    const Rows rows(bvh.primitives[reference_], sheared_);
    Hit hit{.t = t_, .primitive = rows.number()};
    if (!rows.is_sphere()) {
      const TrianglePassage passage(sheared_, rows.triangle());
      hit.t = passage.plane_distance(sheared_);
      hit.u = passage.weights().x;
      hit.v = passage.weights().y;
    }
    return hit;
  }

 protected:
  // For traversals that are made from this one; AnyStack has the members of Stack.

  static constexpr uint32_t kNone = WarpRays::kNone;

  /// Visits the next node. Returns the primitives to test: its own, or those that waited.
  template <class AnyStack, class Visits>
  SIMT_HOST_DEVICE Leaves advance(const WideBvh& bvh, AnyStack& stack, Visits& visits) {
    Leaves leaves;
    if (near_.has_nodes()) {
      const uint32_t node = take_nearest(near_);
      if (near_.has_nodes()) stack.groups[depth_++] = near_;
      visits.node();
      visit(bvh.nodes[node], near_, leaves);
    } else {
      leaves = {near_.first, near_.bits, stack.slots[depth_]};
      near_.bits = 0;
    }
    return leaves;
  }

  /// Tests primitives, or lets them wait. Returns false after a hit if any is enough.
  template <bool kAnyHit, bool kPostpones, class AnyStack, class Visits>
  SIMT_HOST_DEVICE bool test(const WideBvh& bvh, Leaves leaves, AnyStack& stack, Visits& visits) {
    constexpr uint32_t kMin = 5;  // one in so many lanes; tuned on an H200
    const uint32_t running = running_lanes();
    while (leaves.bits != 0) {
      if (kPostpones && running_lanes() * kMin < running) {
        wait(leaves, stack);
        break;
      }
      visits.primitive();
      if (meet(bvh, leaves.take()) && kAnyHit) return false;
    }
    return true;
  }

  /// Tests primitives of all lanes, or lets them wait while there is less than one for two rays.
  template <bool kAnyHit, class AnyStack>
  SIMT_KERNEL void test_together(simt::Warp auto warp, const WideBvh& bvh, Leaves leaves,
                                 AnyStack& stack, uint32_t running, WarpRays& rays) {
    const int count = int(simt::popcount(leaves.bits));
    int left = int(compaction::warp_sum(warp, uint32_t(count)));  // of all lanes
    const auto too_few = [&] { return 2 * left < int(running); };
    if (!too_few()) {
      if (kAnyHit && !warp.any(count > kFewOwn * simt::ceil_div(left, int(simt::kWarpSize)))) {
        if (count > 0) test_own(bvh, leaves, rays, warp.thread_rank());
        return;
      }
      // Primitives are numbered lane by lane.
      int first = int(compaction::warp_exclusive_scan(warp, uint32_t(count)));
      do {
        test_32(warp, bvh, leaves, first, left, rays);
        first -= int(simt::kWarpSize);
        left -= int(simt::kWarpSize);
      } while (!too_few());
      if (first + count <= 0)
        leaves.bits = 0;
      else if (first < 0)
        leaves.bits &= ~simt::lanes_below(nth_set(leaves.bits, uint32_t(-first)));
    }
    if (leaves.bits != 0) wait(leaves, stack);
  }

  /// Of rays to any hit, the lanes test their own primitives where none has more than this, for
  /// each round of 32 of all: that takes no longer.
  static constexpr int kFewOwn = 2;

  /// Tests a lane's primitives up to a hit, of which any is enough.
  SIMT_HOST_DEVICE void test_own(const WideBvh& bvh, Leaves leaves, WarpRays& rays,
                                 uint32_t lane) const {
    const ShearedRay ray = rays.ray(lane);
    while (leaves.bits != 0) {
      const uint32_t reference = leaves.take();
      const float t = distance_to(Rows(bvh.primitives[reference], ray), ray);
      if (t > 0.0f && t <= t_) {
        rays.nearest[lane].reference = reference;
        return;
      }
    }
  }

  /// Lane i tests primitive i.
  ///
  /// @param first  number of the lane's first primitive, below 0 if that has been tested
  /// @param left   number after the last one of all lanes, above 0
  SIMT_KERNEL void test_32(simt::Warp auto warp, const WideBvh& bvh, const Leaves& leaves,
                           int first, int left, WarpRays& rays) {
    const uint32_t lane = warp.thread_rank();
    const uint32_t up_to_lane = ~(~1u << lane);
    const uint32_t start = highest_set(rays.lend(warp, leaves, first) & up_to_lane);
    // The lanes up to this one that test primitives of the same ray.
    const uint32_t same = up_to_lane & ~simt::lanes_below(start);

    uint32_t owner = lane;
    WarpRays::Nearest met{INFINITY, 0, 0, 0};
    if (int(lane) < left) {
      const WarpRays::Loan loan = rays.loans[start];
      owner = loan.owner();
      met.reference = loan.leaves.reference(nth_set(loan.leaves.bits, lane - loan.first()));
      const ShearedRay ray = rays.ray(owner);
      const Rows rows(bvh.primitives[met.reference], ray);
      met.number = rows.number();
      const float t = distance_to(rows, ray);
      if (t > 0.0f) met.t = t;
    }
    // Of several that are nearer than their ray's nearest, the first lane's takes its place, as
    // long as there are any.
    while (const uint32_t nearer = warp.ballot(met.is_before(rays.nearest[owner]))) {
      warp.sync();
      if ((nearer & same) == 1u << lane) rays.nearest[owner] = met;
      warp.sync();
    }
    t_ = rays.nearest[lane].t;
  }

  /// Leaves primitives for later.
  template <class AnyStack>
  SIMT_HOST_DEVICE void wait(const Leaves& leaves, AnyStack& stack) {
    stack.slots[depth_] = leaves.slots;
    stack.groups[depth_++] = {leaves.first, leaves.bits};
  }

  /// Goes on with what waits, if anything does.
  template <class AnyStack>
  SIMT_HOST_DEVICE void pop(const AnyStack& stack) {
    near_.bits = 0;
    if (depth_ > 0) near_ = stack.groups[--depth_];
  }

  SIMT_HOST_DEVICE void stop() {
    near_.bits = 0;
    depth_ = 0;
  }

  /// What the box tests need of a ray.
  struct BoxRay {
    glm::vec3 origin, inverse;
    uint32_t near_slots;  ///< a byte for each axis, highest for the one that decides first: the
                          ///< slots that lie where the ray comes from
    uint32_t k128 = bits_of_128();

    BoxRay() = default;
    SIMT_HOST_DEVICE explicit BoxRay(const Ray& ray, bool for_any_hit = false)
        : origin(ray.origin) {
      // A direction of 0 would give 0 times infinity. This much moves a ray by less than boxes are
      // padded, if it is shorter than 2^40 times what it meets; the product with the size of a
      // scene stays finite up to 2^50 m.
      constexpr float kMin = 0x1p-70f;
      for (int axis = 0; axis < 3; ++axis) {
        float d = ray.direction[axis];
        inverse[axis] = rounded_reciprocal(std::abs(d) > kMin ? d : std::copysign(kMin, d));
      }
      // The slots that lie low along each axis, or high.
      const uint32_t x = inverse.x > 0.0f ? 0x55 : 0xaa, y = inverse.y > 0.0f ? 0x33 : 0xcc;
      const uint32_t z = inverse.z > 0.0f ? 0x0f : 0xf0;
      const glm::vec3 size = glm::abs(ray.direction);
      uint32_t first = z, second = y, third = x;
      near_slots = first << 24 | second << 16 | third << 8;
      // Where the nearest hit is not asked for, the axes in the order of the bits of slots are
      // better: by 0 to 5 % of the nodes.
      if (for_any_hit) return;
      if (size.y > size.z) swap(first, second);
      if (size.x > std::fmin(size.y, size.z)) swap(second, third);
      if (size.x > std::fmax(size.y, size.z)) swap(first, second);
      near_slots = first << 24 | second << 16 | third << 8;
    }

   private:
    SIMT_HOST_DEVICE static void swap(uint32_t& a, uint32_t& b) {
      const uint32_t c = a;
      a = b;
      b = c;
    }
  };

  /// Removes the node that lies first along the ray, as far as its slot tells, and returns it.
  SIMT_HOST_DEVICE uint32_t take_nearest(Group& group) const {
    constexpr uint32_t kByte = 8;
    uint32_t nearest = group.bits & Group::kNodeBits;
    for (uint32_t axis = 0; axis < 3; ++axis) {
      const uint32_t near_side = nearest & box_ray_.near_slots << (kByte * axis);
      if (near_side != 0) nearest = near_side;
    }
    const uint32_t bit = highest_set(nearest);
    group.bits &= ~(1u << bit);
    const uint32_t slot = bit - Group::kFirstNodeBit;
    return group.first + simt::popcount(group.bits & simt::lanes_below(slot));
  }

  /// The planes that bound four children, steps, one in each byte.
  struct Planes {
    uint32_t x, y, z;
  };
  /// Where a ray meets planes: at q steps, given as 128 + q / 256, at q scale + shift.
  struct Meeting {
    glm::vec3 scale, shift;
  };

  /// Finds the children of a node whose boxes the ray meets before its hit so far. The node is read
  /// as 20 words; four children are looked at together.
  SIMT_HOST_DEVICE void visit(const WideBvhNode& node, Group& inner, Leaves& leaves) const {
    const Words* words = reinterpret_cast<const Words*>(&node);
    const Words frame = load_words(words), content = load_words(words + 1);
    const Words lower_xy = load_words(words + 2), middle = load_words(words + 3);
    const Words upper_yz = load_words(words + 4);

    const BoxRay& ray = box_ray_;
    const glm::vec3 corner = floats(frame);
    // The far side moves out by the rounding error that grows with the distance: Ize, "Robust BVH
    // Ray Traversal", 2013. The padding of the boxes covers that which does not.
    constexpr float kOutward = 2.0f * error_bound(8);
    Meeting near, far;
    for (int axis = 0; axis < 3; ++axis) {
      constexpr uint32_t kMantissaBits = 23;
      const uint32_t exponent = frame.w >> (8 * axis) & 0xff;
      const float scale = std::bit_cast<float>(exponent << kMantissaBits) * ray.inverse[axis];
      const float shift =
          std::fma(-128.0f, scale, (corner[axis] - ray.origin[axis]) * ray.inverse[axis]);
      near.scale[axis] = far.scale[axis] = scale;
      near.shift[axis] = shift;
      far.shift[axis] = std::fma(std::abs(shift), kOutward, shift);
    }

    const bool up_x = ray.inverse.x > 0.0f, up_y = ray.inverse.y > 0.0f;
    const bool up_z = ray.inverse.z > 0.0f;
    const uint32_t hits =
        intersect_4_boxes<0>(near,
                             {up_x ? lower_xy.x : middle.z, up_y ? lower_xy.z : upper_yz.x,
                              up_z ? middle.x : upper_yz.z},
                             far,
                             {up_x ? middle.z : lower_xy.x, up_y ? upper_yz.x : lower_xy.z,
                              up_z ? upper_yz.z : middle.x}) |
        intersect_4_boxes<4>(near,
                             {up_x ? lower_xy.y : middle.w, up_y ? lower_xy.w : upper_yz.y,
                              up_z ? middle.y : upper_yz.w},
                             far,
                             {up_x ? middle.w : lower_xy.y, up_y ? upper_yz.y : lower_xy.w,
                              up_z ? upper_yz.w : middle.y});
    inner = {content.x, (hits & frame.w & Group::kNodeBits) | frame.w >> Group::kFirstNodeBit};
    leaves = {content.y, hits & content.z, content.z};
  }

  /// Tests the boxes of four children, given by the planes that the ray meets first and last along
  /// each axis. For those that it meets, sets the bit of their node and those of their primitives.
  template <unsigned kFirstSlot>
  SIMT_HOST_DEVICE uint32_t intersect_4_boxes(const Meeting& near, const Planes& first,
                                              const Meeting& far, const Planes& last) const {
    // Two surfaces in one place are both tested, whichever comes first.
    constexpr float kAsNear = 1.0f + 0x1p-20f;
    const float limit = t_ * kAsNear;
    const uint32_t k128 = box_ray_.k128;
    uint32_t hits = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const float enter =
          max3_or_0(std::fma(byte_above_128(first.x, i, k128), near.scale.x, near.shift.x),
                    std::fma(byte_above_128(first.y, i, k128), near.scale.y, near.shift.y),
                    std::fma(byte_above_128(first.z, i, k128), near.scale.z, near.shift.z));
      const float leave =
          min3_or_negative(std::fma(byte_above_128(last.x, i, k128), far.scale.x, far.shift.x),
                           std::fma(byte_above_128(last.y, i, k128), far.scale.y, far.shift.y),
                           std::fma(byte_above_128(last.z, i, k128), far.scale.z, far.shift.z));
      constexpr uint32_t kLeaf = (1u << WideBvhNode::kMaxLeafSize) - 1;
      const unsigned slot = kFirstSlot + i;
      if (enter <= std::fmin(leave, limit))
        hits |= 1u << (Group::kFirstNodeBit + slot) | kLeaf << (WideBvhNode::kMaxLeafSize * slot);
    }
    return hits;
  }

  /// A primitive's rows by the axes of a ray.
  struct Rows {
    Words x, y, z;

    SIMT_HOST_DEVICE Rows(const BvhPrimitive& primitive, const ShearedRay& ray)
        : x(load_words(&primitive.rows[ray.x_axis])),
          y(load_words(&primitive.rows[ray.y_axis])),
          z(load_words(&primitive.rows[ray.z_axis])) {}

    SIMT_HOST_DEVICE bool is_sphere() const { return z.w & BvhPrimitive::kSphereBit; }
    SIMT_HOST_DEVICE uint32_t number() const { return z.w & ~BvhPrimitive::kSphereBit; }
    SIMT_HOST_DEVICE RotatedTriangle triangle() const { return {floats(x), floats(y), floats(z)}; }
    SIMT_HOST_DEVICE glm::vec3 center() const { return {floats(x).x, floats(y).x, floats(z).x}; }
    SIMT_HOST_DEVICE float radius() const { return floats(z).y; }
  };

  /// Tests one primitive. Where it is hit nearer than the hit so far, or as near and of a lower
  /// number, that becomes the hit.
  SIMT_HOST_DEVICE bool meet(const WideBvh& bvh, uint32_t reference) {
    const Rows rows(bvh.primitives[reference], sheared_);
    const float t = distance_to(rows, sheared_);
    if (!(t > 0.0f && t <= t_)) return false;
    if (t == t_ && has_hit() &&
        rows.number() >= Rows(bvh.primitives[reference_], sheared_).number())
      return false;
    t_ = t;
    reference_ = reference;
    return true;
  }

  /// Where a ray meets a primitive, m; 0 or less, or no number, if it does not.
  SIMT_HOST_DEVICE static float distance_to(const Rows& rows, const ShearedRay& ray) {
    if (rows.is_sphere())
      return intersect_sphere({ray.origin, ray.direction()}, rows.center(), rows.radius());
    const TrianglePassage passage(ray, rows.triangle());
    return passage.meets() ? passage.distance(ray) : 0.0f;
  }

  SIMT_HOST_DEVICE static glm::vec3 floats(Words words) {
    return {std::bit_cast<float>(words.x), std::bit_cast<float>(words.y),
            std::bit_cast<float>(words.z)};
  }

  /// The neighbour of a float above 0.
  SIMT_HOST_DEVICE static float float_before(float t) {
    return std::bit_cast<float>(std::bit_cast<uint32_t>(t) - 1);
  }

  BoxRay box_ray_;
  ShearedRay sheared_;
  float t_;                     ///< m, of the hit so far
  uint32_t reference_ = kNone;  ///< what it is of
  Group near_{};                ///< where to go on
  int depth_ = 0;
};

/// A ray at its end: followed by one thread, from node to node.
///
/// @tparam Bvh  WideBvh, or what has a Traversal and a Stack as it does
template <bool kAnyHit, class Bvh, class Visits>
SIMT_HOST_DEVICE typename Bvh::Traversal traverse(const Bvh& bvh, const Ray& ray,
                                                  typename Bvh::Stack& stack, Visits&& visits) {
  typename Bvh::Traversal traversal(bvh, ray, stack, kAnyHit);
  while (traversal.active()) traversal.template step<kAnyHit, true>(bvh, stack, visits);
  return traversal;
}

template <class Visits>
SIMT_HOST_DEVICE Hit WideBvh::intersect(const Ray& ray, Visits&& visits) const {
  Stack stack;
  return traverse<false>(*this, ray, stack, visits).hit(*this, stack);
}

template <class Visits>
SIMT_HOST_DEVICE bool WideBvh::occluded(const Ray& ray, Visits&& visits) const {
  Stack stack;
  return traverse<true>(*this, ray, stack, visits).has_hit();
}

}  // namespace winnow
