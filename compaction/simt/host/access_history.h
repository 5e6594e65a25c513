// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compaction/simt/host/happens_before.h"
#include "compaction/simt/span.h"

namespace simt::host {

struct Finding {
  enum class Kind : uint8_t { kNone, kRace, kPoison };
  Kind kind = Kind::kNone;
  bool before_writes = false, before_is_atomic = false;
  Access before;  ///< the earlier side of a race
};

/// An item of memory: whether it has been written, and the earlier accesses with which a later
/// access may race. Two accesses race if different threads make them, at least one is a write, at
/// least one is not atomic, and nothing orders them.
///
/// Plain and atomic accesses are kept apart: an atomic addition after a plain store by the same
/// thread does not hide the store from other threads. A plain store replaces all other accesses,
/// since they precede it or race with it. Two plain loads of different threads are kept, so that a
/// load of the storing thread is not the only one; a load replaces a load that precedes it. Of
/// further concurrent loads, and of atomic accesses, only the latest is kept: usually, any of them
/// races with the same store. After Flanagan & Freund, "FastTrack: Efficient and Precise Dynamic
/// Race Detection", 2009.
class Cell {
 public:
  bool is_written = false;
  uint32_t generation = 0;  ///< generation of the AccessHistory; if older, nothing is known

  /// Adds `access`, which happens `now`. Returns what is wrong with it.
  Finding add(const HappensBefore& order, const MemoryAccess& access, const Access& now);

 private:
  enum Slot : uint8_t { kStore, kAtomicStore, kLoad, kOtherLoad, kAtomicLoad, kSlots };

  static unsigned conflicts_of(const MemoryAccess& access);
  Slot slot_of_load(const HappensBefore& order, uint32_t thread);
  bool uses(Slot slot) const { return used_ >> slot & 1; }

  uint8_t used_ = 0;  // bit i: slot i
  std::array<Access, kSlots> slots_;
};

/// The cells of a range of memory. Cells cover 4 bytes each; after the first narrower access, all
/// cells of the range cover one byte each.
class AccessHistory {
 public:
  AccessHistory() = default;
  explicit AccessHistory(size_t bytes) { reset(bytes); }

  /// Covers `bytes` bytes of which nothing is known. Takes no time if the size is unchanged.
  void reset(size_t bytes);
  /// Marks bytes as written without any access.
  void set_written(size_t offset, size_t bytes);

  /// The bytes from `offset` on must be in the range. Returns the first error of the access.
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
