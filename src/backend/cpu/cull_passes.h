// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "compaction/simt/host/executor.h"
#include "wavefront/cull/cull.h"
#include "wavefront/cull/group.h"

namespace winnow {

/// Culling passes, and the split of grouping, on the host executor. They have a source of their
/// own, so that a change of a stage does not compile them.
class CullPasses {
 public:
  void cull(Cull mode, const CullJob& job);
  void split_by_class(const GroupJob& job);

  simt::host::Executor& executor() { return launcher(); }

 private:
  /// Splits run in blocks of 384 threads. A block of 1024, which needs more shared memory than
  /// this, takes longer here, because its threads take turns.
  struct Launcher : simt::host::Executor {
    size_t max_shared_bytes() const { return size_t(16) << 10; }
  };
  Launcher& launcher() {
    if (!launcher_) launcher_.emplace();
    return *launcher_;
  }

  std::optional<Launcher> launcher_;  ///< none before its first use
};

}  // namespace winnow
