// SPDX-License-Identifier: MIT
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/std/functional>
#include <memory>
#include <string>
#include <vector>

#include "compaction/bench/cuda/contenders.cuh"
#include "compaction/bench/cuda/suites.cuh"
#include "compaction/bench/traffic.h"
#include "compaction/runs.cuh"
#include "compaction/scan_loaded.cuh"

namespace compaction::bench {
namespace {

/// Sorted keys in runs of `length` items.
struct KeyOfRun {
  uint32_t length;
  SIMT_HOST_DEVICE uint32_t operator()(uint64_t i) const { return uint32_t(i / length); }
};
struct SmallNumber {
  SIMT_HOST_DEVICE uint32_t operator()(uint64_t i) const { return uint32_t(i % 5); }
};

/// Returns the sum of SmallNumber over [0, i).
SIMT_HOST_DEVICE inline uint32_t sum_before(uint64_t i) {
  constexpr uint32_t kPeriod = 5, kSum = 0 + 1 + 2 + 3 + 4;
  const uint32_t rest = uint32_t(i % kPeriod);
  return uint32_t(i / kPeriod) * kSum + rest * (rest - 1) / 2;
}

/// The output for a run in addition to its key.
enum class RunValue { kNone, kLength, kSum };

/// Counts the runs whose key or value is wrong.
__global__ void count_wrong_runs(const uint32_t* keys, const uint32_t* values, uint64_t n,
                                 uint32_t length, RunValue value, unsigned long long* wrong) {
  const uint64_t runs = simt::ceil_div(n, length);
  for (uint64_t run = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; run < runs;
       run += uint64_t(gridDim.x) * blockDim.x) {
    const uint64_t begin = run * length, end = begin + length < n ? begin + length : n;
    bool right = keys[run] == run;
    if (value == RunValue::kLength) right = right && values[run] == end - begin;
    if (value == RunValue::kSum)
      right = right && values[run] == sum_before(end) - sum_before(begin);
    if (!right) atomicAdd(wrong, 1ull);
  }
}

/// Keys, values and number of the runs of n items.
class RunsResult : public Result {
 public:
  RunsResult(uint64_t n, uint32_t length, RunValue value)
      : keys(simt::ceil_div(n, length)),
        values(keys.size()),
        count(1),
        n_(n),
        length_(length),
        value_(value) {}

  void poison() override {
    keys.fill(0xFF);
    values.fill(0xFF);
    count.fill(0xFF);
  }
  std::string error() const override {
    if (count.read()[0] != keys.size()) return "the number of runs is wrong";
    constexpr unsigned kBlocks = 2048, kBlockSize = 256;
    DeviceArray<unsigned long long> wrong(std::vector<unsigned long long>{0});
    count_wrong_runs<<<kBlocks, kBlockSize>>>(keys.data(), values.data(), n_, length_, value_,
                                              wrong.data());
    check(cudaGetLastError());
    const unsigned long long runs = wrong.read()[0];
    return runs == 0 ? "" : std::to_string(runs) + " runs are wrong";
  }

  DeviceArray<uint32_t> keys, values, count;

 private:
  uint64_t n_;
  uint32_t length_;
  RunValue value_;
};

/// Counts the items whose sum is wrong: the sum of the SmallNumbers of their run up to them.
__global__ void count_wrong_sums(const uint32_t* sums, uint64_t n, uint32_t length,
                                 unsigned long long* wrong) {
  for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < n;
       i += uint64_t(gridDim.x) * blockDim.x)
    if (sums[i] != sum_before(i + 1) - sum_before(i / length * length)) atomicAdd(wrong, 1ull);
}

/// Inclusive sums of the runs of n items.
class SumsResult : public Result {
 public:
  SumsResult(uint64_t n, uint32_t length) : sums(n), length_(length) {}

  void poison() override { sums.fill(0xFF); }
  std::string error() const override {
    constexpr unsigned kBlocks = 2048, kBlockSize = 256;
    DeviceArray<unsigned long long> wrong(std::vector<unsigned long long>{0});
    count_wrong_sums<<<kBlocks, kBlockSize>>>(sums.data(), sums.size(), length_, wrong.data());
    check(cudaGetLastError());
    const unsigned long long items = wrong.read()[0];
    return items == 0 ? "" : std::to_string(items) + " sums are wrong";
  }

  DeviceArray<uint32_t> sums;

