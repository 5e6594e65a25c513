// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "compaction/simt/host/executor.h"

// Launchers on the host executor. One counts launches. One delays a warp of each block after each
// barrier, which no random schedule does; it shows whether other warps overwrite data that the
// delayed warp has yet to read. One starts more blocks than are resident.

/// Counts the launches on the host executor.
struct CountingLauncher : simt::host::Executor {
  using Executor::Executor;

  template <class Kernel>
  void launch(uint32_t blocks, const Kernel& kernel) {
    if (blocks > 0) ++launches;
    Executor::launch(blocks, kernel);
  }

  unsigned launches = 0;
};

namespace {

/// A block that delays one warp after each barrier, for longer than the others take to the next
/// one.
template <class Block>
struct DelayedBlock : Block {
  static constexpr unsigned kBackoffs = 60;

  void sync(simt::Place place = simt::here()) const {
    Block::sync(place);
    if (this->warp_rank() == delayed)
      for (unsigned i = 0; i < kBackoffs; ++i) simt::backoff();
  }

  unsigned delayed;  // warp
};

template <class Kernel>
struct WithDelayedWarp : Kernel {
  unsigned delayed;  // warp

  SIMT_KERNEL void operator()(simt::Block auto& block, typename Kernel::Shared& shared) const {
    DelayedBlock<std::remove_reference_t<decltype(block)>> delayed_block{block, delayed};
    static_cast<const Kernel&> (*this)(delayed_block, shared);
  }
};

struct DelayingLauncher {
  unsigned multiprocessors() const { return executor.multiprocessors(); }
  template <class Kernel>
  void launch(uint32_t blocks, const Kernel& kernel) {
    executor.launch(blocks, WithDelayedWarp<Kernel>{kernel, delayed});
  }
  size_t shared_bytes_per_multiprocessor() const {
    return executor.shared_bytes_per_multiprocessor();
  }

  simt::host::Executor executor;
  unsigned delayed;  // warp
};

/// Reports more multiprocessors than the host executor keeps blocks resident: the other blocks
/// start when these have ended, as beside a kernel that occupies the rest of the device.
struct Overcommitted {
  unsigned multiprocessors() const { return reported; }
  size_t shared_bytes_per_multiprocessor() const {
    return executor.shared_bytes_per_multiprocessor();
  }
  size_t max_shared_bytes() const { return executor.max_shared_bytes(); }
  template <class Kernel>
  void launch(uint32_t blocks, const Kernel& kernel) {
    executor.launch(blocks, kernel);
  }

  simt::host::Executor executor;
  unsigned reported;
};

}  // namespace
