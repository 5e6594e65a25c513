// SPDX-License-Identifier: MIT
#include "compaction/simt/host/access_history.h"

#include <utility>

#include "compaction/simt/simt.h"

namespace simt::host {

unsigned Cell::conflicts_of(const MemoryAccess& access) {
  constexpr unsigned kPlainLoads = 1u << kLoad | 1u << kOtherLoad;
  unsigned conflicts = 1u << kStore;
  if (access.writes()) conflicts |= kPlainLoads;
  if (!access.is_atomic()) conflicts |= 1u << kAtomicStore;
  if (access.writes() && !access.is_atomic()) conflicts |= 1u << kAtomicLoad;
  return conflicts;
}

Finding Cell::add(const HappensBefore& order, const MemoryAccess& access, const Access& now) {
  Finding found;
  if (access.reads() && !is_written) found.kind = Finding::Kind::kPoison;
  const unsigned conflicts = used_ & conflicts_of(access);
  for (unsigned slot = 0; conflicts >> slot != 0; ++slot)
    if ((conflicts >> slot & 1) && !order.ordered(slots_[slot], now.thread)) {
      found = {Finding::Kind::kRace, slot <= kAtomicStore,
               slot == kAtomicStore || slot == kAtomicLoad, slots_[slot]};
      break;
    }

  is_written |= access.writes();
  Slot slot = access.writes() ? kStore : kLoad;
  if (access.is_atomic())
    slot = access.writes() ? kAtomicStore : kAtomicLoad;
  else if (access.writes())
    used_ = 0;
  else
    slot = slot_of_load(order, now.thread);
  slots_[slot] = now;
  used_ |= uint8_t(1u << slot);
  return found;
}

Cell::Slot Cell::slot_of_load(const HappensBefore& order, uint32_t thread) {
  for (const Slot slot : {kLoad, kOtherLoad})
    if (!uses(slot) || order.ordered(slots_[slot], thread)) return slot;
  slots_[kOtherLoad] = slots_[kLoad];
  return kLoad;
}

void AccessHistory::reset(size_t bytes) {
  ++generation_;
  if (bytes == bytes_) return;
  bytes_ = bytes;
  cell_bytes_ = kWord;
  cells_.assign(ceil_div(bytes, kWord), {});
}

void AccessHistory::set_written(size_t offset, size_t bytes) {
  if (bytes == 0) return;
  for (Cell& cell : cells(offset, bytes)) cell.is_written = true;
}

Finding AccessHistory::add(size_t offset, const HappensBefore& order, const MemoryAccess& access,
                           const Access& now) {
  Finding first;
  for (Cell& cell : cells(offset, access.size)) {
    const Finding found = cell.add(order, access, now);
    if (first.kind == Finding::Kind::kNone) first = found;
  }
  return first;
}

Span<Cell> AccessHistory::cells(size_t offset, size_t size) {
  if (cell_bytes_ != 1 && (offset % kWord != 0 || size % kWord != 0)) split();
  const size_t first = offset / cell_bytes_, count = size / cell_bytes_;
  if (first + count > cells_.size()) return {cells_.data(), 0};
  Span<Cell> found{cells_.data() + first, count};
  for (Cell& cell : found)
    if (cell.generation != generation_) {
      cell = {};
      cell.generation = generation_;
    }
  return found;
}

void AccessHistory::split() {
  std::vector<Cell> words = std::exchange(cells_, {});
  cells_.reserve(words.size() * kWord);
  for (const Cell& word : words) cells_.insert(cells_.end(), kWord, word);
  cell_bytes_ = 1;
}

}  // namespace simt::host
