#pragma once

#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "compaction/simt/span.h"
#include "geometry/offset_origin.h"
#include "geometry/ray.h"
#include "geometry/sphere.h"
#include "geometry/triangle.h"

namespace winnow {

using simt::Span;

/// What a node points to: another node, or a leaf of a few primitives that lie side by side.
struct BvhChild {
  static constexpr uint32_t kLeafBit = 1u << 31;
  static constexpr uint32_t kCountShift = 28;
  static constexpr uint32_t kMaxLeafSize = 8;
  static constexpr uint32_t kMaxPrimitives = 1u << kCountShift;

  uint32_t bits;

  SIMT_HOST_DEVICE static BvhChild node(uint32_t index) { return {index}; }
  SIMT_HOST_DEVICE static BvhChild leaf(uint32_t first, uint32_t count) {
    return {kLeafBit | (count - 1) << kCountShift | first};
  }
  SIMT_HOST_DEVICE bool is_leaf() const { return bits & kLeafBit; }
  SIMT_HOST_DEVICE uint32_t index() const { return bits; }
  SIMT_HOST_DEVICE uint32_t first() const { return bits & (kMaxPrimitives - 1); }
  SIMT_HOST_DEVICE uint32_t count() const { return (bits >> kCountShift) % kMaxLeafSize + 1; }
};

/// The boxes of two children and what they hold. 64 bytes.
struct alignas(16) BvhNode {
  glm::vec3 lower[2];  ///< m
  glm::vec3 upper[2];  ///< m; below `lower` where there is no such child
  BvhChild child[2];
};

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

/// A binary bounding volume hierarchy in flat arrays: an Accel for CUDA, and for tests on the host.
/// Does not own its arrays.
struct Bvh {
  static constexpr int kMaxDepth = 60;

  Span<const BvhNode> nodes;            ///< [node], the root first; empty without geometry
  Span<const BvhPrimitive> primitives;  ///< [reference], leaf by leaf

  SIMT_HOST_DEVICE Hit intersect(const Ray& ray) const {
    Hit hit;
    hit.t = ray.t_max;
    traverse(ray, hit, [](const Hit&) { return false; });
    if (hit.primitive == kNoPrimitive) hit.t = INFINITY;
    return hit;
  }

  SIMT_HOST_DEVICE bool occluded(const Ray& ray) const {
    Hit hit;
    hit.t = ray.t_max;
    traverse(ray, hit, [](const Hit&) { return true; });
    return hit.primitive != kNoPrimitive;
  }

 private:
  /// Visits what the ray may meet, nearest child first. `hit` becomes the closest hit so far, and
  /// the walk ends where `is_enough(hit)`.
  template <class IsEnough>
  SIMT_HOST_DEVICE void traverse(const Ray& ray, Hit& hit, IsEnough is_enough) const {
    if (nodes.size == 0) return;
    const ShearedRay sheared(ray);
    const glm::vec3 inverse = 1.0f / ray.direction;
    BvhChild stack[kMaxDepth];
    int depth = 0;
    BvhChild current = BvhChild::node(0);
    while (true) {
      if (current.is_leaf()) {
        for (uint32_t i = 0; i < current.count(); ++i)
          if (intersect_primitive(primitives[current.first() + i], ray, sheared, hit) &&
              is_enough(hit))
            return;
      } else {
        const BvhNode& node = nodes[current.index()];
        float t0 = enter_box(node.lower[0], node.upper[0], ray.origin, inverse, hit.t);
        float t1 = enter_box(node.lower[1], node.upper[1], ray.origin, inverse, hit.t);
        if (t0 != INFINITY || t1 != INFINITY) {
          int near = t1 < t0;
          if (t0 != INFINITY && t1 != INFINITY) stack[depth++] = node.child[1 - near];
          current = node.child[near];
          continue;
        }
      }
      if (depth == 0) return;
      current = stack[--depth];
    }
  }

  /// Distance at which the ray enters a box, or infinity where it passes it or enters after
  /// `t_max`. The far side moves out by the rounding error of this test: Ize, "Robust BVH Ray
  /// Traversal", 2013.
  SIMT_HOST_DEVICE static float enter_box(glm::vec3 lower, glm::vec3 upper, glm::vec3 origin,
                                          glm::vec3 inverse, float t_max) {
    constexpr float kOutward = 1.0f + 2.0f * error_bound(3);
    float near = 0.0f, far = t_max;
    for (int axis = 0; axis < 3; ++axis) {
      bool backward = inverse[axis] < 0.0f;
      float t0 = ((backward ? upper : lower)[axis] - origin[axis]) * inverse[axis];
      float t1 = ((backward ? lower : upper)[axis] - origin[axis]) * inverse[axis];
      // A ray that runs in a face gives 0 times infinity, not a number: fmin and fmax skip it.
      near = std::fmax(near, t0);
      far = std::fmin(far, t1 * kOutward);
    }
    return near <= far ? near : INFINITY;
  }

  SIMT_HOST_DEVICE static bool intersect_primitive(const BvhPrimitive& primitive, const Ray& ray,
                                                   const ShearedRay& sheared, Hit& hit) {
    if (primitive.kind == BvhPrimitive::Kind::kTriangle) {
      if (!intersect_triangle(sheared, primitive.p0, primitive.p1, primitive.p2, hit.t, hit))
        return false;
    } else {
      float t = intersect_sphere({ray.origin, ray.direction, hit.t}, primitive.p0, primitive.p1.x);
      if (t == 0.0f) return false;
      hit = {.t = t};
    }
    hit.primitive = primitive.primitive;
    return true;
  }
};

}  // namespace winnow
