// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "compaction/simt/host/executor.h"

namespace {

inline const std::vector<simt::host::Schedule>& schedules() {
  using simt::host::Order;
  static const std::vector<simt::host::Schedule> all = {
      {Order::kForward}, {Order::kReverse}, {Order::kShuffled, 1}, {Order::kShuffled, 2, 3}};
  return all;
}

inline std::vector<uint32_t> random_words(size_t count) {
  std::mt19937 random(17);
  std::vector<uint32_t> words(count);
  for (uint32_t& word : words) word = uint32_t(random());
  return words;
}

}  // namespace
