#pragma once

#include <cstdint>
#include <vector>

#include "bvh/bvh_box.h"
#include "bvh/wide_bvh_node.h"

namespace winnow {

/// A tree of 8-wide nodes over boxes, one in each leaf.
struct InstanceTree {
  std::vector<WideBvhNode> nodes;    ///< the root first; empty without boxes
  std::vector<uint32_t> references;  ///< boxes, node by node
};

/// Builds from the top by the surface area heuristic over 16 bins. A leaf is dear here, as a whole
/// tree begins there, so none holds two boxes.
/// Wald, "On Fast Construction of SAH-based Bounding Volume Hierarchies", 2007.
InstanceTree build_instance_tree(const std::vector<BvhBox>& boxes);

}  // namespace winnow
