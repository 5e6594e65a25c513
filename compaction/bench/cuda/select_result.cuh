// SPDX-License-Identifier: MIT
#pragma once

#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compaction/bench/cuda/chunk_walk.cuh"
#include "compaction/bench/cuda/race.cuh"
#include "compaction/bench/random_items.h"
#include "compaction/single_pass/sinks.h"

// Keep is the selection as a function of an item's index, bool(uint64_t). Results take one for the
// device and one for the host, as the two may read different memory.

namespace compaction::bench {

/// A structure of arrays on the device: `count` columns of n items.
template <class T, unsigned count>
class Columns {
 public:
  explicit Columns(uint64_t n) {
    for (auto& column : columns_) column = std::make_unique<DeviceArray<T>>(n);
  }

  DeviceArray<T>& operator[](unsigned column) const { return *columns_[column]; }
  const auto& all() const { return columns_; }

 private:
  std::array<std::unique_ptr<DeviceArray<T>>, count> columns_;
};

/// Returns the index of the first random item of a column: no two columns share an item.
SIMT_HOST_DEVICE constexpr uint64_t first_of_column(unsigned column) {
  constexpr unsigned kLog2MaxItems = 40;
  return uint64_t(column) << kLog2MaxItems;
}

template <class T, unsigned count>
std::shared_ptr<Columns<T, count>> random_columns(uint64_t n) {
  auto columns = std::make_shared<Columns<T, count>>(n);
  for (unsigned c = 0; c < count; ++c) fill((*columns)[c], RandomItem<T>{first_of_column(c)});
  return columns;
}

template <class T, unsigned count>
auto iterator_of(const Columns<T, count>& columns) {
  if constexpr (count == 1)
    return columns[0].data();
  else
    return std::apply(
        [](const auto&... column) {
          return thrust::make_zip_iterator(thrust::make_tuple(column->data()...));
        },
        columns.all());
}

template <class... T>
WriteColumns<T...> sink_of(const Column<T>&... columns) {
  return WriteColumns<T...>(columns...);
}

template <unsigned first, class T, unsigned count>
auto write_columns(const Columns<T, count>& in, const Columns<T, count>& out) {
  auto column = [&](size_t c) { return Column<T>{in[first + c].data(), out[first + c].data()}; };
  auto columns = [&]<size_t... c>(std::index_sequence<c...>) {
    return sink_of(column(c)...);
  };
  return columns(std::make_index_sequence<count - first>());
}

template <class T, unsigned columns, class Keep>
struct SelectWalk {
  using Total = uint64_t;  // selected items so far

  Keep keep;
  const T* selected[columns] = {};

  SIMT_HOST_DEVICE Total zero() const { return 0; }
  SIMT_HOST_DEVICE Total combine(Total a, Total b) const { return a + b; }
  SIMT_HOST_DEVICE void add(uint64_t item, Total& kept) const { kept += keep(item); }
  SIMT_HOST_DEVICE bool right(uint64_t item, Total kept) const {
    if (!keep(item)) return true;
    bool right = true;
    for (unsigned c = 0; c < columns; ++c)
      right = right && selected[c][kept] == random_item<T>(first_of_column(c) + item);
    return right;
  }
};

template <class T>
struct PartitionWalk : SelectWalk<T, 1, KeepsItem<T>> {
  const T* rejected = nullptr;
  int64_t step = 1;  ///< from a rejected item to the next one

  SIMT_HOST_DEVICE bool right(uint64_t item, uint64_t kept) const {
    if (this->keep(item)) return this->selected[0][kept] == random_item<T>(item);
    return rejected[int64_t(item - kept) * step] == random_item<T>(item);
  }
};

template <class T>
uint64_t count_kept(uint64_t n, Below<T> keep) {
  using Walk = SelectWalk<T, 1, KeepsItem<T>>;
  return ChunkTotals<Walk>(Walk{.keep = {keep}}, n).all();
}

inline std::string count_error(uint64_t count, uint64_t expected) {
  if (count == expected) return "";
  return "the count is " + std::to_string(count) + ", not " + std::to_string(expected);
}

/// The number of selected items. An algorithm writes it to one of three places.
struct KeptCount {
  static constexpr int kPoison = 0xFF;  // no random item and no count consists of this byte
  static constexpr uint64_t kUnknown = ~uint64_t(0);

