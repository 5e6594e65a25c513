// SPDX-License-Identifier: MIT
// Draws points of a disk by rejection: the device proposes points until all are accepted.

#include <compaction/device_loop.cuh>
#include <compaction/select.cuh>

#include "loops.cuh"

struct Point {
  int x, y;
};

/// The proposal for a sample in one iteration: a point of a square.
__host__ __device__ inline Point propose(uint32_t sample, uint64_t iteration) {
  const uint64_t bits = random_bits(sample, iteration);
  return {int(bits & 0xFFFF) - 0x8000, int(bits >> 16 & 0xFFFF) - 0x8000};
}
/// Whether a point lies in a thin ring, which one proposal in sixteen does.
__host__ __device__ inline bool is_accepted(Point p) {
  const int64_t square = int64_t(p.x) * p.x + int64_t(p.y) * p.y;
  constexpr int64_t kOuter = int64_t(0x8000) * 0x8000, kInner = kOuter - kOuter / 13;
  return square < kOuter && square >= kInner;
}

/// Selects the samples whose proposal is rejected, and stores the others. It may do so because a
/// select calls its predicate exactly once for each item.
struct IsRejected {
  Point* points;
  const compaction::LoopState* state;

  __host__ __device__ bool operator()(uint32_t sample) const {
    const Point point = propose(sample, state->iterations);
    if (!is_accepted(point)) return true;
    points[sample] = point;
    return false;
  }
};

int main() {
  return run_example([](cudaStream_t stream) {
    const int n = 1 << 20;
    uint32_t* samples = device_array<uint32_t>(n, [](int i) { return uint32_t(i); });
    uint32_t* queue[2] = {device_array<uint32_t>(n), device_array<uint32_t>(n)};
    auto* points = device_array<Point>(n);
    auto* state = device_array<compaction::LoopState>(1);
    compaction::Workspace workspace;
    check(workspace.reserve(compaction::select_if_bytes<uint32_t, IsRejected>(n), stream));

    const compaction::DeviceLoop loop{
        .state = state, .capacity = n, .first = n, .iterations_per_decision = 4};
    const auto sample = [&](cudaStream_t on, const compaction::LoopIteration& i) {
      check(compaction::select_if(queue[i.from], queue[i.to], i.count, i.n,
                                  IsRejected{points, state}, workspace, on));
    };

    const auto begin = [&](cudaStream_t on) {
      check(cudaMemcpyAsync(queue[0], samples, n * sizeof(uint32_t), cudaMemcpyDefault, on));
    };

    // Once: record the loop. As often as needed: launch it.
    compaction::Graph graph;
    check(graph.record([&](cudaStream_t recording) {
      begin(recording);
      return compaction::device_loop(recording, loop, sample);
    }));
    check(graph.launch(stream));
    check(cudaStreamSynchronize(stream));

    // Runs the sampler on the host, one sample after the other.
    uint64_t iterations = 0;
    std::vector<Point> expected(n);
    for (uint32_t i = 0; i < uint32_t(n); ++i) {
      uint64_t tries = 0;
      while (!is_accepted(expected[i] = propose(i, tries++)))
        ;
      iterations = std::max(iterations, tries);
    }
    const auto expect_right = [&] {
      expect(state->iterations == iterations && state->left == 0, "all samples are accepted");
      for (int i = 0; i < n; ++i)
        expect(points[i].x == expected[size_t(i)].x && points[i].y == expected[size_t(i)].y,
               "each sample is its first proposal that is accepted");
    };
    expect_right();
    race("rejection sampler, 2^20 samples", stream, loop, begin, sample, expect_right);
  });
}
