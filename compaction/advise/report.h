// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "compaction/advise/model.h"

namespace compaction::advise {

/// What a report is about.
struct Subject {
  std::string file;
  const Recording& recording;
  const Advice& advice;
  const DeviceModel& device;
  bool passes_are_measured = false;  ///< by the library's kernels on these items, on this GPU
  bool state_is_in_slots = false;    ///< with regeneration; else each item has its own
};

/// Returns the text that compaction-advise prints, at most 100 columns wide.
std::string report_text(const Subject& subject);
/// Returns all numbers as JSON. Units are in the names.
std::string report_json(const Subject& subject);
/// Returns one HTML page that needs nothing else.
std::string report_page(const Subject& subject);

}  // namespace compaction::advise
