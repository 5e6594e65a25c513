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
#include "compaction/bench/random_items.h"
#include "compaction/bench/traffic.h"
#include "compaction/runs.cuh"
#include "compaction/scan_loaded.cuh"

namespace compaction::bench {
namespace {

/// Where runs of equal keys begin: all runs have `length` items, or stretches of 2^14 items have
/// runs of one length each if it is 0.
struct Runs {
  static constexpr uint32_t kStretch = 1 << 14, kPeriod = 8;

  uint32_t length;

  SIMT_HOST_DEVICE static uint32_t length_in(uint64_t stretch) {
    constexpr uint32_t kLengths[kPeriod] = {1, 1000, 3, kStretch, 2, 40, kStretch, 200};
    return kLengths[stretch % kPeriod];
  }

  /// Returns the number of runs that begin in [0, i). Item i is the first of a run, or the end.
  SIMT_HOST_DEVICE uint64_t before(uint64_t i) const {
    if (length > 0) return simt::ceil_div(i, uint64_t(length));
    const uint64_t stretch = i / kStretch, period = stretch / kPeriod;
    uint64_t runs = 0, in_period = 0;
    for (uint32_t s = 0; s < kPeriod; ++s) {
      if (s == stretch % kPeriod) runs = in_period;
      in_period += simt::ceil_div(kStretch, length_in(s));
    }
    return period * in_period + runs + simt::ceil_div(uint32_t(i % kStretch), length_in(stretch));
  }
  /// Returns the first item of the run of item i.
  SIMT_HOST_DEVICE uint64_t first(uint64_t i) const {
    if (length > 0) return i - i % length;
    return i - i % kStretch % length_in(i / kStretch);
  }
  /// Returns the end of the run that begins at item `first`, if there are n items.
  SIMT_HOST_DEVICE uint64_t end(uint64_t first, uint64_t n) const {
    const uint64_t stretch = first / kStretch;
    uint64_t end = first + (length > 0 ? length : length_in(stretch));
    if (length == 0 && end > (stretch + 1) * kStretch) end = (stretch + 1) * kStretch;
    return end < n ? end : n;
  }
};

/// The key of the run with index `run`. It differs from the keys of the runs beside it.
template <class T>
SIMT_HOST_DEVICE T key_of_run(uint64_t run) {
  constexpr uint64_t kLargestPrime = sizeof(Key<T>) == 1 ? 251 : 65521;
  const auto key = Key<T>(sizeof(Key<T>) < sizeof(uint32_t) ? run % kLargestPrime : run);
  T item = random_item<T>(0);
  if constexpr (requires { item.words; })
    item.words[0] = key;
  else if constexpr (requires { item.key; })
    item.key = key;
  else
    item = key;
  return item;
}

template <class T>
struct KeyOfItem {
  Runs runs;
  SIMT_HOST_DEVICE T operator()(uint64_t i) const {
    return key_of_run<T>(runs.before(runs.first(i)));
  }
};
template <class V>
struct SmallNumber {
  SIMT_HOST_DEVICE V operator()(uint64_t i) const { return V(i % 5); }
};

/// Returns the sum of SmallNumber over [0, i).
SIMT_HOST_DEVICE inline uint64_t sum_before(uint64_t i) {
  constexpr uint64_t kPeriod = 5, kSum = 0 + 1 + 2 + 3 + 4;
  const uint64_t rest = i % kPeriod;
  return i / kPeriod * kSum + rest * (rest - 1) / 2;
}

enum class RunValue { kNone, kLength, kSum };

/// Whether what is written for a run that begins at an item is right.
template <class T, class V>
struct RunIsRight {
  const T* keys;    ///< [run]
  const V* values;  ///< [run]
  uint64_t n;
  Runs runs;
  RunValue value;

