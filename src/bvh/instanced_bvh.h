#pragma once

#include <array>

#include "bvh/instance.h"
#include "bvh/wide_bvh.h"

namespace winnow {

/// A tree placed in the world, stored where the traversal needs it.
struct alignas(16) BvhInstance {
  ToObject to_object = {};
  uint32_t root = 0;             ///< node
  uint32_t first_primitive = 0;  ///< number in the scene of its triangle 0
  uint32_t unused[2] = {};
};
static_assert(sizeof(BvhInstance) == 64);

/// Two levels of WideBvh: a tree over instances, and one for each mesh, in which rays are turned
/// into the space of the mesh. What a scene has outside of instances is a mesh, too, that stays
/// where it is. An Accel; its hits have the same order as those of a WideBvh.
struct InstancedBvh {
  WideBvh trees;                      ///< the nodes of all: first those of the tree over instances
  Span<const BvhInstance> instances;  ///< [reference], node by node

  struct Stack;
  class Traversal;

  SIMT_HOST_DEVICE Hit intersect(const Ray& ray) const { return intersect(ray, NoVisits()); }
  SIMT_HOST_DEVICE bool occluded(const Ray& ray) const { return occluded(ray, NoVisits()); }

  template <class Visits>
  SIMT_HOST_DEVICE Hit intersect(const Ray& ray, Visits&& visits) const;
  template <class Visits>
  SIMT_HOST_DEVICE bool occluded(const Ray& ray, Visits&& visits) const;
};

/// Where a traversal goes on later, in the mesh and, below that, in the world; and what it needs
/// when it changes from one to the other.
struct InstancedBvh::Stack {
  WideBvh::Group groups[4 * WideBvh::kMaxDepth];
  uint32_t slots[4 * WideBvh::kMaxDepth];   ///< of the nodes whose leaves wait
  glm::vec3 world_origin, world_direction;  ///< of the ray

  uint32_t instance;      ///< that the ray is in; a reference
  uint32_t hit_instance;  ///< that the hit is in
  uint32_t hit_before;    ///< primitive that the ray had met when it came to the mesh
  float t_before;         ///< m, where

  SIMT_HOST_DEVICE Ray world_ray() const {
    return {.origin = world_origin, .direction = world_direction};
  }
};

/// A ray on its way through an InstancedBvh: in the world, or in the space of a mesh. Lanes in
/// either go from node to node together.
class InstancedBvh::Traversal : public WideBvh::Traversal {
 public:
  /// Holds no ray.
  Traversal() = default;

  SIMT_HOST_DEVICE Traversal(const InstancedBvh& bvh, const Ray& ray, Stack& stack,
                             bool for_any_hit = false)
      : WideBvh::Traversal(bvh.trees, ray, stack, for_any_hit) {
    stack.world_origin = ray.origin;
    stack.world_direction = ray.direction;
    stack.instance = stack.hit_instance = stack.hit_before = kNone;
    stack.t_before = ray.t_max;
  }

  /// As that of a WideBvh.
  template <bool kAnyHit, bool kPostpones, class Visits = NoVisits>
  SIMT_HOST_DEVICE void step(const InstancedBvh& bvh, Stack& stack, Visits&& visits = {}) {
    Leaves leaves = advance(bvh.trees, stack, visits);
    if (enter_first(bvh, leaves, stack)) return;
    if (!test<kAnyHit, kPostpones>(bvh.trees, leaves, stack, visits)) {
      leave(stack);
      stop();
    } else if (!near_.has_nodes()) {
      if (is_mesh_done()) leave(stack);
      pop(stack);
    }
  }

  /// As that of a WideBvh.
  template <bool kAnyHit>
  SIMT_KERNEL void step_warp_cooperative(simt::Warp auto warp, const InstancedBvh& bvh,
                                         Stack& stack, uint32_t running, WarpRays& rays) {
    const uint32_t lane = warp.thread_rank();
    NoVisits visits;
    Leaves leaves{};
    if (active()) {
      leaves = advance(bvh.trees, stack, visits);
      if (enter_first(bvh, leaves, stack)) {
        show(rays, lane);
        leaves.bits = 0;
      }
    }
    test_together<kAnyHit>(warp, bvh.trees, leaves, stack, running, rays);
    warp.sync();  // all have read what the ray shows
    const bool has_ended = kAnyHit && in_mesh() && rays.has_hit(lane);
    if (near_.has_nodes() && !has_ended) return;
    if (has_ended || is_mesh_done()) {
      WideBvh::Traversal::take_back(rays, lane);
      leave(stack);
      show(rays, lane);
    }
    if (has_ended)
      stop();
    else
      pop(stack);
  }

