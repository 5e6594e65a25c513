// SPDX-License-Identifier: MIT
#include <cuda.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "compaction/cuda.cuh"
#include "tests/compaction/support/cuda_arrays.cuh"
#include "tests/compaction/support/small_tests.h"

// Every call finishes beside a kernel that occupies some of the multiprocessors and ends only after
// the call: nothing may wait for a block that cannot start.

namespace {

constexpr double kMaxSeconds = 5;

/// Host memory that kernels read and write while they run.
struct HostWords {
  HostWords() {
    check(cudaHostAlloc(&memory, sizeof(Words), cudaHostAllocMapped));
    *memory = {};
  }
  ~HostWords() { cudaFreeHost(memory); }

  struct Words {
    uint32_t started;   ///< blocks
    uint32_t released;  ///< by the host
    uint32_t gave_up;   ///< blocks
  };
  volatile Words* words() { return memory; }

  Words* memory = nullptr;
};

/// Occupies a multiprocessor per block, whose shared memory it takes whole, until the host releases
/// it or `max_ns` have passed.
__global__ void occupy(volatile HostWords::Words* words, uint64_t max_ns) {
  extern __shared__ std::byte all_of_it[];
  if (threadIdx.x > 0) return;
  all_of_it[0] = std::byte{1};
  auto now = [] {
    uint64_t ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
  };
  atomicAdd_system(const_cast<uint32_t*>(&words->started), 1);
  const uint64_t begin = now();
  while (words->released == 0) {
    if (now() - begin > max_ns) {
      atomicAdd_system(const_cast<uint32_t*>(&words->gave_up), 1);
      return;
    }
    __nanosleep(1000);
  }
}

/// Waits until `done()`. Returns false after kMaxSeconds.
template <class Done>
bool wait_until(Done done) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  while (!done())
    if (std::chrono::duration<double>(Clock::now() - begin).count() > kMaxSeconds) return false;
  return true;
}

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