  SIMT_HOST_DEVICE bool operator()(uint64_t i) const {
    if (runs.first(i) != i) return true;
    const uint64_t run = runs.before(i), end = runs.end(i, n);
    bool right = keys[run] == key_of_run<T>(run);
    if (value == RunValue::kLength) right = right && values[run] == V(end - i);
    if (value == RunValue::kSum) right = right && values[run] == V(sum_before(end) - sum_before(i));
    return right;
  }
};

template <class T, class V = uint32_t>
class RunsResult : public Result {
 public:
  RunsResult(uint64_t n, Runs runs, RunValue value)
      : keys(runs.before(n)),
        values(value == RunValue::kNone ? 0 : keys.size()),
        count(1),
        n_(n),
        runs_(runs),
        value_(value) {}

  void poison() override {
    keys.fill(0xFF);
    values.fill(0xFF);
    count.fill(0xFF);
  }
  std::string error() const override {
    if (count.read()[0] != keys.size()) return "the number of runs is wrong";
    return wrong_count_error(n_, RunIsRight<T, V>{keys.data(), values.data(), n_, runs_, value_},
                             "runs are wrong");
  }

  DeviceArray<T> keys;
  DeviceArray<V> values;
  DeviceArray<uint32_t> count;

 private:
  uint64_t n_;
  Runs runs_;
  RunValue value_;
};

/// Whether a sum is right: the sum of the SmallNumbers of its run up to it.
struct SumIsRight {
  const uint32_t* sums;  ///< [item]
  Runs runs;

  SIMT_HOST_DEVICE bool operator()(uint64_t i) const {
    return sums[i] == uint32_t(sum_before(i + 1) - sum_before(runs.first(i)));
  }
};

class SumsResult : public Result {
 public:
  SumsResult(uint64_t n, Runs runs) : sums(n), runs_(runs) {}

  void poison() override { sums.fill(0xFF); }
  std::string error() const override {
    return wrong_count_error(sums.size(), SumIsRight{sums.data(), runs_}, "sums are wrong");
  }

  DeviceArray<uint32_t> sums;

