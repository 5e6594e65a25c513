#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/simt.h"
#include "geometry/bvh_words.h"
#include "geometry/offset_origin.h"
#include "geometry/ray.h"
#include "geometry/sphere.h"
#include "geometry/triangle.h"

namespace winnow {

using simt::Span;

/// Up to eight children and their boxes, in 80 bytes. A box is counted in steps from the corner of
/// the node: along each axis 256 steps are a power of two. A slot is a place for a child: a bit of
/// its number is set where the child lies high along that axis, as far as places last.
/// Ylitie, Karras & Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide
/// BVHs", HPG 2017.
struct alignas(16) WideBvhNode {
  static constexpr uint32_t kWidth = 8;
  static constexpr uint32_t kMaxLeafSize = 3;
  /// What a slot holds, as the traversal combines it: above these bits, which bits a hit sets, and
  /// in them, where. A node sets one bit, from kFirstNodeBit on by its slot; a leaf sets a bit for
  /// each primitive, from the first one's place among the primitives of this node.
  static constexpr uint32_t kShiftBits = 5;
  static constexpr uint32_t kFirstNodeBit = 24;
  /// A box is wider than what it holds by this part of a step on each side: rounding in the
  /// traversal is at most a quarter of it.
  static constexpr double kPadding = 1.0 / 64.0;

  glm::vec3 corner;          ///< m
  uint8_t exponents[3];      ///< 256 steps are 2^(exponent - 127) m
  uint8_t node_slots;        ///< bit s: slot s holds a node
  uint32_t first_node;       ///< the others follow, by slot
  uint32_t first_primitive;  ///< the others follow
  uint8_t holds[kWidth];     ///< [slot], 0 where there is no child
  uint8_t lower[3][kWidth];  ///< [axis][slot], steps
  uint8_t upper[3][kWidth];  ///< [axis][slot], steps
};
static_assert(sizeof(WideBvhNode) == 80);

/// A triangle's vertices, or a sphere's center and radius, stored where the traversal needs them.
struct alignas(16) BvhPrimitive {
  enum class Kind : uint32_t { kTriangle, kSphere };

  glm::vec3 p0;        ///< first vertex, or center
  uint32_t primitive;  ///< number in the scene
  glm::vec3 p1;        ///< second vertex, or the radius in x
  Kind kind;
  glm::vec3 p2;  ///< third vertex
  float unused;
};
static_assert(sizeof(BvhPrimitive) == 48);

/// An 8-wide bounding volume hierarchy in flat arrays: an Accel for CUDA, and for tests on the
/// host. Does not own its arrays. Of several hits at one distance it reports the lowest primitive,
/// so that a ray's hit does not depend on what the other threads of its warp do.
struct WideBvh {
  /// Levels of nodes. Each leaves at most two entries on the stack.
  static constexpr int kMaxDepth = 32;
  static constexpr uint32_t kMaxPrimitives = 1u << 30;

  Span<const WideBvhNode> nodes;        ///< [node], the root first; empty without geometry
  Span<const BvhPrimitive> primitives;  ///< [reference], node by node

  SIMT_HOST_DEVICE Hit intersect(const Ray& ray) const {
    Hit hit = traverse(ray, [](const Hit&) { return false; });
    if (hit.primitive == kNoPrimitive) hit.t = INFINITY;
    return hit;
  }

  SIMT_HOST_DEVICE bool occluded(const Ray& ray) const {
    return traverse(ray, [](const Hit&) { return true; }).primitive != kNoPrimitive;
  }

 private:
  /// Some children of one node that a ray meets and that are still to be visited: nodes or
  /// primitives.
  struct Group {
    static constexpr uint32_t kNodeBits = 0xffu << WideBvhNode::kFirstNodeBit;

    uint32_t first;  ///< node or primitive that the others are counted from
    uint32_t bits;   ///< nodes to visit, those of slots on the ray's side highest, and below them
                     ///< `node_slots`; or primitives to test

    SIMT_HOST_DEVICE bool has_nodes() const { return bits >= 1u << WideBvhNode::kFirstNodeBit; }
  };

  /// What the box tests need of a ray.
  struct BoxRay {
    glm::vec3 origin, inverse;
    uint32_t octant;  ///< bit a: the ray does not run down axis a
    uint32_t k128 = bits_of_128();

    SIMT_HOST_DEVICE explicit BoxRay(const Ray& ray) : origin(ray.origin), octant(0) {
      // A direction of 0 would give 0 times infinity. This much moves a ray by less than boxes are
      // padded, if it is shorter than 2^40 times what it meets; the product with the size of a
      // scene stays finite up to 2^50 m.
      constexpr float kLeast = 0x1p-70f;
      for (int axis = 0; axis < 3; ++axis) {
        float d = ray.direction[axis];
        inverse[axis] = 1.0f / (std::abs(d) > kLeast ? d : std::copysign(kLeast, d));
        octant |= uint32_t(inverse[axis] > 0.0f) << axis;
      }
    }
  };

