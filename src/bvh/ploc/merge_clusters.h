// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "bvh/binary_node.h"
#include "bvh/bvh_geometry.h"
#include "compaction/grid/item_count.h"
#include "compaction/group/block_rank.h"
#include "compaction/simt/simt.h"
#include "compaction/simt/span.h"
#include "math/bounds.h"
#include "math/morton.h"

namespace winnow {

using simt::Span;

/// A cube around a scene, divided into 2^21 cells along each axis.
struct MortonGrid {
  static constexpr uint32_t kBits = 21;  ///< per axis; three coordinates fit 64 bits
  static constexpr uint32_t kCells = 1u << kBits;

  glm::vec3 lower{0.0f};  ///< m
  double cell = 0.0;      ///< m; 0 where the scene is a point

  MortonGrid() = default;
  SIMT_HOST_DEVICE explicit MortonGrid(const Bounds& scene) : lower(scene.min) {
    for (int axis = 0; axis < 3; ++axis) {
      const double size = double(scene.max[axis]) - double(scene.min[axis]);
      cell = cell < size / kCells ? size / kCells : cell;
    }
  }

  /// Returns the cell of a coordinate, which may lie outside of the cube by rounding.
  SIMT_HOST_DEVICE uint32_t cell_of(double x, int axis) const {
    const double cells = cell > 0.0 ? (x - double(lower[axis])) / cell : 0.0;
    return cells >= kCells - 1 ? kCells - 1 : cells > 0.0 ? uint32_t(cells) : 0;
  }

  /// Returns the Morton code of the cell at the center of `box`.
  SIMT_HOST_DEVICE uint64_t code(const Bounds& box) const {
    glm::uvec3 cells;
    for (int axis = 0; axis < 3; ++axis)
      cells[axis] = cell_of(0.5 * (double(box.min[axis]) + double(box.max[axis])), axis);
    return morton_code(cells);
  }
};

/// Computes the boxes of all primitives, and flags the finite ones.
struct ComputeBounds {
  BvhGeometry geometry;
  Span<Bounds> boxes;    ///< [primitive]; empty if not finite
  Span<uint8_t> finite;  ///< [primitive], 0 or 1

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const Bounds box = geometry.bounds(i);
    boxes[i] = box;
    finite[i] = !box.is_empty();
  }
};

struct JoinBounds {
  static constexpr bool kCommutative = true;
  SIMT_HOST_DEVICE static Bounds identity() { return {}; }
  SIMT_HOST_DEVICE Bounds operator()(const Bounds& a, const Bounds& b) const { return join(a, b); }
};

struct ComputeMortonCodes {
  Span<const Bounds> boxes;         ///< [primitive]
  Span<const Bounds> scene;         ///< [1], bounds of all
  Span<const uint32_t> primitives;  ///< [item], finite primitives
  Span<uint64_t> codes;             ///< [item]

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    codes[i] = MortonGrid(scene[0]).code(boxes[primitives[i]]);
  }
};

/// A subtree that remains to be merged. Clusters stay in Morton order.
struct alignas(16) Cluster {
  Bounds box;
  uint32_t node;
  uint32_t owner;  ///< a leaf of the subtree, unique to it: determines the index of the next node
};
static_assert(sizeof(Cluster) == 32);

/// Writes the leaves of the tree and a cluster for each, in Morton order.
struct MakeLeaves {
  Span<const Bounds> boxes;    ///< [primitive]
  Span<const uint32_t> order;  ///< [leaf], its primitive
  Span<BinaryNode> nodes;      ///< [2 * leaves], leaves first
  Span<Cluster> clusters;      ///< [leaf]

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const Bounds box = boxes[order[i]];
    nodes[i] = leaf_node(box, order[i]);
    clusters[i] = {box, i, i};
  }
};

struct KeepClusters {
  Span<const Cluster> clusters;
  Span<Cluster> copies;
  SIMT_HOST_DEVICE void operator()(uint32_t i) const { copies[i] = clusters[i]; }
};

