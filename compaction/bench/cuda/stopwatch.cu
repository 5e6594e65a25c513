// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <chrono>

#include "compaction/bench/cuda/contenders.cuh"
#include "compaction/bench/cuda/stopwatch.cuh"

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

/// Waits until the host has released hold `id`, at most 0.2 s, so that work that cannot be held
/// spoils a sample but does not hang.
__global__ void hold_stream(const volatile uint32_t* released, uint32_t id) {
  constexpr uint64_t kMaxNanoseconds = 200'000'000;
  constexpr unsigned kPause = 500;  // ns
  uint64_t start = nanoseconds();
  while (*released < id && nanoseconds() - start < kMaxNanoseconds) __nanosleep(kPause);
}

/// Returns the number of items of a flush: several times the size of L2, and enough that a released
/// hold ends before the flush.
size_t flush_items() {
  constexpr size_t kMinBytes = size_t(256) << 20, kTimesL2 = 3;
  int device = 0, l2_bytes = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device));
  return std::max(kMinBytes, kTimesL2 * size_t(l2_bytes)) / sizeof(uint4);
}

__global__ void read_vectors(const uint4* items, size_t n, uint32_t* sink) {
  constexpr uint32_t kUnlikely = 0x9E3779B9;
  uint32_t bits = 0;
#pragma unroll 4
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x) {
    uint4 item = items[i];
    bits ^= item.x ^ item.y ^ item.z ^ item.w;
  }
  if (bits == kUnlikely) *sink = bits;
}

}  // namespace

void read_all(const void* items, size_t bytes, uint32_t* sink, cudaStream_t stream) {
  read_vectors<<<kBlocks, kBlockSize, 0, stream>>>(static_cast<const uint4*>(items),
                                                   bytes / sizeof(uint4), sink);
}

Contender memcpy_contender(const Session& session, const Task& task) {
  auto from = random_items<uint8_t>(task.bytes / 2);
  auto to = std::make_shared<DeviceArray<uint8_t>>(from->size());
  return {.name = kMemcpy,
          .run =
              [=, stream = session.stream()] {
                check(cudaMemcpyAsync(to->data(), from->data(), from->bytes(),
                                      cudaMemcpyDeviceToDevice, stream));
              },
          .result = nullptr};
}

Stopwatch::Stopwatch(cudaStream_t stream, Flush flush)
    : stream_(stream), flush_(flush), flush_buffer_(flush_items()) {
  flush_buffer_.fill(0);
  check(cudaHostAlloc(&released_, sizeof(uint32_t), cudaHostAllocMapped));
  *released_ = 0;
}

Stopwatch::~Stopwatch() {
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
  check(stop_.synchronize());
  check(stop_.elapsed_since(start_, ms));
  return kUsPerMs * double(ms);
}

Stopwatch::Sample Stopwatch::cold(const std::function<void()>& run, bool hold_it) {
  if (hold_it) hold();
  empty_l2();
  check(start_.record(stream_));
  auto start = Clock::now();
  run();
  double enqueue_us = us_since(start);
  check(stop_.record(stream_));
  if (hold_it) release();
  return {.device_us = between_events_us(), .enqueue_us = enqueue_us};
}

double Stopwatch::hot_us(const std::function<void()>& run, int calls, bool hold_it) {
  run();  // loads into L2 what fits
  if (hold_it) hold();
  check(start_.record(stream_));
  for (int call = 0; call < calls; ++call) run();
  check(stop_.record(stream_));
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
