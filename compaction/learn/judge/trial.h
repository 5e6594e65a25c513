// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compaction/learn/judge/launcher.h"
#include "compaction/learn/judge/watcher.h"
#include "compaction/simt/host/executor.h"
#include "compaction/simt/host/trace.h"

namespace compaction::judge {

enum class Task {
  kReduce,  ///< sum of all items
  kScan,    ///< for each item, the sum of the items before it, or up to it
  kSelect   ///< items that are not 0, in order, and their number
};
inline constexpr const char* kTaskNames[] = {"reduce", "scan", "select"};  ///< [Task]

enum class Item { kInteger, kFloat };

struct Settings {
  Task task = Task::kScan;
  Item item = Item::kInteger;
  bool inclusive = false;    ///< whether a scan adds each item to its own sum
  bool any_order = false;    ///< whether a select may write items in any order
  bool host_arrays = false;  ///< whether the function takes arrays in host memory
  uint32_t min_items = 0, max_items = 9000;
  uint32_t schedules = 10000;  ///< total number of calls
  unsigned seconds = 10;       ///< time limit of one call; 0: no limit
};

enum class Pattern {
  kAll,
  kNone,
  kAlternate,
  kRandom,
  kSparse,
  kFullWarps,  ///< runs of 32 and of a few
  kExtremes,   ///< large numbers of both signs
  kCount
};

struct Trial {
  uint32_t n = 0;
  Pattern pattern = Pattern::kAll;
  simt::host::Schedule schedule;
};

/// Example: "n = 33, every second item is 0, schedule shuffled:5 with 2 resident blocks".
std::string to_string(const Trial& trial);

/// Returns sentences about a call for readers who see one for the first time: what its schedule
/// means and, without items, what the function must do.
std::vector<std::string> explain(const Settings& settings, const Trial& trial);

struct Failure {
  Mistake kind;
  Trial trial;
  std::string text;        ///< contains marks, see code_mark()
  std::string array = {};  ///< array with a wrong result, "out" or "count"; empty: unknown
  size_t item = 0;         ///< index of the wrong result in `array`
};

inline constexpr const char* kMistakeNames[] = {  // [Mistake]
    "wrong result",
    "race",
    "read of uninitialized memory",
    "access out of range",
    "divergent barrier",
    "deadlock",
    "error"};

struct Verdict {
  std::optional<Failure> failure;
  uint64_t trials = 0;
  Counts counts;           ///< costs of one call
  uint32_t counted_n = 0;  ///< number of items of that call
};

/// Returns the verdict as lines of text, the last of which ends in a line break.
std::string describe(const Verdict& verdict, const std::string& name);

using Function = std::function<void(const Arguments&)>;

/// Calls `function` with inputs of many sizes and patterns under many schedules until it makes a
/// mistake. The simplest schedules come first, with sizes in ascending order.
///
/// @param start_trial  called before each call, so that the caller can report a crash
/// Only one OS thread may judge at a time.
Verdict judge(const Settings& settings, const Function& function,
              const std::function<void(const Trial&)>& start_trial = {});

/// Repeats a call and records it.
///
/// @param failure  failure of that call. The trace gets its text unless the recorder has found a
///                 failure itself, and its wrong result is blamed on the last store to that item.
simt::host::Trace record(const Settings& settings, const Function& function, const Trial& trial,
                         const std::optional<Failure>& failure = {});

/// Returns the costs of one call under a forward schedule, bank conflicts included. Does not report
/// mistakes.
Counts count(const Settings& settings, const Function& function, uint32_t n);

}  // namespace compaction::judge
