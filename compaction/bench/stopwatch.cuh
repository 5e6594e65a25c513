#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>

#include "compaction/bench/device_array.cuh"
#include "compaction/bench/options.h"

namespace compaction::bench {

/// Times what is put on a stream, by events.
///
/// A hold, a kernel that waits for the host, keeps the stream from starting before the host has
/// enqueued everything, so that no launch waits for the host inside the measured time. Work that
/// itself waits for the device cannot be held.
class Stopwatch {
 public:
  Stopwatch(cudaStream_t stream, Flush flush);
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  struct Sample {
    double device_us;
    double enqueue_us;  ///< what `run` takes on the host
  };

  /// One call whose input is not in L2: a buffer larger than that is written or read before it.
  Sample cold(const std::function<void()>& run, bool hold);

  /// One call of `calls` in a row, on the same buffers.
  double hot_us(const std::function<void()>& run, int calls, bool hold);

  /// Keeps the device busy until its clocks have risen.
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
  uint32_t* released_ = nullptr;  ///< mapped host memory: the last hold that may end
  uint32_t holds_ = 0;
  cudaEvent_t start_{}, stop_{};
};

}  // namespace compaction::bench
