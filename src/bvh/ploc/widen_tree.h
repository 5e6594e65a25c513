// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "bvh/binary_node.h"
#include "bvh/bvh_geometry.h"
#include "bvh/encode_bvh_node.h"
#include "compaction/group/block_rank.h"
#include "compaction/group/warp.h"
#include "compaction/simt/atomic.h"

namespace winnow {

/// The size of the wide tree so far.
struct WideCounts {
  uint32_t nodes[WideBvh::kMaxDepth + 1] = {};  ///< [level]
  uint32_t first[WideBvh::kMaxDepth + 1] = {};  ///< [level], its first node
  uint32_t primitives = 0;
};

/// The content of a wide node, before it is encoded.
struct WideNodePlan {
  static constexpr uint32_t kNone = ~0u;
  uint32_t children[WideBvhNode::kWidth];  ///< [slot], a node of the binary tree or kNone
  uint32_t first_node, first_primitive;
};

/// Eight lanes of a warp that plan one wide node, one lane per child.
struct LaneTeam {
  static constexpr unsigned kLanes = WideBvhNode::kWidth;
  unsigned first;  ///< first lane of the team, in the warp
  unsigned lane;   ///< this lane, in the team

  SIMT_KERNEL explicit LaneTeam(simt::Warp auto warp)
      : first(warp.thread_rank() / kLanes * kLanes), lane(warp.thread_rank() % kLanes) {}

  // All lanes of the warp call these functions together.

  /// Returns the votes of the team: bit i is that of lane i.
  SIMT_KERNEL uint32_t ballot(simt::Warp auto warp, bool vote) const {
    return warp.ballot(vote) >> first & ((1u << kLanes) - 1);
  }
  template <class T>
  SIMT_KERNEL T shfl(simt::Warp auto warp, T value, unsigned from) const {
    return warp.shfl(value, first + from);
  }
  /// Reduces the values of the team; `op` must be commutative and associative.
  template <class T, class Op>
  SIMT_KERNEL T combine(simt::Warp auto warp, T value, Op op) const {
    for (unsigned distance = 1; distance < kLanes; distance *= 2)
      value = op(value, shfl(warp, value, lane ^ distance));
    return value;
  }
};

/// Plans the wide nodes of one level from the binary node of each, and writes the binary nodes of
/// the next level. Nodes of a level are contiguous, and so are the children of a node. As levels
/// depend on each other, latency matters: eight lanes plan a node together.
struct WidenLevel {
  static constexpr unsigned kBlockSize = 256;
  static constexpr unsigned kBlockNodes = kBlockSize / LaneTeam::kLanes;
  struct Shared {
    compaction::WarpTotals<kBlockSize> warps;
    uint32_t first_node, first_primitive;
  };

  Span<const BinaryNode> tree;
  uint32_t level;
  Span<WideCounts> counts;   ///< [1]
  Span<uint32_t> sources;    ///< [node], its node of the binary tree
  Span<WideNodePlan> plans;  ///< [node]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const uint32_t begin = counts[0].first[level], end = begin + counts[0].nodes[level];
    if (block.group_index() == 0 && block.thread_rank() == 0) counts[0].first[level + 1] = end;
    const LaneTeam team(block.warp());
    for (uint32_t first = begin + block.group_index() * kBlockNodes; first < end;
         first += block.num_groups() * kBlockNodes)
      plan(block, shared, team, first + block.thread_rank() / LaneTeam::kLanes, end);
  }

 private:
  struct Child {
    uint32_t node = WideNodePlan::kNone;
    uint32_t roots = 0;  ///< subtrees into which it still has to be divided
    SIMT_HOST_DEVICE bool exists() const { return node != WideNodePlan::kNone; }
  };

