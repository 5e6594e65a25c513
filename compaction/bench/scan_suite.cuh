#pragma once

#include <thrust/execution_policy.h>
#include <thrust/scan.h>

#include <cub/device/device_scan.cuh>
#include <memory>
#include <vector>

#include "compaction/bench/cub_call.cuh"
#include "compaction/bench/fast_path.cuh"
#include "compaction/bench/fill_random.cuh"
#include "compaction/bench/race.cuh"
#include "compaction/bench/scan_result.cuh"
#include "compaction/bench/suites.cuh"
#include "compaction/bench/traffic.h"

namespace compaction::bench {

/// CUB's scan, by the function that CUB has for sums where there is one.
template <class T>
cudaError_t cub_scan(ScanKind kind, void* storage, size_t& bytes, const T* in, T* out, int n,
                     cudaStream_t stream) {
  using cub::DeviceScan;
  if constexpr (std::is_integral_v<T>) {
    return kind == ScanKind::kInclusive
               ? DeviceScan::InclusiveSum(storage, bytes, in, out, n, stream)
               : DeviceScan::ExclusiveSum(storage, bytes, in, out, n, stream);
  } else {
    SumOf<T> sum;
    return kind == ScanKind::kInclusive
               ? DeviceScan::InclusiveScan(storage, bytes, in, out, sum, n, stream)
               : DeviceScan::ExclusiveScan(storage, bytes, in, out, sum, sum.identity(), n, stream);
  }
}

template <class T>
std::vector<Contender> scan_contenders(const Session& session, ScanKind kind, Task& task) {
  cudaStream_t stream = session.stream();
  auto items = std::make_shared<DeviceArray<T>>(task.n);
  fill_random(*items);
  task.bytes = scan_traffic(task.n, sizeof(T));
  int n = int(task.n);

  auto result = [&] { return std::make_shared<ScanResult<T>>(task.n, kind); };
  auto ours = result(), cubs = result(), thrusts = result();
  return {
      {kOurs, fast_scan(kind, items, ours, stream), ours},
      {kCub, cub_call([=](void* storage, size_t& bytes) {
         return cub_scan<T>(kind, storage, bytes, items->data(), cubs->items.data(), n, stream);
       }),
       cubs},
      {kThrust,
       [=] {
         auto policy = thrust::cuda::par.on(stream);
         const T *in = items->data(), *end = in + n;
         SumOf<T> sum;
         if (kind == ScanKind::kInclusive)
           thrust::inclusive_scan(policy, in, end, thrusts->items.data(), sum);
         else
           thrust::exclusive_scan(policy, in, end, thrusts->items.data(), sum.identity(), sum);
       },
       thrusts, /*synchronizes=*/true},
      memcpy_contender(session, task),
  };
}

template <class T>
void bench_scan(Session& session) {
  for (uint64_t n : session.options().sizes)
    for (ScanKind kind : {ScanKind::kExclusive, ScanKind::kInclusive})
      session.race({.suite = "scan",
                    .operation = kind == ScanKind::kInclusive ? "inclusive_scan" : "exclusive_scan",
                    .item_bytes = sizeof(T),
                    .n = n},
                   [&](Task& task) { return scan_contenders<T>(session, kind, task); });
}

}  // namespace compaction::bench
