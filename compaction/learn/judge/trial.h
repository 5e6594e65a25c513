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
  kReduce,  ///< the sum of all items
  kScan,    ///< the sums of all items before each item, or up to it
  kSelect   ///< the items that are not 0, in order, and their number
};

/// The type of items.
enum class Item { kInteger, kFloat };

struct Settings {
  Task task = Task::kScan;
  Item item = Item::kInteger;
  bool inclusive = false;    ///< of a scan
  bool any_order = false;    ///< of a select
  bool host_arrays = false;  ///< the function is given arrays of the host, as in a course's frame
  uint32_t min_items = 0, max_items = 9000;
  uint32_t schedules = 10000;  ///< calls, all in all
  unsigned seconds = 10;       ///< of one call, after which it is ended; 0 for no limit
};

/// Which of the items are not 0.
enum class Pattern {
  kAll,
  kNone,
  kAlternate,
  kRandom,
  kSparse,
  kFullWarps,  ///< 32 in a row, then a few, and again
  kExtremes    ///< large numbers of both signs
};

/// Input and schedule of one call.
struct Trial {
  uint32_t n = 0;
  Pattern pattern = Pattern::kAll;
  simt::host::Schedule schedule;
};

/// "n = 33, alternate, schedule shuffled:5 with 2 resident blocks"
std::string to_string(const Trial& trial);

/// Why a function fails.
struct Failure {
  enum class Kind { kWrongResult, kRace, kPoison, kOutOfRange, kBarrier, kDeadlock, kError };
  Kind kind;
  Trial trial;
  std::string text;        ///< with marks of code_marks.h
  std::string array = {};  ///< that holds a wrong result: "out" or "count"
  size_t item = 0;         ///< the wrong one
};

/// "race", "divergent barrier" and so on.
const char* name_of(Failure::Kind kind);

struct Verdict {
  std::optional<Failure> failure;
  uint64_t trials = 0;
  Counts counts;           ///< of one call
  uint32_t counted_n = 0;  ///< its number of items
};

using Function = std::function<void(const Arguments&)>;

/// Calls `function` with inputs of many sizes and patterns under many schedules, in ascending order
/// of size with the simplest schedules first, until it makes a mistake.
///
/// `start_trial` is called before each one, for who reports a crash. One OS thread at a time.
Verdict judge(const Settings& settings, const Function& function,
              const std::function<void(const Trial&)>& start_trial = {});

/// Repeats a call and records it. If it is that of a failure, so is the trace's, which has the same
/// text where nothing is known of memory that tells more.
simt::host::Trace record(const Settings& settings, const Function& function, const Trial& trial,
                         const std::optional<Failure>& failure = {});

/// What one call under a forward schedule does, with bank conflicts. Mistakes are not reported.
Counts count(const Settings& settings, const Function& function, uint32_t n);

}  // namespace compaction::judge
