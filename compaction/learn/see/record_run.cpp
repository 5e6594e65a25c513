// SPDX-License-Identifier: MIT
#include "compaction/learn/see/record_run.h"

#include <optional>
#include <utility>

namespace compaction::see {

namespace {

using simt::host::Order;
using simt::host::Schedule;
using simt::host::Trace;

constexpr unsigned kResidentBlocks = 4;  // blocks that interleave
constexpr size_t kShuffles = 8;          // shuffled schedules per size

std::vector<Schedule> schedules_to_try() {
  std::vector<Schedule> schedules(2 + kShuffles);
  for (size_t i = 0; i < schedules.size(); ++i)
    schedules[i] = {.order = i == 0   ? Order::kForward
                             : i == 1 ? Order::kReverse
                                      : Order::kShuffled,
                    .seed = i < 2 ? 0 : i - 2,
                    .resident_blocks = kResidentBlocks,
                    .in_turn = true};
  return schedules;
}

/// Returns 1, 2, 3, 4, 5, 7, 8, 9, 15, ... max_n: sizes next to those of warps and tiles.
std::vector<uint32_t> sizes_to_try(uint32_t max_n) {
  std::vector<uint32_t> sizes;
  for (uint64_t power = 1; power < max_n; power *= 2)
    for (uint64_t n : {power - 1, power, power + 1})
      if (n > 0 && n < max_n && (sizes.empty() || n > sizes.back())) sizes.push_back(uint32_t(n));
  sizes.push_back(max_n);
  return sizes;
}

/// The result has n = 0 if no run of `n` items fails.
FailingRun failure_with(const RunWithSize& run, uint32_t n) {
  for (const Schedule& schedule : schedules_to_try())
    if (Trace trace = run(n, schedule); !trace.failure.message.empty())
      return {n, schedule, std::move(trace)};
  return {};
}

}  // namespace

Trace record_run(Schedule schedule, const std::vector<Watched>& watched,
                 const std::function<void(simt::host::Executor&)>& launch) {
  simt::host::Recorder recorder;
  for (const Watched& memory : watched)
    recorder.watch(memory.name, memory.data, memory.bytes, memory.cells);
  simt::host::Executor executor(schedule);
  executor.record_to(&recorder);
  try {
    launch(executor);
  } catch (const simt::host::KernelError&) {  // the recorder has the error
  }
  return recorder.finish();
}

void blame_last_store(Trace& trace, const std::string& region, size_t byte) {
  using simt::host::Event;
  using simt::host::EventKind;
  if (trace.failure.message.empty() || !trace.failure.sides.empty()) return;
  std::optional<Event> last;
  for_each_event(trace, [&](const Event& event) {
    const bool is_access = event.kind == EventKind::kStore || event.kind == EventKind::kAtomic;
    if (is_access && trace.regions[event.region].name == region && event.offset <= byte &&
        byte < event.offset + event.size)
      last = event;
  });
  if (!last) return;
  trace.failure.sides.push_back(
      {.block = last->block,
       .thread = last->thread,
       .clock = last->clock,
       .does = "stores " + region + "[" + std::to_string(byte / sizeof(uint32_t)) + "]",
       .line = trace.places[last->place]});
}

FailingRun shrink(const RunWithSize& run, uint32_t max_n) {
  uint32_t passing = 0;
  for (uint32_t n : sizes_to_try(max_n)) {
    FailingRun found = failure_with(run, n);
    if (found.n == 0) {
      passing = n;
      continue;
    }
    while (found.n - passing > 1) {
      const uint32_t middle = passing + (found.n - passing) / 2;
      FailingRun smaller = failure_with(run, middle);
      if (smaller.n == 0)
        passing = middle;
      else
        found = std::move(smaller);
    }
    return found;
  }
  return {};
}

std::string name_of(const Schedule& schedule) {
  if (schedule.order == Order::kForward) return "forward";
  if (schedule.order == Order::kReverse) return "reverse";
  return "shuffled:" + std::to_string(schedule.seed);
}

}  // namespace compaction::see
