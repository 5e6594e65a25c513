#include <algorithm>
#include <atomic>
#include <chrono>

#include "compaction/bench/read_kernel.cuh"
#include "compaction/bench/stopwatch.cuh"

namespace compaction::bench {
namespace {

using Clock = std::chrono::steady_clock;

double us_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

__device__ uint64_t nanoseconds() {
  uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// Waits until the host has released the hold `number`, or for a while: a call that cannot be held
/// then spoils a sample but does not hang.
__global__ void hold_stream(const volatile uint32_t* released, uint32_t number) {
  constexpr uint64_t kMaxNanoseconds = 200'000'000;
  constexpr unsigned kPause = 500;  // ns
  uint64_t start = nanoseconds();
  while (*released < number && nanoseconds() - start < kMaxNanoseconds) __nanosleep(kPause);
}

/// Larger than L2 by far, and long enough for the release of a hold to pass meanwhile.
size_t flush_items() {
  constexpr size_t kMinBytes = size_t(256) << 20, kTimesL2 = 3;
  int device = 0, l2_bytes = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device));
  return std::max(kMinBytes, kTimesL2 * size_t(l2_bytes)) / sizeof(uint4);
}

}  // namespace

Stopwatch::Stopwatch(cudaStream_t stream, Flush flush)
    : stream_(stream), flush_(flush), flush_buffer_(flush_items()) {
  flush_buffer_.fill(0);
  check(cudaHostAlloc(&released_, sizeof(uint32_t), cudaHostAllocMapped));
  *released_ = 0;
  check(cudaEventCreate(&start_));
  check(cudaEventCreate(&stop_));
}

Stopwatch::~Stopwatch() {
  cudaEventDestroy(start_);
  cudaEventDestroy(stop_);
  cudaFreeHost(released_);
}

void Stopwatch::hold() {
  hold_stream<<<1, 1, 0, stream_>>>(released_, ++holds_);
  check(cudaGetLastError());
}

void Stopwatch::release() {
  std::atomic_ref(*released_).store(holds_, std::memory_order_release);
}

void Stopwatch::empty_l2() {
  if (flush_ == Flush::kWrite) {
    check(cudaMemsetAsync(flush_buffer_.data(), 0, flush_buffer_.bytes(), stream_));
    return;
  }
  read_all(flush_buffer_.data(), flush_buffer_.bytes(), sink_.data(), stream_);
  check(cudaGetLastError());
}

double Stopwatch::between_events_us() {
  constexpr double kUsPerMs = 1e3;
  float ms = 0;
  check(cudaEventSynchronize(stop_));
  check(cudaEventElapsedTime(&ms, start_, stop_));
  return kUsPerMs * double(ms);
}

Stopwatch::Sample Stopwatch::cold(const std::function<void()>& run, bool hold_it) {
  if (hold_it) hold();
  empty_l2();
  check(cudaEventRecord(start_, stream_));
  auto start = Clock::now();
  run();
  double enqueue_us = us_since(start);
  check(cudaEventRecord(stop_, stream_));
  if (hold_it) release();
  return {.device_us = between_events_us(), .enqueue_us = enqueue_us};
}

double Stopwatch::hot_us(const std::function<void()>& run, int calls, bool hold_it) {
  run();  // brings to L2 what fits
  if (hold_it) hold();
  check(cudaEventRecord(start_, stream_));
  for (int call = 0; call < calls; ++call) run();
  check(cudaEventRecord(stop_, stream_));
  if (hold_it) release();
  return between_events_us() / calls;
}

void Stopwatch::warm_up() {
  constexpr double kUs = 300e3;
  auto start = Clock::now();
  while (us_since(start) < kUs) {
    empty_l2();
    check(cudaStreamSynchronize(stream_));
  }
  hold();
  release();
  check(cudaStreamSynchronize(stream_));
}

}  // namespace compaction::bench
