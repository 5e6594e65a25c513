// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compaction/bench/cuda/chunk_walk.cuh"
#include "compaction/bench/cuda/race.cuh"
#include "compaction/bench/random_items.h"
#include "compaction/op/operators.h"

namespace compaction::bench {

template <class T>
struct ScanWalk {
  using Total = T;

  ScanKind kind = ScanKind::kExclusive;
  const T* out = nullptr;

  SIMT_HOST_DEVICE Total zero() const { return SumOf<T>::identity(); }
  SIMT_HOST_DEVICE Total combine(Total a, Total b) const { return SumOf<T>()(a, b); }
  SIMT_HOST_DEVICE void add(uint64_t item, Total& total) const {
    total = combine(total, random_item<T>(item));
  }
  SIMT_HOST_DEVICE bool right(uint64_t item, Total before) const {
    if (kind == ScanKind::kInclusive) add(item, before);
    return out[item] == before;
  }
};

inline constexpr int kScanPoison = 0xA5;

template <class T>
class ScanResult : public Result {
 public:
  ScanResult(uint64_t n, ScanKind kind) : items(n), kind_(kind) {}

  void poison() override { items.fill(kScanPoison); }
  std::string error() const override {
    std::string error = walk_error(ScanWalk<T>{.kind = kind_, .out = items.data()}, items.size());
    if (!error.empty() || items.size() > kMaxHostItems) return error;
    std::vector<T> expected(items.size());
    T sum = SumOf<T>::identity();
    for (uint64_t i = 0; i < items.size(); ++i) {
      T through = SumOf<T>()(sum, random_item<T>(i));
      expected[i] = kind_ == ScanKind::kInclusive ? through : sum;
      sum = through;
    }
    return compare_error(items.read(), expected);
  }

  DeviceArray<T> items;

 private:
  ScanKind kind_;
};

template <class T>
class ReduceResult : public Result {
 public:
  explicit ReduceResult(uint64_t n) : n_(n) {}

  void poison() override {
    sum.fill(kScanPoison);
    on_host.reset();
  }
  std::string error() const override {
    T result = on_host ? *on_host : sum.read()[0];
    if (!(result == ChunkTotals<ScanWalk<T>>(ScanWalk<T>{}, n_).all())) return "the sum is wrong";
    if (n_ > kMaxHostItems) return "";
    T expected = SumOf<T>::identity();
    for (uint64_t i = 0; i < n_; ++i) expected = SumOf<T>()(expected, random_item<T>(i));
    return result == expected ? "" : "the sum is wrong";
  }

  DeviceArray<T> sum{1};
  std::optional<T> on_host;  ///< the sum, if the algorithm returns it to the host

 private:
  uint64_t n_;
};

}  // namespace compaction::bench