/// Search radius: neighbours on each side of a cluster that it may merge with. With 16, trees are
/// no better: before reinsertion diffuse rays visit 13.2 nodes in Sponza instead of 12.5.
inline constexpr unsigned kMergeRadius = 8;

/// Boxes of consecutive clusters, in shared memory.
template <unsigned kSize>
struct NeighbourBoxes {
  float lower[3][kSize], upper[3][kSize];

  SIMT_KERNEL void set(unsigned k, const Bounds& box) {
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis][k] = box.min[axis];
      upper[axis][k] = box.max[axis];
    }
  }
  /// Marks the absence of a cluster by an infinite box, which never is the best to merge with.
  SIMT_KERNEL void set_none(unsigned k) { set(k, {glm::vec3(-INFINITY), glm::vec3(INFINITY)}); }

  SIMT_KERNEL Bounds operator[](unsigned k) const {
    return {{lower[0][k], lower[1][k], lower[2][k]}, {upper[0][k], upper[1][k], upper[2][k]}};
  }

  /// Returns the neighbour of box `own`, cluster `i` of `count`, with the smallest joint box; `own`
  /// if it is the only cluster. Among equals: first the other half of its even-odd pair, so that
  /// coincident clusters merge pairwise, then nearer ones, then earlier ones. This order is
  /// symmetric, so the two clusters of the best pair choose each other.
  SIMT_KERNEL unsigned nearest(unsigned own, uint32_t i, uint32_t count) const {
    if (count < 2) return own;
    const Bounds box = (*this)[own];
    unsigned nearest = i % 2 == 0 && i + 1 < count ? own + 1 : own - 1;
    float least = area_with(box, nearest);
    for (unsigned distance = 1; distance <= kMergeRadius; ++distance)
      for (unsigned k : {own - distance, own + distance}) {
        const float area = area_with(box, k);
        if (area < least) least = area, nearest = k;
      }
    return nearest;
  }

 private:
  SIMT_KERNEL float area_with(Bounds box, unsigned k) const {
    box.extend((*this)[k]);
    return box.half_area();
  }
};

struct GrowingTree {
  uint32_t leaf_count;
  Span<BinaryNode> nodes;  ///< [2 * leaf_count], leaves first
  Span<uint32_t> parents;  ///< [2 * leaf_count]

  SIMT_KERNEL Cluster merge(const Cluster& a, const Cluster& b) const {
    // The owner of b has determined no index before and will determine no other.
    const uint32_t index = leaf_count + b.owner;
    const BinaryNode node = join_nodes(nodes[a.node], a.node, nodes[b.node], b.node);
    nodes[index] = node;
    parents[a.node] = parents[b.node] = index;
    return {node.box, index, a.owner};
  }
};

/// One iteration of merging: each cluster finds the neighbour with the smallest joint box; clusters
/// that find each other merge. Meister & Bittner, "Parallel Locally-Ordered Clustering for Bounding
/// Volume Hierarchy Construction", 2018, with the search in shared memory of Benthin et al.,
/// "PLOC++", 2022.
struct MergeClusters {
  static constexpr unsigned kBlockSize = 256;
  /// Clusters that a block processes. It also loads the neighbours of their neighbours.
  static constexpr unsigned kOwned = kBlockSize - 2 * kMergeRadius;
  static constexpr unsigned kLoaded = kBlockSize + 2 * kMergeRadius;

  struct Shared {
    NeighbourBoxes<kLoaded> boxes;
    uint32_t nearest[kBlockSize];  ///< [thread], index in `boxes`
  };