  /// A ray for triangle tests, its axes rotated so that z is its longest direction: the test then
  /// reads no coordinate by a number that differs between threads. The hits have the same bits.
  struct RotatedRay {
    bool x_longest, y_longest;
    ShearedRay sheared;

    SIMT_HOST_DEVICE explicit RotatedRay(const Ray& ray) : sheared(Ray{.direction = {0, 0, 1}}) {
      const glm::vec3 size = glm::abs(ray.direction);
      x_longest = size.x > size.y && size.x > size.z;
      y_longest = !(size.x > size.y) && size.y > size.z;
      const glm::vec3 d = rotated(ray.direction);
      sheared.origin = rotated(ray.origin);
      sheared.sx = d.x / d.z;
      sheared.sy = d.y / d.z;
      sheared.sz = 1.0f / d.z;
    }

    SIMT_HOST_DEVICE glm::vec3 rotated(glm::vec3 v) const {
      return {x_longest ? v.y : (y_longest ? v.z : v.x), x_longest ? v.z : (y_longest ? v.x : v.y),
              x_longest ? v.x : (y_longest ? v.y : v.z)};
    }
  };

  /// Visits what the ray may meet, nearest slots first, and returns the closest hit, or the first
  /// one for which `is_enough(hit)`.
  template <class IsEnough>
  SIMT_HOST_DEVICE Hit traverse(const Ray& ray, IsEnough is_enough) const {
    Hit hit;
    if (nodes.size == 0 || !(ray.t_max > 0.0f)) return hit;
    const RotatedRay rotated_ray(ray);
    const BoxRay box_ray(ray);
    hit.t = float_before(ray.t_max);  // a hit at hit.t counts, one at t_max does not
    Group stack[2 * kMaxDepth];
    int depth = 0;
    Group near{0, Group::kNodeBits & ~(Group::kNodeBits >> 1)};  // the root
    while (true) {
      Group leaves{0, 0};
      if (near.has_nodes()) {
        const uint32_t node = take_nearest(near, box_ray.octant);
        if (near.has_nodes()) stack[depth++] = near;
        visit(node, box_ray, hit.t, near, leaves);
      } else {
        leaves = near;
        near.bits = 0;
      }

      const uint32_t running = running_lanes();
      while (leaves.bits != 0) {
        if (running_lanes() * kPostponeBelow < running) {
          stack[depth++] = leaves;
          break;
        }
        const uint32_t i = highest_set(leaves.bits);
        leaves.bits &= ~(1u << i);
        if (intersect_primitive(leaves.first + i, ray, rotated_ray, hit) && is_enough(hit))
          return hit;
      }

      if (!near.has_nodes()) {
        if (depth == 0) return hit;
        near = stack[--depth];
      }
    }
  }

  /// Primitives wait while fewer lanes than one in this many of those that run want to test some.
  static constexpr uint32_t kPostponeBelow = 5;

  /// Removes the node that lies first along the ray.
  SIMT_HOST_DEVICE static uint32_t take_nearest(Group& group, uint32_t octant) {
    const uint32_t bit = highest_set(group.bits);
    group.bits &= ~(1u << bit);
    const uint32_t slot = (bit - WideBvhNode::kFirstNodeBit) ^ octant;
    return group.first + simt::popcount(group.bits & simt::lanes_below(slot));
  }

  /// Finds the children of a node whose boxes the ray meets before `t_max`. The node is read as 20
  /// words; four children are looked at together, one in each byte.
  SIMT_HOST_DEVICE void visit(uint32_t node, const BoxRay& ray, float t_max, Group& inner,
                              Group& leaves) const {
    const Words* words = reinterpret_cast<const Words*>(&nodes[node]);
    const Words frame = load_words(words), content = load_words(words + 1);
    const Words lower_xy = load_words(words + 2), middle = load_words(words + 3);
    const Words upper_yz = load_words(words + 4);

    // A plane at q steps is met at t = q scale / 256 + (corner - origin) inverse; q comes as
    // 128 + q / 256.
    const glm::vec3 corner(std::bit_cast<float>(frame.x), std::bit_cast<float>(frame.y),
                           std::bit_cast<float>(frame.z));
    glm::vec3 scale, shift;
    for (int axis = 0; axis < 3; ++axis) {
      constexpr uint32_t kMantissaBits = 23;
      const uint32_t exponent = frame.w >> (8 * axis) & 0xff;
      scale[axis] = std::bit_cast<float>(exponent << kMantissaBits) * ray.inverse[axis];
      shift[axis] =
          std::fma(-128.0f, scale[axis], (corner[axis] - ray.origin[axis]) * ray.inverse[axis]);
    }

    const bool up_x = ray.inverse.x > 0.0f, up_y = ray.inverse.y > 0.0f;
    const bool up_z = ray.inverse.z > 0.0f;
    uint32_t hits = 0;
    hits |= meet_four(content.z, up_x ? lower_xy.x : middle.z, up_y ? lower_xy.z : upper_yz.x,
                      up_z ? middle.x : upper_yz.z, up_x ? middle.z : lower_xy.x,
                      up_y ? upper_yz.x : lower_xy.z, up_z ? upper_yz.z : middle.x, scale, shift,
                      ray.octant, ray.k128, t_max);
    hits |= meet_four(content.w, up_x ? lower_xy.y : middle.w, up_y ? lower_xy.w : upper_yz.y,
                      up_z ? middle.y : upper_yz.w, up_x ? middle.w : lower_xy.y,
                      up_y ? upper_yz.y : lower_xy.w, up_z ? upper_yz.w : middle.y, scale, shift,
                      ray.octant, ray.k128, t_max);
    inner = {content.x, (hits & Group::kNodeBits) | frame.w >> 24};
    leaves = {content.y, hits & ~Group::kNodeBits};
  }

