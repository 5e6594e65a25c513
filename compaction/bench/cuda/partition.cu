// SPDX-License-Identifier: MIT
#include <memory>
#include <vector>

#include "compaction/bench/cuda/select_contenders.cuh"
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
  auto call_in_one = [=](auto& to, const Storage& storage) {
    return partition_in_one_if(input.in(), to.selected.data(), to.count.wide_on_device.data(), n,
                               input.keep, storage, stream);
  };
  auto call_reversed = [=](auto& to, const Storage& storage) {
    return partition_in_one_reversed_if(input.in(), to.selected.data(), {to.count.data()}, n,
                                        input.keep, storage, stream);
  };
  return {
      fast_partition_if(input, stream),
      fast_path(in_one, call_in_one, "in one output"),
      fast_path(reversed, call_reversed, "reversed"),
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
