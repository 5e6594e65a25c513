// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "bvh/instances.h"
#include "bvh/wide_bvh.h"

namespace winnow {

/// A tree placed in the world, in the layout of the traversal.
struct alignas(16) BvhInstance {
  ToObject to_object = {};
  uint32_t root = 0;             ///< index of its root node
  uint32_t first_primitive = 0;  ///< index of its triangle 0 in the scene
  uint32_t unused[2] = {};
};
static_assert(sizeof(BvhInstance) == 64);

/// A two-level BVH: a tree over instances, and one tree per mesh, which rays traverse in object
/// space. Geometry outside of instances, to which all spheres belong, is a mesh with an identity
/// transform. An Accel; ties between hits are resolved as in a WideBvh.
struct InstancedBvh {
  WideBvh trees;                      ///< nodes of all trees, those of the top level first
  Span<const BvhInstance> instances;  ///< [reference], node by node

  struct Stack;
  class Traversal;

  template <class Visits = NoVisits>
  SIMT_HOST_DEVICE Hit intersect(const Ray& ray, Visits&& visits = {}) const {
    return traverse<false>(*this, ray, visits);
  }
  template <class Visits = NoVisits>
  SIMT_HOST_DEVICE bool occluded(const Ray& ray, Visits&& visits = {}) const {
    return traverse<true>(*this, ray, visits);
  }
};

/// The stack, a mesh's entries above the top level's, and the state to switch between the two.
struct InstancedBvh::Stack {
  NodeGroup groups[4 * WideBvh::kMaxDepth];
  uint32_t slots[4 * WideBvh::kMaxDepth];   ///< PrimitiveGroup::slots of postponed primitives
  glm::vec3 world_origin, world_direction;  ///< origin and direction of the ray in the world

  uint32_t instance;      ///< current instance, a reference
  uint32_t hit_instance;  ///< instance of the nearest hit, a reference
  uint32_t hit_before;    ///< nearest hit when the ray entered the instance, a reference
  float t_before;         ///< m, distance of that hit

  SIMT_HOST_DEVICE Ray world_ray() const {
    return {.origin = world_origin, .direction = world_direction};
  }
};

/// The traversal of one ray. The lanes of a warp visit nodes of the top level and meshes together.
class InstancedBvh::Traversal : public WideBvh::Traversal {
 public:
  Traversal() = default;

  SIMT_HOST_DEVICE Traversal(const InstancedBvh& bvh, const Ray& ray, Stack& stack,
                             bool for_any_hit = false)
      : WideBvh::Traversal(bvh.trees, ray, stack, for_any_hit) {
    stack.world_origin = ray.origin;
    stack.world_direction = ray.direction;
    stack.instance = stack.hit_instance = stack.hit_before = kNone;
    stack.t_before = ray.t_max;
  }

  /// See WideBvh::Traversal::step().
  template <bool kAnyHit, bool kPostpones, class Direction, class Visits = NoVisits>
  SIMT_HOST_DEVICE void step(const InstancedBvh& bvh, Stack& stack, const Direction& direction,
                             Visits&& visits = {}) {
    const PrimitiveGroup primitives = advance(bvh.trees, stack, visits);
    if (enter_first(bvh, primitives, stack)) return;
    if (!test<kAnyHit, kPostpones>(bvh.trees, primitives, stack, direction, visits)) {
      leave(stack);
      terminate();
    } else if (!current_.has_nodes()) {
      if (is_mesh_done()) leave(stack);
      pop(stack);
    }
  }

