// SPDX-License-Identifier: MIT
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

#include <cub/device/device_scan.cuh>
#include <memory>
#include <type_traits>
#include <vector>

#include "compaction/bench/cuda/contenders.cuh"
#include "compaction/bench/cuda/scan_result.cuh"
#include "compaction/bench/traffic.h"
#include "compaction/ladder/hillis_steele_scan.h"
#include "compaction/ladder/multi_block_scan.h"
#include "compaction/ladder/naive_scan.h"
#include "compaction/ladder/single_pass_scan.h"

namespace compaction::bench {
namespace {

template <class T>
using Items = std::shared_ptr<DeviceArray<T>>;

template <class T>
Contender fast_scan(ScanKind kind, Items<T> in, cudaStream_t stream) {
  auto result = std::make_shared<ScanResult<T>>(in->size(), kind);
  return fast_path(result, [=, n = ItemCount{in->size()}](auto& to, const Storage& storage) {
    SumOf<T> sum;
    return kind == ScanKind::kInclusive
               ? inclusive_scan(in->data(), to.items.data(), n, sum, storage, stream)
               : exclusive_scan(in->data(), to.items.data(), n, sum, storage, stream);
  });
}

/// Calls CUB's function for sums if it has one for T.
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
Contender cub_scan_contender(ScanKind kind, Items<T> in, cudaStream_t stream) {
  auto result = std::make_shared<ScanResult<T>>(in->size(), kind);
  return cub_contender(result, [=](auto& to, void* temp, size_t& bytes) {
    return cub_scan<T>(kind, temp, bytes, in->data(), to.items.data(), int(in->size()), stream);
  });
}

template <class T>
std::vector<Contender> scan_contenders(const Session& session, ScanKind kind, Task& task) {
  cudaStream_t stream = session.stream();
  auto items = random_items<T>(task.n);
  task.bytes = scan_traffic(task.n, sizeof(T));
  auto call_thrust = [=](auto& to) {
    auto policy = thrust::cuda::par.on(stream);
    const T *in = items->data(), *end = in + items->size();
    const ThrustSum<T> sum;
    if (kind == ScanKind::kInclusive)
      thrust::inclusive_scan(policy, in, end, to.items.data(), sum);
    else
      thrust::exclusive_scan(policy, in, end, to.items.data(), SumOf<T>::identity(), sum);
  };
  return {
      fast_scan(kind, items, stream),
      cub_scan_contender(kind, items, stream),
      thrust_contender(std::make_shared<ScanResult<T>>(task.n, kind), call_thrust),
      memcpy_contender(session, task),
  };
}

template <class Scan>
Contender scan_rung(const Session& session, const char* name, Items<LadderItem> items) {
  uint64_t n = items->size();
  return rung(session, name, Scan::template bytes<LadderItem>(n),
              std::make_shared<ScanResult<LadderItem>>(n, ScanKind::kExclusive),
              [=](auto& to, auto& launcher, Span<std::byte> workspace) {
                Scan::exclusive(launcher, Span<const LadderItem>(span_of(*items)), ItemCount{n},
                                span_of(to.items), workspace, Sum<LadderItem>());
              });
}

std::vector<Contender> scan_ladder_contenders(const Session& session, Task& task) {
  constexpr uint64_t kMaxNaive = 1 << 16;  // its work grows with the square of n
  auto items = random_items<LadderItem>(task.n);
  task.bytes = scan_traffic(task.n, sizeof(LadderItem));

  std::vector<Contender> all;
  if (task.n <= kMaxNaive) all.push_back(scan_rung<NaiveScan>(session, "naive", items));
  all.push_back(scan_rung<HillisSteeleScan>(session, "hillis_steele", items));
  all.push_back(scan_rung<KoggeStoneScan>(session, "kogge_stone", items));
  all.push_back(scan_rung<BrentKungScan>(session, "brent_kung", items));
  all.push_back(scan_rung<CoarsenedScan>(session, "coarsened", items));
  all.push_back(scan_rung<ChainedScan>(session, "chained", items));
  all.push_back(scan_rung<LookBackScan>(session, "look_back", items));
  all.push_back(fast_scan(ScanKind::kExclusive, items, session.stream()));
  all.push_back(cub_scan_contender(ScanKind::kExclusive, items, session.stream()));
  all.push_back(memcpy_contender(session, task));
  return all;
}

}  // namespace

void bench_scan(Session& session) {
  session.for_all_item_types([&]<class T>(T) {
    for (uint64_t n : session.options().sizes)
      for (ScanKind kind : {ScanKind::kExclusive, ScanKind::kInclusive})
        session.race(
            {.suite = "scan",
             .operation = kind == ScanKind::kInclusive ? "inclusive_scan" : "exclusive_scan",
             .item_bytes = sizeof(T),
             .n = n},
            [&](Task& task) { return scan_contenders<T>(session, kind, task); });
  });
}

void bench_ladder_scan(Session& session) {
  session.race_ladder({.operation = "ladder_scan"},
                      [&](Task& task) { return scan_ladder_contenders(session, task); });
}

}  // namespace compaction::bench
