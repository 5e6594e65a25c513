#pragma once

#include "bvh/encode_bvh_node.h"

namespace winnow {

/// Changes the slots of children, so that rays visit more of them in the order in which they meet
/// them. Leaves have no part in this: they are tested before any child that is a node is visited.
///
/// @param children  at most 8; sorted by their slots, before and afterwards
void order_slots(Span<WideBvhChild> children);

}  // namespace winnow
