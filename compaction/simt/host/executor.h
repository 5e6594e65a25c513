#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <type_traits>

#include "compaction/simt/host/block.h"

namespace simt::host {

/// A mistake in a kernel. `what()` names the block, the thread and the source positions.
struct KernelError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Order {
  kForward,   ///< blocks and threads by rank, round robin
  kReverse,   ///< likewise from the last
  kShuffled,  ///< whoever can run, at random: finds the most mistakes
};

/// Which thread runs next.
struct Schedule {
  Order order = Order::kForward;
  uint64_t seed = 0;  ///< of kShuffled
  unsigned resident_blocks =
      1;  ///< how many blocks run interleaved; a further one starts when one ends
};

/// Runs kernels on the calling OS thread, one fiber for each thread that has met another.
///
/// It is stricter than a GPU. These throw KernelError, and the executor stays usable:
/// - threads that meet in one barrier or warp call at different places in the source;
/// - a thread that returns while its block or warp waits for it, or waits for one that has
/// returned;
/// - threads that wait for each other, or that back off again and again without any progress;
/// - any exception of a kernel, such as an index outside a Span.
/// Shared memory starts as 0xCD bytes. Kernels must hold trivial objects only.
///
/// An executor belongs to one OS thread at a time; several run side by side. It keeps its stacks
/// (64 KiB each, as many as threads waited at once) for the next launch.
class Executor {
 public:
  explicit Executor(Schedule schedule = {});
  ~Executor();

  /// Runs `blocks` blocks of `kernel`; returns when they have ended. Zero blocks is nothing to do.
  template <class Kernel>
  void launch(uint32_t blocks, const Kernel& kernel) {
    using Shared = typename Kernel::Shared;
    static_assert(Kernel::kBlockSize % kWarpSize == 0);
    static_assert(std::is_trivially_default_constructible_v<Shared> &&
                  std::is_trivially_destructible_v<Shared>);
    static_assert(alignof(Shared) <= kSharedAlignment);
    run({.blocks = blocks,
         .block_size = Kernel::kBlockSize,
         .shared_size = sizeof(Shared),
         .kernel = &kernel,
         .body = [](const void* kernel, Thread& thread, void* shared) {
           Block block(thread);
           (*static_cast<const Kernel*>(kernel))(block, *static_cast<Shared*>(shared));
         }});
  }

  /// Likewise, all blocks at once: no more than max_cooperative_blocks<Kernel>().
  template <class Kernel>
  void launch_cooperative(uint32_t blocks, const Kernel& kernel) {
    if (blocks > max_cooperative_blocks<Kernel>())
      throw std::logic_error("more blocks are to run together than the schedule runs at once");
    launch(blocks, kernel);
  }
  template <class Kernel>
  uint32_t max_cooperative_blocks() const {
    return resident_blocks_;
  }

  /// Blocks that run at once.
  unsigned multiprocessors() const { return resident_blocks_; }
  /// What one block may have. Bytes; as much as on an H200.
  size_t max_shared_bytes() const { return size_t(227) << 10; }

  static constexpr size_t kSharedAlignment = 64;  // bytes

  class Scheduler;

  /// A kernel with its type erased.
  struct Launch {
    uint32_t blocks;
    unsigned block_size;
    size_t shared_size;  // bytes
    const void* kernel;
    void (*body)(const void* kernel, Thread& thread, void* shared);
  };

 private:
  void run(const Launch& launch);

  unsigned resident_blocks_;
  std::unique_ptr<Scheduler> scheduler_;
};

}  // namespace simt::host
