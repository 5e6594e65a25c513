// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <span>

#include "bvh/build/build_instanced_bvh.h"
#include "bvh/encode_bvh_node.h"

namespace winnow {
namespace {

/// Below this level ranges are halved by count, so that the tree ends long before
/// WideBvh::kMaxDepth: each level then divides a range by 4 at least.
constexpr uint32_t kLevelsBySah = WideBvh::kMaxDepth / 2;
constexpr uint32_t kInstanceBins = 16;

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
    uint32_t bin = 0;  ///< the first above
  };

  /// Partitions a range. Returns the size of the first part.
  size_t partition_by_sah(const Range& range) const {
    Bounds centers;  // doubled
    for (uint32_t item : range.items) centers.extend(boxes_[item].twice_center());
    const glm::vec3 size = centers.size();
    auto bin_of = [&](uint32_t item, int axis) {
      const float part = (boxes_[item].twice_center()[axis] - centers.min[axis]) / size[axis];
      return std::min(uint32_t(part * float(kInstanceBins)), kInstanceBins - 1);
    };

    Split best;
    for (int axis = 0; axis < 3; ++axis) {
      if (!(size[axis] > 0.0f && std::isfinite(size[axis]))) continue;
      Bounds bins[kInstanceBins];
      size_t counts[kInstanceBins] = {};
      for (uint32_t item : range.items) {
        const uint32_t bin = bin_of(item, axis);
        bins[bin].extend(boxes_[item]);
        ++counts[bin];
      }
      float costs_above[kInstanceBins] = {};
      Bounds above;
      size_t count = 0;
      for (uint32_t bin = kInstanceBins - 1; bin > 0; --bin) {
        above.extend(bins[bin]);
        count += counts[bin];
        costs_above[bin] = count ? float(count) * above.half_area() : INFINITY;
      }
      Bounds below;
      count = 0;
      for (uint32_t bin = 1; bin < kInstanceBins; ++bin) {
        below.extend(bins[bin - 1]);
        count += counts[bin - 1];
        if (count == 0) continue;
        const float cost = float(count) * below.half_area() + costs_above[bin];
        if (cost < best.cost) best = {cost, axis, bin};
      }
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

InstanceTree build_instance_tree(const std::vector<Bounds>& boxes) {
  return std::move(InstanceTreeBuilder(boxes).tree);
}

}  // namespace winnow
