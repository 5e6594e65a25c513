// SPDX-License-Identifier: MIT
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "bvh/build/bvh_tree.h"

namespace winnow {
namespace {

constexpr uint32_t kNoNode = BvhTreeNode::kNone;

/// Reinserts a subtree as the sibling of another node.
struct Move {
  uint32_t node = kNoNode;
  uint32_t neighbour = kNoNode;
  float gain = 0.0f;  ///< m^2, total decrease of the half areas of boxes
  bool pays() const { return gain > 0.0f; }
  /// Orders moves for execution: best first.
  bool operator<(const Move& other) const {
    return gain != other.gain ? gain > other.gain : node < other.node;
  }
};

/// A neighbour to evaluate, and the decrease of the boxes above it, m^2.
struct Candidate {
  uint32_t neighbour;
  float freed;
};

struct Search {
  Bounds box;
  float area;
  Move best;
  std::vector<Candidate>& open;
  bool may_gain(float freed) const { return freed - area > best.gain; }
  void keep_better(uint32_t neighbour, float gain) {
    if (gain > best.gain) best.neighbour = neighbour, best.gain = gain;
  }
};

class Reinsertion {
 public:
  Reinsertion(BvhTree& tree, uint32_t max_height) : tree_(tree), max_height_(max_height) {}

  /// Returns whether a node can be removed: whether it has a grandparent.
  bool can_move(uint32_t node) const {
    const uint32_t parent = tree_[node].parent;
    return parent != kNoNode && tree_[parent].parent != kNoNode;
  }

  /// Finds the best move of a node by branch and bound: from the node upwards, evaluates each
  /// ancestor and the nodes below it. Skips a subtree if an upper bound of its gain is not above
  /// the best gain found.
  ///
  /// @param node  a node that can move
  Move best_move(uint32_t node, std::vector<Candidate>& open) const {
    Search search{tree_[node].box, tree_[node].box.half_area(), {.node = node}, open};
    uint32_t ancestor = tree_[node].parent;
    uint32_t beside = sibling(node);
    Bounds rest = tree_[beside].box;  // bounds of the ancestor without the node
    float freed = tree_[ancestor].box.half_area();
    open.clear();
    open_children(beside, freed - join(rest, search.box).half_area(), search);
    try_all(search);
    while (true) {
      beside = sibling(ancestor);
      ancestor = tree_[ancestor].parent;
      open.push_back({beside, freed});
      try_all(search);
      if (tree_[ancestor].parent == kNoNode) return search.best;
      const float area = tree_[ancestor].box.half_area();
      rest.extend(tree_[beside].box);
      freed += area - rest.half_area();
      search.keep_better(ancestor, freed - area);
    }
  }

  /// Makes a move if it is still possible. Returns whether it was.
  bool make(const Move& move) {
    if (!is_possible(move)) return false;
    const uint32_t joint = tree_[move.node].parent, grandparent = tree_[joint].parent;
    replace_child(grandparent, joint, sibling(move.node));
    refit_upward(grandparent);
    replace_child(tree_[move.neighbour].parent, move.neighbour, joint);
    tree_[joint].children[0] = move.neighbour;
    tree_[joint].children[1] = move.node;
    tree_[move.neighbour].parent = joint;
    refit(tree_, joint);
    refit_upward(tree_[joint].parent);
    return true;
  }

  /// Returns the nodes whose parent or children a move changes.
  std::array<uint32_t, 6> changed_by(const Move& move) const {
    const uint32_t parent = tree_[move.node].parent;
    return {move.node,          parent,
            sibling(move.node), tree_[parent].parent,
            move.neighbour,     tree_[move.neighbour].parent};
  }

 private:
  uint32_t sibling(uint32_t node) const {
    const auto& children = tree_[tree_[node].parent].children;
    return children[0] == node ? children[1] : children[0];
  }

  /// Adds the children of `node` to the search if a move next to one of them may be the best.
  ///
  /// @param gain  m^2, gain of a move next to `node`
  void open_children(uint32_t node, float gain, Search& search) const {
    if (tree_[node].is_leaf()) return;
    const float freed = gain + tree_[node].box.half_area();
    if (!search.may_gain(freed)) return;
    for (uint32_t child : tree_[node].children) search.open.push_back({child, freed});
  }

