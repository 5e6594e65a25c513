// SPDX-License-Identifier: MIT
// CUDA's collective calls of a warp and of a block. Calls of whole warps and blocks go to the
// executor. It has none for a part of a warp; those are implemented here.

#include <map>
#include <utility>

#include "compaction/learn/judge/cuda_syntax.h"
#include "compaction/learn/judge/watcher.h"

namespace compaction::judge {

namespace {

using simt::host::Executor;
using simt::host::Thread;

/// Lanes of a warp that make a call together, again and again.
struct Meeting {
  uint32_t arrived = 0;  // mask of lanes
  unsigned uses = 0;     // number of complete calls
  // Two buffers, because a lane may arrive for the next call before all have left this one.
  uint64_t bits[2][simt::kWarpSize] = {};
  uint32_t votes[2] = {};
  simt::host::SharedClock clocks[2];
};

struct Met {
  uint64_t bits;
  uint32_t votes;
};

Thread& running() {
  return Executor::Scheduler::current->running();
}

/// Returns the meeting of the lanes of `mask` in the warp of `thread`. Each launch has its own.
Meeting& meeting_of(const Thread& thread, uint32_t mask) {
  static std::map<std::pair<uint64_t, uint32_t>, Meeting> meetings;
  static uint64_t launch = 0;
  Watcher& watcher = Watcher::instance();
  if (std::exchange(launch, watcher.counts.launches) != watcher.counts.launches) meetings.clear();
  const uint64_t warp = (uint64_t(thread.block->index) << 32) + thread.rank / simt::kWarpSize;
  return meetings[{warp, mask}];
}

/// Waits until all lanes of `mask` have called. Returns the bits of `lane`, or the caller's own if
/// it is not in `mask`, and all votes.
Met meet(uint32_t mask, uint64_t bits, bool vote, unsigned lane, bool orders_memory, Where where) {
  const unsigned self = lane_index();
  if (!(mask >> self & 1))
    simt::fail("a lane calls a warp function with a mask that does not include it", where);
  Meeting& meeting = meeting_of(running(), mask);
  const unsigned use = meeting.uses, side = use % 2;
  Watcher& watcher = Watcher::instance();
  if (meeting.arrived == 0) {
    meeting.votes[side] = 0;
    meeting.clocks[side] = nullptr;
  }
  meeting.bits[side][self] = bits;
  meeting.votes[side] |= uint32_t(vote) << self;
  if (orders_memory) watcher.release(meeting.clocks[side]);
  meeting.arrived |= 1u << self;
  if (meeting.arrived == mask) {
    meeting.arrived = 0;
    ++meeting.uses;
  }
  while (meeting.uses == use) simt::backoff(where);
  if (orders_memory) watcher.acquire(meeting.clocks[side]);
  const bool takes_part = mask >> lane & 1;
  return {meeting.bits[side][takes_part ? lane : self], meeting.votes[side]};
}

bool is_whole(uint32_t mask) {
  return (mask & lanes_of_warp()) == lanes_of_warp();
}

}  // namespace

unsigned lane_index() {
  return running().rank % simt::kWarpSize;
}

uint32_t lanes_of_warp() {
  const Thread& thread = running();
  const unsigned size = thread.block->warps[thread.rank / simt::kWarpSize].barrier.size;
  return size == simt::kWarpSize ? ~0u : simt::lanes_below(size);
}

void cuda::__syncthreads(Where where) {
  simt::host::Block(running()).sync(where);
}
unsigned sync_block_count(bool vote, Where where) {
  return simt::host::Block(running()).sync_count(vote, where);
}

void cuda::__syncwarp(unsigned mask, Where where) {
  if (is_whole(mask)) return simt::host::Warp(running()).sync(where);
  meet(mask & lanes_of_warp(), 0, false, lane_index(), true, where);
}

uint32_t ballot(uint32_t mask, bool vote, Where where) {
  if (is_whole(mask)) return simt::host::Warp(running()).ballot(vote, where);
  return meet(mask & lanes_of_warp(), 0, vote, lane_index(), false, where).votes;
}

uint64_t exchange(uint32_t mask, uint64_t bits, unsigned lane, Where where) {
  if (!(lanes_of_warp() >> lane % simt::kWarpSize & 1)) lane = lane_index();
  if (is_whole(mask)) return simt::host::Warp(running()).shfl(bits, lane, where);
  return meet(mask & lanes_of_warp(), bits, false, lane % simt::kWarpSize, false, where).bits;
}

}  // namespace compaction::judge