  /// Plans wide node `index` if it is below `end`. All threads of the block call it together.
  SIMT_KERNEL void plan(simt::Block auto& block, Shared& shared, LaneTeam team, uint32_t index,
                        uint32_t end) const {
    simt::Warp auto warp = block.warp();
    Child root;
    if (index < end && team.lane == 0) root = {sources[index], WideBvhNode::kWidth};
    Child child = chosen_child(warp, team, root);
    const uint32_t deep =
        team.ballot(warp, child.exists() && tree[child.node].is_too_deep_below(level));
    if (warp.any(deep != 0)) {
      const Child other = child_of_three_levels(warp, team, root);
      if (deep != 0) child = other;
    }

    Bounds box;
    uint32_t leaf_size = 0;
    if (child.exists()) {
      box = tree[child.node].box;
      leaf_size = tree[child.node].wide_leaf_size();
    }
    const uint32_t slot = choose_slot(warp, team, child.exists(), box);
    const bool is_inner = child.exists() && leaf_size == 0;
    auto bits_or = [](uint32_t a, uint32_t b) { return a | b; };
    auto sum = [](uint32_t a, uint32_t b) { return a + b; };
    const uint32_t inner = team.combine(warp, uint32_t(is_inner) << slot, bits_or);
    const uint32_t taken = team.combine(warp, uint32_t(child.exists()) << slot, bits_or);
    uint32_t first_node = simt::popcount(inner);
    uint32_t first_primitive = team.combine(warp, leaf_size, sum);
    allocate(block, shared, team, end, first_node, first_primitive);
    if (index >= end) return;

    if (is_inner)
      sources[first_node + simt::popcount(inner & simt::lanes_below(slot))] = child.node;
    // Lanes without a child clear the remaining slots.
    constexpr uint32_t kAllSlots = (1u << WideBvhNode::kWidth) - 1;
    const uint32_t own =
        child.exists() ? slot : nth_set(~taken & kAllSlots, team.lane - simt::popcount(taken));
    plans[index].children[own] = child.node;
    if (team.lane == 0) {
      plans[index].first_node = first_node;
      plans[index].first_primitive = first_primitive;
    }
  }

  /// Allocates nodes and primitives for the whole block with one atomic addition each: replaces the
  /// counts of a node by its first indices.
  SIMT_KERNEL void allocate(simt::Block auto& block, Shared& shared, LaneTeam team, uint32_t end,
                            uint32_t& nodes, uint32_t& primitives) const {
    constexpr unsigned kHalf = 16;  // bits of a sum; a block needs at most 2^10 of each
    constexpr uint32_t kLow = (1u << kHalf) - 1;
    simt::Warp auto warp = block.warp();
    const uint32_t own = team.lane == 0 ? nodes | primitives << kHalf : 0;
    const uint32_t up_to = compaction::warp_inclusive_scan(warp, own);
    const uint32_t warp_total = warp.shfl(up_to, simt::kWarpSize - 1);
    const compaction::Rank warps = compaction::block_exclusive_sum(block, warp_total, shared.warps);
    if (block.thread_rank() == 0)
      shared.first_node =
          end + simt::fetch_add_relaxed(counts[0].nodes[level + 1], warps.total & kLow);
    if (block.thread_rank() == simt::kWarpSize)
      shared.first_primitive = simt::fetch_add_relaxed(counts[0].primitives, warps.total >> kHalf);
    block.sync();
    const uint32_t before = team.shfl(warp, warps.rank + up_to - own, 0);
    nodes = shared.first_node + (before & kLow);
    primitives = shared.first_primitive + (before >> kHalf);
    block.sync();
  }

  /// Returns the children of least cost, one per lane from the first lane of the team on. A tree of
  /// one primitive is its own child.
  SIMT_KERNEL Child chosen_child(simt::Warp auto warp, LaneTeam team, Child child) const {
    while (true) {
      Child halves[2];
      if (child.roots > 1) {
        const BinaryNode& node = tree[child.node];
        while (child.roots > 1 && node.first_roots(child.roots) == 0) --child.roots;
        if (child.roots > 1) {
          const uint32_t first = node.first_roots(child.roots);
          halves[0] = {node.children[0], first};
          halves[1] = {node.children[1], child.roots - first};
        }
      }
      if (!warp.any(halves[0].exists())) return child;
      child = divide(warp, team, child, halves);
    }
  }

  /// Returns the nodes three levels below, and leaves above them.
  SIMT_KERNEL Child child_of_three_levels(simt::Warp auto warp, LaneTeam team, Child child) const {
    for (uint32_t below = 0; below < WideBvh::kBinaryLevels; ++below) {
      Child halves[2];
      if (child.exists() && (below == 0 || !tree[child.node].becomes_leaf()))
        for (int i = 0; i < 2; ++i) halves[i].node = tree[child.node].children[i];
      child = divide(warp, team, child, halves);
    }
    return child;
  }

