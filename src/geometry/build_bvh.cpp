#include "geometry/build_bvh.h"

#include <memory>
#include <new>

#include "geometry/embree.h"

namespace winnow {
namespace {

/// What Embree's builder makes; its memory belongs to the RTCBVH.
struct BuildNode {
  bool is_leaf;
};
struct InnerNode : BuildNode {
  RTCBounds bounds[2];
  BuildNode* children[2];
};
struct LeafNode : BuildNode {
  uint32_t count;
  uint32_t primitives[BvhChild::kMaxLeafSize];
};

template <class Node>
Node* allocate(RTCThreadLocalAllocator allocator) {
  return new (rtcThreadLocalAlloc(allocator, sizeof(Node), alignof(Node))) Node;
}

void* create_node(RTCThreadLocalAllocator allocator, unsigned, void*) {
  InnerNode* node = allocate<InnerNode>(allocator);
  node->is_leaf = false;
  return static_cast<BuildNode*>(node);
}

void set_children(void* node, void** children, unsigned count, void*) {
  auto* inner = static_cast<InnerNode*>(static_cast<BuildNode*>(node));
  for (unsigned i = 0; i < count; ++i) inner->children[i] = static_cast<BuildNode*>(children[i]);
}

void set_bounds(void* node, const RTCBounds** bounds, unsigned count, void*) {
  auto* inner = static_cast<InnerNode*>(static_cast<BuildNode*>(node));
  for (unsigned i = 0; i < count; ++i) inner->bounds[i] = *bounds[i];
}

void* create_leaf(RTCThreadLocalAllocator allocator, const RTCBuildPrimitive* primitives,
                  size_t count, void*) {
  LeafNode* leaf = allocate<LeafNode>(allocator);
  leaf->is_leaf = true;
  leaf->count = uint32_t(count);
  for (size_t i = 0; i < count; ++i) leaf->primitives[i] = primitives[i].primID;
  return static_cast<BuildNode*>(leaf);
}

RTCBuildPrimitive build_primitive(uint32_t primitive, glm::vec3 lower, glm::vec3 upper) {
  return {lower.x, lower.y, lower.z, 0, upper.x, upper.y, upper.z, primitive};
}

std::vector<RTCBuildPrimitive> build_primitives(const HostScene& scene) {
  std::vector<RTCBuildPrimitive> primitives;
  primitives.reserve(scene.triangles.size() + scene.spheres.size());
  for (glm::uvec3 t : scene.triangles) {
    glm::vec3 a = scene.positions[t.x], b = scene.positions[t.y], c = scene.positions[t.z];
    primitives.push_back(build_primitive(uint32_t(primitives.size()), glm::min(a, glm::min(b, c)),
                                         glm::max(a, glm::max(b, c))));
  }
  for (const Sphere& s : scene.spheres)
    primitives.push_back(
        build_primitive(uint32_t(primitives.size()), s.center - s.radius, s.center + s.radius));
  return primitives;
}

BvhPrimitive traversal_primitive(const HostScene& scene, uint32_t primitive) {
  if (primitive < scene.triangles.size()) {
    glm::uvec3 t = scene.triangles[primitive];
    return {.p0 = scene.positions[t.x],
            .primitive = primitive,
            .p1 = scene.positions[t.y],
            .kind = BvhPrimitive::Kind::kTriangle,
            .p2 = scene.positions[t.z],
            .unused = 0.0f};
  }
  const Sphere& sphere = scene.spheres[primitive - scene.triangles.size()];
  return {.p0 = sphere.center,
          .primitive = primitive,
          .p1 = glm::vec3(sphere.radius, 0.0f, 0.0f),
          .kind = BvhPrimitive::Kind::kSphere,
          .p2 = glm::vec3(0.0f),
          .unused = 0.0f};
}

/// Lays the built tree out depth first.
class Flattener {
 public:
  Flattener(const HostScene& scene, BvhArrays& arrays) : scene_(scene), arrays_(arrays) {}

