// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "compaction/cuda.cuh"
#include "compaction/device_loop.cuh"
#include "tests/compaction/support/cuda_arrays.cuh"
#include "tests/compaction/support/small_tests.h"

// Tests that every function does the same in a loop of the device as in a loop of the host.

namespace {

using compaction::LoopIteration;
using compaction::LoopState;
using compaction::ScanKind;
using compaction::SelectedCount;
using compaction::Storage;

class CudaLoopFunctions : public OnGpu {};

struct LowBits {
  __host__ __device__ unsigned operator()(uint32_t item) const { return item % 16; }
};
struct Squared {
  __host__ __device__ uint32_t operator()(uint32_t item) const { return item * item; }
};

/// Adds to `*digest` a number that depends on the values, their places and the iteration. Changes
/// nothing if the iteration has no items.
__global__ void add_to_digest(const uint32_t* values, ItemCount n, ItemCount items,
                              const LoopState* state, uint32_t output, unsigned long long* digest) {
  if (items() == 0) return;
  for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n(); i += gridDim.x * blockDim.x) {
    uint64_t word = (i * 64 + output) * 1024 + state->iterations;
    word = (word ^ uint64_t(values[i]) << 32) * 0x9E3779B97F4A7C15u;
    atomicAdd(digest, (word ^ word >> 29) * 0xBF58476D1CE4E5B9u);
  }
}

/// Calls each function on the items of an iteration, keeps the items with one more bit clear for
/// the next one, and adds all results to a digest.
class EveryFunction {
 public:
  explicit EveryFunction(uint64_t n)
      : n_(n), items_(random_numbers(n, 3)), a_(n), b_(n), state_(1), digest_(1) {
    std::vector<uint8_t> flags(n), begins(n);
    std::vector<uint32_t> keys(n), mask(n / 32 + 1);
    for (uint64_t i = 0; i < n; ++i) {
      flags[i] = items_[i] % 3 == 0;
      begins[i] = items_[i] % 7 == 0;
      keys[i] = uint32_t(i / 5 % 11);
      mask[i / 32] ^= items_[i] >> 9;
    }
    if (n == 0) return;
    flags_.emplace_back(flags);
    flags_.emplace_back(begins);
    keys_.emplace_back(keys);
    keys_.emplace_back(mask);
  }

  /// Returns the digest of all results of the loop that `run(loop, body)` runs on a stream.
  template <class Run>
  uint64_t digest(const Storage& storage, Run run) {
    a_.write(items_);
    digest_.write({0});
    check(cudaDeviceSynchronize());
    run(compaction::DeviceLoop{.state = state_.data(), .capacity = n_, .first = n_, .limit = 12},
        [&](cudaStream_t stream, const LoopIteration& i) { enqueue(stream, i, storage); });
    check(cudaDeviceSynchronize());
    return digest_.read()[0];
  }
  uint64_t iterations() const { return state_.read()[0].iterations; }

  /// Bytes of workspace, or of temporary storage, for any of the calls.
  static size_t bytes(uint64_t n) { return compaction::bytes_for<uint32_t>(n) + 4096; }

 private:
  struct Output {
    const uint32_t* values;
    ItemCount n;
  };

