// SPDX-License-Identifier: MIT
#include <cub/device/device_partition.cuh>
#include <memory>
#include <vector>

#include "compaction/bench/cuda/baselines.cuh"
#include "compaction/bench/cuda/fast_path.cuh"
#include "compaction/bench/cuda/race.cuh"
#include "compaction/bench/cuda/select_result.cuh"
#include "compaction/bench/cuda/suites.cuh"
#include "compaction/bench/traffic.h"

namespace compaction::bench {
namespace {

template <class T>
std::vector<Contender> partition_contenders(const Session& session, Task& task) {
  cudaStream_t stream = session.stream();
  Below<T> keep = keep_percent<T>(task.keep);
  auto items = random_items<T>(task.n);
  task.kept = count_kept<T>(task.n, keep);
  task.bytes = partition_traffic(task.n, sizeof(T));
  ItemCount n{task.n};

  auto result = [&](Rejected layout) {
    return std::make_shared<PartitionResult<T>>(task.n, task.kept, keep, layout);
  };
  auto ours = result(Rejected::kOwnBuffer), in_one = result(Rejected::kAfter);
  auto cubs = result(Rejected::kReversed);
  auto marks = std::make_shared<DeviceArray<ChunkMarks>>(partition_marks<T>(n.capacity));
  return {
      fast_path(partition_if_bytes<T, Below<T>>(n.capacity), ours,
                [=](Span<std::byte> workspace) {
                  return partition_if(items->data(), ours->selected.data(), ours->rejected.data(),
                                      {ours->count.on_device.data()}, n, keep, workspace, stream);
                }),
      fast_path(
          partition_in_one_bytes<T, Below<T>>(n.capacity), in_one,
          [=](Span<std::byte> workspace) {
            return partition_in_one_if(items->data(), in_one->selected.data(),
                                       in_one->count.wide_on_device.data(), marks->data(), n, keep,
                                       workspace, stream);
          },
          "in one output"),
      {kCub, cub_call([=](void* storage, size_t& bytes) {
         return cub::DevicePartition::If(storage, bytes, items->data(), cubs->selected.data(),
                                         cubs->count.on_device.data(), int(n.capacity), keep,
                                         stream);
       }),
       cubs},
      memcpy_contender(session, task),
  };
}

}  // namespace

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

template void bench_partition<uint8_t>(Session&);
template void bench_partition<uint32_t>(Session&);
template void bench_partition<uint64_t>(Session&);
template void bench_partition<Item16>(Session&);

}  // namespace compaction::bench
