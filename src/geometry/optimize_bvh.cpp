#include "geometry/optimize_bvh.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace winnow {
namespace {

BvhBox box_around(const BvhBox& a, const BvhBox& b) {
  BvhBox both = a;
  both.add(b);
  return both;
}

/// Sets what a node knows of its children. Returns whether that changed.
bool refit(BvhTreeNode& node) {
  const BvhTreeNode &a = *node.children[0], &b = *node.children[1];
  const BvhBox box = box_around(a.box, b.box);
  const uint32_t height = std::max(a.height, b.height) + 1;
  if (box.lower == node.box.lower && box.upper == node.box.upper && height == node.height)
    return false;
  node.box = box;
  node.height = height;
  return true;
}

/// From `node` to the root, as far as something changes.
void refit_upward(BvhTreeNode* node) {
  while (node && refit(*node)) node = node->parent;
}

void replace_child(BvhTreeNode& parent, const BvhTreeNode* old, BvhTreeNode* child) {
  parent.children[parent.children[0] == old ? 0 : 1] = child;
  child->parent = &parent;
}

class Reinsertion {
 public:
  Reinsertion(BvhTreeNode& root, uint32_t max_height) : root_(root), max_height_(max_height) {}

  /// Moves `node`, which has a grandparent.
  void move(BvhTreeNode& node) {
    BvhTreeNode& joint = *node.parent;
    BvhTreeNode& sibling = take_out(node, joint);
    insert(node, joint, *best_neighbour(node));
    if (root_.height <= max_height_) return;
    take_out(node, joint);
    insert(node, joint, sibling);  // back to where it was
  }

 private:
  /// A node that may become the neighbour, and by how much the boxes above it grow for that.
  struct Candidate {
    BvhTreeNode* node;
    float growth;

    bool operator<(const Candidate& other) const { return growth > other.growth; }
  };

  /// Takes `node` and its parent `joint` out of the tree; the sibling moves up.
  BvhTreeNode& take_out(BvhTreeNode& node, BvhTreeNode& joint) {
    BvhTreeNode& sibling = *joint.children[joint.children[0] == &node ? 1 : 0];
    replace_child(*joint.parent, &joint, &sibling);
    refit_upward(sibling.parent);
    return sibling;
  }

  /// Puts `joint` in the place of `neighbour`, and below it both.
  void insert(BvhTreeNode& node, BvhTreeNode& joint, BvhTreeNode& neighbour) {
    replace_child(*neighbour.parent, &neighbour, &joint);
    joint.children[0] = &neighbour;
    joint.children[1] = &node;
    neighbour.parent = node.parent = &joint;
    refit(joint);
    refit_upward(joint.parent);
  }

  /// Best first: a subtree is searched only while its least growth is below the best found.
  BvhTreeNode* best_neighbour(const BvhTreeNode& node) {
    const float area = node.box.surface_area();
    float best = INFINITY;
    BvhTreeNode* neighbour = root_.children[0];
    open_.clear();
    push({&root_, 0.0f});
    while (!open_.empty()) {
      std::pop_heap(open_.begin(), open_.end());
      const Candidate candidate = open_.back();
      open_.pop_back();
      if (candidate.growth + area >= best) break;
      const float joint = box_around(candidate.node->box, node.box).surface_area();
      if (candidate.growth + joint < best && candidate.node != &root_) {
        best = candidate.growth + joint;
        neighbour = candidate.node;
      }
      const float growth = candidate.growth + joint - candidate.node->box.surface_area();
      if (candidate.node->is_leaf() || growth + area >= best) continue;
      for (BvhTreeNode* child : candidate.node->children) push({child, growth});
    }
    return neighbour;
  }

  void push(Candidate candidate) {
    open_.push_back(candidate);
    std::push_heap(open_.begin(), open_.end());
  }

  BvhTreeNode& root_;
  uint32_t max_height_;
  std::vector<Candidate> open_;  ///< a heap
};

void list(BvhTreeNode& node, std::vector<BvhTreeNode*>& nodes) {
  nodes.push_back(&node);
  if (node.is_leaf()) return;
  for (BvhTreeNode* child : node.children) list(*child, nodes);
}

bool has_grandparent(const BvhTreeNode& node) {
  return node.parent && node.parent->parent;
}

}  // namespace

void optimize_bvh(BvhTreeNode& root, uint32_t max_height) {
  // Measured on Sponza: visits to nodes fall by 15 % for rays from the camera, by 5 % for diffuse
  // ones, by 13 % for shadow rays. More rounds or larger parts gain next to nothing.
  constexpr int kRounds = 3;
  constexpr size_t kPart = 10;  // one in so many is moved in a round

  Reinsertion reinsertion(root, max_height);
  std::vector<BvhTreeNode*> nodes;
  list(root, nodes);
  std::vector<std::pair<float, BvhTreeNode*>> by_area(nodes.size());
  for (int round = 0; round < kRounds; ++round) {
    std::transform(nodes.begin(), nodes.end(), by_area.begin(),
                   [](BvhTreeNode* node) { return std::pair(node->box.surface_area(), node); });
    const auto end = by_area.begin() + ptrdiff_t((nodes.size() + kPart - 1) / kPart);
    std::partial_sort(by_area.begin(), end, by_area.end(),
                      [](const auto& a, const auto& b) { return a.first > b.first; });
    for (auto largest = by_area.begin(); largest != end; ++largest)
      if (has_grandparent(*largest->second)) reinsertion.move(*largest->second);
  }
}

}  // namespace winnow