  compaction::ItemCount count;
  GrowingTree tree;
  Span<const Cluster> clusters;  ///< [cluster]
  Span<Cluster> merged;          ///< [cluster], where `kept` is 1
  Span<uint8_t> kept;            ///< [cluster], 0 if it was merged into an earlier one

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const auto cluster_count = uint32_t(count());
    const uint32_t first_owned = block.group_index() * kOwned;
    if (first_owned >= cluster_count) return;
    // Loaded cluster k is cluster `first_owned + k - 2 * kMergeRadius`.
    auto cluster_at = [&](unsigned k) { return first_owned + k - 2 * kMergeRadius; };
    for (unsigned k = block.thread_rank(); k < kLoaded; k += kBlockSize) {
      if (first_owned + k >= 2 * kMergeRadius && cluster_at(k) < cluster_count)
        shared.boxes.set(k, clusters[cluster_at(k)].box);
      else
        shared.boxes.set_none(k);
    }
    block.sync();

    const unsigned t = block.thread_rank(), own = t + kMergeRadius;
    const uint32_t i = cluster_at(own);
    const bool is_cluster = first_owned + own >= 2 * kMergeRadius && i < cluster_count;
    if (is_cluster) shared.nearest[t] = shared.boxes.nearest(own, i, cluster_count);
    block.sync();

    if (t < kMergeRadius || t >= kMergeRadius + kOwned || !is_cluster) return;
    const unsigned other = shared.nearest[t];
    const bool merges = other != own && shared.nearest[other - kMergeRadius] == own;
    kept[i] = uint8_t(!merges || own < other);
    if (!merges)
      merged[i] = clusters[i];
    else if (own < other)
      merged[i] = tree.merge(clusters[i], clusters[cluster_at(other)]);
  }
};

/// Runs all remaining iterations, in one block with one cluster per thread.
struct FinishMerging {
  static constexpr unsigned kBlockSize = 1024;
  static constexpr uint32_t kMaxClusters = kBlockSize;

  struct Shared {
    NeighbourBoxes<kBlockSize + 2 * kMergeRadius> boxes;  ///< [cluster + kMergeRadius]
    uint32_t nodes[kBlockSize], owners[kBlockSize];       ///< [cluster]
    uint32_t nearest[kBlockSize];                         ///< [cluster], index in `boxes`
    compaction::WarpTotals<kBlockSize> warps;
  };

  uint32_t count;
  GrowingTree tree;
  Span<Cluster> clusters;  ///< [cluster]; the first becomes the root

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank(), own = t + kMergeRadius;
    for (unsigned k = t; k < kBlockSize + 2 * kMergeRadius; k += kBlockSize)
      shared.boxes.set_none(k);
    block.sync();
    if (t < count) put(shared, t, clusters[t]);
    block.sync();
    uint32_t left = count;
    while (left > 1) {
      if (t < left) shared.nearest[t] = shared.boxes.nearest(own, t, left);
      block.sync();
      bool kept = t < left;
      Cluster cluster;
      if (kept) {
        cluster = get(shared, t);
        const unsigned other = shared.nearest[t];
        if (shared.nearest[other - kMergeRadius] == own) {
          kept = own < other;
          if (kept) cluster = tree.merge(cluster, get(shared, other - kMergeRadius));
        }
      }
      // Contains a barrier, after which all clusters have been read.
      const compaction::Rank rank = compaction::block_rank(block, kept, shared.warps);
      if (kept) put(shared, rank.rank, cluster);
      if (rank.total <= t && t < left) shared.boxes.set_none(own);
      left = rank.total;
      block.sync();
    }
    if (t == 0) clusters[0] = get(shared, 0);
  }

 private:
  SIMT_KERNEL static void put(Shared& shared, uint32_t place, const Cluster& cluster) {
    shared.boxes.set(place + kMergeRadius, cluster.box);
    shared.nodes[place] = cluster.node;
    shared.owners[place] = cluster.owner;
  }
  SIMT_KERNEL static Cluster get(const Shared& shared, uint32_t place) {
    return {shared.boxes[place + kMergeRadius], shared.nodes[place], shared.owners[place]};
  }
};

}  // namespace winnow
