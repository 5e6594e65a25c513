// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "compaction/grid/tile_queue.h"
#include "compaction/simt/host/executor.h"

// Common parts of the tests of kernels on the host executor: kernels made of a lambda, schedules,
// errors and memory.

namespace {

using compaction::TileQueue;
using simt::NoShared;
using simt::Span;
using simt::host::Executor;
using simt::host::KernelError;
using simt::host::Order;
using simt::host::Schedule;

template <class T>
Span<T> span_of(std::vector<T>& items) {
  return {items.data(), items.size()};
}
template <class T>
Span<const T> span_of(const std::vector<T>& items) {
  return {items.data(), items.size()};
}

/// A kernel that calls `body(block)` or, with shared memory, `body(block, shared)`.
template <unsigned block_size, class SharedMemory, class Body>
struct LambdaKernel {
  static constexpr unsigned kBlockSize = block_size;
  using Shared = SharedMemory;
  Body body;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    if constexpr (std::is_same_v<Shared, NoShared>)
      body(block);
    else
      body(block, shared);
  }
};
template <unsigned kBlockSize, class Shared = NoShared, class Body>
LambdaKernel<kBlockSize, Shared, Body> kernel_of(Body body) {
  return {body};
}

/// The message of the KernelError that `call` throws.
template <class Call>
std::string kernel_error_of(Call call) {
  try {
    call();
  } catch (const KernelError& error) {
    return error.what();
  }
  return "no error";
}

/// Orders of the threads and blocks of a kernel.
inline const std::vector<Schedule>& schedules() {
  static const std::vector<Schedule> all = {
      {Order::kForward}, {Order::kReverse}, {Order::kShuffled, 1}, {Order::kShuffled, 2, 3}};
  return all;
}

/// Returns the results of `body(warp, in[thread])` for each thread of two warps in one schedule.
template <class T, class Body>
std::vector<T> in_two_warps(const std::vector<T>& in, Schedule schedule, Body body) {
  std::vector<T> results(in.size());
  Executor(schedule).launch(1, kernel_of<2 * simt::kWarpSize>([&](auto& block) {
                              unsigned thread = block.thread_rank();
                              results.at(thread) = body(block.warp(), in.at(thread));
                            }));
  return results;
}

inline std::vector<uint32_t> random_numbers(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> numbers(n);
  for (uint32_t& number : numbers) number = uint32_t(random());
  return numbers;
}

/// A workspace in the caller's memory, zeroed once.
struct Memory {
  explicit Memory(size_t bytes = 1 << 16, std::byte fill = {}) : bytes(bytes, fill) {}

  Span<std::byte> span() { return span_of(bytes); }
  TileQueue::State& state() { return *reinterpret_cast<TileQueue::State*>(bytes.data()); }
  uint32_t epoch() { return uint32_t(state().next >> TileQueue::kEpochShift); }
  void begin_epoch(uint32_t epoch) { state().next = uint64_t(epoch) << TileQueue::kEpochShift; }

  std::vector<std::byte> bytes;
};

}  // namespace
