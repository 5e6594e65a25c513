// SPDX-License-Identifier: MIT
#include "compaction/simt/host/happens_before.h"

#include <algorithm>

#include "compaction/simt/simt.h"

namespace simt::host {

namespace {

// The levels share the keys of a clock.
enum Level : uint32_t { kThread, kWarp, kBlock, kLevels };

uint32_t key_of(Level level, uint32_t index) {
  return index * kLevels + level;
}

}  // namespace

uint32_t Clock::operator[](uint32_t key) const {
  auto found = std::lower_bound(times_.begin(), times_.end(), std::pair(key, 0u));
  return found != times_.end() && found->first == key ? found->second : 0;
}

void Clock::raise(uint32_t key, uint32_t time) {
  if (time == 0) return;
  auto found = std::lower_bound(times_.begin(), times_.end(), std::pair(key, 0u));
  if (found == times_.end() || found->first != key)
    times_.insert(found, {key, time});
  else
    found->second = std::max(found->second, time);
}

void Clock::join(const Clock& other) {
  for (const std::pair<uint32_t, uint32_t>& entry : other.times_) raise(entry.first, entry.second);
}

SharedClock join(const SharedClock& a, const SharedClock& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  auto joined = std::make_shared<Clock>(*a);
  joined->join(*b);
  return joined;
}

void HappensBefore::start_launch(uint32_t blocks, unsigned block_size) {
  ++launch_;
  block_size_ = block_size;
  warps_ = ceil_div(block_size, kWarpSize);
  threads_.assign(size_t(blocks) * block_size, {});
  block_times_.assign(blocks, 0);
  has_knowledge_.assign(blocks, 0);
  warp_times_.assign(size_t(blocks) * warps_, 0);
  released_.clear();
}

uint32_t HappensBefore::warp_of(uint32_t thread) const {
  return block_of(thread) * warps_ + rank_of(thread) / kWarpSize;
}

Access HappensBefore::now(uint32_t thread) const {
  return {.launch = launch_,
          .thread = thread,
          .block_time = block_times_[block_of(thread)],
          .warp_time = warp_times_[warp_of(thread)],
          .thread_time = threads_[thread].time};
}

/// Returns whether `thread` is ordered after another thread's access in this launch.
bool HappensBefore::is_known(const Access& before, uint32_t thread) const {
  const uint32_t block = block_of(before.thread), warp = warp_of(before.thread);
  if (block == block_of(thread) && before.block_time < block_times_[block]) return true;
  if (warp == warp_of(thread) && before.warp_time < warp_times_[warp]) return true;
  const SharedClock& known = threads_[thread].known;
  return known && ((*known)[key_of(kBlock, block)] > before.block_time ||
                   (*known)[key_of(kWarp, warp)] > before.warp_time ||
                   (*known)[key_of(kThread, before.thread)] > before.thread_time);
}

void HappensBefore::open_block_barrier(uint32_t block) {
  ++block_times_[block];
  share_knowledge(block * block_size_, block_size_);
}

void HappensBefore::open_warp_barrier(uint32_t first, unsigned size) {
  ++warp_times_[warp_of(first)];
  share_knowledge(first, size);
}

void HappensBefore::share_knowledge(uint32_t first, unsigned size) {
  if (!has_knowledge_[block_of(first)]) return;
  SharedClock all;
  for (uint32_t thread = first; thread < first + size; ++thread)
    all = join(all, threads_[thread].known);
  for (uint32_t thread = first; thread < first + size; ++thread) threads_[thread].known = all;
}

void HappensBefore::release(uint32_t thread, SharedClock& to) {
  State& state = threads_[thread];
  auto message = state.known ? std::make_shared<Clock>(*state.known) : std::make_shared<Clock>();
  const uint32_t block = block_of(thread), warp = warp_of(thread);
  message->raise(key_of(kBlock, block), block_times_[block]);
  message->raise(key_of(kWarp, warp), warp_times_[warp]);
  message->raise(key_of(kThread, thread), ++state.time);
  to = join(to, message);
}

void HappensBefore::acquire(uint32_t thread, const SharedClock& from) {
  if (!from) return;
  threads_[thread].known = join(threads_[thread].known, from);
  has_knowledge_[block_of(thread)] = 1;
}

void HappensBefore::atomic(uint32_t thread, const MemoryAccess& access) {
  State& state = threads_[thread];
  auto found = released_.find(access.address);
  if (access.reads() && found != released_.end()) {
    state.pending = join(state.pending, found->second);
    if (access.acquires()) acquire(thread, found->second);
  }
  if (!access.writes()) return;
  SharedClock message = state.fenced;
  if (access.releases()) release(thread, message);
  // An update continues what earlier values released; a store ends that.
  if (access.reads() && found != released_.end()) message = join(found->second, message);
  if (message)
    released_[access.address] = message;
  else if (found != released_.end())
    released_.erase(found);
}

void HappensBefore::fence(uint32_t thread) {
  acquire(thread, threads_[thread].pending);
  release(thread, threads_[thread].fenced);
}

}  // namespace simt::host
