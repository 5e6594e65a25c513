// SPDX-License-Identifier: MIT
#include "compaction/simt/host/executor.h"

#include <algorithm>
#include <cstring>

#include "compaction/simt/host/scheduler.h"

namespace simt::host {

Executor::Executor(Schedule schedule)
    : resident_blocks_(schedule.resident_blocks), scheduler_(new Scheduler(schedule)) {}
Executor::~Executor() {
  delete scheduler_;
}
void Executor::run(const Launch& launch) {
  scheduler_->run(launch);
}
void Executor::reschedule(Schedule schedule) {
  resident_blocks_ = schedule.resident_blocks;
  scheduler_->reschedule(schedule);
}
void Executor::observe(Observer* observer) {
  scheduler_->observer = observer;
}
void Executor::record_to(Recorder* recorder) {
  scheduler_->record_to(recorder);
}

unsigned Warp::thread_rank() const {
  return thread_->rank % kWarpSize;
}

uint32_t Warp::vote_together(bool vote, Collective call, Where where) const {
  WarpState& warp = thread_->block->warps[thread_->rank / kWarpSize];
  thread_->scheduler->record(call, vote, 0, where);
  return thread_->scheduler->arrive_and_wait(*thread_, warp.barrier, call,
                                             uint32_t(vote) << thread_rank(), where);
}

uint64_t Warp::exchange_bits(uint64_t bits, unsigned from_lane, Collective call,
                             Where where) const {
  WarpState& warp = thread_->block->warps[thread_->rank / kWarpSize];
  uint64_t* values = warp.values[warp.barrier.phase];
  values[thread_rank()] = bits;
  thread_->scheduler->record(call, bits, from_lane, where);
  thread_->scheduler->arrive_and_wait(*thread_, warp.barrier, call, 0, where);
  return values[from_lane];
}

void Warp::exchange_bytes(void* item, size_t size, unsigned from_lane, Collective call,
                          Where where) const {
  WarpState& warp = thread_->block->warps[thread_->rank / kWarpSize];
  warp.words.resize(2 * kWarpSize * WarpState::kWords);
  for (auto* bytes = static_cast<std::byte*>(item); size > 0;) {
    const size_t moved = std::min(size, WarpState::kWords * sizeof(uint64_t));
    uint64_t* lanes = &warp.words[warp.barrier.phase * kWarpSize * WarpState::kWords];
    uint64_t* own = lanes + thread_rank() * WarpState::kWords;
    std::memcpy(own, bytes, moved);
    thread_->scheduler->record(call, *own, from_lane, where);
    thread_->scheduler->arrive_and_wait(*thread_, warp.barrier, call, 0, where);
    std::memcpy(bytes, lanes + from_lane * WarpState::kWords, moved);
    bytes += moved;
    size -= moved;
  }
}

unsigned Block::thread_rank() const {
  return thread_->rank;
}
unsigned Block::num_threads() const {
  return thread_->block->barrier.size;
}
unsigned Block::group_index() const {
  return thread_->block->index;
}
unsigned Block::num_groups() const {
  return thread_->scheduler->launch().blocks;
}

unsigned Block::arrive(bool vote, Collective call, Where where) const {
  thread_->scheduler->record(call, vote, 0, where);
  return thread_->scheduler->arrive_and_wait(*thread_, thread_->block->barrier, call, vote, where);
}

}  // namespace simt::host

namespace simt {

void backoff(std::source_location where) {
  host::Executor::Scheduler::current->back_off(where);
}

void fail(const char* reason, std::source_location where) {
  host::Executor::Scheduler::current->fail(reason, where);
}

}  // namespace simt
