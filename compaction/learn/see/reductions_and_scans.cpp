// SPDX-License-Identifier: MIT
// The reductions and scans that compaction-see shows. This source is instrumented, see recorder.h.

#include <numeric>

#include "compaction/ladder/hillis_steele_scan.h"
#include "compaction/ladder/multi_block_reduce.h"
#include "compaction/ladder/multi_block_scan.h"
#include "compaction/ladder/naive_scan.h"
#include "compaction/ladder/shuffle_reduce.h"
#include "compaction/ladder/single_pass_scan.h"
#include "compaction/learn/see/algorithm.h"
#include "compaction/single_pass/scan.h"

namespace compaction::see {

namespace {

using simt::host::Executor;
using simt::host::Trace;

using Run = std::function<Trace(const Problem&)>;

/// Records `reduce(executor, in, n, result, workspace)` and compares the sum.
template <class Reduce>
Run reduction(size_t (*bytes_for)(uint64_t), Reduce reduce) {
  return [=](const Problem& problem) {
    std::vector<uint32_t> in = digits(problem.n), result(1);
    Workspace workspace = workspace_of_words(bytes_for(problem.n));
    std::vector<Watched> watched = {{"in", in}, {"result", result}, workspace.watched.front()};
    Trace trace = record_run(problem.schedule, watched, [&](Executor& executor) {
      reduce(executor, span_of(in), problem.n, span_of(result), span_of(workspace.memory));
    });
    expect_result(trace, "result", result, {std::accumulate(in.begin(), in.end(), 0u)});
    return trace;
  };
}

// The block scans of the ladder, with tiles small enough for a page.
template <class T>
using SmallKoggeStoneTile = KoggeStoneBlockScan<T, 64>;
template <class T>
using SmallBrentKungTile = BrentKungBlockScan<T, 32>;
template <class T>
using SmallCoarsenedTile = CoarsenedBlockScan<T, 64, 4>;

/// Records `scan(executor, in, n, out, workspace, total)` and compares its result.
template <class Scan>
Trace record_scan(const Problem& problem, ScanKind kind, Workspace workspace, Scan scan) {
  std::vector<uint32_t> in = digits(problem.n), out(problem.n), total(1), expected(problem.n);
  if (kind == ScanKind::kInclusive)
    std::inclusive_scan(in.begin(), in.end(), expected.begin());
  else
    std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0u);
  std::vector<Watched> watched = {{"in", in}, {"out", out}, {"total", total}};
  watched.insert(watched.end(), workspace.watched.begin(), workspace.watched.end());
  Trace trace = record_run(problem.schedule, watched, [&](Executor& executor) {
    scan(executor, Span<const uint32_t>(span_of(in)), problem.n, span_of(out),
         span_of(workspace.memory), span_of(total));
  });
  expect_result(trace, "out", out, expected);
  return trace;
}

/// Records a LadderScan.
///
/// @tparam tile_items  items of a tile if the workspace contains tile states; 0: it contains words
template <class Scan, ScanKind kind = ScanKind::kInclusive, unsigned tile_items = 0>
Trace see_scan(const Problem& problem) {
  const size_t bytes = Scan::template bytes<uint32_t>(problem.n);
  return record_scan(
      problem, kind,
      tile_items > 0 ? workspace_of_tiles(bytes, simt::ceil_div(problem.n, tile_items))
                     : workspace_of_words(bytes),
      [](Executor& executor, auto in, uint32_t n, auto out, auto memory, auto total) {
        Scan::template run<kind>(executor, in, n, out, memory, Sum<uint32_t>(), total);
      });
}

Trace see_library_scan(const Problem& problem) {
  using Job = ScanJob<uint32_t, Sum<uint32_t>, ScanKind::kInclusive, uint32_t>;
  return record_scan(
      problem, ScanKind::kInclusive,
      workspace_of_tiles(scan_bytes<uint32_t>(problem.n),
                         tiles_of<TileWave<Job, kFewTiles<Job>>>(problem.n)),
      [](Executor& executor, auto in, uint32_t n, auto out, auto memory, auto total) {
        inclusive_scan(executor, in.data, n, out.data, Sum<uint32_t>(), 0u, total.data, memory);
      });
}

}  // namespace

