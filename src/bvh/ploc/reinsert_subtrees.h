// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

#include "bvh/binary_node.h"
#include "bvh/ploc/merge_clusters.h"
#include "compaction/simt/atomic.h"

namespace winnow {

// Reinserts subtrees where they enlarge the boxes above them least, many at once: each finds its
// best place in the unchanged tree, conflicting moves are resolved in favour of the largest gain,
// and the boxes are refitted. Only the top of the tree takes part, where boxes are large: the
// clusters of some iteration of merging, and the nodes above them. Meister & Bittner, "Parallel
// Reinsertion for Bounding Volume Hierarchy Optimization", 2018.

/// The parent of each node; kNone for the root.
struct TreeParents {
  static constexpr uint32_t kBottomBit = 1u << 31;  ///< marks the clusters
  static constexpr uint32_t kNone = ~kBottomBit;
  Span<uint32_t> packed;  ///< [node], parent and kBottomBit
  SIMT_HOST_DEVICE uint32_t operator[](uint32_t node) const { return packed[node] & ~kBottomBit; }
  SIMT_HOST_DEVICE bool is_bottom(uint32_t node) const { return packed[node] & kBottomBit; }
  SIMT_HOST_DEVICE void set(uint32_t node, uint32_t parent) const {
    packed[node] = (packed[node] & kBottomBit) | parent;
  }
};

struct TreeTop {
  Span<BinaryNode> nodes;
  TreeParents parents;
  Span<const Cluster> bottom;  ///< clusters at the bottom of the top
  Span<const Cluster> root;    ///< [1], the last cluster
  uint32_t leaf_count;         ///< number of leaves of the whole tree

  /// Returns the number of indices in the top: clusters, nodes above them, one without a node.
  SIMT_HOST_DEVICE uint32_t size() const { return 2 * uint32_t(bottom.size); }
  /// Returns the node with index `i` in the top; kNone for the index without a node.
  SIMT_HOST_DEVICE uint32_t node(uint32_t i) const {
    const auto clusters = uint32_t(bottom.size);
    if (i < clusters) return bottom[i].node;
    // Owners determine the indices of nodes; the last cluster's owner has none.
    const uint32_t owner = bottom[i - clusters].owner;
    return owner == root[0].owner ? TreeParents::kNone : leaf_count + owner;
  }
  SIMT_HOST_DEVICE const Bounds& box(uint32_t node) const { return nodes[node].box; }
  SIMT_HOST_DEVICE uint32_t sibling(uint32_t node) const {
    const BinaryNode& parent = nodes[parents[node]];
    return parent.children[parent.children[0] == node ? 1 : 0];
  }
};

/// Marks the clusters; one further item marks the root.
struct MarkTreeTop {
  TreeTop top;

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    if (i < top.bottom.size)
      top.parents.packed[top.bottom[i].node] |= TreeParents::kBottomBit;
    else
      top.parents.packed[top.root[0].node] = TreeParents::kNone;
  }
};

/// A move of a subtree to become the sibling of another node.
struct Reinsertion {
  float gain;          ///< m^2, decrease of the half areas of boxes; 0 for no move
  uint32_t node;       ///< the root of the subtree
  uint32_t neighbour;  ///< its new sibling
  uint32_t pivot;      ///< the lowest common ancestor of both

  /// Returns a key that orders moves by gain: unique, never 0.
  SIMT_HOST_DEVICE uint64_t key(uint32_t index) const {
    constexpr int kIndexBits = 32;
    return uint64_t(std::bit_cast<uint32_t>(gain)) << kIndexBits | (index + 1);
  }
};

/// Per-node state of one iteration. All 0 between iterations.
struct ReinsertionMarks {
  uint64_t lock;      ///< the largest key of the moves that change links of the node
  uint64_t moved;     ///< the key of the accepted move of this node, or 0
  uint64_t arrivals;  ///< children that have been refitted
};

