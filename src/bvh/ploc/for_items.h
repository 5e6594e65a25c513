#pragma once

#include <cstdint>

#include "compaction/simt/simt.h"

namespace winnow {

/// Runs `stage(i)` for each of `count` items, one on each thread.
template <class Stage>
struct ForItems {
  static constexpr unsigned kBlockSize = 256;
  using Shared = simt::NoShared;

  uint32_t count;
  Stage stage;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t i = block.group_index() * kBlockSize + block.thread_rank();
    if (i < count) stage(i);
  }
};

template <class Launcher, class Stage>
void for_items(Launcher& launcher, uint32_t count, const Stage& stage) {
  using Kernel = ForItems<Stage>;
  launcher.launch(simt::ceil_div(count, Kernel::kBlockSize), Kernel{count, stage});
}

}  // namespace winnow
