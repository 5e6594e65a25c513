// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>

#include "bvh/warp_rays.h"
#include "bvh/wide_bvh_node.h"
#include "compaction/group/warp.h"
#include "compaction/simt/simt.h"
#include "math/ray.h"

namespace winnow {

/// Counts the nodes and primitives that a traversal tests. This one counts nothing, at no cost.
struct NoVisits {
  SIMT_HOST_DEVICE void node() {}
  SIMT_HOST_DEVICE void primitive() {}
};

/// Traverses a BVH with one thread until the ray terminates. Returns its closest hit, or whether it
/// has any.
///
/// @tparam Bvh  WideBvh, or a type with a Traversal and a Stack like it
template <bool kAnyHit, class Bvh, class Visits>
SIMT_HOST_DEVICE auto traverse(const Bvh& bvh, const Ray& ray, Visits& visits) {
  typename Bvh::Stack stack;
  typename Bvh::Traversal traversal(bvh, ray, stack, kAnyHit);
  const auto direction = [&] { return ray.direction; };
  while (traversal.active()) traversal.template step<kAnyHit, true>(bvh, stack, direction, visits);
  if constexpr (kAnyHit)
    return traversal.has_hit();
  else
    return traversal.hit(bvh, stack);
}

/// An 8-wide bounding volume hierarchy in flat arrays: an Accel for CUDA and, for tests, the host.
/// Does not own its arrays. Among hits at equal distance it reports the lowest primitive, so that
/// the hit of a ray does not depend on the other threads of its warp.
struct WideBvh {
  /// Levels of nodes. Each leaves at most two entries on the stack.
  static constexpr int kMaxDepth = 32;
  static constexpr uint32_t kMaxPrimitives = 1u << 30;

  /// Cost of a primitive test relative to a node visit, for builders. By instruction counts it is
  /// closer to 0.5, but rays take the same time from 0.3 to 0.7, and 0.3 takes the least memory.
  static constexpr float kPrimitiveCost = 0.3f;

  // A wide node replaces three levels of a binary tree.
  static constexpr uint32_t kBinaryLevels = 3;
  /// Height up to which every binary tree can be collapsed to kMaxDepth levels.
  static constexpr uint32_t kMaxBinaryHeight = kBinaryLevels * kMaxDepth;
  /// Returns the levels of wide nodes that suffice for a binary tree of this height.
  SIMT_HOST_DEVICE static constexpr uint32_t levels_for(uint32_t binary_height) {
    return (binary_height + kBinaryLevels - 1) / kBinaryLevels;
  }

  Span<const WideBvhNode> nodes;        ///< [node], root first; empty without geometry
  Span<const BvhPrimitive> primitives;  ///< [reference], node by node

  struct Stack;
  class Traversal;

  template <class Visits = NoVisits>
  SIMT_HOST_DEVICE Hit intersect(const Ray& ray, Visits&& visits = {}) const {
    return traverse<false>(*this, ray, visits);
  }
  template <class Visits = NoVisits>
  SIMT_HOST_DEVICE bool occluded(const Ray& ray, Visits&& visits = {}) const {
    return traverse<true>(*this, ray, visits);
  }
};

/// The traversal stack, in memory; the Traversal is in registers.
struct WideBvh::Stack {
  NodeGroup groups[2 * kMaxDepth];
  uint32_t slots[2 * kMaxDepth];  ///< PrimitiveGroup::slots of postponed primitives
};

/// The traversal of one ray, resumable after each node: a warp can fetch new rays while some of its
/// lanes are still active.
class WideBvh::Traversal {
 public:
  /// Makes an inactive traversal.
  Traversal() = default;

  template <class AnyStack>
  SIMT_HOST_DEVICE Traversal(const WideBvh& bvh, const Ray& ray, AnyStack& stack,
                             bool for_any_hit = false)
      : box_ray_(ray, for_any_hit), sheared_(ray) {
    stack.slots[0] = 0;            // read when there is nothing to visit
    t_ = float_before(ray.t_max);  // a hit at t_ counts, a hit at t_max does not
    if (bvh.nodes.size > 0 && ray.t_max > 0.0f) current_ = {.first = 0, .bits = NodeGroup::kRoot};
  }

  /// Returns whether nodes or primitives remain.
  SIMT_HOST_DEVICE bool active() const { return current_.bits != 0; }

  /// Visits the next node and tests primitives. The traversal must be active.
  ///
  /// @tparam kAnyHit     terminates at the first hit
  /// @tparam kPostpones  postpones primitive tests while few lanes have any: for incoherent rays
  /// @param  direction   returns the direction of the ray, as for distance_to(): it occupies no
  ///                     registers of the traversal
  template <bool kAnyHit, bool kPostpones, class Direction, class Visits = NoVisits>
  SIMT_HOST_DEVICE void step(const WideBvh& bvh, Stack& stack, const Direction& direction,
                             Visits&& visits = {}) {
    const PrimitiveGroup primitives = advance(bvh, stack, visits);
    if (!test<kAnyHit, kPostpones>(bvh, primitives, stack, direction, visits))
      terminate();
    else if (!current_.has_nodes())
      pop(stack);
  }

