// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "compaction/bench/cuda/select_contenders.cuh"
#include "compaction/bench/traffic.h"

namespace compaction::bench {
namespace {

template <class T>
std::vector<Contender> select_contenders(const Session& session, Task& task) {
  const SelectInput<T> input(task);
  task.bytes = select_traffic(task.n, task.kept, sizeof(T));
  return {fast_select_if(input, session.stream()), cub_select_if(input, session.stream()),
          memcpy_contender(session, task)};
}

template <class T>
std::vector<Contender> partition_contenders(const Session& session, Task& task) {
  const SelectInput<T> input(task);
  task.bytes = partition_traffic(task.n, sizeof(T));
  return {fast_partition_if(input, session.stream()), cub_partition_if(input, session.stream()),
          memcpy_contender(session, task)};
}

template <class T>
std::vector<Contender> flagged_contenders(const Session& session, Task& task) {
  const SelectInput<T> input(task);
  task.bytes = flagged_traffic(task.n, task.kept, sizeof(T));
  const auto flags = new_array<uint8_t>(task.n, KeepsItem<T>{input.keep});
  return {fast_select_flagged(input, flags, session.stream()),
          cub_select_flagged(input, flags, session.stream()), memcpy_contender(session, task)};
}

/// Races on up to 4 GiB of items of one type. The name of an operation includes their alignment.
template <class T>
void bench_type(Session& session) {
  constexpr uint64_t kMaxBytes = uint64_t(1) << 32;
  const std::string aligned = " @" + std::to_string(alignof(T));
  for (uint64_t n : session.options().sizes)
    for (double keep : session.options().keep) {
      if (n * sizeof(T) > kMaxBytes) continue;
      Task task{.suite = "records",
                .operation = "select_if" + aligned,
                .item_bytes = sizeof(T),
                .n = n,
                .keep = keep};
      session.race(task, [&](Task& t) { return select_contenders<T>(session, t); });
      task.operation = "partition_if" + aligned;
      session.race(task, [&](Task& t) { return partition_contenders<T>(session, t); });
      task.operation = "select_flagged" + aligned;
      session.race(task, [&](Task& t) { return flagged_contenders<T>(session, t); });
    }
  session.save();
}

}  // namespace

void bench_records(Session& session) {
  bench_type<Record<uint8_t, 3>>(session);
  bench_type<Record<uint8_t, 5>>(session);
  bench_type<Record<uint8_t, 7>>(session);
  bench_type<Record<uint8_t, 15>>(session);
  bench_type<Record<uint8_t, 33>>(session);
  bench_type<uint16_t>(session);
  bench_type<Record<uint16_t, 5>>(session);
  bench_type<Record<uint32_t, 2>>(session);
  bench_type<Record<uint32_t, 3>>(session);
  bench_type<Record<uint32_t, 4>>(session);
  bench_type<Record<uint32_t, 5>>(session);
  bench_type<Record<uint32_t, 16>>(session);
  bench_type<Record<uint32_t, 17>>(session);
  bench_type<Record<uint64_t, 3>>(session);
  bench_type<Record<uint64_t, 4, 16>>(session);
  bench_type<Record<uint64_t, 16, 16>>(session);
}

}  // namespace compaction::bench
