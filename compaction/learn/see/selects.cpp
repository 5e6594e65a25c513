// SPDX-License-Identifier: MIT
// The selects that compaction-see shows. This source is instrumented, see recorder.h.

#include <algorithm>

#include "compaction/append.h"
#include "compaction/ladder/ballot_select.h"
#include "compaction/ladder/look_back_select.h"
#include "compaction/ladder/scan_select.h"
#include "compaction/learn/see/algorithm.h"
#include "compaction/single_pass/select.h"

namespace compaction::see {

namespace {

using simt::host::Cells;
using simt::host::Executor;
using simt::host::Trace;

/// Memory of a select of the indices of the set flags.
struct SelectMemory {
  SelectMemory(const Problem& problem, size_t workspace_bytes)
      : flags(random_flags(problem.n, problem.keep)),
        selected(problem.n),
        count(1),
        workspace(workspace_bytes) {}

  FlagSource source() const { return {{flags.data(), flags.size()}}; }
  Span<uint32_t> out() { return {selected.data(), selected.size()}; }
  Span<uint32_t> out_count() { return {count.data(), count.size()}; }
  Span<std::byte> scratch() { return {workspace.data(), workspace.size()}; }

  std::vector<uint8_t> flags;
  std::vector<uint32_t> selected, count;
  std::vector<std::byte> workspace;
};

std::vector<Watched> watch_words(SelectMemory& memory) {
  return {{"workspace", memory.workspace.data(), memory.workspace.size(), Cells::kU32}};
}

std::vector<Watched> watch_tiles(SelectMemory& memory, uint64_t tiles) {
  const size_t queue = workspace_part(sizeof(TileQueue::State));
  return {{"queue", memory.workspace.data(), sizeof(TileQueue::State), Cells::kU32},
          {"tile states", memory.workspace.data() + queue, size_t(tiles) * sizeof(uint64_t),
           Cells::kTileStates}};
}

enum class Selected { kInOrder, kInAnyOrder };

Trace record_select(const Problem& problem, SelectMemory& memory, std::vector<Watched> watched,
                    const std::function<void(Executor&)>& launch,
                    Selected order = Selected::kInOrder) {
  watched.insert(watched.begin(),
                 {{"flags", memory.flags}, {"selected", memory.selected}, {"count", memory.count}});
  Trace trace = record_run(problem.schedule, watched, launch);

  std::vector<uint32_t> expected;
  for (uint32_t item = 0; item < problem.n; ++item)
    if (memory.flags[item]) expected.push_back(item);
  expect_result(trace, "count", memory.count, {uint32_t(expected.size())});
  std::vector<uint32_t> selected(memory.selected.begin(),
                                 memory.selected.begin() + std::ptrdiff_t(expected.size()));
  if (order == Selected::kInAnyOrder) std::sort(selected.begin(), selected.end());
  expect_result(trace, "selected", selected, expected);
  return trace;
}

template <class T>
using SmallSelectTile = BrentKungBlockScan<T, 128>;

Trace see_scan_select(const Problem& problem) {
  using Scan = MultiBlockScan<SmallSelectTile>;
  SelectMemory memory(problem, scan_select_bytes<Scan>(problem.n));
  return record_select(problem, memory, watch_words(memory), [&](Executor& executor) {
    scan_select<Scan>(executor, memory.source(), problem.n, memory.out(), memory.out_count(),
                      memory.scratch());
  });
}

Trace see_ballot_select(const Problem& problem) {
  SelectMemory memory(problem, ballot_select_bytes(problem.n));
  return record_select(problem, memory, watch_words(memory), [&](Executor& executor) {
    ballot_select(executor, memory.source(), problem.n, memory.out(), memory.out_count(),
                  memory.scratch());
  });
}

Trace see_look_back_select(const Problem& problem) {
  SelectMemory memory(problem, look_back_select_bytes(problem.n));
  const uint32_t tiles = simt::ceil_div(problem.n, LookBackTile::kSize);
  return record_select(problem, memory, watch_tiles(memory, tiles), [&](Executor& executor) {
    look_back_select(executor, memory.source(), problem.n, memory.out(), memory.out_count(),
                     memory.scratch());
  });
}

/// Appends the indices of the set flags, one per thread.
struct AppendSetFlags {
  static constexpr unsigned kBlockSize = 64;
  using Shared = AppendShared<kBlockSize>;

  FlagSource source;
  Span<uint32_t> out;
  uint32_t* count;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const uint32_t item = block.group_index() * kBlockSize + block.thread_rank();
    const bool push = item < source.flags.size && source.selected(item);
    block_append(block, push, item, out, count, shared);
  }
};

Trace see_append(const Problem& problem) {
  SelectMemory memory(problem, 0);
  return record_select(
      problem, memory, {},
      [&](Executor& executor) {
        executor.launch(
            simt::ceil_div(problem.n, AppendSetFlags::kBlockSize),
            AppendSetFlags{
                .source = memory.source(), .out = memory.out(), .count = memory.count.data()});
      },
      Selected::kInAnyOrder);
}

Trace see_library_select(const Problem& problem) {
  using FastSource = Flagged;
  using Sink = WriteIndices<uint32_t>;
  using Job = SelectJob<FastSource, Sink>;
  SelectMemory memory(problem, select_bytes<FastSource, Sink>(problem.n));
  const uint64_t tiles = tiles_of<TileWave<Job, kFewTiles<Job>>>(problem.n);
  return record_select(problem, memory, watch_tiles(memory, tiles), [&](Executor& executor) {
    select(executor, FastSource{memory.flags.data()}, Sink{memory.selected.data()}, problem.n,
           {memory.count.data()}, memory.scratch());
  });
}

}  // namespace

std::vector<Algorithm> selects() {
  return {
      {"select/scan",
       "Flags become numbers, and an exclusive scan of them gives each selected item its place. A "
       "last kernel writes it there. Flags and places go through global memory.",
       512, see_scan_select},
      {"select/ballot",
       "Three phases: blocks count their selected items, the counts are scanned, and warps rank "
       "their items by ballots and write them. Billeter, Olsson and Assarsson, 2009.",
       4096, see_ballot_select},
      {"select/look-back",
       "One kernel with three ranks: ballots rank the items of a warp, a scan ranks the warps of a "
       "block, and a look-back over tile states ranks the tiles. Each item is read once.",
       16384, see_look_back_select},
      {"select/append",
       "For a kernel that produces items: each block counts what it keeps and reserves a range of "
       "the output with one atomic addition. Blocks write in any order.",
       256, see_append},
      {"select/single-pass",
       "The library's own select: one kernel with vector loads. It looks ahead at the states of "
       "earlier tiles and writes selected items in whole lines.",
       8192, see_library_select},
  };
}

}  // namespace compaction::see
