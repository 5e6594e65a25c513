// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compaction/simt/host/access_history.h"

namespace compaction::judge {

/// An array in device memory.
struct Allocation {
  std::string name;
  size_t offset = 0, bytes = 0;  ///< in the arena
  bool is_freed = false;
  simt::host::AccessHistory history;
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
