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

  simt::host::Executor& executor() {
    if (!executor_) executor_.emplace();
    return *executor_;
  }

 private:
  std::optional<simt::host::Executor> executor_;  ///< none before its first use
};

}  // namespace winnow
