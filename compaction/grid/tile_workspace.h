// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/grid/tile_queue.h"
#include "compaction/grid/tile_states.h"
#include "compaction/grid/workspace_cutter.h"

namespace compaction {

/// The workspace of a kernel whose blocks draw tiles from a queue and publish a value of T for each
/// tile. It is zeroed before its first use; each call leaves it ready for the next call.
template <class T>
struct TileWorkspace {
  TileQueue queue;
  TileStates<T> states;  ///< as many as fit, so that the last epoch clears all of them

  /// Returns the bytes of workspace for up to `tiles` tiles. Grows with `tiles`.
  static size_t bytes(uint64_t tiles) {
    return workspace_part(sizeof(TileQueue::State)) +
           workspace_part(size_t(tiles) * TileStates<T>::kWords * sizeof(uint64_t));
  }

  explicit TileWorkspace(Span<std::byte> workspace) {
    WorkspaceCutter cutter(workspace);
    queue.state = cutter.take<TileQueue::State>(1);
    states.words = {reinterpret_cast<uint64_t*>(cutter.rest().data),
                    cutter.rest().size / sizeof(uint64_t)};
  }
};

}  // namespace compaction
