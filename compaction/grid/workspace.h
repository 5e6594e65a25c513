// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "compaction/grid/tile_queue.h"
#include "compaction/grid/tile_states.h"
#include "compaction/simt/span.h"

namespace compaction {

/// Alignment of the parts of a workspace, equal to that of cudaMalloc(). Bytes.
inline constexpr size_t kWorkspaceAlignment = 256;

/// Returns the size in bytes of a part of `bytes` bytes, with padding.
inline size_t workspace_part(size_t bytes) {
  return (bytes + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
}

/// Divides a workspace into parts, front to back. Its size is the sum of workspace_part() of the
/// sizes of the parts.
class WorkspaceCutter {
 public:
  /// Treats a workspace that is not aligned to 8 bytes as empty.
  explicit WorkspaceCutter(simt::Span<std::byte> workspace) {
    if (reinterpret_cast<uintptr_t>(workspace.data) % alignof(uint64_t) == 0) rest_ = workspace;
  }

  /// Returns the next part: `count` uninitialized items; or an empty span, in which every access is
  /// an error, if the rest of the workspace is too small.
  template <class T>
  simt::Span<T> take(size_t count) {
    size_t bytes = workspace_part(count * sizeof(T));
    if (bytes > rest_.size) return rest_ = {}, simt::Span<T>();
    T* items = reinterpret_cast<T*>(rest_.data);
    rest_ = {rest_.data + bytes, rest_.size - bytes};
    return {items, count};
  }

  simt::Span<std::byte> rest() const { return rest_; }

 private:
  simt::Span<std::byte> rest_;
};

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

/// Returns whether a workspace, copied to the host, is as it must be between two calls: no ticket
/// is drawn, and no tile has a state of the next epoch or a later one.
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