  /// Does nothing: a ray took that over when it left the mesh.
  SIMT_HOST_DEVICE void take_back(const WarpRays&, uint32_t) {}

  /// What the ray has met so far, if it is in the world, as it is in the end.
  SIMT_HOST_DEVICE Hit hit(const InstancedBvh& bvh, const Stack& stack) {
    if (!has_hit()) return {};
    const BvhInstance instance = load(bvh.instances[stack.hit_instance]);
    sheared_ = ShearedRay(instance.to_object.ray(stack.world_ray()));
    Hit hit = WideBvh::Traversal::hit(bvh.trees, stack);
    hit.primitive += instance.first_primitive;
    return hit;
  }

 private:
  static constexpr int kInWorld = -1;

  SIMT_HOST_DEVICE bool in_mesh() const { return mesh_depth_ != kInWorld; }

  SIMT_HOST_DEVICE static BvhInstance load(const BvhInstance& instance) {
    const Words* words = reinterpret_cast<const Words*>(&instance);
    const std::array<Words, 4> copy = {load_words(words), load_words(words + 1),
                                       load_words(words + 2), load_words(words + 3)};
    return std::bit_cast<BvhInstance>(copy);
  }

  /// Enters the first of the instances that the ray has come to in the world; what else there is
  /// waits. Returns false in a mesh, and where there is none.
  SIMT_HOST_DEVICE bool enter_first(const InstancedBvh& bvh, Leaves leaves, Stack& stack) {
    if (leaves.bits == 0 || in_mesh()) return false;
    const uint32_t instance = leaves.take();
    if (near_.has_nodes()) stack.groups[depth_++] = near_;
    if (leaves.bits != 0) wait(leaves, stack);
    enter(bvh, instance, stack);
    return true;
  }

  /// Whether nothing is left to visit in the mesh, where nothing is near.
  SIMT_HOST_DEVICE bool is_mesh_done() const { return in_mesh() && depth_ == mesh_depth_; }

  /// Goes on from the root of a mesh, in its space.
  SIMT_HOST_DEVICE void enter(const InstancedBvh& bvh, uint32_t reference, Stack& stack) {
    const BvhInstance instance = load(bvh.instances[reference]);
    const Ray ray = instance.to_object.ray(stack.world_ray());
    box_ray_ = BoxRay(ray);
    sheared_ = ShearedRay(ray);
    mesh_depth_ = depth_;
    near_ = {.first = instance.root, .bits = WideBvh::Group::kRoot};

    // Of two hits at one distance the lower number counts, and all numbers of one instance are
    // below all of another. So those here win against the hit so far, or none of them does.
    stack.instance = reference;
    stack.hit_before = reference_;
    stack.t_before = t_;
    if (has_hit() && bvh.instances[stack.hit_instance].first_primitive < instance.first_primitive)
      t_ = float_before(t_);
    reference_ = kNone;
  }

  /// Goes back to the world.
  SIMT_HOST_DEVICE void leave(Stack& stack) {
    if (has_hit()) {
      stack.hit_instance = stack.instance;
    } else {
      reference_ = stack.hit_before;
      t_ = stack.t_before;
    }
    box_ray_ = BoxRay(stack.world_ray());
    mesh_depth_ = kInWorld;
  }

  int mesh_depth_ = kInWorld;  ///< what the stack holds of the world
};

template <class Visits>
SIMT_HOST_DEVICE Hit InstancedBvh::intersect(const Ray& ray, Visits&& visits) const {
  Stack stack;
  return traverse<false>(*this, ray, stack, visits).hit(*this, stack);
}

template <class Visits>
SIMT_HOST_DEVICE bool InstancedBvh::occluded(const Ray& ray, Visits&& visits) const {
  Stack stack;
  return traverse<true>(*this, ray, stack, visits).has_hit();
}

}  // namespace winnow
