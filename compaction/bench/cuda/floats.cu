// SPDX-License-Identifier: MIT
// Sums of floats: the library's, which have the same bits in every call, beside CUB's fastest ones
// and those that CUB 3.5 and newer give with a requirement.

#include <cmath>
#include <cstring>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>
#include <cuda/std/functional>
#include <memory>
#include <string>
#include <vector>

#include "compaction/bench/cuda/chunk_walk.cuh"
#include "compaction/bench/cuda/contenders.cuh"
#include "compaction/bench/traffic.h"

#define BENCH_CUB_REQUIREMENTS (CUB_VERSION >= 300500)
#if BENCH_CUB_REQUIREMENTS
#include <cuda/execution.determinism.h>
#include <cuda/execution.require.h>

#include <cuda/std/execution>
#include <cuda/stream_ref>
#endif

namespace compaction::bench {
namespace {

/// Uniform in (0, 1), with 24 bits.
struct Fraction {
  SIMT_HOST_DEVICE float operator()(uint64_t i) const {
    return (float(random_bits(i) >> 40) + 0.5f) * 0x1p-24f;
  }
};

/// Compares sums before each item, or the sum of all items, with sums of doubles.
template <class T>
struct FloatWalk {
  using Total = double;

  const T* out = nullptr;

  SIMT_HOST_DEVICE Total zero() const { return 0; }
  SIMT_HOST_DEVICE Total combine(Total a, Total b) const { return a + b; }
  SIMT_HOST_DEVICE void add(uint64_t item, Total& total) const { total += Fraction()(item); }
  SIMT_HOST_DEVICE bool right(uint64_t item, Total before) const {
    return near(double(out[item]), before);
  }
  /// Whether a sum of numbers in (0, 1) is right to four digits, far more than any order loses.
  SIMT_HOST_DEVICE static bool near(double sum, double expected) {
    return std::fabs(sum - expected) <= 1e-4 * (1 + expected);
  }
};

/// A hash of the bits of [n] items, which does not depend on the order of its threads.
template <class T>
__global__ void hash_bits(const T* items, uint64_t n, unsigned long long* hash) {
  unsigned long long sum = 0;
  for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < n;
       i += uint64_t(gridDim.x) * blockDim.x) {
    uint64_t bits = 0;
    memcpy(&bits, items + i, sizeof(T));
    sum += random_bits(bits ^ random_bits(i));
  }
  atomicAdd(hash, sum);
}

/// Sums of `n` fractions: [n], before each of them, or [1], of all.
template <class T>
class FloatSums : public Result {
 public:
  FloatSums(uint64_t n, bool is_scan, bool has_same_bits)
      : items(is_scan ? n : 1), n_(n), is_scan_(is_scan), has_same_bits_(has_same_bits) {}

  void poison() override { items.fill(0xA5); }
  std::string error() const override {
    const FloatWalk<T> walk{items.data()};
    if (is_scan_) {
      if (std::string error = walk_error(walk, n_); !error.empty()) return error;
    } else if (!walk.near(double(items.read()[0]), ChunkTotals<FloatWalk<T>>(walk, n_).all())) {
      return "the sum is wrong";
    }
    if (!has_same_bits_) return "";
    DeviceArray<unsigned long long> hash(std::vector<unsigned long long>{0});
    hash_bits<<<kBlocks, kBlockSize>>>(items.data(), items.size(), hash.data());
    check(cudaGetLastError());
    const unsigned long long bits = hash.read()[0];
    if (first_bits_ == 0) first_bits_ = bits;
    return bits == first_bits_ ? "" : "its bits differ from those of an earlier call";
  }

  DeviceArray<T> items;

 private:
  uint64_t n_;
  bool is_scan_, has_same_bits_;
  mutable unsigned long long first_bits_ = 0;  ///< a hash; 0: not known yet
};

#if BENCH_CUB_REQUIREMENTS
/// A function of CUB with a requirement. It takes its memory from the stream's pool.
template <class T, class Requirement, class Call>
Contender required_contender(const char* name, uint64_t n, bool is_scan, Requirement requirement,
                             cudaStream_t stream, Call call) {
  auto result = std::make_shared<FloatSums<T>>(n, is_scan, true);
  return {name,
          [=] {
            const cuda::std::execution::env environment{cuda::stream_ref(stream),
                                                        cuda::execution::require(requirement)};
            check(call(result->items.data(), environment));
          },
          result};
}

/// Lets the pool of the device keep its memory: otherwise CUB's calls allocate it anew.
void keep_freed_memory() {
  cudaMemPool_t pool = nullptr;
  uint64_t kept_bytes = ~uint64_t(0);
  check(cudaDeviceGetDefaultMemPool(&pool, 0));
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept_bytes));
}
#endif

