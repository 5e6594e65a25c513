#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compaction/bench/chunk_walk.cuh"
#include "compaction/bench/columns_result.cuh"
#include "compaction/bench/fresh_counts.cuh"
#include "compaction/bench/mask_file.h"
#include "compaction/bench/race.cuh"
#include "compaction/bench/random_items.h"
#include "compaction/bench/select_result.cuh"

namespace compaction::bench {

/// Bit i % 32 of word i / 32, as a function of i.
struct MaskBit {
  const uint32_t* words;

  SIMT_HOST_DEVICE bool operator()(uint64_t i) const {
    return words[i / Mask::kWordBits] >> i % Mask::kWordBits & 1;
  }
};

/// A recorded mask, here and on the device.
struct RecordedMask {
  explicit RecordedMask(const Mask& mask)
      : n(mask.n), kept(mask.kept()), host(mask), words(mask.words) {}

  MaskBit bit() const { return {words.data()}; }

  uint64_t n, kept;
  const Mask& host;
  DeviceArray<uint32_t> words;
};

/// A structure of arrays: `count` columns of n items.
template <class T, unsigned count>
class MaskedColumns {
 public:
  explicit MaskedColumns(uint64_t n) {
    for (auto& column : columns_) column = std::make_unique<DeviceArray<T>>(n);
  }

  DeviceArray<T>& operator[](unsigned column) const { return *columns_[column]; }

 private:
  std::array<std::unique_ptr<DeviceArray<T>>, count> columns_;
};

/// Follows a stable selection of all columns by the mask.
template <class T, unsigned count>
struct MaskWalk {
  using Total = uint64_t;  // items kept so far

  MaskBit keep;
  const T* columns[count];

  SIMT_HOST_DEVICE Total zero() const { return 0; }
  SIMT_HOST_DEVICE Total combine(Total a, Total b) const { return a + b; }
  SIMT_HOST_DEVICE void add(uint64_t item, Total& kept) const { kept += keep(item); }
  SIMT_HOST_DEVICE bool right(uint64_t item, Total kept) const {
    if (!keep(item)) return true;
    bool right = true;
    for (unsigned c = 0; c < count; ++c)
      right = right && columns[c][kept] == random_item<T>(first_of_column(c) + item);
    return right;
  }
};

/// The selected items of all columns and their count.
template <class T, unsigned count_of_columns>
class MaskResult : public Result {
 public:
  explicit MaskResult(std::shared_ptr<const RecordedMask> mask)
      : columns(mask->n), mask_(std::move(mask)) {}

  void poison() override {
    for (unsigned c = 0; c < count_of_columns; ++c) columns[c].fill(KeptCount::kPoison);
    count.poison();
  }
  std::string error() const override {
    std::string error = count.error(mask_->kept);
    MaskWalk<T, count_of_columns> walk{.keep = mask_->bit(), .columns = {}};
    for (unsigned c = 0; c < count_of_columns; ++c) walk.columns[c] = columns[c].data();
    if (error.empty()) error = walk_error(walk, mask_->n);
    for (unsigned c = 0; c < count_of_columns && mask_->n <= kMaxHostItems; ++c)
      if (error.empty()) error = compare_error(columns[c].read(), expected(c));
    return error;
  }

  MaskedColumns<T, count_of_columns> columns;
  KeptCount count;

 private:
  std::vector<T> expected(unsigned column) const {
    std::vector<T> expected;
    for (uint64_t item = 0; item < mask_->n; ++item)
      if (mask_->host.selected(item))
        expected.push_back(random_item<T>(first_of_column(column) + item));
    return expected;
  }

  std::shared_ptr<const RecordedMask> mask_;
};

/// The selected items in any order and their count.
class MaskAppendResult : public Result {
 public:
  explicit MaskAppendResult(std::shared_ptr<const RecordedMask> mask)
      : items(mask->n), mask_(std::move(mask)) {}

  void poison() override {
    items.fill(KeptCount::kPoison);
    counts.reset();
  }
  std::string error() const override {
    if (std::string error = counts.error(mask_->kept); !error.empty()) return error;
    std::vector<uint32_t> result = items.read(), expected;
    result.resize(mask_->kept);
    for (uint64_t item = 0; item < mask_->n; ++item)
      if (mask_->host.selected(item)) expected.push_back(random_item<uint32_t>(item));
    std::sort(result.begin(), result.end());
    std::sort(expected.begin(), expected.end());
    return result == expected ? "" : "the items are not those that are selected";
  }

  DeviceArray<uint32_t> items;
  FreshCounts counts;

 private:
  std::shared_ptr<const RecordedMask> mask_;
};

}  // namespace compaction::bench