  BvhChild flatten(const BuildNode* node) {
    if (node->is_leaf) return flatten_leaf(*static_cast<const LeafNode*>(node));
    const auto& inner = *static_cast<const InnerNode*>(node);
    auto index = uint32_t(arrays_.nodes.size());
    arrays_.nodes.emplace_back();
    for (int i = 0; i < 2; ++i) {
      BvhChild child = flatten(inner.children[i]);
      set_child(arrays_.nodes[index], i, inner.bounds[i], child);
    }
    return BvhChild::node(index);
  }

  /// A root for a tree that is one leaf. Both children hold it; the second test of a primitive
  /// finds nothing nearer.
  void add_root_above(BvhChild leaf, const RTCBounds& bounds) {
    arrays_.nodes.emplace_back();
    for (int i = 0; i < 2; ++i) set_child(arrays_.nodes[0], i, bounds, leaf);
  }

 private:
  static void set_child(BvhNode& node, int i, const RTCBounds& bounds, BvhChild child) {
    node.lower[i] = {bounds.lower_x, bounds.lower_y, bounds.lower_z};
    node.upper[i] = {bounds.upper_x, bounds.upper_y, bounds.upper_z};
    node.child[i] = child;
  }

  BvhChild flatten_leaf(const LeafNode& leaf) {
    auto first = uint32_t(arrays_.primitives.size());
    for (uint32_t i = 0; i < leaf.count; ++i)
      arrays_.primitives.push_back(traversal_primitive(scene_, leaf.primitives[i]));
    return BvhChild::leaf(first, leaf.count);
  }

  const HostScene& scene_;
  BvhArrays& arrays_;
};

RTCBounds bounds_of(const std::vector<RTCBuildPrimitive>& primitives) {
  glm::vec3 lower(INFINITY), upper(-INFINITY);
  for (const RTCBuildPrimitive& p : primitives) {
    lower = glm::min(lower, glm::vec3(p.lower_x, p.lower_y, p.lower_z));
    upper = glm::max(upper, glm::vec3(p.upper_x, p.upper_y, p.upper_z));
  }
  return {lower.x, lower.y, lower.z, 0.0f, upper.x, upper.y, upper.z, 0.0f};
}

}  // namespace

BvhArrays build_bvh(const HostScene& scene) {
  BvhArrays arrays;
  std::vector<RTCBuildPrimitive> primitives = build_primitives(scene);
  if (primitives.empty()) return arrays;
  if (primitives.size() > BvhChild::kMaxPrimitives)
    throw Error("the scene has " + std::to_string(primitives.size()) +
                " primitives; this BVH holds at most 268435456");
  RTCBounds bounds = bounds_of(primitives);

  std::unique_ptr<RTCDeviceTy, decltype(&rtcReleaseDevice)> device(rtcNewDevice(nullptr),
                                                                   rtcReleaseDevice);
  if (!device) throw Error("Embree does not start on this machine");
  std::unique_ptr<RTCBVHTy, decltype(&rtcReleaseBVH)> bvh(rtcNewBVH(device.get()), rtcReleaseBVH);

  constexpr unsigned kLeafSize = 4;  // at most; the heuristic mostly stops before
  RTCBuildArguments args = rtcDefaultBuildArguments();
  args.buildQuality = RTC_BUILD_QUALITY_MEDIUM;
  args.maxBranchingFactor = 2;
  args.maxDepth = Bvh::kMaxDepth;
  args.maxLeafSize = kLeafSize;
  args.bvh = bvh.get();
  args.primitives = primitives.data();
  args.primitiveCount = args.primitiveArrayCapacity = primitives.size();
  args.createNode = create_node;
  args.setNodeChildren = set_children;
  args.setNodeBounds = set_bounds;
  args.createLeaf = create_leaf;
  auto* root = static_cast<const BuildNode*>(rtcBuildBVH(&args));
  check_embree(device.get(), "building the BVH");

  Flattener flattener(scene, arrays);
  arrays.primitives.reserve(primitives.size());
  BvhChild child = flattener.flatten(root);
  if (child.is_leaf()) flattener.add_root_above(child, bounds);
  return arrays;
}

}  // namespace winnow
