// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "compaction/cuda.cuh"
#include "compaction/device_loop.cuh"
#include "tests/compaction/support/cuda_arrays.cuh"
#include "tests/compaction/support/small_tests.h"

// Tests loops that the device repeats without the host.

namespace {

using compaction::DeviceLoop;
using compaction::Graph;
using compaction::LoopIteration;
using compaction::LoopState;

/// Skips tests of loops where the driver has none, and under compute-sanitizer, which reports false
/// errors in bodies of loops.
class CudaLoops : public OnGpu {
 protected:
  void SetUp() override {
    OnGpu::SetUp();
    if (IsSkipped()) return;
    if (!compaction::has_device_loops()) GTEST_SKIP() << "this driver has no loops in graphs";
    if (small_tests()) GTEST_SKIP() << "compute-sanitizer reports false errors in loops";
  }
};
/// Loops of a fixed number of iterations, which are like any other calls.
class CudaUnrolledLoops : public OnGpu {};

/// A loop whose iteration i keeps the items with bit i clear.
struct Halving {
  explicit Halving(uint64_t n)
      : numbers(random_numbers(n, 9)), a(numbers), b(n), state(1), first(1) {
    check(workspace.reserve(compaction::bytes_for<uint32_t>(n)));
    first.write({n});
    check(cudaDeviceSynchronize());
  }

  DeviceLoop loop(uint64_t limit = ~uint64_t{0}) {
    const uint64_t* count = first.data();
    return {.state = state.data(),
            .capacity = numbers.size(),
            .first = {numbers.size(), count},
            .limit = limit};
  }
  cudaError_t operator()(cudaStream_t stream, const LoopIteration& i) {
    uint32_t* const queue[2] = {a.data(), b.data()};
    return compaction::select_if(std::as_const(queue[i.from]), queue[i.to], i.count, i.n,
                                 BitIsClear{&i.state->iterations}, workspace, stream);
  }
  /// Compares with what is left after `iterations`.
  void expect_left(uint64_t n, uint64_t iterations) {
    std::vector<uint32_t> expected(numbers.begin(), numbers.begin() + ptrdiff_t(n));
    uint64_t i = 0;
    for (; i < iterations && !expected.empty(); ++i)
      std::erase_if(expected, [&](uint32_t number) { return (number >> i & 1) != 0; });
    const LoopState end = state.read()[0];
    EXPECT_EQ(end.iterations, i);
    EXPECT_EQ(end.overflowed, 0u);
    ASSERT_EQ(end.left, expected.size());
    EXPECT_EQ((i % 2 == 0 ? a : b).read(expected.size()), expected);
  }

