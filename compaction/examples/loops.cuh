// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <compaction/device_loop.cuh>
#include <vector>

#include "example.cuh"

/// Returns well-mixed bits that depend on all arguments.
__host__ __device__ inline uint64_t random_bits(uint64_t a, uint64_t b) {
  uint64_t bits = (a << 32 ^ b) + 0x9E3779B97F4A7C15u;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
  return bits ^ bits >> 31;
}

/// Runs a loop that the host drives: after each iteration, it waits for the number of items.
///
/// @param seen  [1], pinned memory of the host, which is faster to copy
template <class Body>
void host_loop(cudaStream_t stream, const compaction::DeviceLoop& loop, Body body,
               compaction::LoopState* seen) {
  *seen = {};
  seen->left = loop.first.capacity;
  for (unsigned from = 0; seen->left > 0 && seen->iterations < loop.limit; from = 1 - from) {
    seen->counts[0] = seen->counts[1] = 0;
    check(cudaMemcpyAsync(loop.state, seen, sizeof *seen, cudaMemcpyHostToDevice, stream));
    compaction::LoopIteration iteration = compaction::iteration_of(loop, from);
    iteration.n = seen->left;  // the host knows it, so grids have the right size
    body(stream, iteration);
    check(cudaMemcpyAsync(seen->counts, loop.state->counts, sizeof seen->counts,
                          cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    const uint64_t produced = seen->counts[1 - from];
    if (produced > loop.capacity) seen->overflowed = 1;
    seen->left = std::min(produced, loop.capacity);
    ++seen->iterations;
  }
  check(cudaMemcpyAsync(loop.state, seen, sizeof *seen, cudaMemcpyHostToDevice, stream));
  check(cudaStreamSynchronize(stream));
}

/// Runs `begin(stream)` and a loop, as a graph and driven by the host, calls `expect_right()` after
/// both, and prints their times from the launch to the end, the medians of several runs.
template <class Begin, class Body, class ExpectRight>
void race(const char* name, cudaStream_t stream, const compaction::DeviceLoop& loop, Begin begin,
          Body body, ExpectRight expect_right) {
  compaction::Graph graph;
  check(graph.record([&](cudaStream_t recording) {
    begin(recording);
    return compaction::device_loop(recording, loop, body);
  }));
  compaction::LoopState* seen = nullptr;
  check(cudaMallocHost(&seen, sizeof *seen));
  const auto by_device = [&] { check(graph.launch(stream)); };
  const auto by_host = [&] {
    begin(stream);
    host_loop(stream, loop, body, seen);
  };
  std::vector<double> times[2];  // us
  const auto run = [&](const auto& work, std::vector<double>& to) {
    const auto start = std::chrono::steady_clock::now();
    work();
    check(cudaStreamSynchronize(stream));
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    to.push_back(time.count());
  };
  by_device();
  check(cudaStreamSynchronize(stream));
  expect_right();
  by_host();
  expect_right();
  constexpr int kRuns = 11;
  for (int i = 0; i < kRuns + 1; ++i) {
    run(by_device, times[0]);
    run(by_host, times[1]);
  }
  for (std::vector<double>& of : times) {
    of.erase(of.begin());  // the first run moves the arrays, which the host has read, to the device
    std::sort(of.begin(), of.end());
  }
  check(cudaFreeHost(seen));
  const unsigned long long iterations = loop.state->iterations;
  std::printf("%s: %llu iterations, %.0f us in a loop of the device, %.0f us driven by the host\n",
              name, iterations, times[0][kRuns / 2], times[1][kRuns / 2]);
}
