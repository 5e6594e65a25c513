// SPDX-License-Identifier: MIT
// Times the sequential select, in builds without CUDA.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "compaction/bench/options.h"
#include "compaction/bench/random_items.h"
#include "compaction/bench/report.h"
#include "compaction/bench/results.h"
#include "compaction/bench/table.h"
#include "compaction/bench/traffic.h"
#include "compaction/ladder/sequential.h"

namespace compaction::bench {
namespace {

/// Selects the items that a predicate keeps.
struct ItemsBelow {
  simt::Span<const uint32_t> items;
  Below<uint32_t> keep;

  bool selected(uint32_t item) const { return keep(items[item]); }
  uint32_t value(uint32_t item) const { return items[item]; }
};

/// Times calls in a row after one untimed call. The times count as both cold and hot.
template <class Call>
Timing time(const char* algorithm, int repeats, Call call) {
  using Clock = std::chrono::steady_clock;
  call();
  std::vector<double> us;
  for (int i = 0; i < repeats; ++i) {
    auto start = Clock::now();
    call();
    us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  Summary summary = summarize(std::move(us));
  return {.algorithm = algorithm, .cold_us = summary, .hot_us = summary, .enqueue_us = summary};
}

Race race(uint64_t n, double percent, int repeats) {
  Task task{.suite = "select",
            .operation = "select_if",
            .item_bytes = sizeof(uint32_t),
            .n = n,
            .keep = percent};
  Below<uint32_t> keep = keep_percent<uint32_t>(percent);
  std::vector<uint32_t> items(n), selected(n), expected;
  for (uint64_t i = 0; i < n; ++i) {
    items[i] = random_item<uint32_t>(i);
    if (keep(items[i])) expected.push_back(items[i]);
  }
  task.kept = expected.size();
  task.bytes = select_traffic(n, task.kept, sizeof(uint32_t));

  uint32_t count = 0;
  Timing select = time("sequential", repeats, [&] {
    count =
        sequential_select(ItemsBelow{{items.data(), n}, keep}, uint32_t(n), {selected.data(), n});
  });
  selected.resize(count);
  if (selected != expected) throw std::runtime_error("wrong result of sequential");

  // A copy reads and writes, so half of the bytes cause the same traffic.
  std::vector<char> from(size_t(task.bytes / 2)), to(from.size());
  Timing copy = time(kMemcpy, repeats, [&] { std::memcpy(to.data(), from.data(), from.size()); });
  return {.task = task, .timings = {select, copy}};
}

}  // namespace

int run(const Options& options) {
  if (!options.masks_path.empty())
    throw UsageError("--masks: needs a GPU; this program was built without CUDA");
  constexpr uint64_t kMaxHostItems = uint64_t(1) << 24;  // some seconds on one thread
  std::printf(
      "Built without CUDA: times the sequential select on one CPU thread, up to 2^24 items.\n\n");
  print_header();
  Report report({.name = "host, one thread"}, options);
  for (uint64_t n : options.sizes)
    for (double keep : options.keep)
      if (n <= kMaxHostItems) {
        Race result = race(n, keep, options.repeats);
        print_race(result);
        report.add(std::move(result));
      }
  if (!options.json_path.empty()) report.save(options.json_path);
  return 0;
}

}  // namespace compaction::bench
