// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>

namespace compaction::judge {

/// Counts bank conflicts from the addresses of accesses.
///
/// Threads run one by one here. Accesses count as simultaneous if they have in common the warp, the
/// instruction, the barriers passed, and how often the lane has executed the instruction since the
/// last barrier.
class BankConflicts {
 public:
  struct Lane {
    uint32_t thread, warp;           ///< indices in the grid
    uint32_t block_time, warp_time;  ///< barriers of the block and of the warp that it has passed
    const void* code;
  };

  /// The access is to the byte at `offset` of shared memory.
  void add(const Lane& lane, uint32_t offset) {
    constexpr uint32_t kBankBytes = 4;
    Count& count = counts_[{lane.thread, lane.code}];
    if (count.block_time != lane.block_time || count.warp_time != lane.warp_time)
      count = {lane.block_time, lane.warp_time, 0};
    words_[{lane.warp, lane.code, lane.block_time, lane.warp_time, count.executed++}].insert(
        offset / kBankBytes);
  }

  uint64_t take() {
    uint64_t conflicts = 0;
    for (const auto& [key, words] : words_) {
      constexpr uint32_t kBanks = 32;
      uint64_t load[kBanks] = {};
      for (uint32_t word : words) ++load[word % kBanks];
      conflicts += *std::max_element(load, load + kBanks) - 1;
    }
    counts_.clear();
    words_.clear();
    return conflicts;
  }

 private:
  using Executions = std::tuple<uint32_t, const void*>;                              // thread, code
  using Together = std::tuple<uint32_t, const void*, uint32_t, uint32_t, uint32_t>;  // see add()

  struct Count {
    uint32_t block_time = 0, warp_time = 0, executed = 0;
  };
  std::map<Executions, Count> counts_;
  std::map<Together, std::set<uint32_t>> words_;
};

}  // namespace compaction::judge
