// SPDX-License-Identifier: MIT
#include "bvh/build/build_instanced_bvh.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "base/error.h"
#include "bvh/build/bvh_splits.h"
#include "bvh/encode_bvh_node.h"
#include "bvh/instances.h"
#include "scene/scene_bounds.h"

namespace winnow {
namespace {

/// Returns the geometry of a scene outside of instances.
HostScene without_instances(const HostScene& scene) {
  HostScene own;
  static_cast<Mesh&>(own) = scene;
  own.spheres = scene.spheres;
  return own;
}

/// Appends a tree. Returns the index of its root.
uint32_t append(const WideBvhArrays& tree, InstancedBvhArrays& arrays) {
  if (arrays.nodes.size() + tree.nodes.size() > std::numeric_limits<uint32_t>::max() ||
      arrays.primitives.size() + tree.primitives.size() > std::numeric_limits<uint32_t>::max())
    throw Error("the meshes of the scene have too many triangles for 32-bit indices");
  const auto first_node = uint32_t(arrays.nodes.size());
  const auto first_primitive = uint32_t(arrays.primitives.size());
  for (WideBvhNode node : tree.nodes) {
    node.first_node += first_node;
    node.first_primitive += first_primitive;
    arrays.nodes.push_back(node);
  }
  arrays.primitives.insert(arrays.primitives.end(), tree.primitives.begin(), tree.primitives.end());
  return first_node;
}

/// Level below which ranges are halved by count, so that the tree ends long before
/// WideBvh::kMaxDepth: each level then divides a range by 4 at least.
constexpr uint32_t kLevelsBySah = WideBvh::kMaxDepth / 2;
constexpr int kInstanceBins = 16;

class InstanceTreeBuilder {
 public:
  InstanceTree tree;

  explicit InstanceTreeBuilder(const std::vector<Bounds>& boxes)
      : boxes_(boxes), items_(boxes.size()) {
    std::iota(items_.begin(), items_.end(), 0u);
    if (boxes.empty()) return;
    tree.references.reserve(boxes.size());
    tree.nodes.emplace_back();
    fill(0, items_, 0);
  }

 private:
  /// The boxes of one subtree.
  struct Range {
    std::span<uint32_t> items;
    Bounds box;
  };

  Range range_of(std::span<uint32_t> items) const {
    Range range{items, {}};
    for (uint32_t item : items) range.box.extend(boxes_[item]);
    return range;
  }

  void fill(uint32_t index, std::span<uint32_t> items, uint32_t depth) {
    const std::vector<Range> ranges = split_into_eight(items, depth);
    WideBvhChild slots[WideBvhNode::kWidth];
    const Span<WideBvhChild> children(slots, ranges.size());
    for (uint32_t i = 0; i < ranges.size(); ++i)
      children[i] = {
          .box = ranges[i].box, .leaf_size = ranges[i].items.size() == 1 ? 1u : 0u, .index = i};
    assign_slots(children);

    const auto first_node = uint32_t(tree.nodes.size());
    tree.nodes[index] =
        encode_node({children.data, children.size}, first_node, uint32_t(tree.references.size()));
    for (const WideBvhChild& child : children)
      if (child.leaf_size == 1)
        tree.references.push_back(ranges[child.index].items[0]);
      else
        tree.nodes.emplace_back();
    uint32_t next = first_node;
    for (const WideBvhChild& child : children)
      if (child.leaf_size == 0) fill(next++, ranges[child.index].items, depth + 1);
  }

  std::vector<Range> split_into_eight(std::span<uint32_t> items, uint32_t depth) {
    std::vector<Range> ranges{range_of(items)};
    const bool by_sah = depth < kLevelsBySah;
    auto comes_first = [&](const Range& a, const Range& b) {
      auto size = [&](const Range& range) {
        if (range.items.size() == 1) return -1.0f;
        return by_sah ? range.box.half_area() : float(range.items.size());
      };
      return size(a) < size(b);
    };
    while (ranges.size() < WideBvhNode::kWidth) {
      auto largest = std::max_element(ranges.begin(), ranges.end(), comes_first);
      if (largest->items.size() == 1) break;
      const size_t below = by_sah ? partition_by_sah(*largest) : largest->items.size() / 2;
      const std::span<uint32_t> parts = largest->items;
      *largest = range_of(parts.first(below));
      ranges.push_back(range_of(parts.subspan(below)));
    }
    return ranges;
  }