 private:
  Runs runs_;
};

template <class T>
std::vector<Contender> unique_contenders(const Session& session, Task& task, Runs runs) {
  cudaStream_t stream = session.stream();
  auto in = new_array<T>(task.n, KeyOfItem<T>{runs});
  auto result = [&] { return std::make_shared<RunsResult<T>>(task.n, runs, RunValue::kNone); };
  task.bytes = select_traffic(task.n, runs.before(task.n), sizeof(T));
  auto call = [=](RunsResult<T>& to, const Storage& storage) {
    return unique(in->data(), to.keys.data(), to.count.data(), task.n, storage, stream);
  };
  auto call_cub = [=](RunsResult<T>& to, void* temp, size_t& bytes) {
    return cub::DeviceSelect::Unique(temp, bytes, in->data(), to.keys.data(), to.count.data(),
                                     int(task.n), stream);
  };
  return {fast_path(result(), call), cub_contender(result(), call_cub),
          memcpy_contender(session, task)};
}

template <class T>
std::vector<Contender> length_contenders(const Session& session, Task& task, Runs runs) {
  cudaStream_t stream = session.stream();
  auto in = new_array<T>(task.n, KeyOfItem<T>{runs});
  auto result = [&] { return std::make_shared<RunsResult<T>>(task.n, runs, RunValue::kLength); };
  task.bytes = runs_traffic(task.n, runs.before(task.n), sizeof(T), 0, sizeof(uint32_t));
  auto call = [=](RunsResult<T>& to, const Storage& storage) {
    return run_length_encode(in->data(), to.keys.data(), to.values.data(), to.count.data(), task.n,
                             storage, stream);
  };
  auto call_cub = [=](RunsResult<T>& to, void* temp, size_t& bytes) {
    return cub::DeviceRunLengthEncode::Encode(temp, bytes, in->data(), to.keys.data(),
                                              to.values.data(), to.count.data(), int(task.n),
                                              stream);
  };
  return {fast_path(result(), call), cub_contender(result(), call_cub),
          memcpy_contender(session, task)};
}

template <class T, class V>
std::vector<Contender> sum_contenders(const Session& session, Task& task, Runs runs) {
  cudaStream_t stream = session.stream();
  auto in = new_array<T>(task.n, KeyOfItem<T>{runs});
  auto values = new_array<V>(task.n, SmallNumber<V>());
  auto result = [&] { return std::make_shared<RunsResult<T, V>>(task.n, runs, RunValue::kSum); };
  task.bytes = runs_traffic(task.n, runs.before(task.n), sizeof(T), sizeof(V), sizeof(V));
  auto call = [=](RunsResult<T, V>& to, const Storage& storage) {
    return reduce_by_key(in->data(), values->data(), to.keys.data(), to.values.data(),
                         to.count.data(), task.n, Sum<V>(), storage, stream);
  };
  // CUB is tuned for its own operators only.
  auto call_cub = [=](RunsResult<T, V>& to, void* temp, size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(temp, bytes, in->data(), to.keys.data(), values->data(),
                                          to.values.data(), to.count.data(), ::cuda::std::plus<>(),
                                          int(task.n), stream);
  };
  return {fast_path(result(), call), cub_contender(result(), call_cub),
          memcpy_contender(session, task)};
}

std::vector<Contender> scan_contenders(const Session& session, Task& task, Runs runs) {
  cudaStream_t stream = session.stream();
  auto in = new_array<uint32_t>(task.n, KeyOfItem<uint32_t>{runs});
  auto values = new_array<uint32_t>(task.n, SmallNumber<uint32_t>());
  auto result = [&] { return std::make_shared<SumsResult>(task.n, runs); };
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

/// Races for all sizes on runs of 2, 32 and 1,000 items, on one run, and on keys whose runs have
/// other lengths in each stretch. Up to 4 GiB of items.
///
/// @param operation   name, with the sizes of what an item consists of
/// @param contenders  contenders(session, task, runs)
template <class Contend>
void race_runs(Session& session, const std::string& operation, unsigned item_bytes,
               Contend contenders) {
  constexpr uint64_t kMaxBytes = uint64_t(1) << 32;
  struct Shape {
    const char* name;
    uint32_t length;
  };
  constexpr Shape kShapes[] = {{"2", 2}, {"32", 32}, {"1000", 1000}, {"one", ~0u}, {"mixed", 0}};
  for (uint64_t n : session.options().sizes)
    for (const Shape& shape : kShapes)
      if (n * item_bytes <= kMaxBytes)
        session.race({.suite = "runs",
                      .operation = operation + "_" + shape.name,
                      .item_bytes = item_bytes,
                      .n = n},
                     [&](Task& task) { return contenders(session, task, Runs{shape.length}); });
  session.save();
}

template <class T>
void bench_items(Session& session) {
  const std::string bytes = std::to_string(sizeof(T));
  race_runs(session, "unique_" + bytes, sizeof(T), unique_contenders<T>);
  race_runs(session, "run_length_encode_" + bytes, sizeof(T), length_contenders<T>);
}

template <class T, class V>
void bench_pairs(Session& session) {
  race_runs(session, "reduce_by_key_" + std::to_string(sizeof(T)) + "/" + std::to_string(sizeof(V)),
            sizeof(T) + sizeof(V), sum_contenders<T, V>);
}

}  // namespace

void bench_runs(Session& session) {
  bench_items<uint8_t>(session);
  bench_items<uint16_t>(session);
  bench_items<uint32_t>(session);
  bench_items<uint64_t>(session);
  bench_items<Record<uint32_t, 3>>(session);
  bench_items<Item16>(session);
  bench_items<Record<uint32_t, 5>>(session);
  bench_pairs<uint32_t, uint32_t>(session);
  bench_pairs<uint64_t, uint64_t>(session);
  bench_pairs<uint8_t, uint32_t>(session);
  bench_pairs<Record<uint32_t, 5>, uint32_t>(session);
  race_runs(session, "scan_by_key_4/4", 2 * sizeof(uint32_t), scan_contenders);
}

}  // namespace compaction::bench