  /// Steps all 32 lanes of a warp together, like step(): lanes test primitives for any ray of the
  /// warp. If each tested its own, three of four lanes would idle with incoherent rays. An inactive
  /// lane only tests.
  ///
  /// @param direction_of  returns the direction of the ray of an item
  template <bool kAnyHit, class DirectionOf>
  SIMT_KERNEL void step_warp_cooperative(simt::Warp auto warp, const WideBvh& bvh, Stack& stack,
                                         uint32_t running, WarpRays& rays,
                                         const DirectionOf& direction_of) {
    NoVisits visits;
    PrimitiveGroup primitives{};
    if (active()) primitives = advance(bvh, stack, visits);
    test_cooperatively<kAnyHit>(warp, bvh, primitives, stack, running, rays, direction_of);
    if (kAnyHit && rays.has_hit(warp.thread_rank()))
      terminate();
    else if (!current_.has_nodes())
      pop(stack);
  }

  SIMT_HOST_DEVICE void publish(WarpRays& rays, uint32_t lane, uint32_t item) const {
    rays.publish(lane, item, sheared_, t_);
  }

  /// Loads the ray and its nearest hit back. Between publish() and this they occupy no registers.
  SIMT_HOST_DEVICE void load_result(const WarpRays& rays, uint32_t lane) {
    sheared_ = rays.ray(lane);
    t_ = rays.nearest[lane].t;
    reference_ = rays.nearest[lane].reference;
  }

  SIMT_HOST_DEVICE bool has_hit() const { return reference_ != kNone; }

  template <class AnyStack>
  SIMT_HOST_DEVICE Hit hit(const WideBvh& bvh, const AnyStack&) const {
    if (!has_hit()) return {};
    const PermutedPrimitive primitive(bvh.primitives[reference_], sheared_);
    if (primitive.is_sphere()) return {.t = t_, .primitive = primitive.index()};
    const PermutedTriangle triangle = primitive.triangle();
    return hit_of(TriangleIntersection(sheared_, triangle), sheared_, triangle, primitive.index());
  }

 protected:
  // For traversals derived from this one; AnyStack has the members of Stack.

  static constexpr uint32_t kNone = WarpRays::kNone;

  /// Visits the next node. Returns the primitives to test: those of the node, or postponed ones.
  template <class AnyStack, class Visits>
  SIMT_HOST_DEVICE PrimitiveGroup advance(const WideBvh& bvh, AnyStack& stack, Visits& visits) {
    PrimitiveGroup primitives;
    if (current_.has_nodes()) {
      const uint32_t node = box_ray_.take_nearest(current_);
      if (current_.has_nodes()) stack.groups[depth_++] = current_;
      visits.node();
      intersect_children(bvh.nodes[node], box_ray_, t_, current_, primitives);
    } else {
      primitives = {current_.first, current_.bits, stack.slots[depth_]};
      current_.bits = 0;
    }
    return primitives;
  }

  /// Tests or postpones primitives. Returns false after a hit if any hit is enough.
  template <bool kAnyHit, bool kPostpones, class AnyStack, class Direction, class Visits>
  SIMT_HOST_DEVICE bool test(const WideBvh& bvh, PrimitiveGroup primitives, AnyStack& stack,
                             const Direction& direction, Visits& visits) {
    constexpr uint32_t kPostponeBelow = 5;  // one in five lanes; tuned on an H200
    const uint32_t running = converged_lanes();
    while (primitives.bits != 0) {
      if (kPostpones && converged_lanes() * kPostponeBelow < running) {
        postpone(primitives, stack);
        break;
      }
      visits.primitive();
      if (intersect_primitive(bvh, primitives.take(), direction) && kAnyHit) return false;
    }
    return true;
  }

  /// Tests the primitives of all lanes, or postpones them if there is less than one per two rays.
  template <bool kAnyHit, class AnyStack, class DirectionOf>
  SIMT_KERNEL void test_cooperatively(simt::Warp auto warp, const WideBvh& bvh,
                                      PrimitiveGroup primitives, AnyStack& stack, uint32_t running,
                                      WarpRays& rays, const DirectionOf& direction_of) {
    const int count = int(simt::popcount(primitives.bits));
    int left = int(compaction::warp_sum(warp, uint32_t(count)));  // untested, in all lanes
    const auto too_few = [&] { return 2 * left < int(running); };
    if (!too_few()) {
      if (kAnyHit && !warp.any(count > kMaxOwnTests * simt::ceil_div(left, int(simt::kWarpSize)))) {
        if (count > 0) test_own(bvh, primitives, rays, warp.thread_rank(), direction_of);
        return;
      }
      // Rank of the first primitive of this lane among those of the warp, lane by lane.
      int first = int(compaction::warp_exclusive_scan(warp, uint32_t(count)));
      do {
        test_32(warp, bvh, primitives, first, left, rays, direction_of);
        first -= int(simt::kWarpSize);
        left -= int(simt::kWarpSize);
      } while (!too_few());
      if (first + count <= 0)
        primitives.bits = 0;
      else if (first < 0)
        primitives.bits &= ~simt::lanes_below(nth_set(primitives.bits, uint32_t(-first)));
    }
    if (primitives.bits != 0) postpone(primitives, stack);
  }

