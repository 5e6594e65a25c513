// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <unordered_map>
#include <vector>

#include "compaction/simt/host/access_history.h"
#include "compaction/simt/host/access_listener.h"
#include "compaction/simt/host/block.h"
#include "compaction/simt/host/happens_before.h"
#include "compaction/simt/host/trace.h"
#include "compaction/simt/host/trace_codec.h"

namespace simt::host {

/// Records the actions of the threads of a kernel on the host executor:
/// `executor.record_to(&recorder)`.
///
/// The executor reports launches, barriers, calls of warps, and the running thread. The compiler
/// reports loads, stores and atomic accesses: a source that is compiled with
///
///   -fsanitize=thread -g1 -fno-tree-loop-distribute-patterns
///
/// and linked without -fsanitize=thread calls the functions of access_hooks.cpp (the CMake target
/// compaction::recording) at each of them. Kernels and the library need no change. Accesses in
/// sources compiled without these options are not recorded, nor are accesses to the stack and to
/// memory that is not watched.
///
/// It also reports, as errors of the kernel: races, and reads of shared memory that no thread of
/// the block has written.
class Recorder final : public AccessListener {
 public:
  struct Options {
    bool keep_events = true;           ///< otherwise the recorder only checks
    bool check_accesses = true;        ///< finds races and reads of poison
    uint64_t max_events = 10'000'000;  ///< limit; later events are checked and dropped
  };

  Recorder() : Recorder(Options()) {}
  explicit Recorder(Options options);

  /// Records accesses to `data` as a region of this name. The memory must not move.
  void watch(const std::string& name, void* data, size_t bytes, Cells cells);

  /// Looks up the source lines, which takes some tenths of a second.
  Trace finish();

  const std::string& failure() const { return trace_.failure.message; }

  // ---- called by the executor

  void begin_launch(const char* kernel, uint32_t blocks, unsigned threads, size_t shared_bytes);
  void begin_block(uint32_t block, const void* shared);
  /// This thread continues.
  void run(uint32_t block, uint32_t thread);
  void call(Collective call, uint64_t value, uint32_t from_lane, std::source_location where);
  /// Records that all threads have made the current call.
  void pass_barrier(Collective call);
  void back_off(std::source_location where);
  void end_thread();
  void end_launch();
  /// Records that this thread is involved in the failure that follows.
  void blame(uint32_t block, uint32_t thread);
  void fail(const std::string& message);

  // ---- called for each access of the current thread

  void access(const MemoryAccess& access) noexcept override;
  void fence(const void* code) noexcept override;

  // ---- where others check the accesses

  uint64_t next_event() const { return clock_ + pending_.size(); }
  /// Reports an error of the next access, unless an earlier error was reported or its memory is not
  /// watched.
  void report(const Finding& finding, const MemoryAccess& access);
  /// Reports that the next access, which `does` describes, is an error.
  void fail_at(const MemoryAccess& access, const std::string& does, const std::string& message);

 private:
  struct BlockRecord {
    uint32_t index = 0;
    const std::byte* shared = nullptr;
    AccessHistory history;
    std::vector<uint64_t> last_event;      // [thread]
    std::vector<uint32_t> last_operation;  // [thread]
  };
  struct WatchedMemory {
    const std::byte* data = nullptr;
    size_t bytes = 0;
    AccessHistory history;
    std::vector<std::byte> mirror;  // contents after the recorded stores
  };
  /// A piece of watched memory of up to 8 bytes.
  struct Target {
    uint16_t region = 0;
    uint32_t offset = 0;
  };
  struct PendingStore {
    uint32_t operation;
    uint32_t offset;
    const std::byte* address;
  };
  struct OperationKey {
    uint64_t place;
    uint32_t rest;  // kind, size and region
    bool operator==(const OperationKey&) const = default;
  };
  struct HashOperation {
    size_t operator()(const OperationKey& key) const {
      return key.place ^ uint64_t(key.rest) << 40;
    }
  };

  bool find_target(const void* address, size_t size, Target& target) const;
  uint32_t operation(EventKind kind, unsigned size, unsigned region, uint64_t place_key,
                     const std::source_location* where);
  uint32_t place(uint64_t key, const std::source_location* where);
  void append(uint32_t operation, uint32_t offset, uint64_t value);
  void flush();
  void add_piece(const Target& target, const MemoryAccess& access);
  void check(const Target& target, const MemoryAccess& access);
  void find_unseen_stores();
  void find_stores_of_the_host();
  void add_side(uint32_t block, uint32_t thread, uint64_t clock, uint32_t place,
                const std::string& what);
  std::string name_of(const Target& target) const;
  uint32_t thread_of_grid() const { return block_->index * block_size_ + thread_; }

  Options options_;
  Trace trace_;
  std::vector<WatchedMemory> watched_;  // [region]; the entry of shared memory is unused
  size_t shared_bytes_ = 0;
  unsigned block_size_ = 0;
  std::unordered_map<uint32_t, std::unique_ptr<BlockRecord>> blocks_;
  BlockRecord* block_ = nullptr;  // block of the current thread
  uint32_t thread_ = 0;
  HappensBefore order_;

  std::unordered_map<OperationKey, uint32_t, HashOperation> operations_;
  std::vector<Prediction> predictions_;            // [operation]
  std::unordered_map<uint64_t, uint32_t> places_;  // by key
  std::vector<uintptr_t> instructions_;            // their lines are looked up at the end
  std::vector<uint32_t> instruction_places_;       // [instruction], index in the trace's places
  std::vector<PendingStore> pending_;
  uint64_t clock_ = 0;
  uint32_t written_block_ = 0, written_thread_ = 0;  // thread of the last event
  std::vector<uint32_t> failed_places_;              // [side], index in the trace's places
};

}  // namespace simt::host
