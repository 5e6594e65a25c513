// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "compaction/record/record_steps.h"

namespace compaction::advise {

/// One step of a recorded program.
struct Step {
  std::vector<uint32_t> words;   ///< [ceil(n / 32)], bit i % 32 of word i / 32: item i is active
  std::vector<uint32_t> before;  ///< [word], active items before the word
  std::vector<uint8_t> classes;  ///< [active item]
  std::vector<uint32_t> costs;   ///< [active item], or empty
  double nanoseconds = 0;        ///< 0 if unknown
  double fixed_nanoseconds = 0;  ///< part that does not depend on where the items are

  uint64_t active_count() const { return classes.size(); }
  bool is_active(uint32_t item) const { return words[item / 32] >> item % 32 & 1; }
  /// Returns the index of an active item in `classes` and `costs`.
  uint32_t index_of(uint32_t item) const {
    const uint32_t below = (uint32_t(1) << item % 32) - 1;
    return before[item / 32] + uint32_t(std::popcount(words[item / 32] & below));
  }
  uint32_t cost_of(uint32_t index) const { return costs.empty() ? 1 : costs[index]; }
};

struct Recording {
  StepFormat format;
  uint32_t item_count = 0;       ///< the same in all steps
  std::vector<Step> steps;       ///< at least one
  double frame_nanoseconds = 0;  ///< 0 if unknown
  bool is_cut = false;           ///< the file ends before its last step; `steps` are the whole ones
  unsigned class_count = 1;      ///< largest class + 1

  bool has_times() const;  ///< every step has one
  /// Whether no item becomes active after the first step.
  bool only_ends() const;
};

inline constexpr uint32_t kMaxItems = uint32_t(1) << 27, kMaxSteps = 100'000;

/// Reads a file of StepFile, or of masks (tools/mask_file.h): the masks say which of the items of a
/// step are active in the next one, and items that were culled are counted as before.
///
/// @param accept_cut  whether the whole steps of a file that is cut off are used
/// Throws std::runtime_error, which names the file.
Recording read_recording(const std::string& path, bool accept_cut);

}  // namespace compaction::advise