/// Occupies `multiprocessors` until it is destroyed.
class Occupied {
 public:
  explicit Occupied(int multiprocessors) {
    const int bytes = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    check(cudaFuncSetAttribute(occupy, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    occupy<<<multiprocessors, simt::kWarpSize, size_t(bytes), on_.stream>>>(
        shared_.words(), uint64_t(2 * kMaxSeconds * 1e9));
    check(cudaGetLastError());
    const bool started =
        wait_until([&] { return shared_.words()->started == uint32_t(multiprocessors); });
    if (!started) ADD_FAILURE() << "the multiprocessors are not free";
  }
  ~Occupied() {
    shared_.words()->released = 1;
    EXPECT_EQ(cudaStreamSynchronize(on_.stream), cudaSuccess);
    EXPECT_EQ(shared_.words()->gave_up, 0u);
  }

 private:
  HostWords shared_;
  Stream on_;
};

/// Calls of all functions on n items.
class Calls {
 public:
  explicit Calls(uint64_t n)
      : n_{n}, in_(random_numbers(n, 3)), a_(n), b_(n), result_(1), count_(1) {
    check(workspace_.reserve(
        std::max({compaction::reduce_bytes<uint32_t>(), compaction::scan_bytes<uint32_t>(n),
                  compaction::select_if_bytes<uint32_t, Below>(n),
                  compaction::partition_if_bytes<uint32_t, Below>(n),
                  compaction::partition_in_one_bytes<uint32_t, Below>(n),
                  compaction::partition_in_one_reversed_if_bytes<uint32_t, Below>(n)})));
    check(cudaDeviceSynchronize());
  }

  struct Named {
    std::string name;
    std::function<cudaError_t(cudaStream_t)> call;
  };
  std::vector<Named> all() {
    const uint32_t* in = in_.data();
    return {{"reduce",
             [=, this](cudaStream_t on) {
               return compaction::reduce(in, result_.data(), n_, Sum<uint32_t>(), workspace_, on);
             }},
            {"inclusive_scan",
             [=, this](cudaStream_t on) {
               return compaction::inclusive_scan(in, a_.data(), n_, Sum<uint32_t>(), workspace_,
                                                 on);
             }},
            {"select_if",
             [=, this](cudaStream_t on) {
               return compaction::select_if(in, a_.data(), {count_.data()}, n_, kBelowHalf,
                                            workspace_, on);
             }},
            {"partition_if",
             [=, this](cudaStream_t on) {
               return compaction::partition_if(in, a_.data(), b_.data(), {count_.data()}, n_,
                                               kBelowHalf, workspace_, on);
             }},
            {"partition_in_one_if",
             [=, this](cudaStream_t on) {
               return compaction::partition_in_one_if(in, a_.data(), count_.data(), n_, kBelowHalf,
                                                      workspace_, on);
             }},
            {"partition_in_one_reversed_if", [=, this](cudaStream_t on) {
               return compaction::partition_in_one_reversed_if(in, a_.data(), {count_.data()}, n_,
                                                               kBelowHalf, workspace_, on);
             }}};
  }

  void clear() {
    for (Array<uint32_t>* array : {&a_, &b_})
      check(cudaMemset(array->data(), 0, n_.capacity * sizeof(uint32_t)));
    check(cudaMemset(result_.data(), 0, sizeof(uint32_t)));
    check(cudaMemset(count_.data(), 0, sizeof(uint64_t)));
    check(cudaDeviceSynchronize());
  }
  std::vector<uint32_t> read() const {
    std::vector<uint32_t> all = a_.read();
    for (const std::vector<uint32_t>& more : {b_.read(), result_.read()})
      all.insert(all.end(), more.begin(), more.end());
    all.push_back(uint32_t(count_.read()[0]));
    return all;
  }

 private:
  ItemCount n_;
  Array<uint32_t> in_, a_, b_, result_;
  Array<uint64_t> count_;
  Workspace workspace_;
};

class ForwardProgress : public OnGpu {};

/// Runs every function beside a kernel on `occupied` multiprocessors.
void expect_progress(int occupied) {
  for (unsigned bits = 10; bits <= full_or_small(24u, 14u); bits += 2)
    for (uint64_t n : {(uint64_t(1) << bits), (uint64_t(1) << bits) + 1}) {
      Calls calls(n);
      for (const Calls::Named& function : calls.all()) {
        SCOPED_TRACE(function.name + " of " + std::to_string(n) + " items beside " +
                     std::to_string(occupied) + " multiprocessors");
        Stream on;
        // The first call also loads the kernel, which may wait until the device is idle.
        calls.clear();
        check(function.call(on.stream));
        check(cudaStreamSynchronize(on.stream));
        const std::vector<uint32_t> expected = calls.read();
        calls.clear();
        {
          Occupied rest(occupied);
          check(function.call(on.stream));
          EXPECT_TRUE(wait_until([&] { return cudaStreamQuery(on.stream) == cudaSuccess; }))
              << "does not finish";
        }
        check(cudaStreamSynchronize(on.stream));
        ASSERT_TRUE(calls.read() == expected);
        if (testing::Test::HasFailure()) return;  // each further failure takes seconds
      }
    }
}

TEST_P(ForwardProgress, BesideAKernelOnHalfOfTheDevice) {
  expect_progress(attribute(cudaDevAttrMultiProcessorCount) / 2);
}

TEST_P(ForwardProgress, BesideAKernelThatLeavesOneMultiprocessor) {
  expect_progress(attribute(cudaDevAttrMultiProcessorCount) - 1);
}

/// Returns a function of the driver, which the test is not linked with.
template <class Function>
Function* driver_function(const char* name, Function*) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  constexpr unsigned kVersion = 12050;  // the first with streams of green contexts
  const cudaError_t status =
      cudaGetDriverEntryPointByVersion(name, &function, kVersion, cudaEnableDefault, &found);
  const bool has_it = status == cudaSuccess && found == cudaDriverEntryPointSuccess;
  return has_it ? reinterpret_cast<Function*>(function) : nullptr;
}
#define DRIVER_FUNCTION(name) driver_function(#name, &name)

/// A stream whose kernels may use a few multiprocessors only.
class GreenStream {
 public:
  /// Makes no stream if the driver has no green contexts.
  explicit GreenStream(unsigned multiprocessors) {
    const auto get_resource = DRIVER_FUNCTION(cuDeviceGetDevResource);
    const auto split = DRIVER_FUNCTION(cuDevSmResourceSplitByCount);
    const auto describe = DRIVER_FUNCTION(cuDevResourceGenerateDesc);
    const auto create = DRIVER_FUNCTION(cuGreenCtxCreate);
    const auto create_stream = DRIVER_FUNCTION(cuGreenCtxStreamCreate);
    destroy_ = DRIVER_FUNCTION(cuGreenCtxDestroy);
    if (!get_resource || !split || !describe || !create || !create_stream || !destroy_) return;
    int device = 0;
    check(cudaGetDevice(&device));
    check(cudaFree(nullptr));
    CUdevResource all, few, rest;
    unsigned groups = 1;
    CUdevResourceDesc description;
    EXPECT_EQ(get_resource(device, &all, CU_DEV_RESOURCE_TYPE_SM), CUDA_SUCCESS);
    EXPECT_EQ(split(&few, &groups, &all, &rest, 0, multiprocessors), CUDA_SUCCESS);
    EXPECT_EQ(describe(&description, &few, 1), CUDA_SUCCESS);
    EXPECT_EQ(create(&context_, description, device, CU_GREEN_CTX_DEFAULT_STREAM), CUDA_SUCCESS);
    CUstream made = nullptr;
    EXPECT_EQ(create_stream(&made, context_, CU_STREAM_NON_BLOCKING, 0), CUDA_SUCCESS);
    multiprocessors_ = few.sm.smCount;
    stream_ = made;
  }
  ~GreenStream() {
    if (!stream_) return;
    cudaStreamDestroy(stream_);
    destroy_(context_);
  }
  cudaStream_t stream() const { return stream_; }
  unsigned multiprocessors() const { return multiprocessors_; }

