// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compaction/judge/bank_conflicts.h"
#include "compaction/judge/happens_before.h"
#include "compaction/judge/memory.h"
#include "compaction/simt/host/scheduler.h"

namespace compaction::judge {

/// What kernels did. Bytes are those of global memory, without caches.
struct Counts {
  uint64_t launches = 0;
  uint64_t barriers = 0;  ///< of blocks, once per block that passes one
  uint64_t bytes_read = 0, bytes_written = 0;
  uint64_t bank_conflicts = 0;  ///< only of a run that counts them
};

/// A mistake in how kernels use memory.
struct Violation {
  enum class Kind { kRace, kPoison, kOutOfRange };
  Kind kind;
  std::string text;  ///< has "{code ADDRESS}" where a source position belongs, see source_line.h
};

/// An access as the compiler reports it.
struct Touch {
  uintptr_t address;
  unsigned size;  ///< bytes
  bool writes, reads;
  bool is_atomic;  ///< or volatile
  uintptr_t code;  ///< address of the instruction after it
};

/// Follows the kernels that run on an executor: every access to memory that code compiled with
/// -fsanitize=thread makes (hooks.cpp), and every barrier. Finds races, reads of what nobody wrote
/// and accesses out of range, and counts.
///
/// There is one, since the compiler's hooks have no argument for it.
class Watcher final : public simt::host::Observer {
 public:
  static Watcher& instance();

  DeviceMemory memory;
  HappensBefore order;
  Counts counts;
  bool counts_banks = false;

  /// The first mistake since the last call.
  std::optional<Violation> take_violation();
  bool has_violation() const { return violation_.has_value(); }
  void report(Violation violation);

  /// Bytes at `start` belong to the host: kernels must not use them.
  void set_host_array(const void* start, size_t bytes, std::string name);
  void forget_host_arrays() { host_arrays_.clear(); }

  /// The array at the start of a block's shared memory, `bytes` of it, may be used from now on.
  void allow_shared(const void* start, size_t bytes);
  /// How much of the shared memory of the next launches may be used from their start on.
  void set_shared_bytes(size_t bytes) { shared_bytes_ = bytes; }

  bool runs_kernel() const { return runs_; }
  /// The thread of the grid that runs now.
  uint32_t thread() const;
  void touch(const Touch& touch);
  /// Called with every atomic access besides touch().
  void order_atomic(uintptr_t address, bool reads, bool writes, int memory_order);
  void fence();
  /// A meeting of threads that is no barrier of the executor: on arrival a thread releases what it
  /// did, and then acquires what the others did.
  void release(SharedClock& to);
  void acquire(const SharedClock& from);

  void start_launch(const simt::host::Executor::Launch& launch) override;
  void start_block(simt::host::BlockState& block) override;
  void open_barrier(simt::host::BlockState& block, const simt::host::Barrier& barrier) override;
  void end_launch() override;

 private:
  // The judge's own functions may be compiled with hooks too, where a template is shared with the
  // code under test. Their accesses are not reported.
  struct Inside {
    explicit Inside(Watcher& watcher) : watcher(watcher) { watcher.is_inside_ = true; }
    ~Inside() { watcher.is_inside_ = false; }
    Watcher& watcher;
  };
  struct HostArray {
    uintptr_t start;
    size_t bytes;
    std::string name;
  };
  struct SharedMemory {
    Cells cells;
    std::vector<uint8_t> is_allowed;  // [byte]
  };
  struct Spin {
    uintptr_t address = 0;
    unsigned count = 0;
  };

  void touch_device(const Touch& touch);
  void touch_shared(const Touch& touch, simt::host::BlockState& block, size_t offset);
  void touch_other(const Touch& touch);
  void check(const Touch& touch, simt::Span<Cell> cells, const std::string& place);
  void check_cell(const Touch& touch, Cell& cell, const std::string& place);
  void report_race(const Touch& touch, const Access& before, bool before_writes,
                   const std::string& place);
  void report_poison(const Touch& touch, const std::string& place);
  void report_out_of_range(const Touch& touch, const std::string& place);
  void yield_where_spinning(const Touch& touch);
  std::string describe(const Touch& touch, const std::string& place) const;
  SharedMemory& shared_of(const simt::host::BlockState& block);

  bool runs_ = false, is_inside_ = false;
  size_t shared_bytes_ = 0;
  std::vector<HostArray> host_arrays_;
  std::unordered_map<const simt::host::BlockState*, SharedMemory> shared_;
  const simt::host::BlockState* last_block_ = nullptr;
  SharedMemory* last_shared_ = nullptr;
  std::unordered_map<uintptr_t, Cell> variables_;  // static variables of the program
  std::vector<Spin> spins_;                        // [thread]
  BankConflicts banks_;
  std::optional<Violation> violation_;
};

}  // namespace compaction::judge