  void try_all(Search& search) const {
    while (!search.open.empty()) {
      const auto [neighbour, freed] = search.open.back();
      search.open.pop_back();
      if (!search.may_gain(freed)) continue;
      const float gain = freed - join(tree_[neighbour].box, search.box).half_area();
      search.keep_better(neighbour, gain);
      open_children(neighbour, gain, search);
    }
  }

  bool is_possible(const Move& move) const {
    if (!can_move(move.node) || move.neighbour == tree_[move.node].parent ||
        move.neighbour == sibling(move.node))
      return false;
    uint32_t depth = 0;
    for (uint32_t i = move.neighbour; i != 0; i = tree_[i].parent, ++depth)
      if (i == move.node) return false;  // a subtree cannot move into itself
    const uint32_t height = std::max(tree_[move.node].height, tree_[move.neighbour].height) + 1;
    return depth > 0 && depth + height <= max_height_;
  }

  void replace_child(uint32_t parent, uint32_t old, uint32_t child) {
    tree_[parent].children[tree_[parent].children[0] == old ? 0 : 1] = child;
    tree_[child].parent = parent;
  }

  void refit_upward(uint32_t node) {
    while (node != kNoNode && refit(tree_, node)) node = tree_[node].parent;
  }

  BvhTree& tree_;
  uint32_t max_height_;
};

/// Returns the movable nodes with the largest boxes.
std::vector<uint32_t> largest_nodes(const BvhTree& tree, const Reinsertion& reinsertion,
                                    size_t count) {
  std::vector<std::pair<float, uint32_t>> by_area;
  for (uint32_t node = 0; node < tree.size(); ++node)
    if (reinsertion.can_move(node)) by_area.push_back({-tree[node].box.half_area(), node});
  count = std::min(count, by_area.size());
  std::nth_element(by_area.begin(), by_area.begin() + ptrdiff_t(count), by_area.end());
  std::vector<uint32_t> nodes(count);
  for (size_t i = 0; i < count; ++i) nodes[i] = by_area[i].second;
  return nodes;
}

/// Returns the moves with a gain, each evaluated on the unchanged tree, best first.
std::vector<Move> find_moves(const Reinsertion& reinsertion, const std::vector<uint32_t>& nodes) {
  std::vector<Move> moves(nodes.size());
  constexpr size_t kGrain = 100;
  tbb::parallel_for(tbb::blocked_range<size_t>(0, nodes.size(), kGrain), [&](const auto& range) {
    std::vector<Candidate> open;
    for (size_t i = range.begin(); i < range.end(); ++i)
      moves[i] = reinsertion.best_move(nodes[i], open);
  });
  std::erase_if(moves, [](const Move& move) { return !move.pays(); });
  std::sort(moves.begin(), moves.end());
  return moves;
}

}  // namespace

void optimize_bvh(BvhTree& tree, uint32_t max_height) {
  constexpr int kIterations = 4;  // further ones find almost nothing
  constexpr size_t kOneIn = 5;    // one in so many nodes; more of them gain hardly more
  constexpr size_t kMinNodes = 200;
  Reinsertion reinsertion(tree, max_height);
  std::vector<Candidate> open;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const std::vector<uint32_t> nodes =
        largest_nodes(tree, reinsertion, std::max(tree.size() / kOneIn, kMinNodes));
    std::vector<bool> changed(tree.size());
    for (Move move : find_moves(reinsertion, nodes)) {
      if (!reinsertion.can_move(move.node)) continue;
      auto around = reinsertion.changed_by(move);
      // Search again if earlier moves have changed the nodes around this move.
      if (std::ranges::any_of(around, [&](uint32_t i) { return changed[i]; })) {
        move = reinsertion.best_move(move.node, open);
        if (!move.pays()) continue;
        around = reinsertion.changed_by(move);
      }
      if (!reinsertion.make(move)) continue;
      for (uint32_t node : around) changed[node] = true;
    }
  }
}

}  // namespace winnow
