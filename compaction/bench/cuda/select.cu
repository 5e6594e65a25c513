// SPDX-License-Identifier: MIT
#include <thrust/copy.h>
#include <thrust/execution_policy.h>

#include <cub/device/device_select.cuh>
#include <memory>
#include <vector>

#include "compaction/bench/cuda/select_contenders.cuh"
#include "compaction/bench/traffic.h"
#include "compaction/ladder/ballot_select.h"
#include "compaction/ladder/look_back_select.h"
#include "compaction/ladder/multi_block_scan.h"
#include "compaction/ladder/scan_select.h"
#include "compaction/ladder/single_pass_scan.h"

namespace compaction::bench {
namespace {

template <class T>
std::vector<Contender> select_if_contenders(const Session& session, Task& task) {
  cudaStream_t stream = session.stream();
  SelectInput<T> input(task);
  task.bytes = select_traffic(task.n, task.kept, sizeof(T));
  auto call_thrust = [=](auto& to) {
    T* end = thrust::copy_if(thrust::cuda::par.on(stream), input.in(), input.in() + input.n,
                             to.data(), input.keep);
    to.count.on_host = uint64_t(end - to.data());
  };
  return {
      fast_select_if(input, stream),
      cub_select_if(input, stream),
      thrust_contender(input.result(), call_thrust),
      memcpy_contender(session, task),
  };
}

template <class T>
std::vector<Contender> select_flagged_contenders(const Session& session, Task& task) {
  cudaStream_t stream = session.stream();
  SelectInput<T> input(task);
  task.bytes = flagged_traffic(task.n, task.kept, sizeof(T));
  auto flags = new_array<uint8_t>(task.n, KeepsItem<T>{input.keep});
  return {fast_select_flagged(input, flags, stream), cub_select_flagged(input, flags, stream),
          memcpy_contender(session, task)};
}

struct ItemsBelow {
  Span<const LadderItem> items;
  Below<LadderItem> keep;

  SIMT_HOST_DEVICE bool selected(uint32_t item) const { return keep(items[item]); }
  SIMT_HOST_DEVICE LadderItem value(uint32_t item) const { return items[item]; }
};

std::vector<Contender> ladder_contenders(const Session& session, Task& task) {
  cudaStream_t stream = session.stream();
  SelectInput<LadderItem> input(task);
  task.bytes = select_traffic(task.n, task.kept, sizeof(LadderItem));

  auto select_rung = [&](const char* name, size_t bytes, auto select) {
    auto call = [=](auto& to, auto& launcher, Span<std::byte> workspace) {
      select(launcher, ItemsBelow{span_of(*input.items), input.keep}, ItemCount{input.n},
             span_of(to.columns[0]), span_of(to.count.on_device), workspace);
    };
    return rung(session, name, bytes, input.result(), call);
  };
  auto capacity = uint32_t(task.n);
  return {
      select_rung("scan (kogge_stone)", scan_select_bytes<KoggeStoneScan>(capacity),
                  [](auto& launcher, auto... a) { scan_select<KoggeStoneScan>(launcher, a...); }),
      select_rung("scan (brent_kung)", scan_select_bytes<BrentKungScan>(capacity),
                  [](auto& launcher, auto... a) { scan_select<BrentKungScan>(launcher, a...); }),
      select_rung("scan (look_back)", scan_select_bytes<LookBackScan>(capacity),
                  [](auto& launcher, auto... a) { scan_select<LookBackScan>(launcher, a...); }),
      select_rung("ballot", ballot_select_bytes(capacity),
                  [](auto& launcher, auto... a) { ballot_select(launcher, a...); }),
      select_rung("look_back", look_back_select_bytes(capacity),
                  [](auto& launcher, auto... a) { look_back_select(launcher, a...); }),
      fast_select_if(input, stream),
      cub_select_if(input, stream),
      memcpy_contender(session, task),
  };
}

}  // namespace

void bench_select(Session& session) {
  session.for_item_types([&]<class T>(T) {
    Task task{.suite = "select", .operation = "select_if", .item_bytes = sizeof(T)};
    session.race_selections(task, [&](Task& t) { return select_if_contenders<T>(session, t); });
    task.operation = "select_flagged";
    session.race_selections(task,
                            [&](Task& t) { return select_flagged_contenders<T>(session, t); });
  });
}

void bench_ladder_select(Session& session) {
  constexpr double kKeep = 50;
  session.race_ladder({.operation = "ladder_select", .keep = kKeep},
                      [&](Task& task) { return ladder_contenders(session, task); });
}

}  // namespace compaction::bench