  DeviceArray<uint32_t> on_device{1};
  DeviceArray<uint64_t> wide_on_device{1};
  uint64_t on_host = kUnknown;

  uint32_t* data() const { return on_device.data(); }
  void poison() {
    on_device.fill(kPoison);
    wide_on_device.fill(kPoison);
    on_host = kUnknown;
  }
  std::string error(uint64_t expected) const {
    uint64_t count = on_host;
    if (count == kUnknown) count = wide_on_device.read()[0];
    if (count == kUnknown) count = on_device.read()[0];
    return count_error(count, expected);
  }
};

template <class T, unsigned column_count = 1, class Keep = KeepsItem<T>>
class SelectResult : public Result {
 public:
  SelectResult(uint64_t n, uint64_t kept, Keep keep, Keep keep_on_host)
      : columns(n), n_(n), kept_(kept), keep_(keep), keep_on_host_(keep_on_host) {}
  SelectResult(uint64_t n, uint64_t kept, Below<T> keep) : SelectResult(n, kept, {keep}, {keep}) {}

  T* data(unsigned column = 0) const { return columns[column].data(); }

  void poison() override {
    for (unsigned c = 0; c < column_count; ++c) columns[c].fill(KeptCount::kPoison);
    count.poison();
  }
  std::string error() const override {
    std::string error = count.error(kept_);
    SelectWalk<T, column_count, Keep> walk{.keep = keep_};
    for (unsigned c = 0; c < column_count; ++c) walk.selected[c] = data(c);
    if (error.empty()) error = walk_error(walk, n_);
    for (unsigned c = 0; c < column_count && n_ <= kMaxHostItems; ++c)
      if (error.empty()) error = compare_error(columns[c].read(), expected(c));
    return error;
  }

  Columns<T, column_count> columns;
  KeptCount count;

 private:
  std::vector<T> expected(unsigned column) const {
    std::vector<T> expected;
    for (uint64_t item = 0; item < n_; ++item)
      if (keep_on_host_(item)) expected.push_back(random_item<T>(first_of_column(column) + item));
    return expected;
  }

  uint64_t n_, kept_;
  Keep keep_, keep_on_host_;
};

/// The place to which a partition writes the rejected items.
enum class Rejected {
  kOwnBuffer,  ///< in order, in a buffer of their own
  kAfter,      ///< in order, after the selected ones
  kReversed,   ///< after the selected ones, last item first
};

template <class T>
class PartitionResult : public Result {
 public:
  PartitionResult(uint64_t n, uint64_t kept, Below<T> keep, Rejected layout)
      : selected(layout == Rejected::kOwnBuffer ? kept : n),
        rejected(layout == Rejected::kOwnBuffer ? n - kept : 0),
        n_(n),
        kept_(kept),
        keep_(keep),
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
      if (!error.empty()) return "rejected items: " + error;
    } else {
      if (layout_ == Rejected::kReversed) std::reverse(others.begin(), others.end());
      expected.insert(expected.end(), others.begin(), others.end());
    }
    return compare_error(selected.read(), expected);
  }

  DeviceArray<T> selected, rejected;
  KeptCount count;

 private:
  PartitionWalk<T> walk() const {
    PartitionWalk<T> walk{{.keep = {keep_}, .selected = {selected.data()}}, rejected.data()};
    if (layout_ == Rejected::kAfter) walk.rejected = selected.data() + kept_;
    if (layout_ == Rejected::kReversed) {
      walk.rejected = selected.data() + n_ - 1;
      walk.step = -1;
    }
    return walk;
  }

  uint64_t n_, kept_;
  Below<T> keep_;
  Rejected layout_;
};

