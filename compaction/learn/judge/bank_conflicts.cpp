// SPDX-License-Identifier: MIT
#include "compaction/learn/judge/bank_conflicts.h"

#include <algorithm>

namespace compaction::judge {

namespace {

constexpr uint32_t kBanks = 32;
constexpr uint32_t kBankBytes = 4;

/// Returns how many words the fullest bank serves beyond its first.
uint64_t waiting(std::vector<uint32_t> words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  uint64_t load[kBanks] = {};
  for (uint32_t word : words) ++load[word % kBanks];
  return *std::max_element(load, load + kBanks) - 1;
}

}  // namespace

void BankConflicts::add(const Lane& lane, uint32_t offset) {
  Count& count = counts_[{lane.thread, lane.code}];
  if (count.block_time != lane.block_time || count.warp_time != lane.warp_time)
    count = {lane.block_time, lane.warp_time, 0};
  words_[{lane.warp, lane.code, lane.block_time, lane.warp_time, count.executed++}].push_back(
      offset / kBankBytes);
}

uint64_t BankConflicts::take() {
  uint64_t conflicts = 0;
  for (const auto& [key, words] : words_) conflicts += waiting(words);
  counts_.clear();
  words_.clear();
  return conflicts;
}

}  // namespace compaction::judge
