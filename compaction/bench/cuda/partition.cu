// SPDX-License-Identifier: MIT
#include <cub/device/device_partition.cuh>
#include <memory>
#include <vector>

#include "compaction/bench/cuda/contenders.cuh"
#include "compaction/bench/cuda/select_result.cuh"
#include "compaction/bench/cuda/suites.cuh"
#include "compaction/bench/traffic.h"

namespace compaction::bench {
namespace {

template <class T>
std::vector<Contender> partition_contenders(const Session& session, Task& task) {
  cudaStream_t stream = session.stream();
  SelectInput<T> input(task);
  task.bytes = partition_traffic(task.n, sizeof(T));
  ItemCount n{task.n};

  auto result = [&](Rejected layout) {
    return std::make_shared<PartitionResult<T>>(task.n, task.kept, input.keep, layout);
  };
  auto ours = result(Rejected::kOwnBuffer), in_one = result(Rejected::kAfter);
  auto reversed = result(Rejected::kReversed), cubs = result(Rejected::kReversed);
  auto marks = std::make_shared<DeviceArray<ChunkMarks>>(partition_marks<T>(n.capacity));
  return {
      fast_path(partition_if_bytes<T, Below<T>>(n.capacity), ours,
                [=](Span<std::byte> workspace) {
                  return partition_if(input.items->data(), ours->selected.data(),
                                      ours->rejected.data(), {ours->count.on_device.data()}, n,
                                      input.keep, workspace, stream);
                }),
      fast_path(
          partition_in_one_bytes<T, Below<T>>(n.capacity), in_one,
          [=](Span<std::byte> workspace) {
            return partition_in_one_if(input.items->data(), in_one->selected.data(),
                                       in_one->count.wide_on_device.data(), marks->data(), n,
                                       input.keep, workspace, stream);
          },
          "in one output"),
      fast_path(
          partition_in_one_reversed_if_bytes<T, Below<T>>(n.capacity), reversed,
          [=](Span<std::byte> workspace) {
            return partition_in_one_reversed_if(input.items->data(), reversed->selected.data(),
                                                {reversed->count.on_device.data()}, n, input.keep,
                                                workspace, stream);
          },
          "reversed"),
      {kCub, cub_call([=](void* storage, size_t& bytes) {
         return cub::DevicePartition::If(storage, bytes, input.items->data(), cubs->selected.data(),
                                         cubs->count.on_device.data(), int(n.capacity), input.keep,
                                         stream);
       }),
       cubs},
      memcpy_contender(session, task),
  };
}

}  // namespace

void bench_partition(Session& session) {
  session.for_item_types([&]<class T>(T) {
    session.race_selections(
        {.suite = "partition", .operation = "partition_if", .item_bytes = sizeof(T)},
        [&](Task& task) { return partition_contenders<T>(session, task); });
  });
}

}  // namespace compaction::bench
