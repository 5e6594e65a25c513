// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compaction/bench/cuda/stopwatch.cuh"
#include "compaction/bench/options.h"
#include "compaction/bench/random_items.h"
#include "compaction/bench/report.h"
#include "compaction/bench/results.h"
#include "compaction/tools/mask_file.h"

namespace compaction::bench {

class Result {
 public:
  virtual ~Result() = default;
  /// Overwrites the output with bytes that no algorithm writes.
  virtual void poison() = 0;
  /// Returns what is wrong with the output; empty if nothing is.
  virtual std::string error() const = 0;
};

using LadderItem = uint32_t;

struct Contender {
  std::string name;
  std::function<void()> run;       ///< puts one call on the stream
  std::shared_ptr<Result> result;  ///< null for a mere copy
  bool synchronizes = false;       ///< whether a call waits for the device
};

/// Allocates the buffers of a task, completes the task, and returns its contenders.
using Contenders = std::function<std::vector<Contender>(Task&)>;

/// The options, the stream, the stopwatch and the report, which all suites share.
class Session {
 public:
  Session(const Options& options, DeviceInfo device, cudaStream_t stream);

  const Options& options() const { return options_; }
  cudaStream_t stream() const { return stream_; }

  /// Times the contenders in turn, so that a drift of the clocks affects all of them. Checks their
  /// outputs, prints the times and adds them to the report. Skips the task with a message if the
  /// device has too little memory. Exits with code 1 if a result is wrong.
  void race(Task task, const Contenders& contenders);

  void race_selections(Task task, const Contenders& contenders);
  /// Races for the sizes of the ladder, of items of LadderItem.
  void race_ladder(Task task, const Contenders& contenders);

  /// Calls `use` with an item of each size of the options, and saves the results after each size.
  template <class Use>
  void for_item_types(Use use) {
    for_types<uint8_t, uint32_t, uint64_t, Item16>(use);
  }
  /// for_item_types(), and items whose size is no power of two. Other suites have these in
  /// bench_records().
  template <class Use>
  void for_all_item_types(Use use) {
    for_item_types(use);
    for_types<Record<uint8_t, 3>, Record<uint8_t, 5>, Record<uint32_t, 3>, Record<uint32_t, 5>>(
        use);
  }

  void save() const;

  const std::vector<Race>& races() const { return report_.races(); }

 private:
  template <class... T, class Use>
  void for_types(Use use) {
    const auto use_one = [&](auto item) {
      if (std::ranges::count(options_.item_bytes, sizeof(item)) == 0) return;
      use(item);
      save();
    };
    (use_one(T()), ...);
  }
  std::vector<Timing> time(const Task& task, const std::vector<Contender>& contenders);
  int count_launches(const Contender& contender);
  cudaGraph_t capture(const Contender& contender, int calls);
  void time_graphs(const std::vector<Contender>& contenders, std::vector<Timing>& timings);

  const Options& options_;
  cudaStream_t stream_;
  Stopwatch stopwatch_;
  Report report_;
};

// Each suite times one family of functions for all types, sizes and densities of the options.
void bench_select(Session& session);
void bench_partition(Session& session);
/// Select and partition of items that are not aligned to their size, of 2 to 64 bytes.
void bench_records(Session& session);
void bench_scan(Session& session);
void bench_reduce(Session& session);
/// Scans and reductions of floats and doubles, with the bits that each library promises.
void bench_floats(Session& session);
/// Splits of items by their lower bits, and of indices by keys of one byte.
void bench_split(Session& session);
void bench_runs(Session& session);
void bench_columns(Session& session);
void bench_append(Session& session);

/// Every rung of the ladder on 4-byte items, with the fast path and CUB for comparison.
void bench_ladder_reduce(Session& session);
void bench_ladder_scan(Session& session);
void bench_ladder_select(Session& session);

/// Ids and columns of path state, selected by masks that a renderer recorded.
///
/// @param masks  [bounce]
void bench_masks(Session& session, const std::vector<Mask>& masks);

}  // namespace compaction::bench
