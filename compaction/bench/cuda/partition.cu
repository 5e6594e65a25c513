// SPDX-License-Identifier: MIT
#include <memory>
#include <vector>

#include "compaction/bench/cuda/select_contenders.cuh"
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

  auto in_one = input.partition_result(Rejected::kAfter);
  auto reversed = input.partition_result(Rejected::kReversed);
  auto marks = std::make_shared<DeviceArray<ChunkMarks>>(partition_marks<T>(n.capacity));
  return {
      fast_partition_if(input, stream),
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
      cub_partition_if(input, stream),
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
