// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>

#include "compaction/bench/cuda/device_array.cuh"
#include "compaction/bench/options.h"
#include "compaction/simt/cuda/event.h"

namespace compaction::bench {

/// Times the work that is put on a stream, by events.
///
/// A hold, a kernel that waits for the host, delays the stream until the host has enqueued all of
/// the work, so that the measured time contains no wait for the host. Work that itself synchronizes
/// cannot be held.
class Stopwatch {
 public:
  Stopwatch(cudaStream_t stream, Flush flush);
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  struct Sample {
    double device_us;
    double enqueue_us;  ///< host time of `run`
  };

  /// Times one call whose input is not in L2: first writes or reads a buffer larger than L2.
  Sample cold(const std::function<void()>& run, bool hold);

  /// Returns the mean time of `calls` calls in a row, on the same buffers.
  double hot_us(const std::function<void()>& run, int calls, bool hold);

  /// Keeps the device busy until its clocks have ramped up.
  void warm_up();

 private:
  void hold();
  void release();
  void empty_l2();
  double between_events_us();

  cudaStream_t stream_;
  Flush flush_;
  DeviceArray<uint4> flush_buffer_;
  DeviceArray<uint32_t> sink_{1};
  uint32_t* released_ = nullptr;  ///< mapped host memory: id of the last hold that may end
  uint32_t holds_ = 0;
  simt::cuda::Event start_, stop_;
};

}  // namespace compaction::bench
