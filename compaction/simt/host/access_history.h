// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compaction/simt/host/happens_before.h"
#include "compaction/simt/span.h"

// Finds races, and reads of what nobody wrote.

namespace simt::host {

/// What is wrong with an access.
struct Finding {
  enum class Kind : uint8_t { kNone, kRace, kPoison };
  Kind kind = Kind::kNone;
  bool before_writes = false, before_is_atomic = false;
  Access before;  ///< the earlier side of a race
};

/// An item of memory: whether it is written, and those of its accesses that a later one may race
/// with. Two accesses race that different threads make, of which one at least is a write and one at
/// least is not atomic, and which nothing orders.
///
/// Plain accesses are kept apart from atomic ones: an atomic addition after a plain store by the
/// same thread does not hide the store from the others. A plain store replaces all others, since
/// these precede it or race with it. Of plain loads two of different threads are kept, so that the
/// storing thread's own is not the only one; a load replaces one that precedes it. Of concurrent
/// loads beyond these, and of atomic accesses, the latest is kept: mostly, any of them races with
/// the same store. After Flanagan & Freund, "FastTrack: Efficient and Precise Dynamic Race
/// Detection", 2009.
class Cell {
 public:
  bool is_written = false;
  uint32_t generation = 0;  ///< of the AccessHistory; an older one means that nothing is known

  /// Remembers `access`, which happens `now`.
  Finding add(const HappensBefore& order, const MemoryAccess& access, const Access& now);

 private:
  enum Slot : uint8_t { kStore, kAtomicStore, kLoad, kOtherLoad, kAtomicLoad, kSlots };

  static unsigned conflicts_of(const MemoryAccess& access);
  Slot slot_of_load(const HappensBefore& order, uint32_t thread);
  bool uses(Slot slot) const { return used_ >> slot & 1; }

  uint8_t used_ = 0;  // bit i: slot i
  std::array<Access, kSlots> slots_;
};

/// The cells of a range of memory. A cell covers 4 bytes until a narrower access is seen, then all
/// of the range have cells of one byte.
class AccessHistory {
 public:
  AccessHistory() = default;
  explicit AccessHistory(size_t bytes) { reset(bytes); }

  /// Covers `bytes`, of which nothing is known. Takes no time where the size is that of before.
  void reset(size_t bytes);
  /// Bytes that have a value without any access.
  void set_written(size_t offset, size_t bytes);

  /// Remembers an access to the bytes from `offset` on, which are in the range. Returns the first
  /// thing that is wrong with it.
  Finding add(size_t offset, const HappensBefore& order, const MemoryAccess& access,
              const Access& now);

 private:
  Span<Cell> cells(size_t offset, size_t size);
  void split();

  static constexpr size_t kWord = 4;  // bytes
  size_t bytes_ = 0, cell_bytes_ = kWord;
  uint32_t generation_ = 0;
  std::vector<Cell> cells_;
};

}  // namespace simt::host
