#pragma once

#include <cub/device/device_partition.cuh>
#include <memory>
#include <vector>

#include "compaction/bench/cub_call.cuh"
#include "compaction/bench/fast_path.cuh"
#include "compaction/bench/fill_random.cuh"
#include "compaction/bench/race.cuh"
#include "compaction/bench/select_result.cuh"
#include "compaction/bench/suites.cuh"
#include "compaction/bench/traffic.h"

namespace compaction::bench {

template <class T>
std::vector<Contender> partition_contenders(const Session& session, Task& task) {
  cudaStream_t stream = session.stream();
  Below<T> keep = keep_percent<T>(task.keep);
  auto items = std::make_shared<DeviceArray<T>>(task.n);
  fill_random(*items);
  task.kept = count_kept<T>(task.n, keep);
  task.bytes = partition_traffic(task.n, sizeof(T));
  int n = int(task.n);

  auto result = [&](Rejected layout) {
    return std::make_shared<PartitionResult<T>>(task.n, keep, task.kept, layout);
  };
  auto ours = result(Rejected::kOwnBuffer), in_one = result(Rejected::kBehind);
  auto cubs = result(Rejected::kReversed);
  return {
      {kOurs, fast_partition_if(items, ours, keep, stream), ours},
      {"in one output", fast_partition_in_one(items, in_one, keep, stream), in_one},
      {kCub, cub_call([=](void* storage, size_t& bytes) {
         return cub::DevicePartition::If(storage, bytes, items->data(), cubs->selected.data(),
                                         cubs->count.on_device.data(), n, keep, stream);
       }),
       cubs},
      memcpy_contender(session, task),
  };
}

template <class T>
void bench_partition(Session& session) {
  for (uint64_t n : session.options().sizes)
    for (double keep : session.options().keep)
      session.race({.suite = "partition",
                    .operation = "partition_if",
                    .item_bytes = sizeof(T),
                    .n = n,
                    .keep = keep},
                   [&](Task& task) { return partition_contenders<T>(session, task); });
}

}  // namespace compaction::bench