/// Sets how many items the task keeps.
template <class T>
struct SelectInput {
  explicit SelectInput(Task& task)
      : n(task.n), keep(keep_percent<T>(task.keep)), items(random_items<T>(n)) {
    task.kept = kept = count_kept<T>(n, keep);
  }

  const T* in() const { return items->data(); }

  std::shared_ptr<SelectResult<T>> result() const {
    return std::make_shared<SelectResult<T>>(n, kept, keep);
  }

  std::shared_ptr<PartitionResult<T>> partition_result(Rejected layout) const {
    return std::make_shared<PartitionResult<T>>(n, kept, keep, layout);
  }

  uint64_t n, kept = 0;
  Below<T> keep;
  std::shared_ptr<DeviceArray<T>> items;
};

/// Counters for kernels that append. Each call gets a zero counter, so that no call clears one.
class FreshCounts {
 public:
  FreshCounts() : counts_(kCounts) { reset(); }

  void reset() {
    counts_.fill(0);
    used_ = 0;
  }

  uint32_t* next(cudaStream_t stream) {
    if (used_ == kCounts) {
      check(cudaMemsetAsync(counts_.data(), 0, counts_.bytes(), stream));
      used_ = 0;
    }
    return counts_.data() + used_++;
  }

  std::string error(uint64_t expected) const {
    return count_error(counts_.read()[used_ - 1], expected);
  }

 private:
  static constexpr size_t kCounts = 4096;

  DeviceArray<uint32_t> counts_;
  size_t used_ = 0;
};

/// Adds up the hashes of the selected random items or, if `items` is set, of these. Collections of
/// different items have the same sum with a probability of 2^-64, in any order.
template <class Keep>
struct HashWalk {
  using Total = uint64_t;

  Keep keep;
  const uint32_t* items = nullptr;

  SIMT_HOST_DEVICE Total zero() const { return 0; }
  SIMT_HOST_DEVICE Total combine(Total a, Total b) const { return a + b; }
  SIMT_HOST_DEVICE void add(uint64_t item, Total& total) const {
    if (items)
      total += random_bits(items[item]);
    else if (keep(item))
      total += random_bits(random_item<uint32_t>(item));
  }
  SIMT_HOST_DEVICE bool right(uint64_t, Total) const { return true; }
};

template <class Keep = KeepsItem<uint32_t>>
class AppendResult : public Result {
 public:
  AppendResult(uint64_t n, uint64_t kept, Keep keep, Keep keep_on_host)
      : items(n), n_(n), kept_(kept), keep_(keep), keep_on_host_(keep_on_host) {}

  void poison() override {
    items.fill(KeptCount::kPoison);
    counts.reset();
  }
  std::string error() const override {
    if (std::string error = counts.error(kept_); !error.empty()) return error;
    using Walk = HashWalk<Keep>;
    bool same = ChunkTotals<Walk>({.keep = keep_, .items = items.data()}, kept_).all() ==
                ChunkTotals<Walk>({.keep = keep_}, n_).all();
    if (same && n_ <= kMaxHostItems) {
      std::vector<uint32_t> result = items.read(), expected;
      result.resize(kept_);
      for (uint64_t item = 0; item < n_; ++item)
        if (keep_on_host_(item)) expected.push_back(random_item<uint32_t>(item));
      std::sort(result.begin(), result.end());
      std::sort(expected.begin(), expected.end());
      same = result == expected;
    }
    return same ? "" : "the items are not the selected ones";
  }

  DeviceArray<uint32_t> items;
  FreshCounts counts;

 private:
  uint64_t n_, kept_;
  Keep keep_, keep_on_host_;
};

}  // namespace compaction::bench
