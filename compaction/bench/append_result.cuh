#pragma once

#include <cstdint>
#include <string>

#include "compaction/bench/chunk_walk.cuh"
#include "compaction/bench/fresh_counts.cuh"
#include "compaction/bench/race.cuh"
#include "compaction/bench/random_items.h"

namespace compaction::bench {

/// A number that tells apart collections of items, whatever their order, but for a chance of 2^-64.
struct Fingerprint {
  uint64_t sum = 0;

  SIMT_HOST_DEVICE void add(uint32_t item) { sum += random_bits(item); }
};

/// Adds up the fingerprint of the random items that are kept, or, with `items`, of those.
struct FingerprintWalk {
  using Total = Fingerprint;

  Below<uint32_t> keep;
  const uint32_t* items = nullptr;

  SIMT_HOST_DEVICE Total zero() const { return {}; }
  SIMT_HOST_DEVICE Total combine(Total a, Total b) const { return {a.sum + b.sum}; }
  SIMT_HOST_DEVICE void add(uint64_t item, Total& total) const {
    if (items)
      total.add(items[item]);
    else if (uint32_t made = random_item<uint32_t>(item); keep(made))
      total.add(made);
  }
  SIMT_HOST_DEVICE bool right(uint64_t, Total) const { return true; }
};

/// The kept items in any order and their count.
class AppendResult : public Result {
 public:
  AppendResult(uint64_t n, Below<uint32_t> keep, uint64_t kept)
      : items(n), n_(n), keep_(keep), kept_(kept) {}

  void poison() override {
    constexpr int kPoison = 0xFF;
    items.fill(kPoison);
    counts.reset();
  }
  std::string error() const override {
    if (std::string error = counts.error(kept_); !error.empty()) return error;
    uint64_t result = fingerprint({.keep = keep_, .items = items.data()}, kept_);
    if (result != fingerprint({.keep = keep_}, n_)) return "the items are not those that are kept";
    return "";
  }

  DeviceArray<uint32_t> items;
  FreshCounts counts;

 private:
  static uint64_t fingerprint(const FingerprintWalk& walk, uint64_t n) {
    return n == 0 ? 0 : ChunkTotals<FingerprintWalk>(walk, n).all().sum;
  }

  uint64_t n_;
  Below<uint32_t> keep_;
  uint64_t kept_;
};

}  // namespace compaction::bench