/// Calls `visit(node)` for the nodes that a move locks: those whose links it changes.
template <class Visit>
SIMT_HOST_DEVICE void for_each_linked(const TreeTop& top, const Reinsertion& move, Visit visit) {
  visit(move.node);
  visit(top.parents[move.node]);
  visit(top.sibling(move.node));
  visit(move.neighbour);
}

struct ReinsertionStage {
  TreeTop top;
  Span<Reinsertion> moves;       ///< [index in the top]
  Span<ReinsertionMarks> marks;  ///< [node]
};

/// Finds the best place of each node, and locks the nodes whose links the move changes.
struct FindReinsertions : ReinsertionStage {
  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const Reinsertion move = moves[i] = find(top.node(i));
    if (!(move.gain > 0.0f)) return;
    const uint64_t key = move.key(i);
    for_each_linked(top, move, [&](uint32_t node) { simt::raise_relaxed(marks[node].lock, key); });
  }

 private:
  SIMT_HOST_DEVICE Reinsertion find(uint32_t node) const {
    Reinsertion none{.gain = 0.0f, .node = node, .neighbour = node, .pivot = node};
    if (node == TreeParents::kNone) return none;
    const uint32_t parent = top.parents[node];
    if (parent == TreeParents::kNone || top.parents[parent] == TreeParents::kNone) return none;
    Search search(top, none);
    while (search.step()) {
    }
    return search.best;
  }

  /// Evaluates all nodes except ancestors, by branch and bound: the subtree of the sibling, then
  /// that of the parent's sibling, and so on. Each step evaluates at most two nodes, so that the
  /// searches of a warp stay converged.
  class Search {
   public:
    Reinsertion best;

    SIMT_HOST_DEVICE Search(const TreeTop& top, const Reinsertion& none)
        : best(none),
          top_(top),
          box_(top.box(none.node)),
          area_(box_.half_area()),
          parent_(top.parents[none.node]),
          path_(none.node) {}

    /// Returns whether nodes remain.
    SIMT_HOST_DEVICE bool step() {
      if (depth_ == 0) return climb();
      const Entry entry = stack_[--depth_];
      if (gained_ - entry.growth - area_ > best.gain)
        for (uint32_t child : entry.children) consider(child, entry.growth);
      return true;
    }

   private:
    /// A node whose children remain to be evaluated.
    struct Entry {
      uint32_t children[2];
      float growth;  ///< m^2, growth of the boxes above these
    };
    static constexpr int kMaxEntries = 64;  // the lowest levels of a higher tree are not searched

    /// Continues with the subtree of the next ancestor's other child.
    SIMT_HOST_DEVICE bool climb() {
      const uint32_t pivot = top_.parents[path_];
      if (pivot == TreeParents::kNone) return false;
      // The subtree's parent is removed, and the boxes between it and the pivot shrink.
      if (path_ == best.node)
        gained_ = top_.box(pivot).half_area();
      else if (path_ != parent_)
        gained_ += top_.box(path_).half_area() - rest_.half_area();
      const uint32_t other = top_.sibling(path_);
      path_ = pivot;
      consider(other, 0.0f);
      rest_.extend(top_.box(other));
      return true;
    }

    SIMT_HOST_DEVICE void consider(uint32_t neighbour, float growth) {
      const BinaryNode& node = top_.nodes[neighbour];
      const bool is_bottom = top_.parents.is_bottom(neighbour);
      const Bounds own = node.box;
      const Entry below{{node.children[0], node.children[1]}, 0.0f};
      const float joint_area = join(own, box_).half_area();
      const float gain = gained_ - growth - joint_area;
      if (gain > best.gain) best.gain = gain, best.neighbour = neighbour, best.pivot = path_;
      const float growth_below = growth + joint_area - own.half_area();
      if (is_bottom || depth_ == kMaxEntries || gained_ - growth_below - area_ <= best.gain) return;
      stack_[depth_] = below;
      stack_[depth_++].growth = growth_below;
    }

    const TreeTop& top_;
    const Bounds box_;
    const float area_;
    const uint32_t parent_;
    uint32_t path_;  ///< the current pivot
    Bounds rest_;    ///< bounds below the pivot, without the subtree
    float gained_ = 0.0f;
    Entry stack_[kMaxEntries];
    int depth_ = 0;
  };
};

