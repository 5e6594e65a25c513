// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#include "compaction/bench/cuda/device_array.cuh"
#include "compaction/bench/cuda/race.cuh"
#include "compaction/bench/report.h"

namespace compaction::bench {
namespace {

void poison(const std::vector<Contender>& contenders) {
  for (const Contender& contender : contenders)
    if (contender.result) contender.result->poison();
}

/// Exits with code 1 if a result is wrong.
void expect_right(const Task& task, const std::vector<Contender>& contenders) {
  check(cudaDeviceSynchronize());
  for (const Contender& contender : contenders) {
    std::string error = contender.result ? contender.result->error() : "";
    if (error.empty()) continue;
    std::fprintf(stderr, "compaction_bench: %s: wrong result of %s: %s\n", task_text(task).c_str(),
                 contender.name.c_str(), error.c_str());
    std::exit(1);
  }
}

/// Returns the number of calls of one hot sample: some milliseconds, and no more launches than the
/// queue of the stream holds.
int hot_calls(const Timing& timing) {
  constexpr double kUs = 2000, kMaxLaunches = 256, kMinCalls = 2, kMaxCalls = 32;
  double calls = std::clamp(kUs / timing.cold_us.median, kMinCalls, kMaxCalls);
  return int(std::clamp(calls, 1.0, std::max(1.0, kMaxLaunches / std::max(1, timing.launches))));
}

constexpr int kHotRounds = 5;

/// Calls `time(c)` for each contender in each round. Another contender begins each round, so that
/// none always follows the same work.
template <class Time>
void in_turn(int rounds, size_t contenders, Time time) {
  for (int round = 0; round < rounds; ++round)
    for (size_t i = 0; i < contenders; ++i) time((size_t(round) + i) % contenders);
}

}  // namespace

Session::Session(const Options& options, DeviceInfo device, cudaStream_t stream)
    : options_(options),
      stream_(stream),
      stopwatch_(stream, options.flush),
      report_(std::move(device), options) {
  stopwatch_.warm_up();
}

/// Returns a graph of `calls` calls, which the caller destroys.
cudaGraph_t Session::capture(const Contender& contender, int calls) {
  cudaGraph_t graph;
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  for (int call = 0; call < calls; ++call) contender.run();
  check(cudaStreamEndCapture(stream_, &graph));
  return graph;
}

int Session::count_launches(const Contender& contender) {
  if (contender.synchronizes) return -1;
  cudaGraph_t graph = capture(contender, 1);
  size_t nodes = 0;
  check(cudaGraphGetNodes(graph, nullptr, &nodes));
  check(cudaGraphDestroy(graph));
  return int(nodes);
}

/// Times graphs of calls for the contenders whose calls are short. A graph makes no difference to
/// long calls.
void Session::time_graphs(const std::vector<Contender>& contenders, std::vector<Timing>& timings) {
  constexpr double kMaxCallUs = 200;
  std::vector<cudaGraphExec_t> graphs(contenders.size());  // null for long calls
  for (size_t c = 0; c < graphs.size(); ++c) {
    if (contenders[c].synchronizes || timings[c].hot_us.median > kMaxCallUs) continue;
    cudaGraph_t graph = capture(contenders[c], kGraphCalls);
    check(cudaGraphInstantiate(&graphs[c], graph, 0));
    check(cudaGraphDestroy(graph));
  }
  std::vector<std::vector<double>> us(graphs.size());
  in_turn(kHotRounds, graphs.size(), [&](size_t c) {
    const auto run = [&] { check(cudaGraphLaunch(graphs[c], stream_)); };
    if (graphs[c]) us[c].push_back(stopwatch_.hot_us(run, 1, true) / kGraphCalls);
  });
  for (size_t c = 0; c < graphs.size(); ++c) {
    if (!graphs[c]) continue;
    timings[c].graph_us = summarize(std::move(us[c]));
    check(cudaGraphExecDestroy(graphs[c]));
  }
}

std::vector<Timing> Session::time(const Task& task, const std::vector<Contender>& contenders) {
  size_t count = contenders.size();
  std::vector<Timing> timings(count);
  for (size_t c = 0; c < count; ++c) {
    constexpr int kWarmUps = 2;  // the first call loads the kernels
    for (int i = 0; i < kWarmUps; ++i) contenders[c].run();
    check(cudaStreamSynchronize(stream_));
    timings[c].algorithm = contenders[c].name;
    timings[c].launches = count_launches(contenders[c]);
  }

  std::vector<std::vector<double>> cold(count), enqueue(count), hot(count);
  const auto time_cold = [&](size_t c) {
    Stopwatch::Sample sample = stopwatch_.cold(contenders[c].run, !contenders[c].synchronizes);
    cold[c].push_back(sample.device_us);
    enqueue[c].push_back(sample.enqueue_us);
  };
  // All outputs are overwritten before the last round, so that the check sees no earlier output.
  in_turn(options_.repeats - 1, count, time_cold);
  poison(contenders);
  in_turn(1, count, time_cold);
  expect_right(task, contenders);
  for (size_t c = 0; c < count; ++c) {
    timings[c].cold_us = summarize(std::move(cold[c]));
    timings[c].enqueue_us = summarize(std::move(enqueue[c]));
  }

  poison(contenders);
  in_turn(kHotRounds, count, [&](size_t c) {
    hot[c].push_back(
        stopwatch_.hot_us(contenders[c].run, hot_calls(timings[c]), !contenders[c].synchronizes));
  });
  expect_right(task, contenders);
  for (size_t c = 0; c < count; ++c) timings[c].hot_us = summarize(std::move(hot[c]));
  time_graphs(contenders, timings);
  expect_right(task, contenders);
  return timings;
}

void Session::race(Task task, const Contenders& contenders) {
  try {
    std::vector<Contender> all = contenders(task);
    Race race{.task = task, .timings = time(task, all)};
    print_race(race);
    report_.add(std::move(race));
  } catch (const std::bad_alloc&) {
    cudaGetLastError();
    size_t free_bytes = 0, total_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &total_bytes));
    constexpr double kGibi = 1 << 30;
    std::printf("skipped: %s does not fit in %.1f GiB\n", task_text(task).c_str(),
                double(free_bytes) / kGibi);
    report_.add_skipped(std::move(task));
  }
}

void Session::race_selections(Task task, const Contenders& contenders) {
  for (uint64_t n : options_.sizes)
    for (double keep : options_.keep) {
      task.n = n;
      task.keep = keep;
      race(task, contenders);
    }
}

void Session::race_ladder(Task task, const Contenders& contenders) {
  task.suite = "ladder";
  task.item_bytes = sizeof(LadderItem);
  for (uint64_t n : options_.ladder_sizes) {
    task.n = n;
    race(task, contenders);
  }
}

void Session::save() const {
  if (!options_.json_path.empty()) report_.save(options_.json_path);
}

}  // namespace compaction::bench
