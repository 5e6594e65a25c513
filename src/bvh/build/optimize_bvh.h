#pragma once

#include "bvh/build/bvh_tree.h"

namespace winnow {

/// Moves subtrees to where they enlarge the boxes around them least, with all of oneTBB's threads;
/// their number does not matter to the tree. Heights stay at most `max_height`, which the root's
/// is.
/// Meister & Bittner, "Parallel Reinsertion for Bounding Volume Hierarchy Optimization", 2018.
void optimize_bvh(BvhTree& tree, uint32_t max_height);

}  // namespace winnow
