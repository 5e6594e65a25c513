// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include "compaction/simt/host/access_listener.h"
#include "compaction/simt/host/executor.h"
#include "compaction/simt/host/fiber.h"

namespace simt::host {

/// A barrier of the threads of a block or of a warp.
struct Barrier {
  unsigned first = 0;    ///< rank of the first thread
  unsigned size = 0;     ///< threads
  unsigned arrived = 0;  ///< number of threads that wait here
  unsigned ended = 0;    ///< number of threads that have returned from the kernel
  unsigned opener = 0;   ///< rank of the thread that arrived first
  Collective call{};     ///< the call of the opener, which all threads must make
  std::source_location where{};
  // Alternates from use to use: a thread may vote in the next use before all threads have read the
  // result of this use, but no thread can be two uses ahead.
  unsigned phase = 0;
  uint32_t votes[2] = {};  ///< sum of the votes
};

struct BlockState;
class Recorder;

struct Thread {
  Executor::Scheduler* scheduler = nullptr;
  BlockState* block = nullptr;
  unsigned rank = 0;
  Barrier* waits_at = nullptr;
  std::source_location where{};         ///< its last collective call
  bool has_arrived = false;             ///< `where` is set
  bool has_ended = false;               ///< it has returned from the kernel
  struct ThreadFiber* fiber = nullptr;  ///< fiber from its start to its end
  const std::byte* frame = nullptr;     ///< of the call of suspend() in which it waits
};

struct WarpState {
  static constexpr size_t kWords = 16;  ///< words that lanes exchange at once

  Barrier barrier;
  uint64_t values[2][kWarpSize];  ///< [phase][lane]
  std::vector<uint64_t> words;    ///< [phase][lane][word] of larger items, once there are some
};

struct BlockState {
  uint32_t index = 0;
  Barrier barrier;
  std::vector<Thread> threads;
  std::vector<WarpState> warps;
  struct alignas(Executor::kSharedAlignment) Line {
    std::byte bytes[Executor::kSharedAlignment];
  };
  std::vector<Line> shared;
};

/// Receives the memory accesses of threads, and the events that order them.
class Observer : public AccessListener {
 public:
  virtual void start_launch(const Executor::Launch& launch) = 0;
  virtual void start_block(BlockState& block) = 0;
  /// Called when all threads of `barrier`, the barrier of `block` or of one of its warps, have
  /// arrived.
  virtual void open_barrier(BlockState& block, const Barrier& barrier) = 0;
  virtual void end_launch() = 0;

 protected:
  ~Observer() = default;
};

/// A fiber that runs threads one after another. A thread keeps its fiber only while it waits.
struct ThreadFiber {
  explicit ThreadFiber(Executor::Scheduler& scheduler);

  Thread* thread = nullptr;  ///< runs next, or now; null ends the fiber
  Fiber fiber;
};

/// The state of an Executor. Fibers switch directly to the fiber of the next thread; the fiber of
/// the OS thread runs only before the first thread and after the last.
class Executor::Scheduler {
 public:
  /// The scheduler whose kernel is running on this OS thread.
  static thread_local Scheduler* current;

  explicit Scheduler(Schedule schedule) : schedule_(schedule), random_(schedule.seed) {}
  ~Scheduler();

  void run(const Launch& launch);
  void reschedule(Schedule schedule) {
    schedule_ = schedule;
    random_ = schedule.seed;
  }
  void record_to(Recorder* recorder) { recorder_ = recorder; }
  const Launch& launch() const { return *launch_; }
  /// Returns the thread that runs now. Valid in kernels.
  Thread& running() const { return *running_; }

  Observer* observer = nullptr;

  /// Waits until all threads of `barrier` have made this call. Returns the sum of their votes.
  uint32_t arrive_and_wait(Thread& thread, Barrier& barrier, Collective call, uint32_t vote,
                           std::source_location where);
  /// Records a call. Must precede each arrive_and_wait(). `value` is the vote of the thread or the
  /// bits that it provides, `from_lane` the lane that it reads in a shuffle.
  void record(Collective call, uint64_t value, uint32_t from_lane, std::source_location where) {
    if (recorder_) [[unlikely]]
      record_call(call, value, from_lane, where);
  }
  void back_off(std::source_location where);
  [[noreturn]] void fail(const char* reason, std::source_location where);

 private:
  friend ThreadFiber;

  Fiber& run_threads(ThreadFiber& self);
  void run_thread(Thread& thread);
  void end_thread(Thread& thread);
  void suspend(Thread& thread);
  void start_block(BlockState& block);
  void unwind_all();

  void push_ready(Thread& thread);
  void push_ready(Barrier& barrier, BlockState& block, const Thread* except);
  Thread* pop_ready();
  size_t next_ready() const;
  ThreadFiber& fiber_of(Thread& thread);
  uint64_t next_random();
  uint64_t random_bits() const;  ///< what next_random() returns
  uint32_t block_at(uint32_t position) const;

  void stop(std::string error);
  void set_running(Thread& thread) {
    running_ = &thread;
    if (recorder_) [[unlikely]]
      record_switch(thread);
  }
  void record_call(Collective call, uint64_t value, uint32_t from_lane, std::source_location where);
  void record_switch(const Thread& thread);
  void check_record() const;
  void blame(const Thread& thread) const;
  [[noreturn, gnu::cold, gnu::noinline]] void refuse(const Thread& thread, const Barrier& barrier,
                                                     Collective call,
                                                     std::source_location where) const;
  std::string describe_deadlock() const;

  Schedule schedule_;
  Recorder* recorder_ = nullptr;  // null while nothing is recorded
  uint64_t random_;
  const Launch* launch_ = nullptr;
  uint32_t started_blocks_ = 0, ended_blocks_ = 0;
  std::vector<uint32_t> shuffled_blocks_;  // [position], only in kShuffled

  std::vector<std::unique_ptr<BlockState>> blocks_;  // [resident block]
  std::vector<Thread*> ready_;                       // ring buffer, each thread at most once
  size_t ready_first_ = 0, ready_count_ = 0;

  std::vector<std::unique_ptr<ThreadFiber>> fibers_;
  std::vector<ThreadFiber*> idle_;
  Fiber os_thread_;
  Thread* running_ = nullptr;
  uint64_t idle_backoffs_ = 0;  // since any thread started, ended or arrived at a barrier
  std::string error_;           // the first error; not empty while the launch is being abandoned
};

}  // namespace simt::host