/// Rejects moves that did not get all of their locks, and marks the nodes that the others move.
struct KeepLockedReinsertions : ReinsertionStage {
  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const Reinsertion move = moves[i];
    if (!(move.gain > 0.0f)) return;
    const uint64_t key = move.key(i);
    bool locked = true;
    for_each_linked(top, move, [&](uint32_t node) { locked = locked && marks[node].lock == key; });
    if (locked)
      marks[move.node].moved = key;
    else
      moves[i].gain = 0.0f;
  }
};

/// Rejects moves into a subtree whose own move gains more. This breaks every cycle of moves into
/// each other's subtrees: at least the one with the least gain is rejected.
struct KeepTreeReinsertions : ReinsertionStage {
  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const Reinsertion move = moves[i];
    if (!(move.gain > 0.0f)) return;
    const uint64_t key = move.key(i);
    for (uint32_t node = move.neighbour; node != move.pivot; node = top.parents[node])
      if (marks[node].moved > key) moves[i].gain = 0.0f;
  }
};

/// Executes the remaining moves. No two of them write the same link.
struct MakeReinsertions : ReinsertionStage {
  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const Reinsertion move = moves[i];
    if (move.node != TreeParents::kNone) marks[move.node] = {};
    if (!(move.gain > 0.0f)) return;
    const uint32_t joint = top.parents[move.node], sibling = top.sibling(move.node);
    replace(joint, sibling);
    replace(move.neighbour, joint);
    top.nodes[joint].children[0] = move.neighbour;
    top.nodes[joint].children[1] = move.node;
    top.parents.set(move.neighbour, joint);
  }

 private:
  SIMT_HOST_DEVICE void replace(uint32_t old, uint32_t node) const {
    const uint32_t parent = top.parents[old];
    uint32_t(&children)[2] = top.nodes[parent].children;
    // Another move may write the other child at this moment, but never `old`.
    const int slot = simt::load_relaxed(children[0]) == old ? 0 : 1;
    simt::store_relaxed(children[slot], node);
    top.parents.set(node, parent);
  }
};

/// Refits the boxes above the clusters bottom-up: the second thread to reach a node processes it.
struct RefitBoxes : ReinsertionStage {
  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    uint32_t node = top.bottom[i].node, parent = top.parents[node];
    Bounds box = top.box(node);
    while (parent != TreeParents::kNone) {
      // Loaded before the atomic operation, which has the longest latency.
      const uint32_t above = top.parents[parent], sibling = top.sibling(node);
      if (!arrives_last(marks[parent])) return;
      box.extend(top.box(sibling));
      top.nodes[parent].box = box;
      node = parent;
      parent = above;
    }
  }

  /// Returns whether this thread is the second of two; it then sees the writes of the first one.
  SIMT_HOST_DEVICE static bool arrives_last(ReinsertionMarks& marks) {
    if (simt::fetch_add_acq_rel(marks.arrivals, 1) == 0) return false;
    marks.arrivals = 0;
    return true;
  }
};

/// Like RefitBoxes, but recomputes whole nodes, with their costs.
struct RefitNodes : ReinsertionStage {
  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    uint32_t node = top.parents[top.bottom[i].node];
    while (node != TreeParents::kNone && RefitBoxes::arrives_last(marks[node])) {
      const uint32_t a = top.nodes[node].children[0], b = top.nodes[node].children[1];
      top.nodes[node] = join_nodes(top.nodes[a], a, top.nodes[b], b);
      node = top.parents[node];
    }
  }
};

}  // namespace winnow
