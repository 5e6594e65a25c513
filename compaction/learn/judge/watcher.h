// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
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
#include "compaction/simt/host/recorder.h"
#include "compaction/simt/host/scheduler.h"

namespace compaction::judge {

// Messages contain marks with addresses of code until they are printed, because looking up a source
// line starts a process.

/// Returns the mark for the source line of the instruction before `code`.
std::string code_mark(const void* code);

/// Returns `text` with each mark replaced by "FILE:LINE", without folders, or by the address if the
/// program has no line for it.
std::string with_source_lines(std::string text);

/// Signal of a kernel that is about to change the program's own memory. Its handler must end the
/// program; take_violation() has the reason.
inline constexpr int kSignalOfViolation = SIGUSR2;

struct Counts {
  uint64_t launches = 0;
  uint64_t barriers = 0;                       ///< block barriers, once per block
  uint64_t bytes_read = 0, bytes_written = 0;  ///< bytes of all accesses to global memory
  uint64_t bank_conflicts = 0;                 ///< 0 unless Watcher::counts_banks is set
};

enum class Mistake { kWrongResult, kRace, kPoison, kOutOfRange, kBarrier, kDeadlock, kError };

struct Violation {
  Mistake kind;
  std::string text;  ///< contains marks
};

/// Thrown to end a call whose kernel made a mistake. The Watcher has the mistake.
struct CallEnded {};

/// Observes the kernels that run on an executor: every barrier, and every access to memory by code
/// that is compiled with hooks. Finds races, reads of uninitialized memory and accesses out of
/// range, and counts what kernels cost.
///
/// It is a singleton because the compiler's hooks and CUDA's functions have no argument for it.
class Watcher final : public simt::host::Observer {
 public:
  static Watcher& instance();
  /// Returns whether the address is of a static variable of the program.
  static bool is_static(const void* address);

  DeviceMemory memory;
  simt::host::HappensBefore order;
  Counts counts;
  bool counts_banks = false;                 ///< whether to count bank conflicts
  bool has_volatile_shared = false;          ///< whether kernels access shared memory as volatile
  bool input_lacks_const = false;            ///< whether the judged function takes `T* in`
  simt::host::Executor* executor = nullptr;  ///< executor of the judged call; null outside of it
  simt::host::Recorder* recorder = nullptr;  ///< recorder of the judged call; null if not recorded

  /// Returns the first mistake since the last call, and clears it.
  std::optional<Violation> take_violation();
  void report(Violation violation);

  /// Marks `bytes` at `start` as host memory, which kernels must not access.
  void set_host_array(const void* start, size_t bytes, std::string name);
  void forget_host_arrays() { host_arrays_.clear(); }

  /// Allows the running block to access `bytes` of its shared memory at `start`.
  void allow_shared(const void* start, size_t bytes);
  /// Runs a kernel of the judged call, whose blocks may access the first `shared_bytes` of their
  /// shared memory. Throws CallEnded if a mistake was found, so that no later kernel runs, and
  /// std::logic_error outside of a call.
  void run(const simt::host::Executor::Launch& launch, size_t shared_bytes);

  /// Sets the memory of the launch that is not the device's but that its kernel may access: its
  /// parameters. Other memory of the host is then an access out of range. Null: it is not checked.
  void set_parameters(const void* start, size_t bytes) {
    parameters_ = start;
    parameter_bytes_ = bytes;
    uses_shared_ = false;
  }
  /// Notes that the kernel of the launch has an array in shared memory.
  void note_shared() { uses_shared_ = true; }

  uint32_t thread() const;
  /// Order the accesses of threads that meet at something other than a barrier of the executor.
  /// Each thread calls release() when it arrives and acquire() once all have arrived.
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
    const void* start;
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
  void check_host_memory(const MemoryAccess& access);
  simt::host::Access now(const MemoryAccess& access) const;
  void report(const simt::host::Finding& finding, const MemoryAccess& access,
              const std::string& place);
  /// Returns what would order an access of thread `before` and one of the running thread.
  std::string remedy(uint32_t before, bool both_write) const;
  void report_out_of_range(const MemoryAccess& access, const std::string& place);
  std::string name_of(uint32_t thread) const;
  std::string describe(const MemoryAccess& access, const std::string& place) const;
  SharedMemory& shared_of(const simt::host::BlockState& block);

  size_t shared_bytes_ = 0;
  const void* parameters_ = nullptr;
  size_t parameter_bytes_ = 0;
  bool uses_shared_ = false;
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
