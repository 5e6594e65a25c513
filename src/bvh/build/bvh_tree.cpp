#include "bvh/build/bvh_tree.h"

#include <algorithm>

namespace winnow {

bool refit(BvhTree& tree, uint32_t index) {
  BvhTreeNode& node = tree[index];
  const BvhTreeNode &a = tree[node.children[0]], &b = tree[node.children[1]];
  BvhBox box = a.box;
  box.add(b.box);
  const uint32_t height = std::max(a.height, b.height) + 1;
  if (box.lower == node.box.lower && box.upper == node.box.upper && height == node.height)
    return false;
  node.box = box;
  node.height = height;
  return true;
}

}  // namespace winnow
