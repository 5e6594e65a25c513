// SPDX-License-Identifier: MIT
#include "compaction/simt/host/scheduler.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string_view>
#include <utility>

#include "compaction/simt/host/recorder.h"

namespace simt::host {

namespace {

constexpr int kPoison = 0xCD;                  // initial bytes of shared memory
constexpr uint64_t kBackoffsPerThread = 1000;  // without progress, before it is an error
constexpr uint64_t kRecordedBackoffs = 50;     // in a recorded run, whose trace is kept
constexpr uint64_t kRandomStep = 0x9E3779B97F4A7C15u;

/// Thrown in waiting threads when their launch is abandoned.
struct Abandoned {};

std::string to_string(std::source_location where) {
  return std::string(where.file_name()) + ":" + std::to_string(where.line());
}

std::string to_string(const Thread& thread) {
  return "thread " + std::to_string(thread.rank) + " of block " +
         std::to_string(thread.block->index);
}

/// Prefetches the frames that a waiting thread will read first. The frames of all threads of a
/// block do not fit into a core's first cache.
void prefetch_frames(const Thread& thread) {
  if (!thread.frame) return;
  for (int line = -3; line < 8; ++line) __builtin_prefetch(thread.frame + line * 64);
}

std::string describe_wait(const Thread& thread) {
  return to_string(thread) + " waits in " + name_of(thread.waits_at->call) + " at " +
         to_string(thread.where);
}

bool same_place(std::source_location a, std::source_location b) {
  return a.line() == b.line() && a.column() == b.column() &&
         (a.file_name() == b.file_name() ||
          std::string_view(a.file_name()) == std::string_view(b.file_name()));
}

}  // namespace

ThreadFiber::ThreadFiber(Executor::Scheduler& scheduler)
    : fiber([this, &scheduler]() -> Fiber& { return scheduler.run_threads(*this); }) {}

// ---- launching

thread_local Executor::Scheduler* Executor::Scheduler::current = nullptr;
constinit thread_local AccessListener* AccessListener::active = nullptr;

Executor::Scheduler::~Scheduler() {
  // All fibers are idle; end each one, so that the objects in its frames are destroyed.
  for (std::unique_ptr<ThreadFiber>& fiber : fibers_) {
    fiber->thread = nullptr;
    fiber->fiber.resume(os_thread_);
  }
}

void Executor::Scheduler::run(const Launch& launch) {
  if (launch.blocks == 0) return;
  if (launch_) throw std::logic_error("a kernel launches another one on its own executor");

  uint32_t resident = std::min(launch.blocks, std::max(schedule_.resident_blocks, 1u));
  launch_ = &launch;
  started_blocks_ = ended_blocks_ = 0;
  idle_backoffs_ = 0;
  error_.clear();
  ready_first_ = ready_count_ = 0;
  ready_.resize(size_t(resident) * launch.block_size);
  blocks_.resize(resident);
  for (std::unique_ptr<BlockState>& block : blocks_)
    if (!block) block = std::make_unique<BlockState>();
  if (schedule_.order == Order::kShuffled) {
    shuffled_blocks_.resize(launch.blocks);
    std::iota(shuffled_blocks_.begin(), shuffled_blocks_.end(), 0u);
    for (uint32_t i = launch.blocks; i > 1; --i)
      std::swap(shuffled_blocks_[i - 1], shuffled_blocks_[next_random() % i]);
  }
  if (observer) observer->start_launch(launch);
  if (recorder_)
    recorder_->begin_launch(launch.name, launch.blocks, launch.block_size, launch.shared_size);
  for (uint32_t i = 0; i < resident; ++i) start_block(*blocks_[i]);

  Scheduler* outer = std::exchange(current, this);
  {
    const AccessListener::Pause outer_accesses;
    AccessListener::active = observer ? static_cast<AccessListener*>(observer) : recorder_;
    fiber_of(*pop_ready()).fiber.resume(os_thread_);
    AccessListener::active = nullptr;
    unwind_all();
    if (recorder_) recorder_->end_launch();
  }
  current = outer;
  launch_ = nullptr;
  if (observer) observer->end_launch();
  if (!error_.empty()) throw KernelError(error_);
}

void Executor::Scheduler::start_block(BlockState& block) {
  unsigned size = launch_->block_size;
  block.index = block_at(started_blocks_++);
  block.shared.resize(std::max<size_t>(1, ceil_div(launch_->shared_size, kSharedAlignment)));
  std::memset(block.shared.data(), kPoison, block.shared.size() * kSharedAlignment);

  block.barrier = {.first = 0, .size = size};
  block.warps.resize(ceil_div(size, kWarpSize));
  for (unsigned warp = 0; warp < block.warps.size(); ++warp)
    block.warps[warp].barrier = {.first = warp * kWarpSize,
                                 .size = std::min(kWarpSize, size - warp * kWarpSize)};
  block.threads.resize(size);
  for (unsigned rank = 0; rank < size; ++rank)
    block.threads[rank] = {.scheduler = this, .block = &block, .rank = rank};
  if (observer) observer->start_block(block);
  push_ready(block.barrier, block, nullptr);
  if (recorder_) recorder_->begin_block(block.index, block.shared.data());
}

uint32_t Executor::Scheduler::block_at(uint32_t position) const {
  switch (schedule_.order) {
    case Order::kForward:
      return position;
    case Order::kReverse:
      return launch_->blocks - 1 - position;
    case Order::kShuffled:
      return shuffled_blocks_[position];
  }
  return position;
}

void Executor::Scheduler::unwind_all() {
  for (std::unique_ptr<BlockState>& block : blocks_)
    for (Thread& thread : block->threads)
      if (thread.fiber) thread.fiber->fiber.resume(os_thread_);
}

// ---- fibers

/// Runs threads on a fiber. Returns the fiber to continue with when this one ends.
Fiber& Executor::Scheduler::run_threads(ThreadFiber& self) {
  while (self.thread) {
    run_thread(*self.thread);
    self.thread->fiber = nullptr;
    Thread* next = error_.empty() ? pop_ready() : nullptr;
    if (!next && ended_blocks_ < launch_->blocks) stop(describe_deadlock());
    if (next && !next->fiber) {  // it has not started: it can use this stack
      next->fiber = &self;
      self.thread = next;
      continue;
    }
    idle_.push_back(&self);
    (next ? next->fiber->fiber : os_thread_).resume(self.fiber);
  }
  return os_thread_;
}

void Executor::Scheduler::run_thread(Thread& thread) {
  set_running(thread);
  idle_backoffs_ = 0;
  try {
    launch_->body(launch_->kernel, thread, thread.block->shared.data());
    if (recorder_) [[unlikely]]
      check_record();
    end_thread(thread);
  } catch (const Abandoned&) {
  } catch (const KernelError& error) {
    stop(error.what());
  } catch (const std::exception& error) {
    std::string place = thread.has_arrived ? ", after " + to_string(thread.where) : "";
    stop(to_string(thread) + place + ": " + error.what());
  } catch (...) {
    stop(to_string(thread) + ": an exception of unknown type");
  }
}

void Executor::Scheduler::end_thread(Thread& thread) {
  idle_backoffs_ = 0;
  thread.has_ended = true;
  if (recorder_) recorder_->end_thread();
  BlockState& block = *thread.block;
  for (Barrier* barrier : {&block.warps[thread.rank / kWarpSize].barrier, &block.barrier}) {
    if (barrier->arrived > 0) {
      blame(block.threads[barrier->opener]);
      throw KernelError(to_string(thread) + " returned while " +
                        describe_wait(block.threads[barrier->opener]));
    }
    ++barrier->ended;
  }
  if (block.barrier.ended < block.barrier.size) return;
  ++ended_blocks_;
  if (started_blocks_ < launch_->blocks) start_block(block);
}

/// Runs other threads until this one is ready again.
void Executor::Scheduler::suspend(Thread& thread) {
  Thread* next = pop_ready();
  if (next == &thread) return;
  if (!next) stop(describe_deadlock());
  thread.frame = static_cast<const std::byte*>(__builtin_frame_address(0));
  (next ? fiber_of(*next).fiber : os_thread_).resume(thread.fiber->fiber);
  if (!error_.empty()) throw Abandoned{};
  set_running(thread);
}

ThreadFiber& Executor::Scheduler::fiber_of(Thread& thread) {
  if (thread.fiber) return *thread.fiber;
  if (idle_.empty()) {
    fibers_.push_back(std::make_unique<ThreadFiber>(*this));
    idle_.reserve(fibers_.size());
    idle_.push_back(fibers_.back().get());
  }
  thread.fiber = idle_.back();
  idle_.pop_back();
  thread.fiber->thread = &thread;
  return *thread.fiber;
}

// ---- scheduling order

void Executor::Scheduler::push_ready(Thread& thread) {
  size_t last = ready_first_ + ready_count_++;
  ready_[last < ready_.size() ? last : last - ready_.size()] = &thread;
}

void Executor::Scheduler::push_ready(Barrier& barrier, BlockState& block, const Thread* except) {
  for (unsigned i = 0; i < barrier.size; ++i) {
    unsigned offset = schedule_.order == Order::kReverse ? barrier.size - 1 - i : i;
    Thread& thread = block.threads[barrier.first + offset];
    thread.waits_at = nullptr;
    if (&thread != except) push_ready(thread);
  }
}

Thread* Executor::Scheduler::pop_ready() {
  if (ready_count_ == 0) return nullptr;
  if (schedule_.order == Order::kShuffled) {
    std::swap(ready_[ready_first_], ready_[next_ready()]);
    next_random();
  }
  Thread* thread = ready_[ready_first_];
  if (++ready_first_ == ready_.size()) ready_first_ = 0;
  if (--ready_count_ > 0) prefetch_frames(*ready_[next_ready()]);  // unless others become ready
  return thread;
}

/// Returns the position of the thread that pop_ready() would take.
size_t Executor::Scheduler::next_ready() const {
  if (schedule_.order != Order::kShuffled) return ready_first_;
  const size_t chosen = ready_first_ + random_bits() % ready_count_;
  return chosen < ready_.size() ? chosen : chosen - ready_.size();
}

uint64_t Executor::Scheduler::next_random() {
  const uint64_t bits = random_bits();
  random_ += kRandomStep;
  return bits;
}

/// SplitMix64. Steele, Lea & Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
uint64_t Executor::Scheduler::random_bits() const {
  uint64_t bits = random_ + kRandomStep;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  return bits ^ (bits >> 31);
}

// ---- collective calls

uint32_t Executor::Scheduler::arrive_and_wait(Thread& thread, Barrier& barrier, Collective call,
                                              uint32_t vote, std::source_location where) {
  idle_backoffs_ = 0;
  thread.where = where;
  thread.has_arrived = true;
  if (barrier.ended > 0) refuse(thread, barrier, call, where);
  unsigned phase = barrier.phase;
  if (barrier.arrived == 0) {
    barrier.opener = thread.rank;
    barrier.call = call;
    barrier.where = where;
    barrier.votes[phase] = 0;
  } else if (barrier.call != call || !same_place(barrier.where, where)) {
    refuse(thread, barrier, call, where);
  }
  barrier.votes[phase] += vote;
  const bool is_last = ++barrier.arrived == barrier.size;
  if (!is_last) {
    thread.waits_at = &barrier;
  } else {
    if (recorder_) [[unlikely]]
      recorder_->pass_barrier(call);
    barrier.arrived = 0;
    barrier.phase = 1 - phase;
    if (observer) observer->open_barrier(*thread.block, barrier);
    push_ready(barrier, *thread.block, schedule_.in_turn ? nullptr : &thread);
  }
  if (!is_last || schedule_.in_turn) suspend(thread);
  return barrier.votes[phase];
}

/// Ends the launch: some threads of the barrier have returned, or wait in another call.
void Executor::Scheduler::refuse(const Thread& thread, const Barrier& barrier, Collective call,
                                 std::source_location where) const {
  const std::vector<Thread>& threads = thread.block->threads;
  const Thread& other =
      barrier.ended == 0
          ? threads[barrier.opener]
          : *std::find_if(threads.begin() + barrier.first, threads.end(),
                          [](const Thread& candidate) { return candidate.has_ended; });
  blame(other);
  throw KernelError(to_string(where) + ": " + to_string(thread) + " calls " + name_of(call) +
                    ", but " +
                    (barrier.ended == 0 ? describe_wait(other)
                                        : std::to_string(barrier.ended) + " of the " +
                                              std::to_string(barrier.size) +
                                              " threads that must join have returned"));
}

void Executor::Scheduler::back_off(std::source_location where) {
  Thread& thread = *running_;
  if (recorder_) [[unlikely]] {
    recorder_->back_off(where);
    check_record();
  }
  thread.where = where;
  thread.has_arrived = true;
  if (++idle_backoffs_ > (recorder_ ? kRecordedBackoffs : kBackoffsPerThread) * ready_.size())
    throw KernelError((where.line() > 0 ? to_string(where) + ": " : "") + to_string(thread) +
                      " waits, but no thread makes progress");
  push_ready(thread);
  suspend(thread);
}

void Executor::Scheduler::fail(const char* reason, std::source_location where) {
  throw KernelError(to_string(where) + ": " + to_string(*running_) + ": " + reason);
}

std::string Executor::Scheduler::describe_deadlock() const {
  const Thread* first = nullptr;
  for (const std::unique_ptr<BlockState>& block : blocks_)
    for (const Thread& thread : block->threads) {
      if (!thread.waits_at) continue;
      if (!first) first = &thread;
      if (thread.waits_at == first->waits_at) continue;
      blame(*first);
      blame(thread);
      return "threads wait for each other: " + describe_wait(*first) + ", " + describe_wait(thread);
    }
  if (first) blame(*first);
  return "all threads wait" + (first ? ": " + describe_wait(*first) : std::string());
}

// ---- recording

void Executor::Scheduler::record_call(Collective call, uint64_t value, uint32_t from_lane,
                                      std::source_location where) {
  recorder_->call(call, value, from_lane, where);
  check_record();
}

void Executor::Scheduler::record_switch(const Thread& thread) {
  recorder_->run(thread.block->index, thread.rank);
}

void Executor::Scheduler::stop(std::string error) {
  if (!error_.empty()) return;
  if (recorder_) recorder_->fail(error);
  error_ = std::move(error);
}

void Executor::Scheduler::check_record() const {
  if (!recorder_->failure().empty()) throw KernelError(recorder_->failure());
}

void Executor::Scheduler::blame(const Thread& thread) const {
  if (recorder_) recorder_->blame(thread.block->index, thread.rank);
}

}  // namespace simt::host