 private:
  uint32_t length_;
};

std::shared_ptr<DeviceArray<uint32_t>> keys_in_runs(uint64_t n, uint32_t length) {
  auto keys = std::make_shared<DeviceArray<uint32_t>>(n);
  fill(*keys, KeyOfRun{length});
  return keys;
}

std::vector<Contender> unique_contenders(const Session& session, Task& task, uint32_t length) {
  cudaStream_t stream = session.stream();
  auto in = keys_in_runs(task.n, length);
  auto ours = std::make_shared<RunsResult>(task.n, length, RunValue::kNone);
  auto cubs = std::make_shared<RunsResult>(task.n, length, RunValue::kNone);
  task.bytes = select_traffic(task.n, ours->keys.size(), sizeof(uint32_t));
  return {fast_path(unique_bytes<uint32_t>(task.n), ours,
                    [=, n = task.n](Span<std::byte> workspace) {
                      return unique(in->data(), ours->keys.data(), {ours->count.data()}, {n},
                                    workspace, stream);
                    }),
          {kCub, cub_call([=, n = int(task.n)](void* storage, size_t& bytes) {
             return cub::DeviceSelect::Unique(storage, bytes, in->data(), cubs->keys.data(),
                                              cubs->count.data(), n, stream);
           }),
           cubs},
          memcpy_contender(session, task)};
}

std::vector<Contender> length_contenders(const Session& session, Task& task, uint32_t length) {
  cudaStream_t stream = session.stream();
  auto in = keys_in_runs(task.n, length);
  auto ours = std::make_shared<RunsResult>(task.n, length, RunValue::kLength);
  auto cubs = std::make_shared<RunsResult>(task.n, length, RunValue::kLength);
  task.bytes = runs_traffic(task.n, ours->keys.size(), sizeof(uint32_t), 0, sizeof(uint32_t));
  return {fast_path(run_length_encode_bytes<uint32_t, uint32_t>(task.n), ours,
                    [=, n = task.n](Span<std::byte> workspace) {
                      return run_length_encode(in->data(), ours->keys.data(), ours->values.data(),
                                               {ours->count.data()}, {n}, workspace, stream);
                    }),
          {kCub, cub_call([=, n = int(task.n)](void* storage, size_t& bytes) {
             return cub::DeviceRunLengthEncode::Encode(storage, bytes, in->data(),
                                                       cubs->keys.data(), cubs->values.data(),
                                                       cubs->count.data(), n, stream);
           }),
           cubs},
          memcpy_contender(session, task)};
}

std::vector<Contender> sum_contenders(const Session& session, Task& task, uint32_t length) {
  cudaStream_t stream = session.stream();
  auto in = keys_in_runs(task.n, length);
  auto values = std::make_shared<DeviceArray<uint32_t>>(task.n);
  fill(*values, SmallNumber());
  auto ours = std::make_shared<RunsResult>(task.n, length, RunValue::kSum);
  auto cubs = std::make_shared<RunsResult>(task.n, length, RunValue::kSum);
  constexpr uint64_t kBytes = sizeof(uint32_t);
  task.bytes = runs_traffic(task.n, ours->keys.size(), kBytes, kBytes, kBytes);
  using Op = Sum<uint32_t>;
  return {fast_path(reduce_by_key_bytes<uint32_t, compaction::Items<uint32_t>, Op>(task.n), ours,
                    [=, n = task.n](Span<std::byte> workspace) {
                      return reduce_by_key(in->data(), values->data(), ours->keys.data(),
                                           ours->values.data(), {ours->count.data()}, {n}, Op(),
                                           workspace, stream);
                    }),
          {kCub, cub_call([=, n = int(task.n)](void* storage, size_t& bytes) {
             return cub::DeviceReduce::ReduceByKey(storage, bytes, in->data(), cubs->keys.data(),
                                                   values->data(), cubs->values.data(),
                                                   cubs->count.data(), Op(), n, stream);
           }),
           cubs},
          memcpy_contender(session, task)};
}

std::vector<Contender> scan_contenders(const Session& session, Task& task, uint32_t length) {
  cudaStream_t stream = session.stream();
  auto in = keys_in_runs(task.n, length);
  auto values = std::make_shared<DeviceArray<uint32_t>>(task.n);
  fill(*values, SmallNumber());
  auto ours = std::make_shared<SumsResult>(task.n, length);
  auto cubs = std::make_shared<SumsResult>(task.n, length);
  task.bytes = scan_traffic(task.n, sizeof(uint32_t)) + task.n * sizeof(uint32_t);
  using Begins = BeginsRun<uint32_t, Equals>;
  return {
      fast_path(
          segmented_scan_bytes<compaction::Items<uint32_t>, Begins, Sum<uint32_t>>(task.n), ours,
          [=, n = task.n](Span<std::byte> workspace) {
            return scan_by_key<ScanKind::kInclusive>(in->data(), values->data(), ours->sums.data(),
                                                     {n}, Sum<uint32_t>(), workspace, stream);
          }),
      {kCub, cub_call([=, n = int(task.n)](void* storage, size_t& bytes) {
         return cub::DeviceScan::InclusiveSumByKey(storage, bytes, in->data(), values->data(),
                                                   cubs->sums.data(), n, ::cuda::std::equal_to<>(),
                                                   stream);
       }),
       cubs},
      memcpy_contender(session, task)};
}

}  // namespace

void bench_runs(Session& session) {
  using Contend = std::vector<Contender> (*)(const Session&, Task&, uint32_t);
  struct Operation {
    const char* name;
    Contend contenders;
  };
  constexpr Operation kOperations[] = {{"unique_runs_", unique_contenders},
                                       {"run_length_encode_", length_contenders},
                                       {"reduce_by_key_", sum_contenders},
                                       {"scan_by_key_", scan_contenders}};
  constexpr uint32_t kLengths[] = {2, 32, 1000};  // items of a run
  for (const Operation& operation : kOperations)
    for (uint64_t n : session.options().sizes)
      for (uint32_t length : kLengths)
        session.race({.suite = "runs",
                      .operation = operation.name + std::to_string(length),
                      .item_bytes = sizeof(uint32_t),
                      .n = n},
                     [&](Task& task) { return operation.contenders(session, task, length); });
}

}  // namespace compaction::bench