  /// A split of a range at a bin of the centers of its boxes.
  struct Split {
    float cost = INFINITY;
    int axis = 0;
    int bin = 0;  ///< first bin above the plane
  };

  /// Partitions a range. Returns the size of the first part.
  size_t partition_by_sah(const Range& range) const {
    Bounds centers;  // twice the centers
    for (uint32_t item : range.items) centers.extend(boxes_[item].twice_center());
    const glm::vec3 size = centers.size();
    auto bin_of = [&](uint32_t item, int axis) {
      const float part = (boxes_[item].twice_center()[axis] - centers.min[axis]) / size[axis];
      return std::min(int(part * float(kInstanceBins)), kInstanceBins - 1);
    };

    Split best;
    for (int axis = 0; axis < 3; ++axis) {
      if (!(size[axis] > 0.0f && std::isfinite(size[axis]))) continue;
      CountedBoxes bins[kInstanceBins];
      for (uint32_t item : range.items) bins[bin_of(item, axis)].add(boxes_[item]);
      auto keep_better = [&](int bin, const CountedBoxes& below, const CountedBoxes& above) {
        if (below.count == 0 || above.count == 0) return;
        const float cost = below.cost() + above.cost();
        if (cost < best.cost) best = {cost, axis, bin};
      };
      for_each_plane(bins, kInstanceBins, keep_better);
    }
    if (best.cost == INFINITY) return range.items.size() / 2;  // all centers coincide
    auto second = std::partition(range.items.begin(), range.items.end(),
                                 [&](uint32_t item) { return bin_of(item, best.axis) < best.bin; });
    return size_t(second - range.items.begin());
  }

  const std::vector<Bounds>& boxes_;
  std::vector<uint32_t> items_;
};

}  // namespace

HostScene scene_of(const Mesh& shared, const SharedMesh& mesh) {
  HostScene scene;
  auto part = [](const auto& items, uint32_t first, uint32_t count) {
    return std::vector(items.begin() + first, items.begin() + first + count);
  };
  scene.positions = part(shared.positions, mesh.first_vertex, mesh.vertex_count);
  scene.normals = part(shared.normals, mesh.first_vertex, mesh.vertex_count);
  scene.triangles = part(shared.triangles, mesh.first_triangle, mesh.triangle_count);
  scene.triangle_materials =
      part(shared.triangle_materials, mesh.first_triangle, mesh.triangle_count);
  for (glm::uvec3& triangle : scene.triangles) triangle -= mesh.first_vertex;
  return scene;
}

InstancedBvhArrays build_instanced_bvh(const HostScene& scene, const InstanceTable& table,
                                       const BuildWideBvh& build) {
  std::vector<Bounds> boxes = instance_bounds(scene, table);
  const HostScene own = without_instances(scene);
  const bool has_own = !own.triangles.empty() || !own.spheres.empty();
  if (has_own) boxes.push_back(scene_bounds(own));
  const InstanceTree top = build_instance_tree(boxes);

  InstancedBvhArrays arrays;
  arrays.nodes = top.nodes;
  std::vector<uint32_t> roots;  // [mesh]
  for (const SharedMesh& mesh : scene.meshes)
    roots.push_back(append(build(scene_of(scene.shared, mesh)), arrays));
  const uint32_t own_root = has_own ? append(build(own), arrays) : 0;

  for (uint32_t reference : top.references) {
    const bool is_own = reference == table.instances.size();
    arrays.instances.push_back(
        is_own ? BvhInstance{.root = own_root}
               : BvhInstance{.to_object = table.instances[reference].to_object,
                             .root = roots[scene.instances[reference].mesh],
                             .first_primitive = table.first_primitives[reference]});
  }
  return arrays;
}

InstanceTree build_instance_tree(const std::vector<Bounds>& boxes) {
  return std::move(InstanceTreeBuilder(boxes).tree);
}

}  // namespace winnow
