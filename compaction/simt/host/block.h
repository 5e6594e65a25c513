// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>

#include "compaction/simt/simt.h"

namespace simt::host {

struct Thread;

enum class Collective {
  kSync,
  kSyncCount,
  kSyncWarp,
  kBallot,
  kAny,
  kAll,
  kShfl,
  kShflUp,
  kShflDown
};

inline const char* name_of(Collective call) {
  static constexpr const char* kNames[] = {"sync()",   "sync_count()", "sync() of a warp",
                                           "ballot()", "any()",        "all()",
                                           "shfl()",   "shfl_up()",    "shfl_down()"};
  return kNames[unsigned(call)];
}

/// simt::Warp on the host executor. Each call records its source position, so that lanes that make
/// calls at different positions are detected. Shuffles move items of any size: threads meet once
/// for an item, not once for each of its words.
class Warp {
 public:
  using Where = std::source_location;

  explicit Warp(Thread& thread) : thread_(&thread) {}

  unsigned thread_rank() const;

  void sync(Where where = Where::current()) const {
    vote_together(false, Collective::kSyncWarp, where);
  }
  uint32_t ballot(bool vote, Where where = Where::current()) const {
    return vote_together(vote, Collective::kBallot, where);
  }
  bool any(bool vote, Where where = Where::current()) const {
    return vote_together(vote, Collective::kAny, where) != 0;
  }
  bool all(bool vote, Where where = Where::current()) const {
    return vote_together(vote, Collective::kAll, where) == ~0u;
  }

  template <class T>
  T shfl(T value, unsigned lane, Where where = Where::current()) const {
    return exchange(value, lane % kWarpSize, Collective::kShfl, where);
  }
  template <class T>
  T shfl_up(T value, unsigned delta, Where where = Where::current()) const {
    unsigned lane = thread_rank();
    return exchange(value, lane >= delta ? lane - delta : lane, Collective::kShflUp, where);
  }
  template <class T>
  T shfl_down(T value, unsigned delta, Where where = Where::current()) const {
    unsigned lane = thread_rank();
    unsigned above = delta < kWarpSize - lane ? lane + delta : lane;
    return exchange(value, above, Collective::kShflDown, where);
  }

 private:
  template <class T>
  T exchange(T value, unsigned from_lane, Collective call, Where where) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if constexpr (sizeof(T) <= sizeof(uint64_t)) {
      uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof(T));
      bits = exchange_bits(bits, from_lane, call, where);
      std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    } else {
      exchange_bytes(&value, sizeof(T), from_lane, call, where);
    }
    return value;
  }

  uint32_t vote_together(bool vote, Collective call, Where where) const;
  uint64_t exchange_bits(uint64_t bits, unsigned from_lane, Collective call, Where where) const;
  void exchange_bytes(void* item, size_t size, unsigned from_lane, Collective call,
                      Where where) const;

  Thread* thread_;
};

class Block {
 public:
  using Where = std::source_location;

  explicit Block(Thread& thread) : thread_(&thread) {}

  unsigned thread_rank() const;
  unsigned num_threads() const;
  unsigned group_index() const;
  unsigned num_groups() const;
  void sync(Where where = Where::current()) const { arrive(false, Collective::kSync, where); }
  unsigned sync_count(bool vote, Where where = Where::current()) const {
    return arrive(vote, Collective::kSyncCount, where);
  }
  unsigned warp_rank() const { return thread_rank() / kWarpSize; }
  Warp warp() const { return Warp(*thread_); }

 private:
  unsigned arrive(bool vote, Collective call, Where where) const;

  Thread* thread_;
};

}  // namespace simt::host
