// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "compaction/learn/judge/trial.h"

namespace compaction::judge {

/// An algorithm of the ladder, or of the library's fast path, as a function to judge.
struct Rung {
  const char* name;
  Task task;
  bool any_order;  ///< of a select
  Function function;
};

const std::vector<Rung>& rungs();

/// The rung of this name; null where there is none.
const Rung* find_rung(std::string_view name);

/// The rung that a file is compared with: that of the file's name without suffix, else a textbook
/// algorithm of the task.
const Rung& rung_beside(std::string_view file, Task task);

}  // namespace compaction::judge
