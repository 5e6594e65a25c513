// SPDX-License-Identifier: MIT
#include "compaction/learn/see/algorithm.h"

#include <random>

#include "compaction/grid/tile_queue.h"
#include "compaction/grid/workspace.h"

namespace compaction::see {

using simt::host::Cells;

std::vector<uint32_t> digits(uint32_t n) {
  constexpr uint32_t kFirst = 3, kStep = 7, kDigits = 10;
  std::vector<uint32_t> items(n);
  for (uint32_t i = 0; i < n; ++i) items[i] = (kFirst + uint64_t(kStep) * i) % kDigits;
  return items;
}

std::vector<uint8_t> random_flags(uint32_t n, double keep) {
  std::mt19937 random(1);
  std::vector<uint8_t> flags(n);
  for (uint8_t& flag : flags) flag = random() < keep * double(std::mt19937::max());
  return flags;
}

Workspace workspace_of_words(size_t bytes) {
  Workspace workspace{std::vector<std::byte>(bytes)};
  workspace.watched = {{"workspace", workspace.memory, Cells::kU32}};
  return workspace;
}

Workspace workspace_of_tiles(size_t bytes, uint64_t tiles) {
  Workspace workspace{std::vector<std::byte>(bytes)};
  std::byte* const queue = workspace.memory.data();
  workspace.watched = {{"queue", queue, sizeof(TileQueue::State), Cells::kU32},
                       {"tile states", queue + workspace_part(sizeof(TileQueue::State)),
                        size_t(tiles) * sizeof(uint64_t), Cells::kTileStates}};
  return workspace;
}

void expect_result(simt::host::Trace& trace, const std::string& name,
                   const std::vector<uint32_t>& actual, const std::vector<uint32_t>& expected) {
  if (!trace.failure.message.empty()) return;
  for (size_t i = 0; i < expected.size(); ++i)
    if (actual[i] != expected[i]) {
      trace.failure.message = "a wrong result: " + name + "[" + std::to_string(i) + "] is " +
                              std::to_string(actual[i]) + " and should be " +
                              std::to_string(expected[i]);
      blame_last_store(trace, name, i * sizeof(uint32_t));
      return;
    }
}

}  // namespace compaction::see
