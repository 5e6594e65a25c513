// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compaction/bench/cuda/stopwatch.cuh"
#include "compaction/bench/options.h"
#include "compaction/bench/report.h"
#include "compaction/bench/results.h"

namespace compaction::bench {

/// The output of an algorithm.
class Result {
 public:
  virtual ~Result() = default;
  /// Overwrites the output with bytes that no algorithm writes.
  virtual void poison() = 0;
  /// What is wrong with the output; empty if it is right.
  virtual std::string error() const = 0;
};

/// An algorithm that takes part in a race.
struct Contender {
  std::string name;
  std::function<void()> run;       ///< puts one call on the stream
  std::shared_ptr<Result> result;  ///< null for a mere copy
  bool synchronizes = false;       ///< whether a call waits for the device
};

/// What all suites share: the options, the stream, the stopwatch and the report.
class Session {
 public:
  Session(const Options& options, DeviceInfo device, cudaStream_t stream);

  const Options& options() const { return options_; }
  cudaStream_t stream() const { return stream_; }

  /// Times the contenders in turn, so that a drift of the clocks affects all of them, checks what
  /// they wrote, prints the times and adds them to the report. Skips the task, and says so, if the
  /// device has too little memory. Exits with code 1 if a result is wrong.
  ///
  /// @param contenders  allocates the buffers, and fills in what is missing in `task`
  void race(Task task, const std::function<std::vector<Contender>(Task&)>& contenders);

  /// Writes the file of --json, if it was given.
  void save() const;

 private:
  std::vector<Timing> time(const Task& task, const std::vector<Contender>& contenders);
  int count_launches(const Contender& contender);

  const Options& options_;
  cudaStream_t stream_;
  Stopwatch stopwatch_;
  Report report_;
};

}  // namespace compaction::bench
