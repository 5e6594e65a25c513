// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compaction/bench/cuda/device_array.cuh"
#include "compaction/simt/simt.h"

namespace compaction::bench {

// Checks large results on the device: one thread walks through each chunk of items in order. The
// items are computed again, so that a changed input is also detected. A Walk has
//
//   using Total                                sum of all items before an item
//   Total zero() const
//   Total combine(Total, Total) const
//   void add(uint64_t item, Total&) const      extends the total by one item
//   bool right(uint64_t item, Total) const     whether the output for the item is right

inline constexpr uint64_t kChunkItems = 1024;

/// If `first_wrong` is null, writes the total of each chunk to `totals`. Otherwise starts each
/// chunk from its total in `totals` and lowers `first_wrong` to the first item that is not right.
template <class Walk>
__global__ void walk_chunks(Walk walk, uint64_t n, typename Walk::Total* totals,
                            unsigned long long* first_wrong) {
  uint64_t chunk = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x;
  uint64_t item = chunk * kChunkItems, end = item + kChunkItems < n ? item + kChunkItems : n;
  if (item >= n) return;
  typename Walk::Total total = first_wrong ? totals[chunk] : walk.zero();
  for (; item < end; ++item) {
    if (first_wrong && !walk.right(item, total)) atomicMin(first_wrong, item);
    walk.add(item, total);
  }
  if (!first_wrong) totals[chunk] = total;
}

template <class Walk>
class ChunkTotals {
 public:
  using Total = typename Walk::Total;

  ChunkTotals(const Walk& walk, uint64_t n)
      : n_(n), totals_(simt::ceil_div(n, kChunkItems)), all_(walk.zero()) {
    launch(walk, nullptr);
    std::vector<Total> totals = totals_.read();
    for (Total& total : totals) {
      Total chunk = total;
      total = all_;
      all_ = walk.combine(all_, chunk);
    }
    check(cudaMemcpy(totals_.data(), totals.data(), totals_.bytes(), cudaMemcpyHostToDevice));
  }

  Total all() const { return all_; }

  /// Returns the first item that is wrong; n if none is.
  uint64_t first_wrong(const Walk& walk) const {
    DeviceArray<unsigned long long> first(std::vector<unsigned long long>{n_});
    launch(walk, first.data());
    return first.read()[0];
  }

 private:
  void launch(const Walk& walk, unsigned long long* first_wrong) const {
    constexpr unsigned kBlockSize = 128;
    auto blocks = unsigned(simt::ceil_div(totals_.size(), kBlockSize));
    if (blocks == 0) return;
    walk_chunks<<<blocks, kBlockSize>>>(walk, n_, totals_.data(), first_wrong);
    check(cudaGetLastError());
  }

  uint64_t n_;
  DeviceArray<Total> totals_;
  Total all_;
};

template <class Walk>
std::string walk_error(const Walk& walk, uint64_t n) {
  uint64_t wrong = ChunkTotals<Walk>(walk, n).first_wrong(walk);
  return wrong == n ? "" : "what it writes for item " + std::to_string(wrong) + " is wrong";
}

/// Counts the indices in [0, n) for which `is_right(i)` does not hold. Grid-stride.
template <class IsRight>
__global__ void count_wrong(uint64_t n, IsRight is_right, unsigned long long* wrong) {
  for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < n;
       i += uint64_t(gridDim.x) * blockDim.x)
    if (!is_right(i)) atomicAdd(wrong, 1ull);
}

/// Returns the error, such as "17 runs are wrong"; empty if `is_right` holds for all n indices.
template <class IsRight>
std::string wrong_count_error(uint64_t n, IsRight is_right, const char* what_is_wrong) {
  DeviceArray<unsigned long long> wrong(std::vector<unsigned long long>{0});
  count_wrong<<<kBlocks, kBlockSize>>>(n, is_right, wrong.data());
  check(cudaGetLastError());
  const unsigned long long count = wrong.read()[0];
  return count == 0 ? "" : std::to_string(count) + " " + what_is_wrong;
}

/// Up to this many items, results are also compared on the host with a sequential loop.
inline constexpr uint64_t kMaxHostItems = uint64_t(1) << 22;

/// Returns the error, such as "output 17 is wrong"; empty if `result` begins with `expected`.
template <class T>
std::string compare_error(const std::vector<T>& result, const std::vector<T>& expected) {
  for (size_t i = 0; i < expected.size(); ++i)
    if (!(result[i] == expected[i])) return "output " + std::to_string(i) + " is wrong";
  return "";
}

}  // namespace compaction::bench
