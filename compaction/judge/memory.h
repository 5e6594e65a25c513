// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "compaction/judge/happens_before.h"
#include "compaction/simt/span.h"

namespace compaction::judge {

/// What is known of one item of memory: who wrote it last, and two threads that read it since.
struct Cell {
  Access write;
  Access reads[2];  ///< of two threads, the later one first
  bool is_written = false;
  bool write_is_atomic = false;
  bool reads_are_atomic[2] = {};
  uint32_t generation = 0;  ///< of the Cells; an older one means that nothing is known
};

/// The cells of a range of memory. A cell covers 4 bytes until a narrower access is seen, then all
/// of the range have cells of one byte.
class Cells {
 public:
  /// Covers `bytes`, of which nothing is known. Takes no time where the size is that of before.
  void reset(size_t bytes);
  void set_written(size_t offset, size_t bytes);

  /// The cells of `size` bytes at `offset`, which are in the range.
  simt::Span<Cell> at(size_t offset, size_t size);

 private:
  void split();

  static constexpr size_t kWord = 4;  // bytes
  size_t bytes_ = 0, cell_bytes_ = kWord;
  uint32_t generation_ = 0;
  std::vector<Cell> cells_;
};

/// An array in device memory.
struct Allocation {
  std::string name;
  size_t offset = 0, bytes = 0;  ///< in the arena
  bool is_freed = false;
  Cells cells;
};

/// Device memory: one range of addresses, whose arrays lie far enough apart that an index slightly
/// out of range is in none of them.
class DeviceMemory {
 public:
  DeviceMemory();
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Not initialized. `name` is for messages. Throws std::bad_alloc where the arena is full.
  void* allocate(size_t bytes, std::string name);
  /// Returns whether `pointer` is the start of an array.
  bool free(void* pointer);
  void free_all();

  bool contains(uintptr_t address) const { return address - base_ < kBytes; }
  /// The array at or before `address`, which is in the arena; null where there is none.
  Allocation* find(uintptr_t address);
  uintptr_t base() const { return base_; }
  /// Marks what the host wrote. Addresses outside of the arena are ignored.
  void set_written(const void* to, size_t bytes);

 private:
  static constexpr size_t kBytes = size_t(1) << 30;
  static constexpr size_t kGap = 4096;

  uintptr_t base_;
  size_t used_ = 0;  // bytes
  unsigned unnamed_ = 0;
  std::vector<std::unique_ptr<Allocation>> allocations_;  // by offset
  size_t last_found_ = 0;
};

}  // namespace compaction::judge
