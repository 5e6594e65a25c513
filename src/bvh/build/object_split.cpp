// SPDX-License-Identifier: MIT
#include <algorithm>

#include "bvh/build/bvh_splits.h"

namespace winnow {
namespace {

constexpr int kBins = 32;
/// Up to this count all splits are evaluated: as fast as bins, and better.
constexpr size_t kFew = 32;

struct Bin {
  Bounds box;
  uint32_t count = 0;
  float lowest = INFINITY;  ///< lowest of twice the centers, along the axis of the bins

  void add(const BvhReference& reference, float twice_center) {
    box.extend(reference.box);
    ++count;
    lowest = std::min(lowest, twice_center);
  }
  void add(const Bin& other) {
    box.extend(other.box);
    count += other.count;
    lowest = std::min(lowest, other.lowest);
  }
  float cost() const { return count == 0 ? 0.0f : box.half_area() * float(count); }
};

struct Bins {
  Bin bins[3][kBins];

  void add(const Bins& other) {
    for (int axis = 0; axis < 3; ++axis)
      for (int bin = 0; bin < kBins; ++bin) bins[axis][bin].add(other.bins[axis][bin]);
  }
};

/// Replaces `best` by the best split between two of `count` bins, if that is better.
void try_all(const Bin* bins, int count, int axis, ObjectSplit& best) {
  Bin above[kBins];
  for (int i = count - 1; i > 0; --i) {
    above[i] = bins[i];
    if (i + 1 < count) above[i].add(above[i + 1]);
  }
  Bin below;
  for (int i = 1; i < count; ++i) {
    below.add(bins[i - 1]);
    if (below.count == 0 || above[i].count == 0) continue;
    const float cost = below.cost() + above[i].cost();
    if (cost < best.cost)
      best = {cost, axis, above[i].lowest, shared_area(below.box, above[i].box)};
  }
}

ObjectSplit find_between_bins(Span<const BvhReference> references,
                              const BvhReferenceBounds& bounds) {
  const glm::vec3 lower = bounds.twice_centers.min, upper = bounds.twice_centers.max;
  const glm::vec3 scale = float(kBins) / (upper - lower);
  const Bins bins =
      reduce_references(references, Bins{}, [&](Bins& sum, const BvhReference& reference) {
        const glm::vec3 center = reference.twice_center();
        for (int axis = 0; axis < 3; ++axis) {
          const float at = (center[axis] - lower[axis]) * scale[axis];
          // Never negative, but 0 times infinity is NaN.
          const int bin = at > 0.0f ? int(std::min(at, float(kBins - 1))) : 0;
          sum.bins[axis][bin].add(reference, center[axis]);
        }
      });
  ObjectSplit best;
  for (int axis = 0; axis < 3; ++axis)
    if (upper[axis] > lower[axis]) try_all(bins.bins[axis], kBins, axis, best);
  return best;
}

/// Uses a bin per distinct center.
ObjectSplit find_among_all(Span<const BvhReference> references, const BvhReferenceBounds& bounds) {
  ObjectSplit best;
  const auto count = uint32_t(references.size);
  for (int axis = 0; axis < 3; ++axis) {
    if (!(bounds.twice_centers.max[axis] > bounds.twice_centers.min[axis])) continue;
    std::pair<float, uint32_t> order[kFew];
    for (uint32_t i = 0; i < count; ++i) order[i] = {references[i].twice_center()[axis], i};
    std::sort(order, order + count);
    Bin bins[kFew];
    int used = 0;
    for (uint32_t i = 0; i < count; ++i) {
      if (i > 0 && order[i].first > order[i - 1].first) ++used;
      bins[used].add(references[order[i].second], order[i].first);
    }
    try_all(bins, used + 1, axis, best);
  }
  return best;
}

}  // namespace

ObjectSplit find_object_split(Span<const BvhReference> references,
                              const BvhReferenceBounds& bounds) {
  return references.size <= kFew ? find_among_all(references, bounds)
                                 : find_between_bins(references, bounds);
}

}  // namespace winnow
