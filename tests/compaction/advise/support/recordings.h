// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "compaction/record/record_steps.h"

namespace compaction::advise {

/// What a program records in a step.
struct RecordedStep {
  std::vector<uint8_t> classes;  ///< [item]; StepItems::kInactive is inactive
  std::vector<uint32_t> costs;   ///< [item], or empty
  double nanoseconds = 0, fixed_nanoseconds = 0;
};

/// Writes `steps`. `end` is whether the file is finished.
inline void write_steps(const std::string& file, const StepFormat& format,
                        const std::vector<RecordedStep>& steps, bool end = true,
                        double frame_nanoseconds = 0) {
  std::ofstream stream(file, std::ios::binary);
  StepFile to(stream, format);
  for (const RecordedStep& step : steps)
    to.add(step.classes.data(), step.costs.empty() ? nullptr : step.costs.data(),
           uint32_t(step.classes.size()), step.nanoseconds, step.fixed_nanoseconds);
  if (end) to.finish(frame_nanoseconds);
}

/// Returns steps in which each active item ends with probability `ends`, in classes that change.
/// With `begins`, as many items become active.
inline std::vector<RecordedStep> random_steps(uint32_t n, unsigned step_count, double ends,
                                              unsigned class_count, bool begins = false,
                                              uint64_t seed = 1) {
  const auto draw = [&] {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return double(seed >> 33) / double(uint64_t(1) << 31);
  };
  std::vector<RecordedStep> steps;
  RecordedStep step{.classes = std::vector<uint8_t>(n, 0), .costs = std::vector<uint32_t>(n, 1)};
  for (unsigned s = 0; s < step_count; ++s) {
    for (uint32_t i = 0; i < n; ++i) {
      const bool was_active = step.classes[i] != StepItems::kInactive;
      const bool is_active = was_active ? s == 0 || draw() >= ends : begins && draw() < ends;
      step.classes[i] = is_active ? uint8_t(draw() * class_count) : StepItems::kInactive;
      step.costs[i] = uint32_t(1 + draw() * 100);
    }
    steps.push_back(step);
  }
  return steps;
}

}  // namespace compaction::advise