  std::vector<uint32_t> numbers;
  Array<uint32_t> a, b;
  Array<LoopState> state;
  Array<uint64_t> first;
  Workspace workspace;
};

Graph record_loop(Halving& halving, uint64_t limit = ~uint64_t{0}) {
  Graph graph;
  check(graph.record([&](cudaStream_t stream) {
    return compaction::device_loop(stream, halving.loop(limit), std::ref(halving));
  }));
  return graph;
}

TEST_P(CudaLoops, RunUntilNoItemsAreLeft) {
  for (uint64_t n : {1u, 2u, 1000u, 300'000u}) {
    SCOPED_TRACE(n);
    Halving halving(n);
    Stream on;
    check(record_loop(halving).launch(on.stream));
    check(cudaStreamSynchronize(on.stream));
    halving.expect_left(n, ~uint64_t{0});
  }
}

TEST_P(CudaLoops, StopAtTheLimitAndKeepTheItemsThatAreLeft) {
  for (uint64_t limit : {0u, 1u, 2u, 3u, 6u, 7u}) {
    SCOPED_TRACE(limit);
    Halving halving(300'000);
    Stream on;
    const Graph graph = record_loop(halving, limit);
    check(graph.launch(on.stream));
    check(cudaStreamSynchronize(on.stream));
    halving.expect_left(300'000, limit);
  }
}

// Each launch of a graph starts anew, with the number of items that is then in memory.
TEST_P(CudaLoops, StartAnewAtEachLaunch) {
  constexpr uint64_t kItems = 50'000;
  Halving halving(kItems);
  const Graph graph = record_loop(halving);
  Stream on;
  for (uint64_t n : {kItems, uint64_t(0), uint64_t(777), kItems - 1}) {
    SCOPED_TRACE(n);
    halving.a.write(halving.numbers);
    halving.first.write({n});
    check(cudaDeviceSynchronize());
    check(graph.launch(on.stream));
    check(cudaStreamSynchronize(on.stream));
    halving.expect_left(n, ~uint64_t{0});
  }
  // Two launches in a row: the second one finds the items that the first one has left.
  halving.a.write(halving.numbers);
  halving.first.write({0});
  check(cudaDeviceSynchronize());
  check(graph.launch(on.stream));
  check(graph.launch(on.stream));
  check(cudaStreamSynchronize(on.stream));
  halving.expect_left(0, 0);
}

// A reduction of no items would overwrite the sum.
TEST_P(CudaLoops, RunNoIterationWithoutItemsAfterTheLastOne) {
  for (uint64_t limit : {uint64_t(1), uint64_t(2), uint64_t(3), ~uint64_t(0)}) {
    SCOPED_TRACE(limit);
    constexpr uint64_t kItems = 3000;
    Halving halving(kItems);
    Array<uint32_t> sum(1);
    Graph graph;
    check(graph.record([&](cudaStream_t stream) {
      return compaction::device_loop(
          stream, halving.loop(limit), [&](cudaStream_t body, const LoopIteration& i) {
            const uint32_t* items = (i.from == 0 ? halving.a : halving.b).data();
            check(compaction::reduce(items, sum.data(), i.n, Sum<uint32_t>(), halving.workspace,
                                     body));
            check(halving(body, i));
          });
    }));
    check(graph.launch(nullptr));
    check(cudaDeviceSynchronize());
    std::vector<uint32_t> items = halving.numbers, last;
    for (uint64_t i = 0; i < limit && !items.empty(); ++i) {
      last = items;
      std::erase_if(items, [&](uint32_t number) { return (number >> i & 1) != 0; });
    }
    EXPECT_EQ(sum.read()[0], std::accumulate(last.begin(), last.end(), 0u));
    halving.expect_left(kItems, limit);
  }
}

/// Adds 1 to a number.
struct Increment {
  static constexpr unsigned kBlockSize = simt::kWarpSize;
  using Shared = simt::NoShared;
  uint64_t* number;
  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    if (block.thread_rank() == 0) ++*number;
  }
};
void increment(cudaStream_t stream, uint64_t* number) {
  simt::cuda::Launcher launcher(stream, simt::cuda::Begin::kOverlapped);
  launcher.launch(1, Increment{number});
  check(launcher.status());
}
struct IsBelow {
  const uint64_t* number;
  uint64_t limit;
  __device__ bool operator()() const { return *number < limit; }
};

TEST_P(CudaLoops, RunNoBodyIfThereIsNothingAtTheStart) {
  Array<uint64_t> number(std::vector<uint64_t>{5}), runs(std::vector<uint64_t>{0});
  Graph graph;
  check(graph.record([&](cudaStream_t stream) {
    return compaction::while_loop(stream, IsBelow{number.data(), 5},
                                  [&](cudaStream_t body) { increment(body, runs.data()); });
  }));
  check(cudaDeviceSynchronize());
  check(graph.launch(nullptr));
  EXPECT_EQ(runs.read()[0], 0u);

  Halving halving(1000);
  halving.first.write({0});
  check(graph.record([&](cudaStream_t stream) {
    return compaction::device_loop(
        stream, halving.loop(),
        [&](cudaStream_t body, const LoopIteration&) { increment(body, runs.data()); });
  }));
  check(graph.launch(nullptr));
  EXPECT_EQ(runs.read()[0], 0u);
  halving.expect_left(0, 0);
}

// CUDA sets the default of a condition once per launch of the whole graph, so the inner loop would
// run in the first iteration of the outer one only.
TEST_P(CudaLoops, RunInnerLoopsInEachIteration) {
  constexpr uint64_t kOuter = 5, kInner = 3, kLaunches = 2;
  Array<uint64_t> outer(1), inner(1), runs(std::vector<uint64_t>{0});
  check(cudaDeviceSynchronize());
  Graph graph;
  check(graph.record([&](cudaStream_t stream) {
    check(cudaMemsetAsync(outer.data(), 0, sizeof(uint64_t), stream));
    return compaction::while_loop(
        stream, IsBelow{outer.data(), kOuter}, [&](cudaStream_t outer_body) {
          check(cudaMemsetAsync(inner.data(), 0, sizeof(uint64_t), outer_body));
          check(compaction::while_loop(outer_body, IsBelow{inner.data(), kInner},
                                       [&](cudaStream_t inner_body) {
                                         increment(inner_body, inner.data());
                                         increment(inner_body, runs.data());
                                       }));
          increment(outer_body, outer.data());
        });
  }));
  for (uint64_t launch = 0; launch < kLaunches; ++launch) check(graph.launch(nullptr));
  check(cudaDeviceSynchronize());
  EXPECT_EQ(outer.read()[0], kOuter);
  EXPECT_EQ(runs.read()[0], kLaunches * kOuter * kInner);
}

// Each iteration of the outer loop starts with the items that an inner loop has left of it.
TEST_P(CudaLoops, RunLoopsOverQueuesInLoopsOverQueues) {
  Halving inner(20'000);
  Array<LoopState> outer_state(1);
  Array<uint32_t> outer_a(inner.numbers), outer_b(inner.numbers.size());
  Workspace workspace;
  check(workspace.reserve(compaction::bytes_for<uint32_t>(inner.numbers.size())));
  constexpr uint64_t kInnerLimit = 3, kOuterLimit = 4;
  Graph graph;
  check(graph.record([&](cudaStream_t stream) {
    const DeviceLoop outer{.state = outer_state.data(),
                           .capacity = inner.numbers.size(),
                           .first = inner.numbers.size(),
                           .limit = kOuterLimit};
    return compaction::device_loop(stream, outer, [&](cudaStream_t body, const LoopIteration& i) {
      uint32_t* const queue[2] = {outer_a.data(), outer_b.data()};
      const uint32_t* items = queue[i.from];
      DeviceLoop loop = inner.loop(kInnerLimit);
      loop.first = i.n;
      check(compaction::select_if(items, inner.a.data(), inner.first.data(), i.n, kBelowHalf,
                                  workspace, body));
      const uint64_t* below = inner.first.data();
      loop.first = {inner.numbers.size(), below};
      check(compaction::device_loop(body, loop, std::ref(inner)));
      // Three iterations: what is left is in the second array.
      const uint64_t* left = &inner.state.data()->left;
      check(compaction::select_if(std::as_const(inner).b.data(), queue[i.to], i.count,
                                  {inner.numbers.size(), left}, Below(1u << 30), workspace, body));
    });
  }));
  check(graph.launch(nullptr));
  check(cudaDeviceSynchronize());

  std::vector<uint32_t> expected = inner.numbers;
  uint64_t iterations = 0;
  for (; iterations < kOuterLimit && !expected.empty(); ++iterations) {
    std::erase_if(expected, [](uint32_t number) { return number >= 1u << 31; });
    // An inner loop that ends early leaves no items at all.
    std::erase_if(expected, [](uint32_t number) { return (number & 7) != 0; });
    std::erase_if(expected, [](uint32_t number) { return number >= 1u << 30; });
  }
  const LoopState end = outer_state.read()[0];
  EXPECT_EQ(end.iterations, iterations);
  ASSERT_EQ(end.left, expected.size());
  EXPECT_EQ((iterations % 2 == 0 ? outer_a : outer_b).read(expected.size()), expected);
}

/// Appends each item twice. Does not write beyond `capacity`, but counts.
__global__ void append_twice(const uint32_t* in, ItemCount n, uint32_t* out, uint64_t capacity,
                             uint64_t* count) {
  for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n(); i += gridDim.x * blockDim.x) {
    const uint64_t first = atomicAdd(reinterpret_cast<unsigned long long*>(count), 2ull);
    for (uint64_t copy = first; copy < first + 2; ++copy)
      if (copy < capacity) out[copy] = in[i];
  }
}

TEST_P(CudaLoops, FlagItemsBeyondTheCapacity) {
  constexpr uint64_t kCapacity = 1000, kGuard = 16, kLimit = 20;
  Array<uint32_t> a(kCapacity + kGuard), b(kCapacity + kGuard);
  Array<LoopState> state(1);
  Array<uint64_t> first(1);
  uint32_t* const queue[2] = {a.data(), b.data()};
  Graph graph;
  check(graph.record([&](cudaStream_t stream) {
    const uint64_t* count = first.data();
    return compaction::device_loop(stream,
                                   {.state = state.data(),
                                    .capacity = kCapacity,
                                    .first = {kCapacity, count},
                                    .limit = kLimit},
                                   [&](cudaStream_t body, const LoopIteration& i) {
                                     append_twice<<<4, 128, 0, body>>>(
                                         queue[i.from], i.n, queue[i.to], i.count.capacity,
                                         &i.state->counts[i.to]);
                                     check(cudaPeekAtLastError());
                                   });
  }));
  struct Case {
    uint64_t first, left;
    uint32_t overflowed;
  };
  // From 1 item, 2^9 are produced before the tenth iteration, and 2^10 by it.
  for (const Case& c : {Case{1, kCapacity, 1}, Case{0, 0, 0}, Case{kCapacity, kCapacity, 1},
                        Case{kCapacity + 1, kCapacity, 1}}) {
    SCOPED_TRACE(c.first);
    a.write(std::vector<uint32_t>(kCapacity, 7u));
    first.write({c.first});
    check(graph.launch(nullptr));
    const LoopState end = state.read()[0];
    EXPECT_EQ(end.iterations, c.first > 0 ? kLimit : 0);
    EXPECT_EQ(end.left, c.left);
    EXPECT_EQ(end.overflowed, c.overflowed);
    for (const Array<uint32_t>* array : {&a, &b})
      for (uint64_t i = kCapacity; i < kCapacity + kGuard; ++i)
        ASSERT_EQ(array->read()[i], 0xA5A5A5A5u);
  }
}

// The loop becomes a part of a graph that a program captures itself, between calls whose kernels
// are launched to overlap with their neighbours.
TEST_P(CudaLoops, StandBetweenOtherCallsInACapture) {
  constexpr uint64_t kItems = 100'000;
  Halving halving(kItems);
  Array<uint32_t> in(halving.numbers), sum(1);
  Array<LoopState> second(1);
  Workspace workspace;
  check(workspace.reserve(compaction::bytes_for<uint32_t>(kItems)));
  check(cudaDeviceSynchronize());
  Stream on;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  check(cudaStreamBeginCapture(on.stream, cudaStreamCaptureModeGlobal));
  check(compaction::select_if(std::as_const(in).data(), halving.a.data(), halving.first.data(),
                              kItems, kBelowHalf, workspace, on.stream));
  check(compaction::device_loop(on.stream, halving.loop(4), std::ref(halving)));
  const uint64_t* left = &halving.state.data()->left;
  check(compaction::reduce(std::as_const(halving).a.data(), sum.data(), {kItems, left},
                           Sum<uint32_t>(), workspace, on.stream));
  // A second loop, over what the first one has left.
  DeviceLoop again = halving.loop(1);
  again.first = {kItems, left};
  again.state = second.data();
  check(compaction::device_loop(on.stream, again, std::ref(halving)));
  check(cudaStreamEndCapture(on.stream, &graph));
  check(cudaGraphInstantiate(&replay, graph, 0));
  for (int launch = 0; launch < 2; ++launch) check(cudaGraphLaunch(replay, on.stream));
  check(cudaStreamSynchronize(on.stream));

  std::vector<uint32_t> expected = reference_select(halving.numbers, kItems, kBelowHalf);
  std::erase_if(expected, [](uint32_t number) { return (number & 15) != 0; });
  EXPECT_EQ(halving.state.read()[0].left, expected.size());
  EXPECT_EQ(sum.read()[0], std::accumulate(expected.begin(), expected.end(), 0u));
  EXPECT_EQ(second.read()[0].left, expected.size());  // their bit 0 is clear
  EXPECT_EQ(halving.b.read(expected.size()), expected);
  check(cudaGraphExecDestroy(replay));
  check(cudaGraphDestroy(graph));
}

// As in CudaStreams.EachCallSeesTheResultsOfTheOneBefore, but in a loop.
TEST_P(CudaLoops, OverlappedKernelsSeeTheResultsOfTheOnesBefore) {
  constexpr uint64_t kScans = 40;
  for (uint64_t n : {300u, 5000u, 70'000u, 1'000'000u}) {
    SCOPED_TRACE(n);
    std::vector<uint32_t> expected(n);
    for (uint64_t i = 0; i < n; ++i) expected[i] = uint32_t(i * 2654435761u) >> 28;
    Array<uint32_t> a(expected), b(n);
    Array<LoopState> state(1);
    uint32_t* const array[2] = {a.data(), b.data()};
    Workspace workspace;
    check(workspace.reserve(compaction::bytes_for<uint32_t>(n)));
    Graph graph;
    check(graph.record([&](cudaStream_t stream) {
      return compaction::device_loop(
          stream, {.state = state.data(), .capacity = n, .first = n, .limit = kScans},
          [&](cudaStream_t body, const LoopIteration& i) {
            const uint32_t* from = array[i.from];
            check(compaction::exclusive_scan(from, array[i.to], i.n, Sum<uint32_t>(), workspace,
                                             body));
            // All items go on.
            check(cudaMemcpyAsync(&i.state->counts[i.to], &i.state->counts[i.from],
                                  sizeof(uint64_t), cudaMemcpyDeviceToDevice, body));
          });
    }));
    check(graph.launch(nullptr));
    for (uint64_t i = 0; i < kScans; ++i)
      std::exclusive_scan(expected.begin(), expected.end(), expected.begin(), 0u);
    EXPECT_EQ(a.read(), expected);
    EXPECT_EQ(state.read()[0].iterations, kScans);
  }
}

/// Records a loop with the body `work(stream, iteration)`. Returns the error.
template <class Work>
cudaError_t record(Halving& halving, Work work) {
  Graph graph;
  const cudaError_t status = graph.record(
      [&](cudaStream_t stream) { return compaction::device_loop(stream, halving.loop(), work); });
  EXPECT_EQ(bool(graph), status == cudaSuccess);
  cudaGetLastError();
  return status;
}

TEST_P(CudaLoops, RefuseWhatCudaDoesNotAllowInABody) {
  Halving halving(1000);
  Array<uint32_t> sum(1);
  EXPECT_EQ(record(halving,
                   [&](cudaStream_t body, const LoopIteration& i) {
                     return compaction::reduce(halving.a.data(), sum.data(), i.n, Sum<uint32_t>(),
                                               compaction::stream_ordered, body);
                   }),
            cudaErrorNotSupported);
  EXPECT_EQ(record(halving,
                   [&](cudaStream_t body, const LoopIteration&) {
                     return cudaLaunchHostFunc(
                         body, [](void*) {}, nullptr);
                   }),
            cudaErrorNotSupported);
  Workspace workspace;
  EXPECT_EQ(record(halving, [&](cudaStream_t body,
                                const LoopIteration&) { return workspace.reserve(1000, body); }),
            cudaErrorStreamCaptureUnsupported);
}

// These errors are found before a conditional node exists.
TEST_P(CudaLoops, ReturnTheErrorOfACallThatEndsTheCapture) {
  Halving halving(1000);
  Stream on;
  EXPECT_EQ(record(halving,
                   [&](cudaStream_t, const LoopIteration&) {
                     void* memory = nullptr;
                     return cudaMalloc(&memory, 1);
                   }),
            cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(record(halving, [&](cudaStream_t body,
                                const LoopIteration&) { return cudaStreamSynchronize(body); }),
            cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(
      record(halving, [&](cudaStream_t body, const LoopIteration&) { cudaStreamQuery(body); }),
      cudaErrorStreamCaptureInvalidated);
  cudaEvent_t fork;
  check(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  EXPECT_EQ(record(halving,
                   [&](cudaStream_t body, const LoopIteration&) {
                     check(cudaEventRecord(fork, body));
                     check(cudaStreamWaitEvent(on.stream, fork, 0));
                     increment(on.stream, halving.first.data());
                   }),
            cudaErrorStreamCaptureUnjoined);
  // A stream can be in one capture at a time.
  Graph merged;
  EXPECT_NE(merged.record([&](cudaStream_t stream) {
    check(cudaEventRecord(fork, stream));
    check(cudaStreamWaitEvent(on.stream, fork, 0));
    return compaction::device_loop(
        stream, halving.loop(), [&](cudaStream_t body, const LoopIteration&) {
          const cudaError_t status = cudaEventRecord(fork, body);
          return status == cudaSuccess ? cudaStreamWaitEvent(on.stream, fork, 0) : status;
        });
  }),
            cudaSuccess);
  cudaGetLastError();
  check(cudaEventDestroy(fork));
  // This thread can still record loops.
  const Graph graph = record_loop(halving);
  check(graph.launch(nullptr));
  check(cudaDeviceSynchronize());
  halving.expect_left(1000, ~uint64_t{0});
}

TEST_P(CudaLoops, LeaveTheCaptureAsItWasIfTheyAreRefused) {
  Halving halving(1000);
  Array<uint64_t> number(std::vector<uint64_t>{0});
  Graph graph;
  check(graph.record([&](cudaStream_t stream) {
    increment(stream, number.data());
    EXPECT_EQ(compaction::device_loop(stream, halving.loop(),
                                      [](cudaStream_t body, const LoopIteration&) {
                                        return cudaLaunchHostFunc(
                                            body, [](void*) {}, nullptr);
                                      }),
              cudaErrorNotSupported);
    increment(stream, number.data());
  }));
  check(graph.launch(nullptr));
  EXPECT_EQ(number.read()[0], 2u);
}

// Both directions fork the same stream, which can be in one capture at a time.
TEST_P(CudaLoops, RunForkedWorkInABody) {
  constexpr uint64_t kItems = 20'000, kIterations = 6;
  Stream side;
  cudaEvent_t fork, join;
  check(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  check(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  for (unsigned per_decision : {1u, 2u}) {
    SCOPED_TRACE(per_decision);
    Halving halving(kItems);
    Array<uint64_t> runs(std::vector<uint64_t>{0});
    DeviceLoop loop = halving.loop(kIterations);
    loop.iterations_per_decision = per_decision;
    Graph graph;
    check(graph.record([&](cudaStream_t stream) {
      return compaction::device_loop(stream, loop, [&](cudaStream_t body, const LoopIteration& i) {
        check(cudaEventRecord(fork, body));
        check(cudaStreamWaitEvent(side.stream, fork, 0));
        increment(side.stream, runs.data());
        check(cudaEventRecord(join, side.stream));
        check(halving(body, i));
        check(cudaStreamWaitEvent(body, join, 0));
      });
    }));
    check(graph.launch(nullptr));
    check(cudaDeviceSynchronize());
    EXPECT_EQ(runs.read()[0], kIterations);
    halving.expect_left(kItems, kIterations);
  }
  check(cudaEventDestroy(fork));
  check(cudaEventDestroy(join));
}

TEST_P(CudaLoops, DecideAfterOneOrAnEvenNumberOfIterations) {
  for (unsigned iterations : {1u, 2u, 4u, 6u, 16u}) {
    SCOPED_TRACE(iterations);
    for (uint64_t limit : {uint64_t(0), uint64_t(1), uint64_t(5), ~uint64_t(0)}) {
      Halving halving(30'000);
      DeviceLoop loop = halving.loop(limit);
      loop.iterations_per_decision = iterations;
      Graph graph;
      check(graph.record([&](cudaStream_t stream) {
        return compaction::device_loop(stream, loop, std::ref(halving));
      }));
      check(graph.launch(nullptr));
      check(cudaDeviceSynchronize());
      halving.expect_left(30'000, limit);
    }
  }
  Halving halving(10);
  for (unsigned iterations : {0u, 3u, 5u}) {
    DeviceLoop loop = halving.loop();
    loop.iterations_per_decision = iterations;
    EXPECT_EQ(compaction::device_loop(nullptr, loop, std::ref(halving)), cudaErrorInvalidValue);
  }
}

TEST_P(CudaLoops, RefuseAStreamThatIsNotCaptured) {
  Halving halving(1000);
  Stream on;
  EXPECT_EQ(compaction::device_loop(on.stream, halving.loop(), std::ref(halving)),
            cudaErrorIllegalState);
  const auto nothing = [](cudaStream_t) {};
  EXPECT_EQ(compaction::while_loop(on.stream, IsBelow{halving.first.data(), 1}, nothing),
            cudaErrorIllegalState);
}

TEST_P(CudaLoops, RefuseAGraphLaunchInACapture) {
  Halving halving(1000);
  const Graph graph = record_loop(halving);
  Graph outer;
  EXPECT_EQ(outer.record([&](cudaStream_t stream) { return graph.launch(stream); }),
            cudaErrorStreamCaptureUnsupported);
}

// So the host takes no part in it: a copy or a function of the host would be a node.
TEST_P(CudaLoops, ConsistOfAKernelAndALoopOfKernels) {
  Halving halving(1000);
  const auto types_of = [](cudaStream_t recording) {
    compaction::Capture capture;
    check(compaction::find_capture(recording, capture));
    size_t count = 0;
    check(cudaGraphGetNodes(capture.graph, nullptr, &count));
    std::vector<cudaGraphNode_t> nodes(count);
    check(cudaGraphGetNodes(capture.graph, nodes.data(), &count));
    std::vector<cudaGraphNodeType> types(count);
    for (size_t i = 0; i < count; ++i) check(cudaGraphNodeGetType(nodes[i], &types[i]));
    return types;
  };
  std::vector<cudaGraphNodeType> inside;
  Graph graph;
  check(graph.record([&](cudaStream_t stream) {
    check(compaction::device_loop(stream, halving.loop(),
                                  [&](cudaStream_t body, const LoopIteration& i) {
                                    check(halving(body, i));
                                    if (i.from == 0) inside = types_of(body);
                                  }));
    EXPECT_EQ(types_of(stream), (std::vector<cudaGraphNodeType>{cudaGraphNodeTypeKernel,
                                                                cudaGraphNodeTypeConditional}));
  }));
  EXPECT_EQ(inside, std::vector<cudaGraphNodeType>{cudaGraphNodeTypeKernel});
}

// A change here means that LOOPS.md is to be corrected.
TEST_P(CudaLoops, AreNeitherClonedNorChildrenInCuda) {
  Halving halving(1000);
  Stream on;
  cudaGraph_t graph = nullptr, copy = nullptr, parent = nullptr;
  check(cudaStreamBeginCapture(on.stream, cudaStreamCaptureModeThreadLocal));
  check(compaction::device_loop(on.stream, halving.loop(), std::ref(halving)));
  check(cudaStreamEndCapture(on.stream, &graph));
  EXPECT_EQ(cudaGraphClone(&copy, graph), cudaErrorNotSupported);
  check(cudaGraphCreate(&parent, 0));
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, graph), cudaErrorNotSupported);
  cudaGetLastError();
  check(cudaGraphDestroy(parent));
  check(cudaGraphDestroy(graph));
}

TEST_P(CudaLoops, LeaveNoCaptureBehindIfTheBodyThrows) {
  Halving halving(1000);
  Graph graph;
  EXPECT_THROW(static_cast<void>(graph.record([&](cudaStream_t stream) {
                 return compaction::device_loop(stream, halving.loop(),
                                                [](cudaStream_t, const LoopIteration&) {
                                                  throw std::runtime_error("a fault in the body");
                                                });
               })),
               std::runtime_error);
  EXPECT_FALSE(graph);
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 1), cudaSuccess);  // fails while this thread captures
  check(cudaFree(memory));
  graph = record_loop(halving);
  check(graph.launch(nullptr));
  check(cudaDeviceSynchronize());
  halving.expect_left(1000, ~uint64_t{0});
}

TEST_P(CudaUnrolledLoops, StopAtTheLimitOrWithoutItems) {
  for (uint64_t limit : {0u, 1u, 4u, 7u, 25u}) {
    SCOPED_TRACE(limit);
    Halving halving(10'000);
    Stream on;
    check(compaction::unrolled_loop(on.stream, halving.loop(limit), std::ref(halving)));
    check(cudaStreamSynchronize(on.stream));
    halving.expect_left(10'000, limit);
  }
}

TEST_P(CudaUnrolledLoops, NeedALimit) {
  Halving halving(1000);
  EXPECT_EQ(compaction::unrolled_loop(nullptr, halving.loop(), std::ref(halving)),
            cudaErrorInvalidValue);
}

TEST_P(CudaUnrolledLoops, AreCapturedAndClonedIntoAChildGraph) {
  Halving halving(10'000);
  Stream on;
  cudaGraph_t graph = nullptr, copy = nullptr, parent = nullptr;
  cudaGraphExec_t replay = nullptr;
  check(cudaStreamBeginCapture(on.stream, cudaStreamCaptureModeThreadLocal));
  check(compaction::unrolled_loop(on.stream, halving.loop(6), std::ref(halving)));
  check(cudaStreamEndCapture(on.stream, &graph));
  check(cudaGraphClone(&copy, graph));
  check(cudaGraphCreate(&parent, 0));
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, copy));
  check(cudaGraphInstantiate(&replay, parent, 0));
  check(cudaGraphLaunch(replay, on.stream));
  check(cudaStreamSynchronize(on.stream));
  halving.expect_left(10'000, 6);
  check(cudaGraphExecDestroy(replay));
  for (cudaGraph_t each : {graph, copy, parent}) check(cudaGraphDestroy(each));
}

INSTANTIATE_TEST_SUITE_P(Gpu, CudaLoops, testing::Values("cuda"),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Gpu, CudaUnrolledLoops, testing::Values("cuda"),
                         [](const auto& info) { return info.param; });

}  // namespace
