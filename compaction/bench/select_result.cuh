#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "compaction/bench/chunk_walk.cuh"
#include "compaction/bench/race.cuh"
#include "compaction/bench/random_items.h"

namespace compaction::bench {

/// Follows a stable selection or partition of random items.
template <class T>
struct SelectWalk {
  using Total = uint64_t;  // items kept so far

  Below<T> keep;
  const T* selected = nullptr;
  const T* rejected = nullptr;  ///< null where only a selection is made
  int64_t step = 1;             ///< from a rejected item to the next one

  SIMT_HOST_DEVICE Total zero() const { return 0; }
  SIMT_HOST_DEVICE Total combine(Total a, Total b) const { return a + b; }
  SIMT_HOST_DEVICE void add(uint64_t item, Total& kept) const {
    if (keep(random_item<T>(item))) ++kept;
  }
  SIMT_HOST_DEVICE bool right(uint64_t item, Total kept) const {
    T expected = random_item<T>(item);
    if (keep(expected)) return selected[kept] == expected;
    return !rejected || rejected[int64_t(item - kept) * step] == expected;
  }
};

/// How many of the n random items are kept.
template <class T>
uint64_t count_kept(uint64_t n, Below<T> keep) {
  SelectWalk<T> walk{.keep = keep};
  return ChunkTotals<SelectWalk<T>>(walk, n).all();
}

/// How many items were selected, as an algorithm says in one of these places.
struct KeptCount {
  static constexpr int kPoison = 0xFF;  // no random item and no count consists of it
  static constexpr uint64_t kUnknown = ~uint64_t(0);

  DeviceArray<uint32_t> on_device{1};
  DeviceArray<uint64_t> wide_on_device{1};
  uint64_t on_host = kUnknown;

  void poison() {
    on_device.fill(kPoison);
    wide_on_device.fill(kPoison);
    on_host = kUnknown;
  }
  std::string error(uint64_t kept) const {
    uint64_t count = on_host;
    if (count == kUnknown) count = wide_on_device.read()[0];
    if (count == kUnknown) count = on_device.read()[0];
    if (count == kept) return "";
    return "the count is " + std::to_string(count) + ", not " + std::to_string(kept);
  }
};

/// The selected items and their count.
template <class T>
class SelectResult : public Result {
 public:
  SelectResult(uint64_t n, Below<T> keep, uint64_t kept)
      : items(n), n_(n), keep_(keep), kept_(kept) {}

  void poison() override {
    items.fill(KeptCount::kPoison);
    count.poison();
  }
  std::string error() const override {
    std::string error = count.error(kept_);
    if (error.empty())
      error = walk_error(SelectWalk<T>{.keep = keep_, .selected = items.data()}, n_);
    if (!error.empty() || n_ > kMaxHostItems) return error;
    std::vector<T> expected;
    for (uint64_t i = 0; i < n_; ++i)
      if (T item = random_item<T>(i); keep_(item)) expected.push_back(item);
    return compare_error(items.read(), expected);
  }

  DeviceArray<T> items;
  KeptCount count;

 private:
  uint64_t n_;
  Below<T> keep_;
  uint64_t kept_;
};

/// How a partition lays out the rejected items.
enum class Rejected {
  kOwnBuffer,  ///< in order, in a buffer of their own
  kBehind,     ///< in order, behind the selected ones
  kReversed,   ///< behind the selected ones, last first
};

/// Both sides of a partition and the count of the first.
template <class T>
class PartitionResult : public Result {
 public:
  PartitionResult(uint64_t n, Below<T> keep, uint64_t kept, Rejected layout)
      : selected(layout == Rejected::kOwnBuffer ? kept : n),
        rejected(layout == Rejected::kOwnBuffer ? n - kept : 0),
        n_(n),
        keep_(keep),
        kept_(kept),
        layout_(layout) {}

  void poison() override {
    selected.fill(KeptCount::kPoison);
    rejected.fill(KeptCount::kPoison);
    count.poison();
  }
  std::string error() const override {
    std::string error = count.error(kept_);
    if (error.empty()) error = walk_error(walk(), n_);
    if (!error.empty() || n_ > kMaxHostItems) return error;

    std::vector<T> expected, others;
    for (uint64_t i = 0; i < n_; ++i) {
      T item = random_item<T>(i);
      (keep_(item) ? expected : others).push_back(item);
    }
    if (layout_ == Rejected::kOwnBuffer) {
      error = compare_error(rejected.read(), others);
      if (!error.empty()) return "of the rejected items " + error;
    } else {
      if (layout_ == Rejected::kReversed) std::reverse(others.begin(), others.end());
      expected.insert(expected.end(), others.begin(), others.end());
    }
    return compare_error(selected.read(), expected);
  }

  DeviceArray<T> selected, rejected;
  KeptCount count;

 private:
  SelectWalk<T> walk() const {
    SelectWalk<T> walk{.keep = keep_, .selected = selected.data(), .rejected = rejected.data()};
    if (layout_ == Rejected::kBehind) walk.rejected = selected.data() + kept_;
    if (layout_ == Rejected::kReversed) {
      walk.rejected = selected.data() + n_ - 1;
      walk.step = -1;
    }
    return walk;
  }

  uint64_t n_;
  Below<T> keep_;
  uint64_t kept_;
  Rejected layout_;
};

}  // namespace compaction::bench