  /// See WideBvh::Traversal::step_warp_cooperative().
  template <bool kAnyHit, class DirectionOf>
  SIMT_KERNEL void step_warp_cooperative(simt::Warp auto warp, const InstancedBvh& bvh,
                                         Stack& stack, uint32_t running, WarpRays& rays,
                                         const DirectionOf& direction_of) {
    const uint32_t lane = warp.thread_rank();
    NoVisits visits;
    PrimitiveGroup primitives{};
    if (active()) {
      primitives = advance(bvh.trees, stack, visits);
      if (enter_first(bvh, primitives, stack)) {
        publish(rays, lane, rays.rays[lane].item);
        primitives.bits = 0;
      }
    }
    test_cooperatively<kAnyHit>(warp, bvh.trees, primitives, stack, running, rays, direction_of);
    warp.sync();  // all lanes have read the published ray
    const bool has_ended = kAnyHit && in_mesh() && rays.has_hit(lane);
    if (current_.has_nodes() && !has_ended) return;
    if (has_ended || is_mesh_done()) {
      WideBvh::Traversal::load_result(rays, lane);
      leave(stack);
      publish(rays, lane, rays.rays[lane].item);
    }
    if (has_ended)
      terminate();
    else
      pop(stack);
  }

  /// Does nothing: the result was loaded when the ray left the mesh.
  SIMT_HOST_DEVICE void load_result(const WarpRays&, uint32_t) {}

  /// Returns the nearest hit so far. The ray must be in the top level, as it is at the end.
  SIMT_HOST_DEVICE Hit hit(const InstancedBvh& bvh, const Stack& stack) {
    if (!has_hit()) return {};
    const BvhInstance instance = load(bvh.instances[stack.hit_instance]);
    sheared_ = ShearedRay(instance.to_object.ray(stack.world_ray()));
    Hit hit = WideBvh::Traversal::hit(bvh.trees, stack);
    hit.primitive += instance.first_primitive;
    return hit;
  }

 private:
  static constexpr int kTopLevel = -1;
  SIMT_HOST_DEVICE bool in_mesh() const { return mesh_depth_ != kTopLevel; }

  SIMT_HOST_DEVICE static BvhInstance load(const BvhInstance& instance) {
    const glm::uvec4* words = reinterpret_cast<const glm::uvec4*>(&instance);
    const std::array<glm::uvec4, 4> copy = {load_16_bytes(words), load_16_bytes(words + 1),
                                            load_16_bytes(words + 2), load_16_bytes(words + 3)};
    return std::bit_cast<BvhInstance>(copy);
  }

  /// In the top level, enters the first of the given instances and postpones everything else.
  /// Returns false in a mesh, or without instances.
  SIMT_HOST_DEVICE bool enter_first(const InstancedBvh& bvh, PrimitiveGroup instances,
                                    Stack& stack) {
    if (instances.bits == 0 || in_mesh()) return false;
    const uint32_t instance = instances.take();
    if (current_.has_nodes()) stack.groups[depth_++] = current_;
    if (instances.bits != 0) postpone(instances, stack);
    enter(bvh, instance, stack);
    return true;
  }

  /// Returns whether the traversal of the mesh is complete. The current group must be empty.
  SIMT_HOST_DEVICE bool is_mesh_done() const { return in_mesh() && depth_ == mesh_depth_; }

  /// Continues at the root of a mesh, in object space.
  SIMT_HOST_DEVICE void enter(const InstancedBvh& bvh, uint32_t reference, Stack& stack) {
    const BvhInstance instance = load(bvh.instances[reference]);
    const Ray ray = instance.to_object.ray(stack.world_ray());
    box_ray_ = BoxRay(ray);
    sheared_ = ShearedRay(ray);
    mesh_depth_ = depth_;
    current_ = {.first = instance.root, .bits = NodeGroup::kRoot};

    // Among hits at equal distance the lowest primitive wins, and the primitives of an instance are
    // contiguous. So either all of them win against the hit so far, or none does.
    stack.instance = reference;
    stack.hit_before = reference_;
    stack.t_before = t_;
    if (has_hit() && bvh.instances[stack.hit_instance].first_primitive < instance.first_primitive)
      t_ = float_before(t_);
    reference_ = kNone;
  }

  SIMT_HOST_DEVICE void leave(Stack& stack) {
    if (has_hit()) {
      stack.hit_instance = stack.instance;
    } else {
      reference_ = stack.hit_before;
      t_ = stack.t_before;
    }
    box_ray_ = BoxRay(stack.world_ray());
    mesh_depth_ = kTopLevel;
  }

  int mesh_depth_ = kTopLevel;  ///< entries of the top level on the stack
};

}  // namespace winnow
