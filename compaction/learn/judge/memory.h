// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "compaction/simt/host/access_history.h"

namespace compaction::judge {

struct Allocation {
  std::string name;
  uintptr_t start = 0;
  size_t bytes = 0;
  bool is_freed = false;
  simt::host::AccessHistory history;
};

/// Device memory: one range of addresses, the arena. Its arrays have gaps between them, so that an
/// index slightly out of range hits no other array.
class DeviceMemory {
 public:
  DeviceMemory();
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Returns uninitialized memory. Throws std::bad_alloc if the arena is full.
  ///
  /// @param name  name of the array in messages; empty: "allocation 1", "allocation 2", ...
  void* allocate(size_t bytes, const std::string& name);
  /// Frees the array that starts at `pointer`, if it is not null. Returns false if no array that is
  /// still allocated starts there.
  bool free(void* pointer);
  void free_all();

  /// While one exists, host code may access the arena. The judge's own code and kernels have one.
  class Opened {
   public:
    explicit Opened(DeviceMemory& memory) : memory_(memory) { memory_.open(+1); }
    ~Opened() { memory_.open(-1); }
    Opened(const Opened&) = delete;

   private:
    DeviceMemory& memory_;
  };
  /// While it exists, an access outside of an Opened is a SIGSEGV, as on a machine with a GPU.
  class Closed {
   public:
    explicit Closed(DeviceMemory& memory) : memory_(memory) { memory_.open(-1); }
    ~Closed() { memory_.open(+1); }
    Closed(const Closed&) = delete;

   private:
    DeviceMemory& memory_;
  };

  bool contains(const void* address) const { return uintptr_t(address) - base_ < kBytes; }
  /// Returns the last array that starts at or before `address`; null if there is none, or if the
  /// address is not in the arena.
  Allocation* find(const void* address);
  /// Marks bytes as initialized by the host. Ignores addresses outside of the arena.
  void set_written(const void* to, size_t bytes);

 private:
  static constexpr size_t kBytes = size_t(1) << 30;

  void open(int change);

  uintptr_t base_;
  size_t used_ = 0;  // bytes
  int opened_ = 1;   // accesses are allowed if it is positive
  unsigned unnamed_ = 0;
  std::map<uintptr_t, Allocation, std::greater<>> allocations_;  // [start]
};

}  // namespace compaction::judge
