#pragma once

#include <thrust/copy.h>
#include <thrust/execution_policy.h>

#include <cub/device/device_select.cuh>
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

/// The items of a task and the predicate on them; fills in what the task keeps.
template <class T>
struct SelectInput {
  explicit SelectInput(Task& task)
      : n(task.n), keep(keep_percent<T>(task.keep)), items(std::make_shared<DeviceArray<T>>(n)) {
    fill_random(*items);
    task.kept = kept = count_kept<T>(n, keep);
  }

  std::shared_ptr<SelectResult<T>> result() const {
    return std::make_shared<SelectResult<T>>(n, keep, kept);
  }

  uint64_t n, kept = 0;
  Below<T> keep;
  std::shared_ptr<DeviceArray<T>> items;
};

template <class T>
std::vector<Contender> select_if_contenders(const Session& session, Task& task) {
  cudaStream_t stream = session.stream();
  SelectInput<T> input(task);
  auto items = input.items;
  auto keep = input.keep;
  int n = int(input.n);
  task.bytes = select_traffic(task.n, task.kept, sizeof(T));

  auto ours = input.result(), cubs = input.result(), thrusts = input.result();
  return {
      {kOurs, fast_select_if(items, ours, keep, stream), ours},
      {kCub, cub_call([=](void* storage, size_t& bytes) {
         return cub::DeviceSelect::If(storage, bytes, items->data(), cubs->items.data(),
                                      cubs->count.on_device.data(), n, keep, stream);
       }),
       cubs},
      {kThrust,  // allocates, and returns the count to the host
       [=] {
         T* end = thrust::copy_if(thrust::cuda::par.on(stream), items->data(), items->data() + n,
                                  thrusts->items.data(), keep);
         thrusts->count.on_host = uint64_t(end - thrusts->items.data());
       },
       thrusts, /*synchronizes=*/true},
      memcpy_contender(session, task),
  };
}

template <class T>
std::vector<Contender> select_flagged_contenders(const Session& session, Task& task) {
  cudaStream_t stream = session.stream();
  SelectInput<T> input(task);
  auto items = input.items;
  int n = int(input.n);
  task.bytes = flagged_traffic(task.n, task.kept, sizeof(T));
  auto flags = std::make_shared<DeviceArray<uint8_t>>(task.n);
  fill(*flags, FlagOf<T>{input.keep});

  auto ours = input.result(), cubs = input.result();
  return {
      {kOurs, fast_select_flagged(items, flags, ours, stream), ours},
      {kCub, cub_call([=](void* storage, size_t& bytes) {
         return cub::DeviceSelect::Flagged(storage, bytes, items->data(), flags->data(),
                                           cubs->items.data(), cubs->count.on_device.data(), n,
                                           stream);
       }),
       cubs},
      memcpy_contender(session, task),
  };
}

template <class T>
void bench_select(Session& session) {
  for (uint64_t n : session.options().sizes)
    for (double keep : session.options().keep) {
      Task task{.suite = "select",
                .operation = "select_if",
                .item_bytes = sizeof(T),
                .n = n,
                .keep = keep};
      session.race(task, [&](Task& t) { return select_if_contenders<T>(session, t); });
      task.operation = "select_flagged";
      session.race(task, [&](Task& t) { return select_flagged_contenders<T>(session, t); });
    }
}

}  // namespace compaction::bench