std::vector<Algorithm> reductions() {
  return {
      {"reduce/naive", 256,
       reduction(naive_reduce_bytes<uint32_t>, [](auto&&... run) { naive_reduce(run...); }),
       "A tree of sums in shared memory. Each step doubles the stride and halves the number of "
       "active lanes. They are spread over all warps, so every warp executes every step."},
      {"reduce/tree", 512,
       reduction(tree_reduce_bytes<uint32_t>, [](auto&&... run) { tree_reduce(run...); }),
       "A tree of sums in shared memory with the active threads side by side, so whole warps "
       "become idle. The array is padded, so the growing strides cause no bank conflicts."},
      {"reduce/shuffle", 2048,
       reduction(shuffle_reduce_bytes<uint32_t>, [](auto&&... run) { shuffle_reduce(run...); }),
       "Each lane adds some items; each warp combines the sums of its lanes by shuffles, from "
       "register to register. Only the sums of the warps go through shared memory. One barrier is "
       "enough."},
  };
}

std::vector<Algorithm> scans() {
  constexpr unsigned kTileItems = CoarsenedTile<uint32_t>::kItems;
  using KoggeStone = MultiBlockScan<SmallKoggeStoneTile>;
  using BrentKung = MultiBlockScan<SmallBrentKungTile>;
  using Coarsened = MultiBlockScan<SmallCoarsenedTile>;
  return {
      {"scan/naive", 64, see_scan<NaiveScan>,
       "Each thread adds all items from the first one to its own. The last thread takes as long as "
       "a sequential loop, and all threads together do n (n + 1) / 2 additions."},
      {"scan/hillis-steele", 64, see_scan<HillisSteeleScan>,
       "Each launch adds to every item the one that is 1, 2, 4, ... places before it. All threads "
       "work. Each step goes through global memory, because only the end of a kernel is a barrier "
       "for all blocks."},
      {"scan/kogge-stone", 64, see_scan<KoggeStone>,
       "The steps of Hillis and Steele within a block. The items are in shared memory, and two "
       "barriers per step separate reads from writes. Tiles have 64 items here, 256 in the "
       "ladder."},
      {"scan/brent-kung", 64, see_scan<BrentKung>,
       "The up-sweep builds a tree of sums; the down-sweep adds to every item the sums still "
       "missing. It takes two additions per item instead of log2(n). Tiles have 64 items here, 512 "
       "in the ladder."},
      {"scan/blelloch", 64, see_scan<BrentKung, ScanKind::kExclusive>,
       "The up-sweep is that of Brent and Kung. Then the root becomes 0, and on the way down each "
       "node passes its prefix to its left child, and its prefix plus the left sum to its right "
       "child. Tiles have 64 items here, 512 in the ladder."},
      {"scan/coarsened", 256, see_scan<Coarsened>,
       "Each thread scans four consecutive items by itself; the block scans only the sums of the "
       "threads, by shuffles. There are few barriers, and most additions need no communication."},
      {"scan/multi-block", 512, see_scan<KoggeStone>,
       "A scan of any number of items: blocks scan their tiles and write the sums, one block scans "
       "the sums, and a third kernel adds them to the tiles. Every item is read and written "
       "twice."},
      {"scan/chained", 8192, see_scan<ChainedScan, ScanKind::kInclusive, kTileItems>,
       "One kernel: each tile waits for the inclusive prefix of the tile before it, adds its own "
       "sum and publishes the result. Items are read once, but the prefix passes through all tiles "
       "one after the other."},
      {"scan/look-back", 12288, see_scan<LookBackScan, ScanKind::kInclusive, kTileItems>,
       "One kernel without a chain: each tile publishes its aggregate (A) at once. Then it looks "
       "back over the states of earlier tiles until it finds an inclusive prefix (P). Merrill and "
       "Garland, 2016."},
      {"scan/single-pass", 8192, see_library_scan,
       "The library's own scan: one kernel with vector accesses. Its warps look ahead at the "
       "states of earlier tiles while the items of the next tiles are loaded."},
  };
}

}  // namespace compaction::see
