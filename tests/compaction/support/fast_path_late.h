#pragma once

#include <type_traits>

#include "compaction/simt/host/executor.h"

// A schedule that no random one comes upon: one warp of each block is late after each barrier. It
// shows what others overwrite before all have read it.

namespace {

/// A block of which one warp is late after each barrier, by more than the others do until the
/// next.
template <class Block>
struct LateBlock {
  static constexpr unsigned kRounds = 60;

  unsigned thread_rank() const { return block.thread_rank(); }
  unsigned num_threads() const { return block.num_threads(); }
  unsigned group_index() const { return block.group_index(); }
  unsigned num_groups() const { return block.num_groups(); }
  unsigned warp_rank() const { return block.warp_rank(); }
  auto warp() const { return block.warp(); }
  unsigned sync_count(bool vote) const { return block.sync_count(vote); }
  void sync(simt::Place place = simt::here()) const {
    block.sync(place);
    if (block.warp_rank() == late)
      for (unsigned round = 0; round < kRounds; ++round) simt::backoff();
  }

  Block& block;
  unsigned late;
};

template <class Kernel>
struct WithLateWarp : Kernel {
  unsigned late;

  SIMT_KERNEL void operator()(simt::Block auto& block, typename Kernel::Shared& shared) const {
    LateBlock<std::remove_reference_t<decltype(block)>> late_block{block, late};
    static_cast<const Kernel&> (*this)(late_block, shared);
  }
};

struct LateLauncher {
  unsigned multiprocessors() const { return executor.multiprocessors(); }
  template <class Kernel>
  void launch(uint32_t blocks, const Kernel& kernel) {
    executor.launch(blocks, WithLateWarp<Kernel>{kernel, late});
  }
  template <class Kernel>
  void launch_cooperative(uint32_t blocks, const Kernel& kernel) {
    executor.launch_cooperative(blocks, WithLateWarp<Kernel>{kernel, late});
  }
  template <class Kernel>
  uint32_t max_cooperative_blocks() const {
    return executor.max_cooperative_blocks<Kernel>();
  }

  simt::host::Executor executor;
  unsigned late;
};

}  // namespace
