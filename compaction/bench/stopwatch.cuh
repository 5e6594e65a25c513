#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <vector>

#include "compaction/bench/median.h"

namespace compaction {

/// Ends the program, naming the caller's file and line, unless `status` is cudaSuccess.
inline void check(cudaError_t status,
                  std::source_location where = std::source_location::current()) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s:%u: %s\n", where.file_name(), unsigned(where.line()),
               cudaGetErrorString(status));
  std::exit(1);
}

/// Memory of the current device.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t size) : size_(size) { check(cudaMalloc(&data_, bytes() + 1)); }
  explicit DeviceArray(const std::vector<T>& items) : DeviceArray(items.size()) {
    check(cudaMemcpy(data_, items.data(), bytes(), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  size_t bytes() const { return size_ * sizeof(T); }
  void fill(int byte) { check(cudaMemset(data_, byte, bytes())); }
  std::vector<T> read() const {
    std::vector<T> items(size_);
    check(cudaMemcpy(items.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return items;
  }

 private:
  T* data_ = nullptr;
  size_t size_;
};

/// Times what is put on a stream, by events.
class Stopwatch {
 public:
  explicit Stopwatch(cudaStream_t stream) : stream_(stream), flush_(flush_bytes()) {
    check(cudaEventCreate(&start_));
    check(cudaEventCreate(&stop_));
  }
  ~Stopwatch() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }

  /// Median time of one call whose input is not in L2. ms.
  ///
  /// Writing a large buffer first evicts the input, and keeps the GPU busy while the host enqueues
  /// the call, so that the time of the launches themselves is not counted.
  template <class F>
  double cold_ms(int repeats, F call) {
    std::vector<double> ms;
    for (int i = -kWarmUps; i < repeats; ++i) {
      check(cudaMemsetAsync(flush_.data(), i & 0xFF, flush_.bytes(), stream_));
      double time = time_ms(call);
      if (i >= 0) ms.push_back(time);
    }
    return median(std::move(ms));
  }

  /// Time of one call among many in a row, on the same buffers. ms.
  template <class F>
  double hot_ms(int repeats, F call) {
    for (int i = 0; i < kWarmUps; ++i) call();
    return time_ms([&] {
             for (int i = 0; i < repeats; ++i) call();
           }) /
           repeats;
  }

 private:
  static constexpr int kWarmUps = 3;

  template <class F>
  double time_ms(F call) {
    check(cudaEventRecord(start_, stream_));
    call();
    check(cudaEventRecord(stop_, stream_));
    check(cudaEventSynchronize(stop_));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start_, stop_));
    return ms;
  }

  static size_t flush_bytes() {
    constexpr size_t kLeast = size_t(256) << 20;  // long enough to enqueue seven launches meanwhile
    int device = 0, l2_bytes = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device));
    return std::max(kLeast, 3 * size_t(l2_bytes));
  }

  cudaStream_t stream_;
  DeviceArray<char> flush_;
  cudaEvent_t start_{}, stop_{};
};

}  // namespace compaction
