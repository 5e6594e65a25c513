#pragma once

#include "geometry/bvh_tree.h"

namespace winnow {

/// Moves subtrees to where they enlarge the boxes around them least, those with the largest boxes
/// first. Heights stay at most `max_height`, which the tree's is.
/// Bittner, Hapala & Havran, "Fast Insertion-Based Optimization of Bounding Volume Hierarchies",
/// 2013.
void optimize_bvh(BvhTreeNode& root, uint32_t max_height);

}  // namespace winnow
