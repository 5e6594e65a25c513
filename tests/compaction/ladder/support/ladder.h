// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/compaction/support/backends.h"

// The reductions, scans and selects of the ladder with memory and launches hidden, so that one test
// runs on the host executor and on a GPU.

enum class ReduceRung { kNaive, kTree, kShuffle };
enum class ScanRung {
  kNaive,
  kHillisSteele,
  kKoggeStone,
  kBrentKung,
  kCoarsened,
  kChained,
  kLookBack
};
enum class SelectRung { kScan, kBallot, kLookBack };

constexpr ReduceRung kReduceRungs[] = {ReduceRung::kNaive, ReduceRung::kTree, ReduceRung::kShuffle};
constexpr ScanRung kScanRungs[] = {
    ScanRung::kNaive,     ScanRung::kHillisSteele, ScanRung::kKoggeStone, ScanRung::kBrentKung,
    ScanRung::kCoarsened, ScanRung::kChained,      ScanRung::kLookBack};

constexpr const char* name_of(ReduceRung rung) {
  constexpr const char* kNames[] = {"naive", "tree", "shuffle"};
  return kNames[int(rung)];
}
constexpr const char* name_of(ScanRung rung) {
  constexpr const char* kNames[] = {"naive",     "hillis_steele", "kogge_stone", "brent_kung",
                                    "coarsened", "chained",       "look_back"};
  return kNames[int(rung)];
}
constexpr const char* name_of(SelectRung rung) {
  constexpr const char* kNames[] = {"scan", "ballot", "look_back"};
  return kNames[int(rung)];
}

template <class Rung>
requires requires(Rung rung) {
  name_of(rung);
}
std::ostream& operator<<(std::ostream& out, Rung rung) {
  return out << name_of(rung);
}

/// The ladder for one type of item and one operator.
template <class T, class Op>
class Ladder {
 public:
  virtual ~Ladder() = default;

  /// Throws where a kernel fails or writes outside its buffers.
  virtual T reduce(ReduceRung rung, const fast::ScanProblem<T>& problem) = 0;
  virtual Scanned<T> scan(ScanRung rung, compaction::ScanKind kind,
                          const fast::ScanProblem<T>& problem) = 0;
};

template <class T, class Op>
using LadderPointer = std::unique_ptr<Ladder<T, Op>>;

/// The ladder for all types.
using Ladders =
    std::tuple<LadderPointer<int32_t, compaction::Sum<int32_t>>, LadderPointer<Affine, Compose>,
               LadderPointer<uint8_t, compaction::Max<uint8_t>>,
               LadderPointer<uint64_t, compaction::Product<uint64_t>>,
               LadderPointer<float, compaction::Sum<float>>, LadderPointer<Interval, Join>,
               LadderPointer<Wide, KeepLast>>;

struct LadderSelectProblem {
  std::vector<uint8_t> flags;    ///< [n]
  std::vector<uint32_t> values;  ///< [n]
  uint32_t capacity;             ///< >= n
  bool count_on_device = false;  ///< n is read from device memory; else capacity is n
};

/// One select algorithm that keeps its workspace from call to call. Returns the selected values;
/// throws where a kernel fails or writes outside its buffers.
using LadderSelector = std::function<std::vector<uint32_t>(const LadderSelectProblem&)>;

/// The selects of the ladder, and the functions that append.
class LadderSelects {
 public:
  virtual ~LadderSelects() = default;
  virtual LadderSelector selector(SelectRung rung, uint32_t max_capacity) = 0;

  /// Appends the values whose flag is set, by blocks that process several batches of items.
  virtual std::vector<uint32_t> append(const std::vector<uint8_t>& flags,
                                       const std::vector<uint32_t>& values) = 0;
  /// As append(), with several values per thread, which are staged in shared memory.
  virtual std::vector<uint32_t> append_many(const std::vector<uint8_t>& flags,
                                            const std::vector<uint32_t>& values) = 0;
};

/// A backend of the ladder: the host executor with one schedule, or a GPU.
struct LadderBackend {
  std::string name;
  std::function<std::string()> why_unavailable;  ///< empty where it can run
  std::function<Ladders()> make_ladders;
  std::function<std::unique_ptr<LadderSelects>()> make_selects;
};

inline void PrintTo(const LadderBackend& backend, std::ostream* out) {
  *out << backend.name;
}

std::vector<LadderBackend> host_ladders();
std::vector<LadderBackend> cuda_ladders();  ///< only in a CUDA build
