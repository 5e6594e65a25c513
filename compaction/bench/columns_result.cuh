#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "compaction/bench/chunk_walk.cuh"
#include "compaction/bench/race.cuh"
#include "compaction/bench/random_items.h"
#include "compaction/bench/select_result.cuh"

namespace compaction::bench {

inline constexpr unsigned kColumns = 4;

/// A structure of arrays: kColumns columns of n items.
class Columns {
 public:
  explicit Columns(uint64_t n)
      : columns_{DeviceArray<Item16>(n), DeviceArray<Item16>(n), DeviceArray<Item16>(n),
                 DeviceArray<Item16>(n)} {}

  DeviceArray<Item16>& operator[](unsigned column) { return columns_[column]; }
  const DeviceArray<Item16>& operator[](unsigned column) const { return columns_[column]; }

 private:
  std::array<DeviceArray<Item16>, kColumns> columns_;
};

/// Number of the random item that comes first in a column: no two columns share one.
SIMT_HOST_DEVICE constexpr uint64_t first_of_column(unsigned column) {
  constexpr unsigned kLog2MaxItems = 40;
  return uint64_t(column) << kLog2MaxItems;
}

/// Follows a stable selection of all columns by the first.
struct ColumnsWalk {
  using Total = uint64_t;  // items kept so far

  Below<Item16> keep;
  const Item16* columns[kColumns];

  SIMT_HOST_DEVICE Total zero() const { return 0; }
  SIMT_HOST_DEVICE Total combine(Total a, Total b) const { return a + b; }
  SIMT_HOST_DEVICE void add(uint64_t item, Total& kept) const {
    if (keep(random_item<Item16>(item))) ++kept;
  }
  SIMT_HOST_DEVICE bool right(uint64_t item, Total kept) const {
    if (!keep(random_item<Item16>(item))) return true;
    bool right = true;
    for (unsigned c = 0; c < kColumns; ++c)
      right = right && columns[c][kept] == random_item<Item16>(first_of_column(c) + item);
    return right;
  }
};

/// The selected items of all columns and their count.
class ColumnsResult : public Result {
 public:
  ColumnsResult(uint64_t n, Below<Item16> keep, uint64_t kept)
      : columns(n), n_(n), keep_(keep), kept_(kept) {}

  void poison() override {
    for (unsigned c = 0; c < kColumns; ++c) columns[c].fill(KeptCount::kPoison);
    count.poison();
  }
  std::string error() const override {
    std::string error = count.error(kept_);
    if (!error.empty()) return error;
    ColumnsWalk walk{.keep = keep_, .columns = {}};
    for (unsigned c = 0; c < kColumns; ++c) walk.columns[c] = columns[c].data();
    return walk_error(walk, n_);
  }

  Columns columns;
  KeptCount count;

 private:
  uint64_t n_;
  Below<Item16> keep_;
  uint64_t kept_;
};

}  // namespace compaction::bench
