// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

#include "compaction/grid/tile_queue.h"
#include "compaction/grid/tile_states.h"
#include "compaction/grid/workspace_cutter.h"

namespace compaction {

/// Returns whether a workspace, copied to the host, is as it must be between two calls: no ticket
/// is drawn, and no tile has a state of the next epoch or a later one. Memory that was not zeroed,
/// or that other code wrote to, almost never passes this test.
inline bool is_ready(Span<const std::byte> workspace) {
  TileQueue::State state;
  if (workspace.size < sizeof(state)) return false;
  std::memcpy(&state, workspace.data, sizeof(state));
  const uint32_t epoch = uint32_t(state.next >> TileQueue::kEpochShift);
  const bool no_ticket = uint32_t(state.next) == 0 && state.ended_blocks == 0;
  if (!no_ticket || epoch >= kEpochs) return false;

  using Word = TileStates<uint32_t>;  // the words of all types have their tag in the same bits
  for (size_t at = workspace_part(sizeof(state)); at + sizeof(uint64_t) <= workspace.size;
       at += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, workspace.data + at, sizeof(word));
    const bool is_valid = TileStatus(word >> Word::kStatusShift) != TileStatus::kInvalid;
    if (is_valid && uint32_t(word >> Word::kEpochShift) % kEpochs >= epoch) return false;
  }
  return true;
}

}  // namespace compaction
