#include "geometry/bvh_tree.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include "geometry/collapse_bvh.h"
#include "geometry/optimize_bvh.h"
#include "geometry/split_bvh_primitive.h"

namespace winnow {
namespace {

/// Splitting may add this many primitives, as a part of all. More of them saves tests of
/// primitives, not visits to nodes, and takes memory.
constexpr double kSplitBudget = 0.1;
/// The builder's recursion goes no deeper; what a wide tree can hold is three times its depth.
constexpr unsigned kMaxTreeDepth = 3 * WideBvh::kMaxDepth;

BvhTreeNode* allocate_node(RTCThreadLocalAllocator allocator) {
  return new (rtcThreadLocalAlloc(allocator, sizeof(BvhTreeNode), alignof(BvhTreeNode)))
      BvhTreeNode;
}

BvhBox box_of(const RTCBuildPrimitive& p) {
  return {{p.lower_x, p.lower_y, p.lower_z}, {p.upper_x, p.upper_y, p.upper_z}};
}

void* create_node(RTCThreadLocalAllocator allocator, unsigned, void*) {
  return allocate_node(allocator);
}

/// Called when the children are complete.
void set_children(void* address, void** children, unsigned count, void*) {
  auto* node = static_cast<BvhTreeNode*>(address);
  for (unsigned i = 0; i < count; ++i) {
    auto* child = node->children[i] = static_cast<BvhTreeNode*>(children[i]);
    child->parent = node;
    node->box.add(child->box);
    node->height = std::max(node->height, child->height + 1);
  }
}

/// The children have their own, which are as tight.
void ignore_bounds(void*, const RTCBounds**, unsigned, void*) {}

void* create_leaf(RTCThreadLocalAllocator allocator, const RTCBuildPrimitive* primitives, size_t,
                  void*) {
  BvhTreeNode* leaf = allocate_node(allocator);
  leaf->box = box_of(primitives[0]);
  leaf->primitive = primitives[0].primID;
  return leaf;
}

void set_box(RTCBounds& bounds, const BvhBox& box) {
  bounds.lower_x = box.lower.x, bounds.lower_y = box.lower.y, bounds.lower_z = box.lower.z;
  bounds.upper_x = box.upper.x, bounds.upper_y = box.upper.y, bounds.upper_z = box.upper.z;
}

void split_primitive(const RTCBuildPrimitive* primitive, unsigned axis, float position,
                     RTCBounds* below, RTCBounds* above, void* user) {
  const auto& scene = *static_cast<const HostScene*>(user);
  const BvhBox box = box_of(*primitive);
  BvhSplit split;
  if (primitive->primID < scene.triangles.size()) {
    const glm::uvec3 t = scene.triangles[primitive->primID];
    split = split_triangle(scene.positions[t.x], scene.positions[t.y], scene.positions[t.z], box,
                           int(axis), position);
  } else {
    split = split_box(box, int(axis), position);
  }
  set_box(*below, split.below);
  set_box(*above, split.above);
}

BvhBox primitive_box(const HostScene& scene, uint32_t primitive) {
  BvhBox box;
  if (primitive < scene.triangles.size()) {
    const glm::uvec3 t = scene.triangles[primitive];
    for (uint32_t vertex : {t.x, t.y, t.z}) box.add(scene.positions[vertex]);
  } else {
    const Sphere& sphere = scene.spheres[primitive - scene.triangles.size()];
    box = {sphere.center - sphere.radius, sphere.center + sphere.radius};
  }
  return box;
}

bool is_finite(glm::vec3 v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

bool is_finite(const HostScene& scene, uint32_t primitive) {
  if (primitive < scene.triangles.size()) {
    const glm::uvec3 t = scene.triangles[primitive];
    return is_finite(scene.positions[t.x]) && is_finite(scene.positions[t.y]) &&
           is_finite(scene.positions[t.z]);
  }
  const Sphere& sphere = scene.spheres[primitive - scene.triangles.size()];
  return is_finite(sphere.center + sphere.radius) && is_finite(sphere.center - sphere.radius);
}

/// The boxes of a scene's primitives, triangles first. Leaves out those that are not finite.
std::vector<RTCBuildPrimitive> build_primitives(const HostScene& scene) {
  std::vector<RTCBuildPrimitive> primitives(scene.triangles.size() + scene.spheres.size());
  tbb::parallel_for(uint32_t(0), uint32_t(primitives.size()), [&](uint32_t i) {
    const BvhBox b = primitive_box(scene, i);
    primitives[i] = {b.lower.x, b.lower.y, b.lower.z, 0, b.upper.x, b.upper.y, b.upper.z, i};
  });
  std::erase_if(primitives,
                [&](const RTCBuildPrimitive& p) { return !is_finite(scene, p.primID); });
  return primitives;
}

}  // namespace

BvhTree::BvhTree(const HostScene& scene)
    : device_(nullptr, rtcReleaseDevice), bvh_(nullptr, rtcReleaseBVH) {
  std::vector<RTCBuildPrimitive> primitives = build_primitives(scene);
  if (primitives.empty()) return;
  const size_t count = primitives.size();
  primitives.resize(count + size_t(kSplitBudget * double(count)));

  device_.reset(rtcNewDevice(nullptr));
  if (!device_) throw Error("Embree does not start on this machine");
  bvh_.reset(rtcNewBVH(device_.get()));

  RTCBuildArguments args = rtcDefaultBuildArguments();
  args.buildQuality = RTC_BUILD_QUALITY_HIGH;
  args.maxBranchingFactor = 2;
  args.maxDepth = kMaxTreeDepth;
  args.maxLeafSize = 1;  // the collapse decides what becomes a leaf
  args.bvh = bvh_.get();
  args.primitives = primitives.data();
  args.primitiveCount = count;
  args.primitiveArrayCapacity = primitives.size();
  args.createNode = create_node;
  args.setNodeChildren = set_children;
  args.setNodeBounds = ignore_bounds;
  args.createLeaf = create_leaf;
  args.splitPrimitive = split_primitive;
  args.userPtr = const_cast<HostScene*>(&scene);
  auto* root = static_cast<BvhTreeNode*>(rtcBuildBVH(&args));
  check_embree(device_.get(), "building the BVH");
  optimize_bvh(*root, kMaxTreeDepth);
  choose_collapses(*root);
  root_ = root;
}

}  // namespace winnow
