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

using simt::host::Executor;
using simt::host::Trace;

enum class Selected { kInOrder, kInAnyOrder };

/// Records `select(executor, source, n, selected, count, workspace)` and compares its result.
template <class Select>
Trace record_select(const Problem& problem, Workspace workspace, Select select,
                    Selected order = Selected::kInOrder) {
  std::vector<uint8_t> flags = random_flags(problem.n, problem.keep);
  std::vector<uint32_t> selected(problem.n), count(1), expected;
  std::vector<Watched> watched = {{"flags", flags}, {"selected", selected}, {"count", count}};
  watched.insert(watched.end(), workspace.watched.begin(), workspace.watched.end());
  Trace trace = record_run(problem.schedule, watched, [&](Executor& executor) {
    select(executor, FlagSource{span_of(flags)}, problem.n, span_of(selected), span_of(count),
           span_of(workspace.memory));
  });
  for (uint32_t item = 0; item < problem.n; ++item)
    if (flags[item]) expected.push_back(item);
  expect_result(trace, "count", count, {uint32_t(expected.size())});
  selected.resize(expected.size());
  if (order == Selected::kInAnyOrder) std::sort(selected.begin(), selected.end());
  expect_result(trace, "selected", selected, expected);
  return trace;
}

template <class T>
using SmallSelectTile = BrentKungBlockScan<T, 128>;

Trace see_scan_select(const Problem& problem) {
  using Scan = MultiBlockScan<SmallSelectTile>;
  return record_select(problem, workspace_of_words(scan_select_bytes<Scan>(problem.n)),
                       [](auto&&... arguments) { scan_select<Scan>(arguments...); });
}

Trace see_ballot_select(const Problem& problem) {
  return record_select(problem, workspace_of_words(ballot_select_bytes(problem.n)),
                       [](auto&&... arguments) { ballot_select(arguments...); });
}

Trace see_look_back_select(const Problem& problem) {
  return record_select(problem,
                       workspace_of_tiles(look_back_select_bytes(problem.n),
                                          simt::ceil_div(problem.n, LookBackTile::kSize)),
                       [](auto&&... arguments) { look_back_select(arguments...); });
}

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
  return record_select(
      problem, {},
      [](Executor& executor, FlagSource source, uint32_t n, auto out, auto count, auto) {
        executor.launch(simt::ceil_div(n, AppendSetFlags::kBlockSize),
                        AppendSetFlags{.source = source, .out = out, .count = count.data});
      },
      Selected::kInAnyOrder);
}

Trace see_library_select(const Problem& problem) {
  using Sink = WriteIndices<uint32_t>;
  using Job = SelectJob<Flagged, Sink>;
  return record_select(
      problem,
      workspace_of_tiles(select_bytes<Flagged, Sink>(problem.n),
                         tiles_of<TileWave<Job, kFewTiles<Job>>>(problem.n)),
      [](Executor& executor, FlagSource source, uint32_t n, auto out, auto count, auto memory) {
        select(executor, Flagged{source.flags.data}, Sink{out.data}, n, {count.data}, memory);
      });
}

}  // namespace

std::vector<Algorithm> selects() {
  return {
      {"select/scan", 512, see_scan_select,
       "Flags become numbers, and an exclusive scan of them gives each selected item its place. A "
       "last kernel writes it there. Flags and places go through global memory."},
      {"select/ballot", 4096, see_ballot_select,
       "Three phases: blocks count their selected items, the counts are scanned, and warps rank "
       "their items by ballots and write them. Billeter, Olsson and Assarsson, 2009."},
      {"select/look-back", 16384, see_look_back_select,
       "One kernel with three ranks: ballots rank the items of a warp, a scan ranks the warps of a "
       "block, and a look-back over tile states ranks the tiles. Each item is read once."},
      {"select/append", 256, see_append,
       "For a kernel that produces items: each block counts what it keeps and reserves a range of "
       "the output with one atomic addition. Blocks write in any order."},
      {"select/single-pass", 8192, see_library_select,
       "The library's own select: one kernel with vector loads. It looks ahead at the states of "
       "earlier tiles and writes selected items in whole lines."},
  };
}

}  // namespace compaction::see
