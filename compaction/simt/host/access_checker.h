// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

// Which accesses of the threads of a grid are ordered, and which ones race.

namespace simt::host {

/// An access to a word of memory, or to some of its bytes.
struct Access {
  uint32_t launch = 0;  ///< from 1 on; 0 where there was none
  uint32_t block = 0;
  uint32_t thread = 0;
  uint32_t block_epoch = 0;  ///< barriers of the block before it
  uint32_t warp_epoch = 0;   ///< barriers of the warp before it
  uint8_t bytes = 0;         ///< bit i: byte i of the word
  bool is_write = false;
  bool is_atomic = false;
  uint64_t clock = 0;      ///< of its event
  uint32_t operation = 0;  ///< for the caller
};

/// The last accesses to each word of a region.
class AccessShadow {
 public:
  static constexpr unsigned kWordBytes = 4;

  AccessShadow() = default;
  explicit AccessShadow(size_t bytes) : words_((bytes + kWordBytes - 1) / kWordBytes) {}

 private:
  friend class AccessChecker;

  /// Some of the last accesses. Those that are forgotten are mostly reads of many threads at once,
  /// of which any one that is left races with the same writes.
  struct Word {
    static constexpr unsigned kSlots = 4;
    std::array<Access, kSlots> accesses;
    uint8_t next = 0;  ///< is replaced next
  };
  std::vector<Word> words_;
};

/// Finds pairs of accesses by different threads to the same bytes, of which one at least is a write
/// and one at least is not atomic, and which nothing orders. Ordered are: accesses of one thread;
/// those before and after a barrier of the block, or of the warp for its lanes (other calls of a
/// warp order nothing); those before a release and after the acquire that reads it, also where a
/// fence is beside a relaxed access; those of different launches.
///
/// After Flanagan & Freund, "FastTrack: Efficient and Precise Dynamic Race Detection", 2009, with
/// the epochs of barriers in place of most of the vector clocks.
class AccessChecker {
 public:
  void begin_launch();
  void begin_block(uint32_t block, unsigned threads);

  void pass_block_barrier(uint32_t block);
  void pass_warp_barrier(uint32_t block, unsigned warp);

  /// Atomic accesses to `address` by this thread at `clock`.
  void acquire(uint32_t block, uint32_t thread, const void* address, bool relaxed);
  void release(uint32_t block, uint32_t thread, const void* address, uint64_t clock, bool relaxed,
               bool reads_too);
  void fence(uint32_t block, uint32_t thread, uint64_t clock);

  /// Remembers an access to bytes [offset, offset + size) of a region. Returns an earlier one that
  /// races with it, whose `launch` is 0 if there is none. Of `access`, the checker fills in launch,
  /// epochs and bytes.
  Access check(AccessShadow& shadow, size_t offset, size_t size, Access access);

 private:
  /// What a thread knows to have happened in other threads. Missing entries are 0.
  struct Knowledge {
    std::map<uint32_t, uint32_t> blocks;   ///< block: all before this epoch
    std::map<uint64_t, uint32_t> warps;    ///< block, warp: all before this epoch
    std::map<uint64_t, uint64_t> threads;  ///< block, thread: all before this clock

    bool is_empty() const { return threads.empty() && warps.empty() && blocks.empty(); }
    void join(const Knowledge& other);
    bool includes(const Access& access) const;
  };
  /// Beyond what its block knows.
  struct ThreadClock {
    Knowledge known;
    Knowledge read;      ///< from relaxed reads; known after a fence
    Knowledge released;  ///< at the last fence
  };
  struct BlockClock {
    uint32_t epoch = 0;
    std::vector<uint32_t> warp_epochs;
    Knowledge known;
    std::unordered_map<uint32_t, ThreadClock> threads;  ///< those that know more
  };

  Knowledge all_that_is_known(uint32_t block, uint32_t thread, uint64_t clock);
  bool is_ordered(const Access& before, const Access& now, const BlockClock& block) const;
  static bool conflicts(const Access& a, const Access& b) {
    return (a.bytes & b.bytes) && (a.is_write || b.is_write) && !(a.is_atomic && b.is_atomic);
  }
  void remember(AccessShadow::Word& word, const Access& access);

  uint32_t launch_ = 0;
  std::unordered_map<uint32_t, BlockClock> blocks_;
  BlockClock* last_clock_ = nullptr;  // of last_block_
  uint32_t last_block_ = 0;
  std::unordered_map<const void*, Knowledge> published_;  // by releases
  BlockClock& clock_of(uint32_t block);
};

}  // namespace simt::host
