// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

#include "compaction/learn/judge/trial.h"

/// A function with a known mistake.
struct Case {
  const char* name;
  compaction::judge::Task task;
  uint32_t max_items;
  compaction::judge::Mistake expected;
  compaction::judge::Function function;

  friend std::ostream& operator<<(std::ostream& out, const Case& self) { return out << self.name; }
};

std::vector<Case> gallery_cases();
std::vector<Case> planted_cases();
std::vector<Case> lab_cases();
