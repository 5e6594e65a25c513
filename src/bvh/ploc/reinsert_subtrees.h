#pragma once

#include <bit>
#include <cstdint>

#include "bvh/ploc/binary_node.h"
#include "bvh/ploc/merge_clusters.h"
#include "compaction/simt/atomic.h"

namespace winnow {

// Moves subtrees to where they enlarge the boxes around them least, many at once: each looks for
// its best place in the tree as it is, those that would get into each other's way yield to the one
// that gains most, and the boxes are made anew. Only the top of the tree takes part, where the
// boxes are large: clusters at some round of merging, and the nodes above them. Meister & Bittner,
// "Parallel Reinsertion for Bounding Volume Hierarchy Optimization", 2018.

/// Who is above whom. The parent of the root is kNone.
struct TreeParents {
  static constexpr uint32_t kBottomBit = 1u << 31;  ///< marks the clusters
  static constexpr uint32_t kNone = ~kBottomBit;

  Span<uint32_t> words;  ///< [node]

  SIMT_HOST_DEVICE uint32_t operator[](uint32_t node) const { return words[node] & ~kBottomBit; }
  SIMT_HOST_DEVICE bool is_bottom(uint32_t node) const { return words[node] & kBottomBit; }
  SIMT_HOST_DEVICE void set(uint32_t node, uint32_t parent) const {
    words[node] = (words[node] & kBottomBit) | parent;
  }
};

/// The top of the binary tree.
struct TreeTop {
  Span<BinaryNode> nodes;
  TreeParents parents;
  Span<const Cluster> bottom;  ///< the clusters
  Span<const Cluster> root;    ///< [1], the last cluster
  uint32_t leaf_count;         ///< of the whole tree

  /// Nodes are numbered: the clusters first, then the nodes above them.
  SIMT_HOST_DEVICE uint32_t size() const { return 2 * uint32_t(bottom.size); }
  /// Node `i` of these; kNone for one number that no node has.
  SIMT_HOST_DEVICE uint32_t node(uint32_t i) const {
    const auto clusters = uint32_t(bottom.size);
    if (i < clusters) return bottom[i].node;
    // Merging numbered nodes by their owners, of which the last cluster's is left over.
    const uint32_t owner = bottom[i - clusters].owner;
    return owner == root[0].owner ? TreeParents::kNone : leaf_count + owner;
  }
  SIMT_HOST_DEVICE const BvhBox& box(uint32_t node) const { return nodes[node].box; }
  SIMT_HOST_DEVICE uint32_t sibling(uint32_t node) const {
    const BinaryNode& parent = nodes[parents[node]];
    return parent.children[parent.children[0] == node ? 1 : 0];
  }
};

/// Marks the clusters at the bottom, and as one item more the root.
struct MarkTreeTop {
  TreeTop top;

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    if (i < top.bottom.size)
      top.parents.words[top.bottom[i].node] |= TreeParents::kBottomBit;
    else
      top.parents.words[top.root[0].node] = TreeParents::kNone;
  }
};

/// A subtree that is to become a neighbour of another node.
struct Reinsertion {
  float gain;          ///< m^2, by which the boxes shrink; 0 is no move
  uint32_t node;       ///< that is moved
  uint32_t neighbour;  ///< that it gets
  uint32_t pivot;      ///< the lowest node above both

  /// Larger where more is gained; no two are alike.
  SIMT_HOST_DEVICE uint64_t key(uint32_t number) const {
    constexpr int kNumberBits = 32;
    return uint64_t(std::bit_cast<uint32_t>(gain)) << kNumberBits | (number + 1);
  }
};

/// What the moves of a round need to know of each node. All 0 between rounds.
struct ReinsertionMarks {
  uint64_t lock;      ///< the greatest key of the moves that change links of the node
  uint64_t moved;     ///< the key of the move that moves it, or 0
  uint64_t arrivals;  ///< children that are up to date
};

/// Raises `to` to `value` if that is larger.
SIMT_HOST_DEVICE inline void raise_to(uint64_t& to, uint64_t value) {
#if defined(__CUDACC__)
  simt::atomic_ref(to).fetch_max(value, simt::MemoryOrder::relaxed);
#else
  uint64_t before = simt::load_relaxed(to);
  while (before < value &&
         !simt::atomic_ref(to).compare_exchange_weak(before, value, simt::MemoryOrder::relaxed)) {
  }
#endif
}

/// Calls `visit(node)` for each node whose links a move changes, besides the slots that hold these.
template <class Visit>
SIMT_HOST_DEVICE void for_each_linked(const TreeTop& top, const Reinsertion& move, Visit visit) {
  visit(move.node);
  visit(top.parents[move.node]);
  visit(top.sibling(move.node));
  visit(move.neighbour);
}

/// Looks for the best place of each node, and claims the nodes whose links the move changes.
struct FindReinsertions {
  TreeTop top;
  Span<Reinsertion> moves;       ///< [node of the top]
  Span<ReinsertionMarks> marks;  ///< [node]

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const Reinsertion move = moves[i] = find(top.node(i));
    if (!(move.gain > 0.0f)) return;
    const uint64_t key = move.key(i);
    for_each_linked(top, move, [&](uint32_t node) { raise_to(marks[node].lock, key); });
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