  /// Divides children in two: lanes keep the first halves, and the second ones move to the next
  /// lanes without a child.
  SIMT_KERNEL Child divide(simt::Warp auto warp, LaneTeam team, Child child,
                           const Child (&halves)[2]) const {
    const uint32_t giving = team.ballot(warp, halves[0].exists());
    const unsigned count = simt::popcount(team.ballot(warp, child.exists()));
    const bool takes = team.lane >= count && team.lane - count < simt::popcount(giving);
    const unsigned from = takes ? nth_set(giving, team.lane - count) : team.lane;
    const Child second{team.shfl(warp, halves[1].node, from),
                       team.shfl(warp, halves[1].roots, from)};
    return takes ? second : halves[0].exists() ? halves[0] : child;
  }

  /// Assigns a slot to the child of each lane that has one, like assign_slots().
  SIMT_KERNEL static uint32_t choose_slot(simt::Warp auto warp, LaneTeam team, bool exists,
                                          const Bounds& box) {
    Bounds node = box;
    auto min = [](float a, float b) { return glm::min(a, b); };
    auto max = [](float a, float b) { return glm::max(a, b); };
    for (int axis = 0; axis < 3; ++axis) {
      node.min[axis] = team.combine(warp, node.min[axis], min);
      node.max[axis] = team.combine(warp, node.max[axis], max);
    }
    WideBvhFit fit;
    fit.offset = (box.min - node.min) - (node.max - box.max);
    fit.choose(0);
    uint32_t taken = 0;
    bool pending = exists;
    while (warp.any(pending)) {
      if (pending && (taken >> fit.slot & 1)) fit.choose(taken);
      // The lane with the best fit has the largest key; among equals the first lane. NaN, which
      // occurs for boxes too large for floats, fits worst.
      const float fits = fit.fit == fit.fit ? fit.fit : -INFINITY;
      constexpr int kFitShift = 8, kSlotShift = 3;
      const uint64_t key = pending ? uint64_t(ordered_bits(fits)) << kFitShift |
                                         (LaneTeam::kLanes - team.lane) << kSlotShift | fit.slot
                                   : 0;
      const uint64_t best =
          team.combine(warp, key, [](uint64_t a, uint64_t b) { return a > b ? a : b; });
      if (best == 0) continue;
      taken |= 1u << (best & (WideBvhNode::kWidth - 1));
      if (best == key) pending = false;
    }
    return fit.slot;
  }

  /// Maps floats to positive integers in the same order.
  SIMT_HOST_DEVICE static uint32_t ordered_bits(float x) {
    const auto bits = std::bit_cast<uint32_t>(x);
    constexpr uint32_t kSign = 1u << 31;
    return bits & kSign ? ~bits : bits | kSign;
  }
};

/// Encodes the planned nodes, and writes the primitives of their leaves.
struct EncodeNodes {
  BvhGeometry geometry;
  Span<const BinaryNode> tree;
  Span<const WideNodePlan> plans;  ///< [node]
  Span<WideBvhNode> nodes;         ///< [node]
  Span<BvhPrimitive> primitives;   ///< [reference]

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const WideNodePlan plan = plans[i];
    WideBvhChild children[WideBvhNode::kWidth];
    uint32_t count = 0, next_primitive = plan.first_primitive;
    for (uint32_t slot = 0; slot < WideBvhNode::kWidth; ++slot) {
      if (plan.children[slot] == WideNodePlan::kNone) continue;
      const BinaryNode& child = tree[plan.children[slot]];
      const uint32_t leaf_size = child.wide_leaf_size();
      children[count++] = {.box = child.box, .leaf_size = leaf_size, .slot = slot};
      if (leaf_size > 0) write_leaf(plan.children[slot], next_primitive);
    }
    nodes[i] = encode_node({children, count}, plan.first_node, plan.first_primitive);
  }

 private:
  /// Writes the primitives below a binary node that becomes a leaf.
  SIMT_HOST_DEVICE void write_leaf(uint32_t root, uint32_t& next) const {
    uint32_t stack[WideBvhNode::kMaxLeafSize];
    uint32_t depth = 0;
    stack[depth++] = root;
    while (depth > 0) {
      const BinaryNode& node = tree[stack[--depth]];
      if (node.is_leaf()) {
        primitives[next++] = geometry.bvh_primitive(node.children[0]);
      } else {
        stack[depth++] = node.children[1];
        stack[depth++] = node.children[0];
      }
    }
  }
};

}  // namespace winnow
