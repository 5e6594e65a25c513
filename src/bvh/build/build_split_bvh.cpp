// SPDX-License-Identifier: MIT
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <bit>

#include "bvh/build/bvh_splits.h"
#include "bvh/build/bvh_tree.h"

namespace winnow {
namespace {

/// References that splitting may add, as a fraction of all. More of them save primitive tests but
/// no node visits, and take memory.
constexpr double kSplitBudget = 0.1;
/// Minimum area that the boxes of the children share, relative to the root's, for which spatial
/// splits are tried. A lower threshold takes longer and gains nothing.
constexpr float kMinShared = 1e-3f;

/// Returns one reference per finite primitive, triangles first.
std::vector<BvhReference> references_to(const BvhGeometry& geometry) {
  std::vector<BvhReference> references(geometry.primitive_count());
  tbb::parallel_for(uint32_t(0), uint32_t(references.size()), [&](uint32_t i) {
    references[i] = {geometry.bounds(i), i};
  });
  std::erase_if(references, [](const BvhReference& r) { return r.box.is_empty(); });
  return references;
}

/// The references of a subtree, followed by room for those that splits add.
struct ReferenceRange {
  uint32_t begin, end, limit;
  uint32_t size() const { return end - begin; }
  uint32_t room() const { return limit - end; }
};

class SplitBvhBuilder {
 public:
  /// @param split_budget  references that splits may add
  SplitBvhBuilder(const BvhGeometry& geometry, std::vector<BvhReference> references,
                  size_t split_budget, uint32_t max_height)
      : geometry_(geometry), references_(std::move(references)), max_height_(max_height) {
    const auto count = uint32_t(references_.size());
    references_.resize(count + split_budget);
    const auto limit = uint32_t(references_.size());
    tree_.resize(2 * size_t(limit) - 1);
    build(0, {0, count, limit}, 0);
  }

  BvhTree take_tree() { return std::move(tree_); }

 private:
  Span<BvhReference> references(const ReferenceRange& range) {
    return {references_.data() + range.begin, range.size()};
  }

  /// Builds a subtree. With n references it has 2 n - 1 nodes, stored from `node` on.
  void build(uint32_t node, ReferenceRange range, uint32_t depth) {
    if (range.size() == 1) {
      tree_[node].box = references_[range.begin].box;
      tree_[node].primitive = references_[range.begin].primitive;
      return;
    }
    const uint32_t middle = split(range, depth);
    const auto halves = share_room(range, middle);
    const ReferenceRange first = halves.first,
                         second = halves.second;  // clang < 16 cannot capture bindings
    const uint32_t children[] = {node + 1, node + 2 * (second.begin - first.begin)};
    constexpr uint32_t kMany = 1000;  // references that are worth a task
    if (range.size() >= kMany) {
      tbb::parallel_invoke([&] { build(children[0], first, depth + 1); },
                           [&] { build(children[1], second, depth + 1); });
    } else {
      build(children[0], first, depth + 1);
      build(children[1], second, depth + 1);
    }
    for (int i = 0; i < 2; ++i) {
      tree_[node].children[i] = children[i];
      tree_[children[i]].parent = node;
    }
    refit(tree_, node);
  }

  /// Partitions the references into two groups that are not empty. Returns where the second begins.
  uint32_t split(ReferenceRange& range, uint32_t depth) {
    const uint32_t half = range.begin + range.size() / 2;
    const auto halvings = uint32_t(std::bit_width(range.limit - range.begin - 1));
    if (depth + halvings >= max_height_) {
      range.limit = range.end;
      return half;
    }
    const Span<BvhReference> all = references(range);
    const auto bounds = reduce_references<BvhReferenceBounds>(
        all, {}, [](BvhReferenceBounds& sum, const BvhReference& r) { sum.add(r); });
    if (depth == 0) root_area_ = bounds.box.half_area();
    const ObjectSplit object = find_object_split(all, bounds);
    if (range.room() > 0 && !(object.shared_area <= kMinShared * root_area_)) {
      const SpatialSplit spatial =
          find_spatial_split(geometry_, all, bounds.box, range.limit - range.begin);
      if (spatial.cost < object.cost) {
        const SplitReferences parts = split_references(geometry_, all, spatial);
        if (!parts.below.empty() && !parts.above.empty()) return replace(range, parts);
      }
    }
    if (!object.exists()) return half;
    const auto middle = std::partition(all.begin(), all.end(),
                                       [&](const BvhReference& r) { return object.is_below(r); });
    return range.begin + uint32_t(middle - all.begin());
  }

  uint32_t replace(ReferenceRange& range, const SplitReferences& parts) {
    const auto first = references_.begin() + range.begin;
    const auto middle = std::copy(parts.below.begin(), parts.below.end(), first);
    const auto end = std::copy(parts.above.begin(), parts.above.end(), middle);
    range.end = uint32_t(end - references_.begin());
    return uint32_t(middle - references_.begin());
  }

  /// Divides the room between the groups in proportion to their sizes.
  std::pair<ReferenceRange, ReferenceRange> share_room(const ReferenceRange& range,
                                                       uint32_t middle) {
    const auto room = uint32_t(uint64_t(range.room()) * (middle - range.begin) / range.size());
    const auto begin = references_.begin();
    if (room > 0) std::move_backward(begin + middle, begin + range.end, begin + range.end + room);
    return {{range.begin, middle, middle + room}, {middle + room, range.end + room, range.limit}};
  }

  const BvhGeometry geometry_;
  std::vector<BvhReference> references_;
  BvhTree tree_;
  uint32_t max_height_;
  float root_area_ = 0.0f;
};

}  // namespace

BvhTree build_split_bvh(const HostScene& scene, uint32_t max_height) {
  const BvhGeometry geometry = geometry_of(scene);
  std::vector<BvhReference> references = references_to(geometry);
  if (references.empty()) return {};
  const auto budget = size_t(kSplitBudget * double(references.size()));
  return SplitBvhBuilder(geometry, std::move(references), budget, max_height).take_tree();
}

BvhTree build_box_bvh(const std::vector<Bounds>& boxes, uint32_t max_height) {
  if (boxes.empty()) return {};
  std::vector<BvhReference> references;
  for (const Bounds& box : boxes) references.push_back({box, uint32_t(references.size())});
  return SplitBvhBuilder({}, std::move(references), 0, max_height).take_tree();
}

}  // namespace winnow