  /// Tries all other nodes, but those above: below the sibling, then below that of the parent, and
  /// so on. Each step looks at two nodes at most, so that searches of different shape take the same
  /// steps side by side.
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

    /// Returns whether there is more to try.
    SIMT_HOST_DEVICE bool step() {
      if (depth_ == 0) return climb();
      const Entry entry = stack_[--depth_];
      if (gained_ - entry.growth - area_ > best.gain)
        for (uint32_t child : entry.children) consider(child, entry.growth);
      return true;
    }

   private:
    /// A node of which the children are to be considered.
    struct Entry {
      uint32_t children[2];
      float growth;  ///< of the boxes above these
    };
    static constexpr int kMaxEntries = 64;  // a higher tree is not searched to its bottom

    /// Goes on with what is below the other child of the node above.
    SIMT_HOST_DEVICE bool climb() {
      const uint32_t pivot = top_.parents[path_];
      if (pivot == TreeParents::kNone) return false;
      // Without the subtree its parent goes, and the boxes between that and the pivot shrink.
      if (path_ == best.node)
        gained_ = top_.box(pivot).half_area();
      else if (path_ != parent_)
        gained_ += top_.box(path_).half_area() - rest_.half_area();
      const uint32_t other = top_.sibling(path_);
      path_ = pivot;
      consider(other, 0.0f);
      rest_.add(top_.box(other));
      return true;
    }

    SIMT_HOST_DEVICE void consider(uint32_t neighbour, float growth) {
      const BinaryNode& node = top_.nodes[neighbour];
      const bool is_bottom = top_.parents.is_bottom(neighbour);
      const BvhBox own = node.box;
      const Entry below{{node.children[0], node.children[1]}, 0.0f};
      BvhBox joint = own;
      joint.add(box_);
      const float joint_area = joint.half_area();
      const float gain = gained_ - growth - joint_area;
      if (gain > best.gain) best.gain = gain, best.neighbour = neighbour, best.pivot = path_;
      const float growth_below = growth + joint_area - own.half_area();
      if (is_bottom || depth_ == kMaxEntries || gained_ - growth_below - area_ <= best.gain) return;
      stack_[depth_] = below;
      stack_[depth_++].growth = growth_below;
    }

    const TreeTop& top_;
    const BvhBox box_;
    const float area_;
    const uint32_t parent_;
    uint32_t path_;  ///< where it has climbed to: the pivot of what is considered
    BvhBox rest_;    ///< around what is below that, without the subtree
    float gained_ = 0.0f;
    Entry stack_[kMaxEntries];
    int depth_ = 0;
  };
};

/// Gives up the moves that did not get all that they claimed, and marks what the others move.
struct KeepLockedReinsertions {
  TreeTop top;
  Span<Reinsertion> moves;
  Span<ReinsertionMarks> marks;

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

/// Gives up the moves into a subtree that moves itself and gains more. Without these no two moves
/// can put each subtree into the other: of any such ring the one that gains least is given up.
struct KeepTreeReinsertions {
  TreeTop top;
  Span<Reinsertion> moves;
  Span<const ReinsertionMarks> marks;

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const Reinsertion move = moves[i];
    if (!(move.gain > 0.0f)) return;
    const uint64_t key = move.key(i);
    for (uint32_t node = move.neighbour; node != move.pivot; node = top.parents[node])
      if (marks[node].moved > key) moves[i].gain = 0.0f;
  }
};

/// Makes the moves that are left. No two of them write the same link.
struct MakeReinsertions {
  TreeTop top;
  Span<const Reinsertion> moves;
  Span<ReinsertionMarks> marks;

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
  /// Puts a node where another one is.
  SIMT_HOST_DEVICE void replace(uint32_t old, uint32_t node) const {
    const uint32_t parent = top.parents[old];
    uint32_t(&children)[2] = top.nodes[parent].children;
    // Another move may write the other child at this moment, but never `old`.
    const int slot = simt::load_relaxed(children[0]) == old ? 0 : 1;
    simt::store_relaxed(children[slot], node);
    top.parents.set(node, parent);
  }
};

/// Makes the boxes of the nodes above the bottom anew, from the bottom up: of the two threads that
/// come to a node, the second one does.
struct RefitBoxes {
  TreeTop top;
  Span<ReinsertionMarks> marks;

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    uint32_t node = top.bottom[i].node, parent = top.parents[node];
    BvhBox box = top.box(node);
    while (parent != TreeParents::kNone) {
      // Read before the wait for the other thread, which takes longest.
      const uint32_t above = top.parents[parent], sibling = top.sibling(node);
      if (!arrives_last(marks[parent])) return;
      box.add(top.box(sibling));
      top.nodes[parent].box = box;
      node = parent;
      parent = above;
    }
  }

  /// Whether this thread is the second of two. It sees what the first one wrote.
  SIMT_HOST_DEVICE static bool arrives_last(ReinsertionMarks& marks) {
    if (simt::fetch_add_acq_rel(marks.arrivals, 1) == 0) return false;
    marks.arrivals = 0;
    return true;
  }
};

/// The same for the whole nodes, the costs below them, too.
struct RefitNodes {
  TreeTop top;
  Span<ReinsertionMarks> marks;

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
