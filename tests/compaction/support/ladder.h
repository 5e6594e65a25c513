#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "compaction/op/operators.h"
#include "compaction/op/scan_kind.h"
#include "tests/compaction/support/ladder_items.h"

// The textbook's reductions and scans with memory and launches hidden, so that one test serves the
// host executor and a GPU.

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

template <class T>
struct LadderProblem {
  std::vector<T> in;             ///< [n]
  uint64_t capacity;             ///< >= n
  bool count_on_device = false;  ///< n reaches the kernels through memory; else capacity is n
  bool in_place = false;         ///< of a scan that can
};

template <class T>
struct ScanResult {
  std::vector<T> out;  ///< [n]
  T total;
};

/// The ladder for one type of item and one operator.
template <class T, class Op>
class Ladder {
 public:
  virtual ~Ladder() = default;

  /// Throws where a kernel fails or touches anything outside its buffers.
  virtual T reduce(ReduceRung rung, const LadderProblem<T>& problem) = 0;
  virtual ScanResult<T> scan(ScanRung rung, compaction::ScanKind kind,
                             const LadderProblem<T>& problem) = 0;
};

template <class T, class Op>
using LadderPointer = std::unique_ptr<Ladder<T, Op>>;

/// Where the ladder runs: the host executor with one schedule, or a GPU.
using Ladders =
    std::tuple<LadderPointer<int32_t, compaction::Sum<int32_t>>, LadderPointer<Affine, Compose>,
               LadderPointer<uint8_t, compaction::Max<uint8_t>>,
               LadderPointer<uint64_t, compaction::Product<uint64_t>>,
               LadderPointer<float, compaction::Sum<float>>, LadderPointer<Interval, Join>,
               LadderPointer<Wide, KeepLast>>;

struct LadderBackend {
  std::string name;
  std::function<std::string()> why_unavailable;  ///< empty where it can run
  std::function<Ladders()> make;
};

inline void PrintTo(const LadderBackend& backend, std::ostream* out) {
  *out << backend.name;
}

std::vector<LadderBackend> host_ladders();
std::vector<LadderBackend> cuda_ladders();  ///< only in a CUDA build
