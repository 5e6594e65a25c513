#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compaction/bench/options.h"
#include "compaction/bench/record.h"
#include "compaction/bench/report.h"
#include "compaction/bench/stopwatch.cuh"

namespace compaction::bench {

/// What an algorithm writes.
class Result {
 public:
  virtual ~Result() = default;
  /// Overwrites it with what no algorithm writes.
  virtual void poison() = 0;
  /// What is wrong with it; empty where it is right.
  virtual std::string error() const = 0;
};

/// An algorithm that takes part in a race.
struct Contender {
  std::string name;
  std::function<void()> run;       ///< puts one call on the stream
  std::shared_ptr<Result> result;  ///< null for a mere copy
  bool synchronizes = false;       ///< a call waits for the device
};

/// What all suites work with.
class Session {
 public:
  Session(const Options& options, DeviceInfo device, cudaStream_t stream);

  const Options& options() const { return options_; }
  cudaStream_t stream() const { return stream_; }

  /// Times the contenders in turn, so that a drift of the clocks meets all of them, checks what
  /// they wrote, prints and keeps the times. Leaves the task out, with a line that says so, where
  /// the device has too little memory. Ends the program where a result is wrong.
  ///
  /// @param contenders  makes the buffers and fills in what `task` does not know yet
  void race(Task task, const std::function<std::vector<Contender>(Task&)>& contenders);

  /// Writes the file of --json, if any.
  void save() const;

 private:
  std::vector<Timing> time(const Task& task, const std::vector<Contender>& contenders);
  int count_launches(const Contender& contender);

  const Options& options_;
  cudaStream_t stream_;
  Stopwatch stopwatch_;
  Report report_;
};

/// Copies half as many bytes as the task moves, since a copy reads and writes. Call it last among
/// the contenders: it takes that much memory twice.
Contender memcpy_contender(const Session& session, const Task& task);

}  // namespace compaction::bench
