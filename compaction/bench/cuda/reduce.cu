// SPDX-License-Identifier: MIT
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include <cub/device/device_reduce.cuh>
#include <memory>
#include <type_traits>
#include <vector>

#include "compaction/bench/cuda/contenders.cuh"
#include "compaction/bench/cuda/scan_result.cuh"
#include "compaction/bench/traffic.h"
#include "compaction/ladder/multi_block_reduce.h"
#include "compaction/ladder/shuffle_reduce.h"

namespace compaction::bench {
namespace {

template <class T>
Contender fast_reduce(std::shared_ptr<DeviceArray<T>> in, cudaStream_t stream) {
  auto result = std::make_shared<ReduceResult<T>>(in->size());
  return fast_path(result, [=](auto& to, const Storage& storage) {
    return reduce(in->data(), to.sum.data(), in->size(), SumOf<T>(), storage, stream);
  });
}

/// Calls CUB's function for sums if it has one for T.
template <class T>
cudaError_t cub_reduce(void* storage, size_t& bytes, const T* in, T* out, int n,
                       cudaStream_t stream) {
  if constexpr (std::is_integral_v<T>) {
    return cub::DeviceReduce::Sum(storage, bytes, in, out, n, stream);
  } else {
    SumOf<T> sum;
    return cub::DeviceReduce::Reduce(storage, bytes, in, out, n, sum, sum.identity(), stream);
  }
}

template <class T>
Contender cub_reduce_contender(std::shared_ptr<DeviceArray<T>> in, cudaStream_t stream) {
  auto result = std::make_shared<ReduceResult<T>>(in->size());
  return cub_contender(result, [=](auto& to, void* temp, size_t& bytes) {
    return cub_reduce<T>(temp, bytes, in->data(), to.sum.data(), int(in->size()), stream);
  });
}

template <class T>
std::vector<Contender> reduce_contenders(const Session& session, Task& task) {
  cudaStream_t stream = session.stream();
  auto items = random_items<T>(task.n);
  task.bytes = reduce_traffic(task.n, sizeof(T));
  auto call_thrust = [=](auto& to) {
    const T* in = items->data();
    to.on_host = thrust::reduce(thrust::cuda::par.on(stream), in, in + items->size(),
                                SumOf<T>::identity(), ThrustSum<T>());
  };
  return {
      fast_reduce(items, stream),
      cub_reduce_contender(items, stream),
      thrust_contender(std::make_shared<ReduceResult<T>>(task.n), call_thrust),
      read_contender(items, stream),
      memcpy_contender(session, task),
  };
}

std::vector<Contender> reduce_ladder_contenders(const Session& session, Task& task) {
  using T = LadderItem;
  cudaStream_t stream = session.stream();
  uint64_t n = task.n;
  auto items = random_items<T>(n);
  task.bytes = reduce_traffic(n, sizeof(T));

  auto reduce_rung = [&](const char* name, size_t bytes, auto reduce) {
    auto call = [=](auto& to, auto& launcher, Span<std::byte> workspace) {
      reduce(launcher, Span<const T>(span_of(*items)), ItemCount{n}, span_of(to.sum), workspace);
    };
    return rung(session, name, bytes, std::make_shared<ReduceResult<T>>(n), call);
  };
  return {
      reduce_rung("naive", naive_reduce_bytes<T>(n),
                  [](auto& launcher, auto... a) { naive_reduce(launcher, a...); }),
      reduce_rung("tree", tree_reduce_bytes<T>(n),
                  [](auto& launcher, auto... a) { tree_reduce(launcher, a...); }),
      reduce_rung("shuffle", shuffle_reduce_bytes<T>(n),
                  [](auto& launcher, auto... a) { shuffle_reduce(launcher, a...); }),
      fast_reduce(items, stream),
      cub_reduce_contender(items, stream),
      read_contender(items, stream),
      memcpy_contender(session, task),
  };
}

}  // namespace

void bench_reduce(Session& session) {
  session.for_all_item_types([&]<class T>(T) {
    for (uint64_t n : session.options().sizes)
      session.race({.suite = "reduce", .operation = "reduce", .item_bytes = sizeof(T), .n = n},
                   [&](Task& task) { return reduce_contenders<T>(session, task); });
  });
}

void bench_ladder_reduce(Session& session) {
  session.race_ladder({.operation = "ladder_reduce"},
                      [&](Task& task) { return reduce_ladder_contenders(session, task); });
}

}  // namespace compaction::bench
