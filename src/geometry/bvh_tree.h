#pragma once

#include <cstdint>
#include <memory>

#include "geometry/bvh_box.h"
#include "geometry/embree.h"
#include "geometry/wide_bvh.h"
#include "scene/host_scene.h"

namespace winnow {

/// A node of the binary tree that a wide one is made from.
struct BvhTreeNode {
  BvhBox box;
  uint32_t reference_count = 1;  ///< primitives below; one that was split counts for each part
  uint32_t primitive = 0;        ///< of a leaf, which has one
  BvhTreeNode* parent = nullptr;
  BvhTreeNode* children[2] = {};
  uint32_t height = 0;  ///< levels below

  /// [roots], how dear the rays of a random direction are below this node, if it becomes so many
  /// subtrees of wide nodes or fewer, at least 1.
  float cost[WideBvhNode::kWidth] = {};
  /// [roots], at least 2: how many of them come from the first child; 0 if one root fewer is no
  /// dearer.
  uint8_t first_roots[WideBvhNode::kWidth + 1] = {};
  bool becomes_leaf = true;  ///< as one subtree

  bool is_leaf() const { return children[0] == nullptr; }
};

/// A binary tree over a scene's primitives by the surface area heuristic, with spatial splits, its
/// collapse chosen. Built by Embree, in parallel, and optimized. Throws Error when memory runs out.
class BvhTree {
 public:
  explicit BvhTree(const HostScene& scene);

  /// Null without geometry.
  const BvhTreeNode* root() const { return root_; }

 private:
  std::unique_ptr<RTCDeviceTy, decltype(&rtcReleaseDevice)> device_;
  std::unique_ptr<RTCBVHTy, decltype(&rtcReleaseBVH)> bvh_;  ///< owns the nodes
  const BvhTreeNode* root_ = nullptr;
};

}  // namespace winnow
