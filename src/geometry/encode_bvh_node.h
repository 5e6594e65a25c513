#pragma once

#include "geometry/bvh_box.h"
#include "geometry/wide_bvh.h"

namespace winnow {

/// What a slot of a wide node is to hold.
struct WideBvhChild {
  BvhBox box;
  uint32_t leaf_size = 0;  ///< primitives; 0 is a node
  uint32_t number = 0;     ///< for the caller
  uint32_t slot = 0;
};

/// Gives each child a slot of its own, so that rays meet them about in the order of their slots:
/// the pairs of child and slot that fit best first. Ylitie, Karras & Laine 2017, section 3.
///
/// @param children  at most 8; sorted by their slots afterwards
void assign_slots(Span<WideBvhChild> children);

/// Compresses the boxes: none becomes smaller.
///
/// @param children         at most 8, sorted by their slots
/// @param first_node       of those that are nodes; the others follow
/// @param first_primitive  of those in leaves; the others follow
WideBvhNode encode_node(Span<const WideBvhChild> children, uint32_t first_node,
                        uint32_t first_primitive);

}  // namespace winnow
