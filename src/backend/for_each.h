#pragma once

#include <cstdint>

#include "compaction/select/append.h"
#include "compaction/simt/simt.h"
#include "wavefront/queue.h"

namespace winnow {

// The kernels that run stages. Each thread takes one item; a grid is sized by the most items that
// there can be, and the blocks beyond those that there are return at once.

/// Threads that share a block's one atomic. On an H200 at 1920x1080, 128 are up to 4 % slower, 64
/// up to 12 %, and 512, which are left with too few registers, 13 to 20 %.
inline constexpr unsigned kStageBlockSize = 256;

/// Runs a stage for the items 0 ... count - 1.
template <class Stage>
struct ForEachItem {
  static constexpr unsigned kBlockSize = kStageBlockSize;
  using Shared = simt::NoShared;

  uint32_t count;
  Stage stage;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint32_t i = block.group_index() * kBlockSize + block.thread_rank();
    if (i < count) stage(i);
  }
};

/// Runs a stage for every path of a queue.
template <class Stage>
struct ForEachPath {
  static constexpr unsigned kBlockSize = kStageBlockSize;
  using Shared = simt::NoShared;

  Queue queue;
  Stage stage;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint32_t i = block.group_index() * kBlockSize + block.thread_rank();
    if (i < *queue.count) stage(queue[i]);
  }
};

/// Runs a stage for every path of a queue and pushes the path to those queues whose bit is set in
/// the result: one atomic per block and queue.
template <class Stage, unsigned kQueues>
struct ForEachPathPush {
  static constexpr unsigned kBlockSize = kStageBlockSize;
  using Shared = compaction::AppendShared<kBlockSize>;

  Queue queue;
  Stage stage;
  Queue pushed[kQueues];

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    uint32_t first = block.group_index() * kBlockSize;
    if (first >= *queue.count) return;  // the whole block
    uint32_t i = first + block.thread_rank();
    PathId path = 0;
    uint32_t pushes = 0;
    if (i < *queue.count) {
      path = queue[i];
      pushes = stage(path);
    }
    for (unsigned k = 0; k < kQueues; ++k)
      if (pushed[k].count)
        compaction::block_append(block, (pushes >> k & 1) != 0, path, pushed[k].ids,
                                 pushed[k].count, shared);
  }
};

}  // namespace winnow
