// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "bvh/bvh_geometry.h"
#include "bvh/ploc/merge_clusters.h"
#include "bvh/ploc/reinsert_subtrees.h"
#include "bvh/ploc/widen_tree.h"
#include "compaction/op/operators.h"
#include "compaction/single_pass/reduce.h"
#include "compaction/single_pass/select.h"

namespace winnow {

/// Runs `stage(i)` for each of `count` items, one per thread.
template <class Stage>
struct ForItems {
  static constexpr unsigned kBlockSize = 256;
  using Shared = simt::NoShared;

  uint32_t count;
  Stage stage;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t i = block.group_index() * kBlockSize + block.thread_rank();
    if (i < count) stage(i);
  }
};

template <class Launcher, class Stage>
void for_items(Launcher& launcher, uint32_t count, const Stage& stage) {
  using Kernel = ForItems<Stage>;
  launcher.launch(simt::ceil_div(count, Kernel::kBlockSize), Kernel{count, stage});
}

template <class T>
struct WriteFirst {
  Span<T> items;
  T value;
  SIMT_HOST_DEVICE void operator()(uint32_t) const { items[0] = value; }
};

/// The result of a FastBvhBuilder, in memory of the backend. The spans may be longer.
struct FastBvh {
  uint32_t node_count = 0, primitive_count = 0;
  Span<WideBvhNode> nodes;
  Span<BvhPrimitive> primitives;
  /// Whether the tree is empty: too deep for the traversal. The quality build avoids that.
  bool too_deep = false;
};

/// Builds a WideBvh on a device: sorts the primitives along the Morton curve, merges neighbours
/// bottom-up into a binary tree, reinserts subtrees near its top, and collapses it at least
/// expected cost. Omits primitives that are not finite.
///
/// A backend has `launcher()`; `allocate<T>(count)`, without initialization; `clear(span)`;
/// `sort(keys, values)`, a stable sort by 64-bit keys below 2^63 that returns the sorted values;
/// and `read(span)`, which synchronizes and returns the first item.
template <class Backend>
class FastBvhBuilder {
 public:
  FastBvhBuilder(Backend& backend, const BvhGeometry& geometry)
      : backend_(backend), geometry_(geometry) {}

  FastBvh build() {
    if (geometry_.primitive_count() == 0) return {};
    make_leaves();
    if (leaf_count_ == 0) return {};
    merge_all();
    reinsert();
    return widen();
  }

 private:
  /// Leaves per cluster where the top of the tree begins: at most one cluster is left per this many
  /// leaves, and at least one per twice as many.
  static constexpr uint32_t kLeavesPerTopCluster = 12;
  /// Diffuse rays in Sponza visit 12.5 nodes without any, 11.4 after 3 iterations and 10.9 after
  /// 8; 10.3 in the quality tree. An iteration takes about 0.1 ms there on an H200.
  static constexpr int kReinsertionIterations = 8;

  using FiniteIndices = compaction::WriteIndices<uint32_t>;
  using KeptClusters = compaction::WriteColumns<Cluster>;

  auto& launcher() { return backend_.launcher(); }

  /// Returns memory for compaction: zeroed at first, then kept from call to call.
  Span<std::byte> workspace(size_t bytes) {
    if (bytes > workspace_.size) {
      workspace_ = backend_.template allocate<std::byte>(bytes);
      backend_.clear(workspace_);
    }
    return workspace_;
  }

  void make_leaves() {
    const uint32_t n = geometry_.primitive_count();
    auto boxes = backend_.template allocate<Bounds>(n);
    auto finite = backend_.template allocate<uint8_t>(n);
    auto scene = backend_.template allocate<Bounds>(1);
    auto primitives = backend_.template allocate<uint32_t>(n);
    auto count = backend_.template allocate<uint32_t>(1);
    for_items(launcher(), n, ComputeBounds{geometry_, boxes, finite});
    compaction::reduce(launcher(), static_cast<const Bounds*>(boxes.data), {n}, scene.data,
                       JoinBounds(), workspace(compaction::reduce_bytes<Bounds>()));
    compaction::select(launcher(), compaction::Flagged{finite.data}, FiniteIndices(primitives.data),
                       {n}, {.count = count.data},
                       workspace(compaction::select_bytes<compaction::Flagged, FiniteIndices>(n)));
    leaf_count_ = backend_.read(count);
    if (leaf_count_ == 0) return;

    primitives.size = leaf_count_;
    auto codes = backend_.template allocate<uint64_t>(leaf_count_);
    for_items(launcher(), leaf_count_, ComputeMortonCodes{boxes, scene, primitives, codes});
    const Span<const uint32_t> order = backend_.sort(codes, primitives);
    nodes_ = backend_.template allocate<BinaryNode>(2 * size_t(leaf_count_));
    parents_ = backend_.template allocate<uint32_t>(2 * size_t(leaf_count_));
    clusters_ = backend_.template allocate<Cluster>(leaf_count_);
    for_items(launcher(), leaf_count_, MakeLeaves{boxes, order, nodes_, clusters_});
  }

