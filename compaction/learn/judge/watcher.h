// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compaction/learn/judge/bank_conflicts.h"
#include "compaction/learn/judge/memory.h"
#include "compaction/simt/host/access_history.h"
#include "compaction/simt/host/happens_before.h"
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
  std::string text;  ///< has marks where source lines belong, see code_marks.h
};

/// Follows the kernels that run on an executor: every access to memory that code compiled with
/// hooks makes, and every barrier. Finds races, reads of what nobody wrote and accesses out of
/// range, and counts.
///
/// There is one, since the compiler's hooks have no argument for it.
class Watcher final : public simt::host::Observer {
 public:
  static Watcher& instance();

  DeviceMemory memory;
  simt::host::HappensBefore order;
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

  /// The thread of the grid that runs now.
  uint32_t thread() const;
  /// A meeting of threads that is no barrier of the executor: on arrival a thread releases what it
  /// did, and then acquires what the others did.
  void release(simt::host::SharedClock& to);
  void acquire(const simt::host::SharedClock& from);

  void start_launch(const simt::host::Executor::Launch& launch) override;
  void start_block(simt::host::BlockState& block) override;
  void open_barrier(simt::host::BlockState& block, const simt::host::Barrier& barrier) override;
  void end_launch() override;
  void access(const simt::host::MemoryAccess& access) noexcept override;
  void fence(const void* code) noexcept override;
  void before_read(const void* address, simt::host::MemoryAccess::Order memory_order) override;

 private:
  using MemoryAccess = simt::host::MemoryAccess;
  struct HostArray {
    uintptr_t start;
    size_t bytes;
    std::string name;
  };
  struct SharedMemory {
    simt::host::AccessHistory history;
    std::vector<uint8_t> is_allowed;  // [byte]
  };
  struct Spin {
    const void* address = nullptr;
    unsigned count = 0;
  };

  void access_device(const MemoryAccess& access);
  void access_shared(const MemoryAccess& access, size_t offset);
  void access_other(const MemoryAccess& access);
  simt::host::Access now(const MemoryAccess& access) const;
  void report(const simt::host::Finding& finding, const MemoryAccess& access,
              const std::string& place);
  void report_out_of_range(const MemoryAccess& access, const std::string& place);
  std::string describe(const MemoryAccess& access, const std::string& place) const;
  SharedMemory& shared_of(const simt::host::BlockState& block);

  size_t shared_bytes_ = 0;
  std::vector<HostArray> host_arrays_;
  std::unordered_map<const simt::host::BlockState*, SharedMemory> shared_;
  const simt::host::BlockState* last_block_ = nullptr;
  SharedMemory* last_shared_ = nullptr;
  std::unordered_map<uintptr_t, simt::host::Cell> variables_;  // static variables of the program
  std::vector<Spin> spins_;                                    // [thread]
  BankConflicts banks_;
  std::optional<Violation> violation_;
};

}  // namespace compaction::judge
