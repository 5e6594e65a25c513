// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <typeinfo>

#include "compaction/simt/host/block.h"

namespace simt::host {

class Recorder;

/// An error in a kernel. `what()` names the block, the thread and the source positions.
struct KernelError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Order {
  kForward,   ///< blocks and threads by rank, round robin
  kReverse,   ///< the reverse of kForward
  kShuffled,  ///< a random ready thread: detects the most mistakes
};

/// The order in which threads run.
struct Schedule {
  Order order = Order::kForward;
  uint64_t seed = 0;             ///< seed of kShuffled
  unsigned resident_blocks = 1;  ///< blocks that run interleaved; another starts when one ends
  /// Whether the last thread that arrives at a barrier also waits for its turn, so that the lanes
  /// of a warp stay together in kForward. Otherwise it continues at once, which saves a switch.
  bool in_turn = false;
};

/// Runs kernels on the calling OS thread, with one fiber per waiting thread.
///
/// It is stricter than a GPU. The following throw KernelError, and the executor remains usable:
/// - threads that arrive at one barrier or warp call at different source positions;
/// - a thread that returns while its block or warp waits for it, or that waits for one that has
/// returned;
/// - threads that wait for each other, or that back off repeatedly without any progress;
/// - any exception in a kernel, such as an index out of the range of a Span.
/// Shared memory is initialized with 0xCD bytes. Kernels must hold trivial objects only.
///
/// Only one OS thread at a time may use an executor; several executors may run concurrently. An
/// executor keeps its stacks (64 KiB each, one per thread that waited at the same time) for the
/// next launch.
class Executor {
 public:
  explicit Executor(Schedule schedule = {});
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  ~Executor();

  /// Runs `blocks` blocks of `kernel` and returns when they have ended. 0 blocks are allowed.
  template <class Kernel>
  void launch(uint32_t blocks, const Kernel& kernel) {
    static_assert(Kernel::kBlockSize % kWarpSize == 0);
    run(Launch::of(blocks, kernel));
  }

  /// Reports all actions of threads to `recorder` (recorder.h) from now on; null stops that. Races
  /// and reads of poison that the recorder finds are also errors.
  void record_to(Recorder* recorder);

  unsigned multiprocessors() const { return resident_blocks_; }
  /// Returns the bytes of shared memory of one block: as on an H200.
  size_t max_shared_bytes() const { return size_t(227) << 10; }
  /// Returns the bytes of shared memory of one multiprocessor: as on an H200.
  size_t shared_bytes_per_multiprocessor() const { return size_t(228) << 10; }

  static constexpr size_t kSharedAlignment = 128;  // bytes

  class Scheduler;

  /// A launch whose kernel type is erased.
  struct Launch {
    const char* name;  // mangled name of the kernel's type
    uint32_t blocks;
    unsigned block_size;  // threads; the last warp may be incomplete
    size_t shared_size;   // bytes
    const void* kernel;
    void (*body)(const void* kernel, Thread& thread, void* shared);

    /// Returns a launch of `kernel`, which must outlive it.
    template <class Kernel>
    static Launch of(uint32_t blocks, const Kernel& kernel) {
      using Shared = typename Kernel::Shared;
      static_assert(std::is_trivially_default_constructible_v<Shared> &&
                    std::is_trivially_destructible_v<Shared>);
      static_assert(alignof(Shared) <= kSharedAlignment);
      return {.name = typeid(Kernel).name(),
              .blocks = blocks,
              .block_size = Kernel::kBlockSize,
              .shared_size = sizeof(Shared),
              .kernel = &kernel,
              .body = [](const void* kernel, Thread& thread, void* shared) {
                Block block(thread);
                (*static_cast<const Kernel*>(kernel))(block, *static_cast<Shared*>(shared));
              }};
    }
  };

  /// Runs all blocks of `launch` and returns when they have ended.
  void run(const Launch& launch);

  /// Changes the schedule of later launches. Keeps the stacks, which take time to allocate.
  void reschedule(Schedule schedule);

  /// Reports memory accesses of later launches, and what orders them, to `observer`, which must
  /// outlive these launches; null stops that. If there is a recorder, the observer passes the
  /// accesses on to it.
  void observe(class Observer* observer);

 private:
  unsigned resident_blocks_;
  Scheduler* scheduler_;  // owned; <memory> would take a third of a judged program's compile time
};

}  // namespace simt::host