 private:
  decltype(&cuGreenCtxDestroy) destroy_ = nullptr;
  CUgreenCtx context_ = nullptr;
  cudaStream_t stream_ = nullptr;
  unsigned multiprocessors_ = 0;
};

/// Calls launch as many blocks as the whole device holds. In a green context only some of them are
/// resident.
TEST_P(ForwardProgress, InAGreenContextOfAFewMultiprocessors) {
  const GreenStream green(8);
  if (!green.stream()) GTEST_SKIP() << "the driver has no green contexts";
  ASSERT_LT(green.multiprocessors(), unsigned(attribute(cudaDevAttrMultiProcessorCount)));
  for (unsigned bits = 10; bits <= full_or_small(24u, 14u); bits += 7) {
    Calls calls(uint64_t(1) << bits);
    for (const Calls::Named& function : calls.all()) {
      SCOPED_TRACE(function.name + " of 2^" + std::to_string(bits) + " items");
      Stream whole;
      calls.clear();
      check(function.call(whole.stream));
      check(cudaStreamSynchronize(whole.stream));
      const std::vector<uint32_t> expected = calls.read();
      calls.clear();
      check(function.call(green.stream()));
      EXPECT_TRUE(wait_until([&] { return cudaStreamQuery(green.stream()) == cudaSuccess; }))
          << "does not finish";
      check(cudaStreamSynchronize(green.stream()));
      ASSERT_TRUE(calls.read() == expected);
      if (HasFailure()) return;
    }
  }
}

/// A stream of high priority takes multiprocessors from one of low priority between blocks, again
/// and again.
TEST_P(ForwardProgress, OnStreamsThatPreemptEachOther) {
  int lowest = 0, highest = 0;
  check(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
  cudaStream_t low = nullptr, high = nullptr;
  check(cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, lowest));
  check(cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, highest));
  const uint64_t n = uint64_t(1) << full_or_small(24u, 14u), few = uint64_t(1) << 16;
  Calls large(n), small(few);
  const std::vector<Calls::Named> on_low = large.all(), on_high = small.all();
  for (size_t i = 0; i < on_low.size(); ++i) {
    SCOPED_TRACE(on_low[i].name);
    large.clear();
    small.clear();
    check(on_low[i].call(low));
    check(on_high[i].call(high));
    check(cudaDeviceSynchronize());
    const std::vector<uint32_t> expected = large.read(), expected_small = small.read();
    large.clear();
    small.clear();
    constexpr int kTimes = 20;
    for (int time = 0; time < kTimes; ++time) {
      check(on_low[i].call(low));
      for (int interruption = 0; interruption < 3; ++interruption) check(on_high[i].call(high));
    }
    EXPECT_TRUE(wait_until([&] {
      return cudaStreamQuery(low) == cudaSuccess && cudaStreamQuery(high) == cudaSuccess;
    })) << "does not finish";
    check(cudaDeviceSynchronize());
    EXPECT_TRUE(large.read() == expected);
    EXPECT_TRUE(small.read() == expected_small);
    if (HasFailure()) break;
  }
  cudaStreamDestroy(low);
  cudaStreamDestroy(high);
}

/// A structure of bytes that one vector access moves.
template <unsigned kBytes>
struct alignas(kBytes) AlignedBytes {
  uint8_t bytes[kBytes];
};
struct HasOddSum {
  template <class T>
  __host__ __device__ bool operator()(const T& item) const {
    unsigned sum = 0;
    for (uint8_t byte : item.bytes) sum = 31 * sum + byte;
    return sum % 2 == 1;
  }
};

/// Expects that the stack frames of kernels fit into the stack that the device has anyway.
/// Otherwise the first launch allocates local memory, and waits for all kernels.
template <class... Kernel>
void expect_small_frames() {
  size_t stack = 0;
  ASSERT_EQ(cudaDeviceGetLimit(&stack, cudaLimitStackSize), cudaSuccess);
  for (const auto run : {reinterpret_cast<const void*>(simt::cuda::run<Kernel>)...}) {
    cudaFuncAttributes kernel{};
    ASSERT_EQ(cudaFuncGetAttributes(&kernel, run), cudaSuccess);
    EXPECT_LE(kernel.localSizeBytes, stack / 2);
  }
}
template <class T>
void expect_small_frames_of_select() {
  using namespace compaction;
  using Job = SelectJob<ItemsIf<T, HasOddSum>, WriteItems<T>>;
  expect_small_frames<TileWave<Job, kOneTile<Job>>, TileWave<Job, kFewTiles<Job>>,
                      TileWave<Job, kWaveTiles<Job>>, TilePipeline<Job, kLargeTiles<Job>>>();
}

TEST_P(ForwardProgress, SelectsOfStructuresOfBytesNeedLittleLocalMemory) {
  expect_small_frames_of_select<AlignedBytes<4>>();
  expect_small_frames_of_select<AlignedBytes<16>>();
}

INSTANTIATE_TEST_SUITE_P(Gpu, ForwardProgress, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