  /// Merges until one cluster is left. The host reads the count once every few iterations.
  void merge_all() {
    constexpr int kIterations = 4;  // between two reads; three or four halve the count
    auto merged = backend_.template allocate<Cluster>(leaf_count_);
    auto kept = backend_.template allocate<uint8_t>(leaf_count_);
    auto counts = backend_.template allocate<uint32_t>(2);
    const GrowingTree tree{leaf_count_, nodes_, parents_};
    for_items(launcher(), 1, WriteFirst<uint32_t>{counts, leaf_count_});
    uint32_t left = leaf_count_;
    int current = 0;  // ping-pong index of `counts`
    while (left > FinishMerging::kMaxClusters) {
      if (bottom_.size == 0 && left <= leaf_count_ / kLeavesPerTopCluster) keep_bottom(left);
      for (int iteration = 0; iteration < kIterations; ++iteration, current = 1 - current) {
        const compaction::ItemCount count{left, &counts[size_t(current)]};
        launcher().launch(simt::ceil_div(left, MergeClusters::kOwned),
                          MergeClusters{count, tree, clusters_, merged, kept});
        compaction::select(
            launcher(), compaction::Flagged{kept.data},
            KeptClusters({static_cast<const Cluster*>(merged.data), clusters_.data}), count,
            {.count = &counts[size_t(1 - current)]},
            workspace(compaction::select_bytes<compaction::Flagged, KeptClusters>(leaf_count_)));
      }
      left = backend_.read(counts.subspan(size_t(current), 1));
    }
    if (bottom_.size == 0) keep_bottom(left);
    launcher().launch(1, FinishMerging{left, tree, clusters_});
  }

  /// Copies the current clusters: they become the bottom of the top of the tree.
  void keep_bottom(uint32_t count) {
    bottom_ = backend_.template allocate<Cluster>(count);
    for_items(launcher(), count, KeepClusters{clusters_, bottom_});
  }

  void reinsert() {
    const TreeTop top{nodes_, {parents_}, bottom_, clusters_, leaf_count_};
    const auto clusters = uint32_t(bottom_.size);
    for_items(launcher(), clusters + 1, MarkTreeTop{top});
    const ReinsertionStage stage{top, backend_.template allocate<Reinsertion>(top.size()),
                                 backend_.template allocate<ReinsertionMarks>(nodes_.size)};
    backend_.clear(stage.marks);
    for (int iteration = 0; iteration < kReinsertionIterations; ++iteration) {
      for_items(launcher(), top.size(), FindReinsertions{stage});
      for_items(launcher(), top.size(), KeepLockedReinsertions{stage});
      for_items(launcher(), top.size(), KeepTreeReinsertions{stage});
      for_items(launcher(), top.size(), MakeReinsertions{stage});
      for_items(launcher(), clusters, RefitBoxes{stage});
    }
    for_items(launcher(), clusters, RefitNodes{stage});
  }

  FastBvh widen() {
    const uint32_t root = backend_.read(clusters_).node;
    FastBvh bvh;
    bvh.too_deep = backend_.read(nodes_.subspan(root, 1)).height() > WideBvh::kMaxBinaryHeight;
    if (bvh.too_deep) return bvh;
    // Each wide node comes from an inner node of the binary tree, or from its only leaf.
    const uint32_t max_nodes = leaf_count_ > 1 ? leaf_count_ - 1 : 1;
    bvh.nodes = backend_.template allocate<WideBvhNode>(max_nodes);
    bvh.primitives = backend_.template allocate<BvhPrimitive>(leaf_count_);
    auto sources = backend_.template allocate<uint32_t>(max_nodes);
    auto plans = backend_.template allocate<WideNodePlan>(max_nodes);
    auto counts = backend_.template allocate<WideCounts>(1);
    for_items(launcher(), 1, WriteFirst<uint32_t>{sources, root});
    for_items(launcher(), 1, WriteFirst<WideCounts>{counts, {.nodes = {1}}});
    constexpr unsigned kBlocksPerSm = 4;
    const uint32_t blocks = kBlocksPerSm * launcher().multiprocessors();
    WideCounts done;
    for (uint32_t level = 0; level < uint32_t(WideBvh::kMaxDepth);) {
      constexpr int kLevels = 8;  // levels between two reads
      for (int step = 0; step < kLevels; ++step, ++level)
        launcher().launch(blocks, WidenLevel{nodes_, level, counts, sources, plans});
      done = backend_.read(counts);
      if (done.nodes[level] == 0) break;
    }
    for (uint32_t nodes : done.nodes) bvh.node_count += nodes;
    bvh.primitive_count = done.primitives;
    for_items(launcher(), bvh.node_count,
              EncodeNodes{geometry_, nodes_, plans, bvh.nodes, bvh.primitives});
    return bvh;
  }

  Backend& backend_;
  BvhGeometry geometry_;
  uint32_t leaf_count_ = 0;
  Span<std::byte> workspace_;
  Span<BinaryNode> nodes_;
  Span<uint32_t> parents_;
  Span<Cluster> bottom_;    ///< clusters at the bottom of the top of the tree
  Span<Cluster> clusters_;  ///< remaining clusters first
};

}  // namespace winnow
