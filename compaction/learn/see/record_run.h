// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "compaction/simt/host/executor.h"
#include "compaction/simt/host/recorder.h"

namespace compaction::see {

struct Watched {
  std::string name;
  void* data = nullptr;
  size_t bytes = 0;
  simt::host::Cells cells = simt::host::Cells::kU32;

  template <class T>
  Watched(std::string name, std::vector<T>& items,
          simt::host::Cells cells = sizeof(T) == 1   ? simt::host::Cells::kU8
                                    : sizeof(T) == 8 ? simt::host::Cells::kU64
                                                     : simt::host::Cells::kU32)
      : Watched(std::move(name), items.data(), items.size() * sizeof(T), cells) {}
  Watched(std::string name, void* data, size_t bytes, simt::host::Cells cells)
      : name(std::move(name)), data(data), bytes(bytes), cells(cells) {}
};

/// Runs `launch` on an executor with this schedule and returns the trace. An error of a kernel ends
/// the run and becomes the trace's `failure`. Any other exception is passed on.
///
/// @param watched  memory that must exist until the function returns
/// @param launch   launches kernels whose source is compiled with compaction::recording
simt::host::Trace record_run(simt::host::Schedule schedule, const std::vector<Watched>& watched,
                             const std::function<void(simt::host::Executor&)>& launch);

/// Names the last store to this byte of a region of words as the cause of the trace's failure. Does
/// nothing if the failure names a thread already, or if no such store exists.
void blame_last_store(simt::host::Trace& trace, const std::string& region, size_t byte);

struct FailingRun {
  uint32_t n = 0;
  simt::host::Schedule schedule;
  simt::host::Trace trace;
};

/// The trace's failure is what the executor found, or a wrong result.
using RunWithSize = std::function<simt::host::Trace(uint32_t n, simt::host::Schedule schedule)>;

/// Finds a small run that fails. Tries ascending sizes next to powers of two, each with forward,
/// reverse and shuffled schedules. Then bisects between the failing size and the last one that
/// passed. Returns n = 0 and no failure if nothing up to `max_n` fails.
FailingRun shrink(const RunWithSize& run, uint32_t max_n);

/// Returns a schedule as on the command line: "forward", "reverse" or "shuffled:SEED".
std::string name_of(const simt::host::Schedule& schedule);

}  // namespace compaction::see