  /// Limit of primitives in a lane for each 32 of the warp: up to it, lanes test their own
  /// primitives for any hit, which takes no longer than sharing them.
  static constexpr int kMaxOwnTests = 2;

  /// Tests the primitives of this lane up to the first hit.
  template <class DirectionOf>
  SIMT_HOST_DEVICE void test_own(const WideBvh& bvh, PrimitiveGroup primitives, WarpRays& rays,
                                 uint32_t lane, const DirectionOf& direction_of) const {
    const ShearedRay ray = rays.ray(lane);
    while (primitives.bits != 0) {
      const uint32_t reference = primitives.take();
      const float t = distance_to(PermutedPrimitive(bvh.primitives[reference], ray), ray,
                                  [&] { return direction_of(rays.rays[lane].item); });
      if (t > 0.0f && t <= t_) {
        rays.nearest[lane].reference = reference;
        return;
      }
    }
  }

  /// Tests 32 primitives: lane i tests the one of rank i.
  ///
  /// @param first  rank of the first primitive of this lane; negative if already tested
  /// @param left   untested primitives of all lanes, at least 1
  template <class DirectionOf>
  SIMT_KERNEL void test_32(simt::Warp auto warp, const WideBvh& bvh,
                           const PrimitiveGroup& primitives, int first, int left, WarpRays& rays,
                           const DirectionOf& direction_of) {
    const uint32_t lane = warp.thread_rank();
    const uint32_t up_to_lane = ~(~1u << lane);
    const uint32_t start = highest_set(rays.share(warp, primitives, first) & up_to_lane);
    // The lanes up to this one that test primitives of the same ray.
    const uint32_t same = up_to_lane & ~simt::lanes_below(start);

    uint32_t owner = lane;
    WarpRays::Nearest hit{INFINITY, 0, 0, 0};
    if (int(lane) < left) {
      const WarpRays::TestJob job = rays.jobs[start];
      owner = job.owner();
      hit.reference = job.primitives.reference(nth_set(job.primitives.bits, lane - job.first()));
      const ShearedRay ray = rays.ray(owner);
      const PermutedPrimitive primitive(bvh.primitives[hit.reference], ray);
      hit.primitive = primitive.index();
      const float t =
          distance_to(primitive, ray, [&] { return direction_of(rays.rays[owner].item); });
      if (t > 0.0f) hit.t = t;
    }
    // The first lane of each ray stores its hit while that is nearer than the ray's nearest.
    while (const uint32_t nearer = warp.ballot(hit.is_before(rays.nearest[owner]))) {
      warp.sync();
      if ((nearer & same) == 1u << lane) rays.nearest[owner] = hit;
      warp.sync();
    }
    t_ = rays.nearest[lane].t;
  }

  template <class AnyStack>
  SIMT_HOST_DEVICE void postpone(const PrimitiveGroup& primitives, AnyStack& stack) {
    stack.slots[depth_] = primitives.slots;
    stack.groups[depth_++] = {primitives.first, primitives.bits};
  }

  /// Continues with the top of the stack; becomes inactive if it is empty.
  template <class AnyStack>
  SIMT_HOST_DEVICE void pop(const AnyStack& stack) {
    current_.bits = 0;
    if (depth_ > 0) current_ = stack.groups[--depth_];
  }

  SIMT_HOST_DEVICE void terminate() {
    current_.bits = 0;
    depth_ = 0;
  }

  /// Tests one primitive. Returns whether it becomes the nearest hit; ties go to the lower index.
  template <class Direction>
  SIMT_HOST_DEVICE bool intersect_primitive(const WideBvh& bvh, uint32_t reference,
                                            const Direction& direction) {
    const PermutedPrimitive primitive(bvh.primitives[reference], sheared_);
    const float t = distance_to(primitive, sheared_, direction);
    if (!(t > 0.0f && t <= t_)) return false;
    if (t == t_ && has_hit() &&
        primitive.index() >= PermutedPrimitive(bvh.primitives[reference_], sheared_).index())
      return false;
    t_ = t;
    reference_ = reference;
    return true;
  }

  BoxRay box_ray_;
  ShearedRay sheared_;
  float t_;                     ///< m, distance of the nearest hit so far
  uint32_t reference_ = kNone;  ///< primitive of that hit
  NodeGroup current_{};         ///< next to visit
  int depth_ = 0;               ///< entries on the stack
};

}  // namespace winnow
