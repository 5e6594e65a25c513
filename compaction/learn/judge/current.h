// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/simt/host/executor.h"

// Global access to the executor and recorder of the judged call, because CUDA's functions have no
// argument for them.

namespace simt::host {
class Recorder;
}

namespace compaction::judge {

/// Thrown to end a call whose kernel made a mistake. The Watcher has the mistake.
struct CallEnded {};

/// Returns the executor of the judged call. Throws std::logic_error outside of a call.
simt::host::Executor& current_executor();

/// Sets the executor of the judged call; null outside of a call.
void set_current_executor(simt::host::Executor* executor);

/// Returns the recorder of the judged call; null if it is not recorded.
simt::host::Recorder* current_recorder();

/// Throws CallEnded if the Watcher has found a mistake, so that no later kernel runs.
void end_call_on_violation();

}  // namespace compaction::judge