  /// Tests the boxes of four children, given by the planes that the ray meets first and last along
  /// each axis. Returns the bits that those it meets set.
  SIMT_HOST_DEVICE static uint32_t meet_four(uint32_t holds, uint32_t near_x, uint32_t near_y,
                                             uint32_t near_z, uint32_t far_x, uint32_t far_y,
                                             uint32_t far_z, glm::vec3 scale, glm::vec3 shift,
                                             uint32_t octant, uint32_t k128, float t_max) {
    // Nodes alone have both of the upper two bits of the place set. The octant brings those that
    // the ray meets first to the top.
    const uint32_t is_node = (holds & holds << 1) >> 4 & 0x01010101;
    const uint32_t places = holds ^ is_node * octant;
    const uint32_t bits = holds >> WideBvhNode::kShiftBits & 0x07070707;
    // The far side moves out by the rounding error that grows with the distance: Ize, "Robust BVH
    // Ray Traversal", 2013. The padding of the boxes covers that which does not.
    constexpr float kOutward = 1.0f + 2.0f * error_bound(8);
    // Two surfaces in one place are both tested, whichever comes first.
    constexpr float kTogether = 1.0f + 0x1p-20f;
    const float limit = t_max * kTogether;
    uint32_t hits = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const float near = max3_or_0(std::fma(byte_above_128(near_x, i, k128), scale.x, shift.x),
                                   std::fma(byte_above_128(near_y, i, k128), scale.y, shift.y),
                                   std::fma(byte_above_128(near_z, i, k128), scale.z, shift.z));
      const float far =
          min3_or_negative(std::fma(byte_above_128(far_x, i, k128), scale.x, shift.x),
                           std::fma(byte_above_128(far_y, i, k128), scale.y, shift.y),
                           std::fma(byte_above_128(far_z, i, k128), scale.z, shift.z));
      if (near <= std::fmin(far * kOutward, limit))
        hits |= (bits >> (8 * i) & 0xff) << (places >> (8 * i) & 31);
    }
    return hits;
  }

  /// Tests one primitive. On a hit nearer than `hit`, or as near and of a lower number, it writes
  /// it and returns true.
  SIMT_HOST_DEVICE bool intersect_primitive(uint32_t reference, const Ray& ray,
                                            const RotatedRay& rotated, Hit& hit) const {
    const Words* words = reinterpret_cast<const Words*>(&primitives[reference]);
    const Words a = load_words(words), b = load_words(words + 1), c = load_words(words + 2);
    const uint32_t primitive = a.w;
    const float limit = primitive < hit.primitive ? float_after(hit.t) : hit.t;
    if (BvhPrimitive::Kind(b.w) == BvhPrimitive::Kind::kTriangle) {
      if (!intersect_triangle(rotated.sheared, rotated.rotated(point(a)), rotated.rotated(point(b)),
                              rotated.rotated(point(c)), limit, hit))
        return false;
    } else {
      const float t = intersect_sphere({ray.origin, ray.direction, limit}, point(a), point(b).x);
      if (t == 0.0f) return false;
      hit = {.t = t};
    }
    hit.primitive = primitive;
    return true;
  }

  SIMT_HOST_DEVICE static glm::vec3 point(Words words) {
    return {std::bit_cast<float>(words.x), std::bit_cast<float>(words.y),
            std::bit_cast<float>(words.z)};
  }

  // The neighbours of a float above 0, and the float after 0.
  SIMT_HOST_DEVICE static float float_before(float t) {
    return std::bit_cast<float>(std::bit_cast<uint32_t>(t) - 1);
  }
  SIMT_HOST_DEVICE static float float_after(float t) {
    return std::bit_cast<float>(std::bit_cast<uint32_t>(t) + 1);
  }
};

}  // namespace winnow