template <class T>
std::vector<Contender> scan_contenders(const Session& session, Task& task) {
  const cudaStream_t stream = session.stream();
  const uint64_t n = task.n;
  auto in = new_array<T>(n, Fraction());
  task.bytes = scan_traffic(n, sizeof(T));
  const auto sums = [&](bool same) { return std::make_shared<FloatSums<T>>(n, true, same); };
  std::vector<Contender> all;
  all.push_back(fast_path(sums(true), [=](auto& to, const Storage& storage) {
    return exclusive_scan(in->data(), to.items.data(), ItemCount{n}, Sum<T>(), storage, stream);
  }));
  all.push_back(cub_contender(sums(false), [=](auto& to, void* temp, size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(temp, bytes, in->data(), to.items.data(), int(n), stream);
  }));
#if BENCH_CUB_REQUIREMENTS
  all.push_back(
      required_contender<T>("cub run_to_run", n, true, cuda::execution::determinism::run_to_run,
                            stream, [=](T* out, const auto& environment) {
                              return cub::DeviceScan::ExclusiveScan(
                                  in->data(), out, cuda::std::plus<>(), T(0), int(n), environment);
                            }));
#endif
  all.push_back(memcpy_contender(session, task));
  return all;
}

template <class T>
std::vector<Contender> reduce_contenders(const Session& session, Task& task) {
  const cudaStream_t stream = session.stream();
  const uint64_t n = task.n;
  auto in = new_array<T>(n, Fraction());
  task.bytes = reduce_traffic(n, sizeof(T));
  const auto sums = [&](bool same) { return std::make_shared<FloatSums<T>>(n, false, same); };
  std::vector<Contender> all;
  all.push_back(fast_path(sums(true), [=](auto& to, const Storage& storage) {
    return reduce(in->data(), to.items.data(), n, Sum<T>(), storage, stream);
  }));
  all.push_back(cub_contender(sums(false), [=](auto& to, void* temp, size_t& bytes) {
    return cub::DeviceReduce::Sum(temp, bytes, in->data(), to.items.data(), int(n), stream);
  }));
#if BENCH_CUB_REQUIREMENTS
  const auto required = [&](const char* name, auto requirement) {
    all.push_back(required_contender<T>(
        name, n, false, requirement, stream, [=](T* out, const auto& environment) {
          return cub::DeviceReduce::Reduce(in->data(), out, int(n), cuda::std::plus<>(), T(0),
                                           environment);
        }));
  };
  required("cub run_to_run", cuda::execution::determinism::run_to_run);
  // In CUB 3.5.0, sums of 2^30 such floats with gpu_to_gpu are wrong by more than 1e-4.
  constexpr uint64_t kMaxGpuToGpu = uint64_t(1) << 28;
  if (n <= kMaxGpuToGpu) required("cub gpu_to_gpu", cuda::execution::determinism::gpu_to_gpu);
#endif
  all.push_back(memcpy_contender(session, task));
  return all;
}

template <class T>
void race_sums(Session& session, const char* scan, const char* reduction) {
  for (uint64_t n : session.options().sizes) {
    session.race({.suite = "floats", .operation = scan, .item_bytes = sizeof(T), .n = n},
                 [&](Task& task) { return scan_contenders<T>(session, task); });
    session.race({.suite = "floats", .operation = reduction, .item_bytes = sizeof(T), .n = n},
                 [&](Task& task) { return reduce_contenders<T>(session, task); });
  }
  session.save();
}

}  // namespace

void bench_floats(Session& session) {
#if BENCH_CUB_REQUIREMENTS
  keep_freed_memory();
#endif
  race_sums<float>(session, "exclusive_scan_float", "reduce_float");
  race_sums<double>(session, "exclusive_scan_double", "reduce_double");
}

}  // namespace compaction::bench
