// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/simt/host/executor.h"

// The executor of the call that is judged now. CUDA's functions have no argument for it.

namespace simt::host {
class Recorder;
}

namespace compaction::judge {

/// Thrown to end a call whose kernel made a mistake; what it was is in the Watcher.
struct CallEnded {};

simt::host::Executor& current_executor();

/// Sets it; null while nothing is judged.
void set_current_executor(simt::host::Executor* executor);

/// Records the call that is judged now; null where none does.
simt::host::Recorder* current_recorder();

/// Throws CallEnded where the Watcher has found a mistake: what later kernels do no longer matters.
void end_call_on_violation();

}  // namespace compaction::judge
