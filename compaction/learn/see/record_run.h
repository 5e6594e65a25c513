// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "compaction/simt/host/executor.h"
#include "compaction/simt/host/recorder.h"

namespace compaction::see {

/// Memory that a page shows by this name.
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

/// Runs `launch` on an executor with this schedule, and records it. An error of a kernel ends the
/// run and is the trace's `failure`. Any other exception leaves the function.
///
/// @param watched  allocated before and kept until it returns
/// @param launch   launches kernels whose source is compiled with compaction::recording
simt::host::Trace record_run(simt::host::Schedule schedule, const std::vector<Watched>& watched,
                             const std::function<void(simt::host::Executor&)>& launch,
                             simt::host::Recorder::Options options = {});

/// Of a trace that has failed without any thread to blame, as with a wrong result: blames the last
/// store to this byte of a region of words, if there is one.
void blame_last_store(simt::host::Trace& trace, const std::string& region, size_t byte);

/// A size and a schedule with which a run fails.
struct FailingRun {
  uint32_t n = 0;
  simt::host::Schedule schedule;
  simt::host::Trace trace;
};

/// Runs a kernel with n items in this schedule. The trace's failure says what is wrong, be it found
/// by the executor or by a comparison of results.
using RunWithSize = std::function<simt::host::Trace(uint32_t n, simt::host::Schedule schedule)>;

/// Finds a small run that fails: tries sizes upwards, around powers of two, each with forward,
/// reverse and shuffled schedules, and then sizes down to the largest one that does not fail.
/// Returns a run with n = 0 and without a failure where none up to `max_n` fails.
FailingRun shrink(const RunWithSize& run, uint32_t max_n);

/// A schedule as the command line gives it: "forward", "reverse" or "shuffled:SEED".
std::string name_of(const simt::host::Schedule& schedule);

}  // namespace compaction::see
