// SPDX-License-Identifier: MIT
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/std/functional>
#include <memory>
#include <string>
#include <vector>

#include "compaction/bench/cuda/chunk_walk.cuh"
#include "compaction/bench/cuda/contenders.cuh"
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

enum class RunValue { kNone, kLength, kSum };

struct RunIsRight {
  const uint32_t* keys;    ///< [run]
  const uint32_t* values;  ///< [run]
  uint64_t n;
  uint32_t length;
  RunValue value;

  SIMT_HOST_DEVICE bool operator()(uint64_t run) const {
    const uint64_t begin = run * length, end = begin + length < n ? begin + length : n;
    bool right = keys[run] == run;
    if (value == RunValue::kLength) right = right && values[run] == end - begin;
    if (value == RunValue::kSum)
      right = right && values[run] == sum_before(end) - sum_before(begin);
    return right;
  }
};

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
    return wrong_count_error(
        keys.size(), RunIsRight{keys.data(), values.data(), n_, length_, value_}, "runs are wrong");
  }

  DeviceArray<uint32_t> keys, values, count;

 private:
  uint64_t n_;
  uint32_t length_;
  RunValue value_;
};

/// Whether a sum is right: the sum of the SmallNumbers of its run up to it.
struct SumIsRight {
  const uint32_t* sums;  ///< [item]
  uint32_t length;

  SIMT_HOST_DEVICE bool operator()(uint64_t i) const {
    return sums[i] == sum_before(i + 1) - sum_before(i / length * length);
  }
};

class SumsResult : public Result {
 public:
  SumsResult(uint64_t n, uint32_t length) : sums(n), length_(length) {}

  void poison() override { sums.fill(0xFF); }
  std::string error() const override {
    return wrong_count_error(sums.size(), SumIsRight{sums.data(), length_}, "sums are wrong");
  }

  DeviceArray<uint32_t> sums;

 private:
  uint32_t length_;
};

std::vector<Contender> unique_contenders(const Session& session, Task& task, uint32_t length) {
  cudaStream_t stream = session.stream();
  auto in = new_array<uint32_t>(task.n, KeyOfRun{length});
  auto result = [&] { return std::make_shared<RunsResult>(task.n, length, RunValue::kNone); };
  task.bytes = select_traffic(task.n, simt::ceil_div(task.n, length), sizeof(uint32_t));
  auto call = [=](RunsResult& to, const Storage& storage) {
    return unique(in->data(), to.keys.data(), to.count.data(), task.n, storage, stream);
  };
  auto call_cub = [=](RunsResult& to, void* temp, size_t& bytes) {
    return cub::DeviceSelect::Unique(temp, bytes, in->data(), to.keys.data(), to.count.data(),
                                     int(task.n), stream);
  };
  return {fast_path(result(), call), cub_contender(result(), call_cub),
          memcpy_contender(session, task)};
}

std::vector<Contender> length_contenders(const Session& session, Task& task, uint32_t length) {
  cudaStream_t stream = session.stream();
  auto in = new_array<uint32_t>(task.n, KeyOfRun{length});
  auto result = [&] { return std::make_shared<RunsResult>(task.n, length, RunValue::kLength); };
  task.bytes =
      runs_traffic(task.n, simt::ceil_div(task.n, length), sizeof(uint32_t), 0, sizeof(uint32_t));
  auto call = [=](RunsResult& to, const Storage& storage) {
    return run_length_encode(in->data(), to.keys.data(), to.values.data(), to.count.data(), task.n,
                             storage, stream);
  };
  auto call_cub = [=](RunsResult& to, void* temp, size_t& bytes) {
    return cub::DeviceRunLengthEncode::Encode(temp, bytes, in->data(), to.keys.data(),
                                              to.values.data(), to.count.data(), int(task.n),
                                              stream);
  };
  return {fast_path(result(), call), cub_contender(result(), call_cub),
          memcpy_contender(session, task)};
}

std::vector<Contender> sum_contenders(const Session& session, Task& task, uint32_t length) {
  cudaStream_t stream = session.stream();
  auto in = new_array<uint32_t>(task.n, KeyOfRun{length});
  auto values = new_array<uint32_t>(task.n, SmallNumber());
  auto result = [&] { return std::make_shared<RunsResult>(task.n, length, RunValue::kSum); };
  constexpr uint64_t kBytes = sizeof(uint32_t);
  task.bytes = runs_traffic(task.n, simt::ceil_div(task.n, length), kBytes, kBytes, kBytes);
  auto call = [=](RunsResult& to, const Storage& storage) {
    return reduce_by_key(in->data(), values->data(), to.keys.data(), to.values.data(),
                         to.count.data(), task.n, Sum<uint32_t>(), storage, stream);
  };
  auto call_cub = [=](RunsResult& to, void* temp, size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(temp, bytes, in->data(), to.keys.data(), values->data(),
                                          to.values.data(), to.count.data(), Sum<uint32_t>(),
                                          int(task.n), stream);
  };
  return {fast_path(result(), call), cub_contender(result(), call_cub),
          memcpy_contender(session, task)};
}

std::vector<Contender> scan_contenders(const Session& session, Task& task, uint32_t length) {
  cudaStream_t stream = session.stream();
  auto in = new_array<uint32_t>(task.n, KeyOfRun{length});
  auto values = new_array<uint32_t>(task.n, SmallNumber());
  auto result = [&] { return std::make_shared<SumsResult>(task.n, length); };
  task.bytes = scan_traffic(task.n, sizeof(uint32_t)) + task.n * sizeof(uint32_t);
  auto call = [=](SumsResult& to, const Storage& storage) {
    return scan_by_key<ScanKind::kInclusive>(in->data(), values->data(), to.sums.data(), task.n,
                                             Sum<uint32_t>(), storage, stream);
  };
  auto call_cub = [=](SumsResult& to, void* temp, size_t& bytes) {
    return cub::DeviceScan::InclusiveSumByKey(temp, bytes, in->data(), values->data(),
                                              to.sums.data(), int(task.n),
                                              ::cuda::std::equal_to<>(), stream);
  };
  return {fast_path(result(), call), cub_contender(result(), call_cub),
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
