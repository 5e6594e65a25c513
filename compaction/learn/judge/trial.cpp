// SPDX-License-Identifier: MIT
#include "compaction/learn/judge/trial.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>

#include "compaction/learn/see/record_run.h"

namespace compaction::judge {

using simt::host::Executor;
using simt::host::KernelError;
using simt::host::Order;

namespace {

struct PatternRule {
  const char* name;
  bool (*keeps)(uint32_t item, bool at_random);
};

constexpr PatternRule kPatterns[size_t(Pattern::kCount)] = {
    {"no item is 0", [](uint32_t, bool) { return true; }},
    {"all items are 0", [](uint32_t, bool) { return false; }},
    {"every second item is 0", [](uint32_t item, bool) { return item % 2 == 1; }},
    {"random items are 0", [](uint32_t, bool at_random) { return at_random; }},
    {"most items are 0", [](uint32_t item, bool) { return item % 37 == 36; }},
    {"runs of 32 items are not 0",
     [](uint32_t item, bool) { return item % 80 < simt::kWarpSize || item % 80 > 68; }},
    {"large items of both signs", [](uint32_t, bool) { return true; }}};

// ---- input and expected output

/// Returns the items as whole numbers. For float items, they and all of their sums are exact.
std::vector<int32_t> numbers(const Settings& settings, const Trial& trial) {
  constexpr int32_t kLarge = 1'000'000'000, kLargeFloat = 1 << 20;
  const uint32_t largest = settings.item == Item::kFloat ? 1000 : trial.n + 1;
  std::minstd_rand random(trial.n + 1);
  std::vector<int32_t> items(trial.n);
  for (uint32_t i = 0; i < trial.n; ++i) {
    const bool is_kept = kPatterns[size_t(trial.pattern)].keeps(i, random() % 2 == 0);
    items[i] = is_kept ? int32_t(i % largest + 1) : 0;
    const int32_t large = settings.item == Item::kFloat ? kLargeFloat : kLarge;
    if (trial.pattern == Pattern::kExtremes) items[i] = i % 2 == 0 ? large : -large;
  }
  return items;
}

uint32_t encode(const Settings& settings, int32_t number) {
  return settings.item == Item::kFloat ? std::bit_cast<uint32_t>(float(number)) : uint32_t(number);
}

std::string decode(const Settings& settings, uint32_t bits) {
  if (settings.item == Item::kInteger) return std::to_string(int32_t(bits));
  std::string text = std::to_string(std::bit_cast<float>(bits));
  text.erase(text.find_last_not_of('0') + 1);
  return text.back() == '.' ? text.substr(0, text.size() - 1) : text;
}

std::vector<uint32_t> expected_output(const Settings& settings, const std::vector<int32_t>& items) {
  std::vector<uint32_t> out;
  int32_t sum = 0;
  for (int32_t item : items) {
    if (settings.task == Task::kSelect && item != 0) out.push_back(encode(settings, item));
    if (settings.task == Task::kScan && !settings.inclusive) out.push_back(encode(settings, sum));
    sum += item;
    if (settings.task == Task::kScan && settings.inclusive) out.push_back(encode(settings, sum));
  }
  if (settings.task == Task::kReduce) out.push_back(encode(settings, sum));
  return out;
}

// ---- one call

struct Arrays {
  std::vector<uint32_t> host_in, host_out;  // used if the function takes arrays in host memory
  simt::Span<uint32_t> in, out, count;
};

void make_arrays(const Settings& settings, const std::vector<uint32_t>& input, Arrays& arrays) {
  DeviceMemory& memory = Watcher::instance().memory;
  const size_t outputs = settings.task == Task::kReduce ? 1 : input.size();
  auto device = [&](size_t n, const char* name) {
    return simt::Span<uint32_t>(static_cast<uint32_t*>(memory.allocate(n * sizeof(uint32_t), name)),
                                n);
  };
  if (settings.host_arrays) {
    arrays.host_in.assign(input.size() + 1, 0);  // + 1 gives an empty array an address, too
    arrays.host_out.assign(outputs + 1, 0);
    arrays.in = {arrays.host_in.data(), input.size()};
    arrays.out = {arrays.host_out.data(), outputs};
    Watcher::instance().set_host_array(arrays.in.data, arrays.in.size * sizeof(uint32_t), "`in`");
    Watcher::instance().set_host_array(arrays.out.data, outputs * sizeof(uint32_t), "`out`");
  } else {
    arrays.in = device(input.size(), "`in`");
    arrays.out = device(outputs, "`out`");
  }
  arrays.count = device(1, "`count`");
  std::copy(input.begin(), input.end(), arrays.in.data);
  memory.set_written(arrays.in.data, input.size() * sizeof(uint32_t));
}

Mistake kind_of(const std::string& error) {
  auto has = [&](const char* words) { return error.find(words) != std::string::npos; };
  if (has("no thread makes progress")) return Mistake::kDeadlock;
  if (has("outside a span")) return Mistake::kOutOfRange;
  if (has(" returned while ") || has("have returned") || has(", but thread ") || has("wait"))
    return Mistake::kBarrier;
  return Mistake::kError;
}

std::optional<Failure> difference(const Settings& settings, const Arrays& arrays,
                                  const Trial& trial, const std::vector<uint32_t>& expected) {
  constexpr Mistake kWrong = Mistake::kWrongResult;
  if (settings.task == Task::kSelect && arrays.count[0] != expected.size())
    return Failure{kWrong, trial,
                   "selects " + std::to_string(int32_t(arrays.count[0])) + " items instead of " +
                       std::to_string(expected.size()),
                   "count", 0};
  std::vector<uint32_t> found(arrays.out.begin(), arrays.out.begin() + expected.size());
  std::vector<uint32_t> wanted = expected;
  if (settings.any_order) {
    std::sort(found.begin(), found.end());
    std::sort(wanted.begin(), wanted.end());
  }
  for (size_t i = 0; i < wanted.size(); ++i)
    if (found[i] != wanted[i])
      return Failure{kWrong, trial,
                     (settings.any_order ? "sorted out[" : "out[") + std::to_string(i) + "] is " +
                         decode(settings, found[i]) + " instead of " + decode(settings, wanted[i]),
                     settings.any_order ? "" : "out", i};
  return {};
}

std::optional<Failure> run(const Settings& settings, const Function& function, Executor& executor,
                           const Trial& trial) {
  Watcher& watcher = Watcher::instance();
  const std::vector<int32_t> items = numbers(settings, trial);
  std::vector<uint32_t> input;
  for (int32_t item : items) input.push_back(encode(settings, item));

  watcher.memory.free_all();
  watcher.forget_host_arrays();
  watcher.take_violation();
  Arrays arrays;
  make_arrays(settings, input, arrays);
  executor.reschedule(trial.schedule);
  if (simt::host::Recorder* recorder = watcher.recorder) {
    constexpr simt::host::Cells kCells = simt::host::Cells::kU32;
    recorder->watch("in", arrays.in.data, input.size() * sizeof(uint32_t), kCells);
    recorder->watch("out", arrays.out.data, arrays.out.size * sizeof(uint32_t), kCells);
    if (settings.task == Task::kSelect)
      recorder->watch("count", arrays.count.data, sizeof(uint32_t), kCells);
  }

  Launcher launcher(executor);
  std::optional<std::string> error;
  watcher.executor = &executor;
  try {
    const DeviceMemory::Closed closed(watcher.memory);
    function({launcher, arrays.in, arrays.out, arrays.count, settings.host_arrays});
  } catch (const CallEnded&) {
  } catch (const KernelError& failed) {
    error = failed.what();
  } catch (const std::exception& failed) {
    error = std::string("in host code: ") + failed.what();
  }
  watcher.executor = nullptr;

  if (std::optional<Violation> violation = watcher.take_violation())
    return Failure{violation->kind, trial, violation->text};
  if (error) return Failure{kind_of(*error), trial, *error};
  if (!std::equal(input.begin(), input.end(), arrays.in.data))
    return Failure{Mistake::kWrongResult, trial, "the function changes its input"};
  return difference(settings, arrays, trial, expected_output(settings, items));
}

// ---- many calls

/// Returns ascending sizes: those next to sizes of warps and blocks, and some others.
std::vector<uint32_t> sizes(const Settings& settings) {
  std::vector<uint32_t> sizes = {0,    1,    2,    3,    5,    31,   32,   33,   63,   64,  65,
                                 100,  127,  128,  129,  255,  256,  257,  511,  512,  513, 777,
                                 1000, 1023, 1024, 1025, 2047, 2049, 3001, 4097, 5000, 9000};
  std::erase_if(sizes,
                [&](uint32_t n) { return n < settings.min_items || n > settings.max_items; });
  if (sizes.empty() || sizes.back() < settings.max_items) sizes.push_back(settings.max_items);
  return sizes;
}

/// Returns every size and pattern in forward and in reverse order, then shuffled schedules of them.
/// Large inputs get fewer of these, because they take longer.
std::vector<Trial> trials(const Settings& settings) {
  constexpr uint32_t kLargeItems = 1500, kLargeEvery = 16;
  constexpr unsigned kResidentBlocks[] = {1, 2, 4, 8};
  const std::vector<uint32_t> all_sizes = sizes(settings);
  std::vector<Trial> cases, trials;
  for (uint32_t n : all_sizes)
    for (Pattern pattern{}; pattern < Pattern::kCount; pattern = Pattern(int(pattern) + 1))
      cases.push_back({n, pattern, {}});
  for (Order order : {Order::kForward, Order::kReverse})
    for (Trial trial : cases) {
      trial.schedule = {.order = order, .resident_blocks = 2};
      trials.push_back(trial);
    }
  for (uint64_t seed = 1; trials.size() < settings.schedules; ++seed) {
    const Trial& chosen = cases[seed * 7919 % cases.size()];  // a prime step mixes the cases
    if (chosen.n > kLargeItems && seed % kLargeEvery != 0) continue;
    trials.push_back({chosen.n,
                      chosen.pattern,
                      {.order = Order::kShuffled,
                       .seed = seed,
                       .resident_blocks = kResidentBlocks[seed / cases.size() % 4]}});
  }
  if (trials.size() > settings.schedules) trials.resize(settings.schedules);
  return trials;
}

struct Watched {
  Watched() { executor.observe(&Watcher::instance()); }
  ~Watched() { Watcher::instance().memory.free_all(); }
  Executor executor;
};

}  // namespace

std::string to_string(const Trial& trial) {
  const unsigned blocks = trial.schedule.resident_blocks;
  return "n = " + std::to_string(trial.n) + ", " + kPatterns[size_t(trial.pattern)].name +
         ", schedule " + see::name_of(trial.schedule) + " with " + std::to_string(blocks) +
         " resident block" + (blocks == 1 ? "" : "s");
}

std::vector<std::string> explain(const Settings& settings, const Trial& trial) {
  std::vector<std::string> sentences;
  constexpr const char* kWithoutItems[] = {"stores the sum 0", "stores nothing",
                                           "reports 0 items"};  // [Task]
  if (trial.n == 0)
    sentences.push_back(std::string("an input of 0 items is valid: the function ") +
                        kWithoutItems[size_t(settings.task)] +
                        ", and launches no grid of 0 blocks, which CUDA refuses");
  const simt::host::Schedule& schedule = trial.schedule;
  const std::string order = schedule.order == Order::kForward   ? "in ascending order"
                            : schedule.order == Order::kReverse ? "in descending order"
                                                                : "in a random order";
  sentences.push_back(
      "in this schedule, threads and blocks run " + order + ", each until it waits, " +
      (schedule.resident_blocks == 1
           ? "one block at a time"
           : "up to " + std::to_string(schedule.resident_blocks) + " blocks at a time") +
      "; a GPU may choose any order");
  return sentences;
}

Verdict judge(const Settings& settings, const Function& function,
              const std::function<void(const Trial&)>& start_trial) {
  Watched watched;
  Verdict verdict;
  for (const Trial& trial : trials(settings)) {
    if (start_trial) start_trial(trial);
    ++verdict.trials;
    verdict.failure = run(settings, function, watched.executor, trial);
    if (verdict.failure) return verdict;
  }
  constexpr uint32_t kCounted = 2049;
  verdict.counted_n = std::min(kCounted, settings.max_items);
  verdict.counts = count(settings, function, verdict.counted_n);
  return verdict;
}

simt::host::Trace record(const Settings& settings, const Function& function, const Trial& trial,
                         const std::optional<Failure>& failure) {
  simt::host::Recorder recorder({.check_accesses = false});  // the Watcher checks and reports to it
  Watched watched;
  watched.executor.record_to(&recorder);
  Watcher::instance().recorder = &recorder;
  run(settings, function, watched.executor, trial);
  Watcher::instance().recorder = nullptr;
  simt::host::Trace trace = recorder.finish();
  if (!failure) return trace;
  std::string& message = trace.failure.message;
  message = with_source_lines(message.empty() ? failure->text : message);
  if (!failure->array.empty())
    see::blame_last_store(trace, failure->array, failure->item * sizeof(uint32_t));
  return trace;
}

Counts count(const Settings& settings, const Function& function, uint32_t n) {
  Watched watched;
  Watcher& watcher = Watcher::instance();
  watcher.counts = {};
  watcher.counts_banks = true;
  run(settings, function, watched.executor, {n, Pattern::kRandom, {.resident_blocks = 2}});
  watcher.counts_banks = false;
  return watcher.counts;
}

}  // namespace compaction::judge
