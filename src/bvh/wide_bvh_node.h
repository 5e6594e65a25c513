#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "bvh/bvh_words.h"

namespace winnow {

/// Up to eight children and their boxes, in 80 bytes. A box is counted in steps from the corner of
/// the node: along each axis 256 steps are a power of two. A slot is a place for a child: a bit of
/// its number is set where the child lies high along that axis, as far as places last.
/// Ylitie, Karras & Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide
/// BVHs", HPG 2017.
struct alignas(16) WideBvhNode {
  static constexpr uint32_t kWidth = 8;
  static constexpr uint32_t kMaxLeafSize = 3;
  /// A box is wider than what it holds by this part of a step on each side: rounding in the
  /// traversal is at most a quarter of it.
  static constexpr double kPadding = 1.0 / 64.0;

  glm::vec3 corner;          ///< m
  uint8_t exponents[3];      ///< 256 steps are 2^(exponent - 127) m
  uint8_t node_slots;        ///< bit s: slot s holds a node
  uint32_t first_node;       ///< the others follow, by slot
  uint32_t first_primitive;  ///< the others follow
  uint32_t
      primitive_slots;  ///< bit kMaxLeafSize s + i: slot s holds a leaf of more than i primitives
  uint32_t unused;
  uint8_t lower[3][kWidth];  ///< [axis][slot], steps
  uint8_t upper[3][kWidth];  ///< [axis][slot], steps
};
static_assert(sizeof(WideBvhNode) == 80);

/// Primitives of one node that are to be tested.
struct Leaves {
  uint32_t first;  ///< WideBvhNode::first_primitive
  uint32_t bits;   ///< of `slots`: to test
  uint32_t slots;  ///< WideBvhNode::primitive_slots

  /// The primitive of a bit.
  SIMT_HOST_DEVICE uint32_t reference(uint32_t bit) const {
    return first + simt::popcount(slots & simt::lanes_below(bit));
  }

  SIMT_HOST_DEVICE uint32_t take() {
    const uint32_t bit = highest_set(bits);
    bits &= ~(1u << bit);
    return reference(bit);
  }
};

/// A triangle's vertices, or a sphere's center and radius, stored where the traversal needs them: a
/// row for each axis, so that rays with different longest axes read different rows in place of
/// choosing between coordinates.
struct alignas(16) BvhPrimitive {
  static constexpr uint32_t kSphereBit = 1u << 31;

  struct Row {
    glm::vec3 along;  ///< m, of each vertex; or of the center, and the radius
    uint32_t number;  ///< in the scene; spheres have kSphereBit set
  };
  Row rows[3];  ///< [axis]

  SIMT_HOST_DEVICE static BvhPrimitive triangle(glm::vec3 p0, glm::vec3 p1, glm::vec3 p2,
                                                uint32_t number) {
    BvhPrimitive primitive;
    for (int axis = 0; axis < 3; ++axis)
      primitive.rows[axis] = {{p0[axis], p1[axis], p2[axis]}, number};
    return primitive;
  }

  SIMT_HOST_DEVICE static BvhPrimitive sphere(glm::vec3 center, float radius, uint32_t number) {
    BvhPrimitive primitive;
    for (int axis = 0; axis < 3; ++axis)
      primitive.rows[axis] = {{center[axis], radius, 0.0f}, number | kSphereBit};
    return primitive;
  }

  SIMT_HOST_DEVICE uint32_t number() const { return rows[0].number & ~kSphereBit; }
};
static_assert(sizeof(BvhPrimitive) == 48);

}  // namespace winnow
