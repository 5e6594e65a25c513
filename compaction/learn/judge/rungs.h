// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "compaction/learn/judge/trial.h"

namespace compaction::judge {

struct Rung {
  const char* name;
  Task task;
  bool any_order;  ///< whether a select may write items in any order
  Function function;
};

const std::vector<Rung>& rungs();

/// Returns null if no rung has this name.
const Rung* find_rung(std::string_view name);

/// Returns the rung to compare a file with: the one named like the file without its suffix,
/// otherwise a textbook algorithm of the task.
const Rung& rung_beside(std::string_view file, Task task);

}  // namespace compaction::judge
