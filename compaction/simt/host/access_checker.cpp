// SPDX-License-Identifier: MIT
#include "compaction/simt/host/access_checker.h"

#include <algorithm>
#include <utility>

#include "compaction/simt/simt.h"

namespace simt::host {

namespace {

uint64_t key_of(uint32_t block, uint32_t member) {
  return uint64_t(block) << 32 | member;
}

template <class Map>
void join_map(Map& into, const Map& other) {
  for (const auto& [key, value] : other) {
    auto& own = into[key];
    own = std::max(own, value);
  }
}

template <class Map>
auto value_or_zero(const Map& map, typename Map::key_type key) {
  auto found = map.find(key);
  return found == map.end() ? typename Map::mapped_type{} : found->second;
}

}  // namespace

void AccessChecker::Knowledge::join(const Knowledge& other) {
  join_map(blocks, other.blocks);
  join_map(warps, other.warps);
  join_map(threads, other.threads);
}

bool AccessChecker::Knowledge::includes(const Access& access) const {
  if (is_empty()) return false;
  return access.block_epoch < value_or_zero(blocks, access.block) ||
         access.warp_epoch <
             value_or_zero(warps, key_of(access.block, access.thread / kWarpSize)) ||
         access.clock < value_or_zero(threads, key_of(access.block, access.thread));
}

void AccessChecker::begin_launch() {
  ++launch_;
  blocks_.clear();
  last_clock_ = nullptr;
  published_.clear();
}

void AccessChecker::begin_block(uint32_t block, unsigned threads) {
  blocks_[block].warp_epochs.assign(threads / kWarpSize, 0);
}

AccessChecker::BlockClock& AccessChecker::clock_of(uint32_t block) {
  if (!last_clock_ || last_block_ != block) {
    last_clock_ = &blocks_[block];  // elements of an unordered_map stay where they are
    last_block_ = block;
  }
  return *last_clock_;
}

void AccessChecker::pass_block_barrier(uint32_t block) {
  BlockClock& clock = clock_of(block);
  ++clock.epoch;
  for (auto& [thread, own] : clock.threads) {
    clock.known.join(own.known);
    own.known = {};
  }
}

void AccessChecker::pass_warp_barrier(uint32_t block, unsigned warp) {
  BlockClock& clock = clock_of(block);
  ++clock.warp_epochs[warp];
  Knowledge all;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (auto own = clock.threads.find(warp * kWarpSize + lane); own != clock.threads.end())
      all.join(own->second.known);
  if (all.is_empty()) return;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    clock.threads[warp * kWarpSize + lane].known = all;
}

AccessChecker::Knowledge AccessChecker::all_that_is_known(uint32_t block, uint32_t thread,
                                                          uint64_t clock) {
  BlockClock& own = clock_of(block);
  Knowledge all = own.known;
  if (auto found = own.threads.find(thread); found != own.threads.end())
    all.join(found->second.known);
  all.blocks[block] = own.epoch;
  all.warps[key_of(block, thread / kWarpSize)] = own.warp_epochs[thread / kWarpSize];
  all.threads[key_of(block, thread)] = clock;
  return all;
}

void AccessChecker::acquire(uint32_t block, uint32_t thread, const void* address, bool relaxed) {
  auto found = published_.find(address);
  if (found == published_.end()) return;
  ThreadClock& own = clock_of(block).threads[thread];
  (relaxed ? own.read : own.known).join(found->second);
}

void AccessChecker::release(uint32_t block, uint32_t thread, const void* address, uint64_t clock,
                            bool relaxed, bool reads_too) {
  Knowledge knowledge;
  if (!relaxed) {
    knowledge = all_that_is_known(block, thread, clock);
  } else if (auto own = clock_of(block).threads.find(thread);
             own != clock_of(block).threads.end()) {
    knowledge = own->second.released;
  }
  if (reads_too) {  // continues the release sequence
    if (!knowledge.is_empty()) published_[address].join(knowledge);
  } else if (knowledge.is_empty()) {
    published_.erase(address);
  } else {
    published_[address] = std::move(knowledge);
  }
}

void AccessChecker::fence(uint32_t block, uint32_t thread, uint64_t clock) {
  ThreadClock& own = clock_of(block).threads[thread];
  own.known.join(own.read);
  own.released = all_that_is_known(block, thread, clock);
}

bool AccessChecker::is_ordered(const Access& before, const Access& now,
                               const BlockClock& block) const {
  if (before.launch != now.launch) return true;
  if (before.block == now.block) {
    if (before.thread == now.thread || before.block_epoch < now.block_epoch) return true;
    if (before.thread / kWarpSize == now.thread / kWarpSize && before.warp_epoch < now.warp_epoch)
      return true;
  }
  if (block.known.includes(before)) return true;
  auto own = block.threads.find(now.thread);
  return own != block.threads.end() && own->second.known.includes(before);
}

Access AccessChecker::check(AccessShadow& shadow, size_t offset, size_t size, Access access) {
  constexpr unsigned kWordBytes = AccessShadow::kWordBytes;
  const BlockClock& clock = clock_of(access.block);
  access.launch = launch_;
  access.block_epoch = clock.epoch;
  access.warp_epoch = clock.warp_epochs[access.thread / kWarpSize];
  Access race;
  for (size_t at = offset; at < offset + size;) {
    const size_t word = at / kWordBytes, first = at % kWordBytes;
    const size_t count = std::min<size_t>(kWordBytes - first, offset + size - at);
    access.bytes = uint8_t(((1u << count) - 1) << first);
    for (const Access& before : shadow.words_[word].accesses)
      if (before.launch == launch_ && conflicts(before, access) &&
          !is_ordered(before, access, clock))
        race = before;
    remember(shadow.words_[word], access);
    at += count;
  }
  return race;
}

/// Replaces an access of this thread or of an earlier launch, else the next one.
void AccessChecker::remember(AccessShadow::Word& word, const Access& access) {
  for (Access& old : word.accesses)
    if (old.launch != launch_ ||
        (old.block == access.block && old.thread == access.thread && old.bytes == access.bytes &&
         old.is_write == access.is_write && old.is_atomic == access.is_atomic)) {
      old = access;
      return;
    }
  word.accesses[word.next] = access;
  word.next = uint8_t((word.next + 1) % AccessShadow::Word::kSlots);
}

}  // namespace simt::host