  void enqueue(cudaStream_t stream, const LoopIteration& i, const Storage& storage) {
    const uint32_t* in = (i.from == 0 ? a_ : b_).data();
    uint32_t* next = (i.from == 0 ? b_ : a_).data();
    const uint8_t *flags = flags_[0].data(), *begins = flags_[1].data();
    const uint32_t *keys = keys_[0].data(), *mask = keys_[1].data();
    const ItemCount n = i.n;
    const Sum<uint32_t> sum;
    std::vector<Output> outputs;
    used_ = 0;
    const auto all = [&](uint32_t* out) { outputs.push_back({out, n}); };
    const auto some = [&](uint32_t* out, const uint32_t* count) {
      outputs.push_back({out, {n_, count}});
    };
    const auto one = [&](uint32_t* out) { outputs.push_back({out, 1}); };
    uint32_t *out, *other, *count;

    check(compaction::select_if(in, next, i.count, n, BitIsClear{&i.state->iterations}, storage,
                                stream));
    outputs.push_back({next, {n_, static_cast<const uint64_t*>(&i.state->counts[i.to])}});

    check(
        compaction::select_flagged(in, flags, out = array(), count = array(), n, storage, stream));
    some(out, count);
    check(compaction::select_flagged_if(in, keys, out = array(), count = array(), n, Below(4),
                                        storage, stream));
    some(out, count);
    check(compaction::select_masked(in, mask, out = array(), count = array(), n, storage, stream));
    some(out, count);
    check(compaction::select(compaction::Flagged{flags},
                             compaction::WriteIndices<uint32_t>(out = array()), n,
                             SelectedCount{count = array()}, storage, stream));
    some(out, count);
    check(compaction::partition_if(in, out = array(), other = array(), count = array(), n,
                                   kBelowHalf, storage, stream));
    some(out, count);
    check(compaction::partition_in_one_reversed_if(in, out = array(), count = array(), n,
                                                   kBelowHalf, storage, stream));
    all(out);
    check(compaction::partition_in_one_if(in, out = array(), count = array(), n, kBelowHalf,
                                          storage, stream));
    all(out);
    check(compaction::split_by<16>(in, out = array(), {other = array(17)}, n, LowBits{}, storage,
                                   stream));
    all(out);
    outputs.push_back({other, 17});
    check(compaction::split_indices<16>(keys, out = array(), {other = array(17)}, n, storage,
                                        stream));
    all(out);

    check(compaction::reduce(in, out = array(1), n, sum, storage, stream));
    one(out);
    check(compaction::reduce_loaded(
        compaction::Transformed<compaction::Items<uint32_t>, Squared>{{in}, {}}, out = array(1), n,
        sum, storage, stream));
    one(out);
    check(compaction::inclusive_scan(in, out = array(), n, sum, storage, stream, 5u,
                                     other = array(1)));
    all(out);
    one(other);
    check(compaction::exclusive_scan(in, out = array(), n, sum, storage, stream));
    all(out);
    check(compaction::scan_loaded<ScanKind::kInclusive>(
        compaction::Items<uint32_t>{in}, compaction::StoreItems<uint32_t>{out = array()}, n, sum,
        3u, storage, stream));
    all(out);
    check(compaction::segmented_scan<ScanKind::kExclusive>(
        compaction::Items<uint32_t>{in}, compaction::BeginsAtFlag{begins}, out = array(), n, sum,
        0u, storage, stream));
    all(out);
    check(compaction::scan_by_key<ScanKind::kInclusive>(keys, in, out = array(), n, sum, storage,
                                                        stream));
    all(out);

    check(compaction::unique(keys, out = array(), count = array(), n, storage, stream));
    some(out, count);
    check(compaction::run_length_encode(keys, out = array(), other = array(), count = array(), n,
                                        storage, stream));
    some(out, count);
    some(other, count);
    check(compaction::reduce_by_key(keys, in, out = array(), other = array(), count = array(), n,
                                    sum, storage, stream));
    some(out, count);
    some(other, count);
    check(compaction::segmented_reduce(begins, in, out = array(), count = array(), n, sum, storage,
                                       stream));
    some(out, count);

    for (uint32_t output = 0; output < outputs.size(); ++output)
      add_to_digest<<<8, 256, 0, stream>>>(outputs[output].values, outputs[output].n, n, i.state,
                                           output,
                                           reinterpret_cast<unsigned long long*>(digest_.data()));
    check(cudaPeekAtLastError());
  }

  /// Returns an array that no other output of the iteration uses. All iterations use the same ones:
  /// nothing may be allocated while a loop is recorded.
  uint32_t* array(uint64_t size = 0) {
    if (used_ == arrays_.size()) arrays_.emplace_back(std::max<uint64_t>({size, n_, 1}));
    return arrays_[used_++].data();
  }

  uint64_t n_;
  std::vector<uint32_t> items_;
  Array<uint32_t> a_, b_;
  Array<LoopState> state_;
  Array<uint64_t> digest_;
  std::deque<Array<uint8_t>> flags_;
  std::deque<Array<uint32_t>> keys_, arrays_;
  size_t used_ = 0;
};

TEST_P(CudaLoopFunctions, DoTheSameInALoopOfTheDeviceAsOfTheHost) {
  for (uint64_t n : {1u, 31u, 5000u, 70'000u, 6'000'000u}) {
    if (small_tests() && n > 100'000) continue;
    SCOPED_TRACE(testing::Message() << n << " items");
    EveryFunction every(n);
    Workspace workspace;
    size_t temp_bytes = EveryFunction::bytes(n);
    Array<std::byte> temp(temp_bytes);
    check(workspace.reserve(temp_bytes));

    const Storage storages[] = {workspace, Storage(temp.data(), temp_bytes)};
    const auto by_host = [](const auto& loop, auto body) {
      check(compaction::unrolled_loop(nullptr, loop, body));
    };
    const uint64_t expected = every.digest(storages[0], by_host);
    const uint64_t iterations = every.iterations();
    EXPECT_EQ(every.digest(storages[1], by_host), expected);

    if (small_tests() || !compaction::has_device_loops()) continue;
    for (const Storage& storage : storages) {
      SCOPED_TRACE(storage.temp_bytes ? "temporary storage" : "workspace");
      for (int launches = 1; launches <= 2; ++launches) {
        const uint64_t got = every.digest(storage, [&](const auto& loop, auto body) {
          compaction::Graph graph;
          check(graph.record(
              [&](cudaStream_t stream) { return compaction::device_loop(stream, loop, body); }));
          check(graph.launch(nullptr));
          check(cudaDeviceSynchronize());
        });
        EXPECT_EQ(got, expected);
        EXPECT_EQ(every.iterations(), iterations);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, CudaLoopFunctions, testing::Values("cuda"),
                         [](const auto& info) { return info.param; });

}  // namespace
