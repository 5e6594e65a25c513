#pragma once

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include <cub/device/device_reduce.cuh>
#include <memory>
#include <vector>

#include "compaction/bench/cub_call.cuh"
#include "compaction/bench/fast_path.cuh"
#include "compaction/bench/fill_random.cuh"
#include "compaction/bench/race.cuh"
#include "compaction/bench/read_contender.cuh"
#include "compaction/bench/scan_result.cuh"
#include "compaction/bench/suites.cuh"
#include "compaction/bench/traffic.h"

namespace compaction::bench {

/// CUB's reduction, by the function that CUB has for sums where there is one.
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
std::vector<Contender> reduce_contenders(const Session& session, Task& task) {
  cudaStream_t stream = session.stream();
  auto items = std::make_shared<DeviceArray<T>>(task.n);
  fill_random(*items);
  task.bytes = reduce_traffic(task.n, sizeof(T));
  int n = int(task.n);

  auto result = [&] { return std::make_shared<ReduceResult<T>>(task.n); };
  auto ours = result(), cubs = result(), thrusts = result();
  thrusts->returned = true;
  return {
      {kOurs, fast_reduce(items, ours, stream), ours},
      {kCub, cub_call([=](void* storage, size_t& bytes) {
         return cub_reduce<T>(storage, bytes, items->data(), cubs->sum.data(), n, stream);
       }),
       cubs},
      {kThrust,  // returns the sum to the host
       [=] {
         const T* in = items->data();
         SumOf<T> sum;
         thrusts->on_host =
             thrust::reduce(thrust::cuda::par.on(stream), in, in + n, sum.identity(), sum);
       },
       thrusts, /*synchronizes=*/true},
      read_contender(items, stream),
      memcpy_contender(session, task),
  };
}

template <class T>
void bench_reduce(Session& session) {
  for (uint64_t n : session.options().sizes)
    session.race({.suite = "reduce", .operation = "reduce", .item_bytes = sizeof(T), .n = n},
                 [&](Task& task) { return reduce_contenders<T>(session, task); });
}

}  // namespace compaction::bench
