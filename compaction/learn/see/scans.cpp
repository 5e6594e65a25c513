// SPDX-License-Identifier: MIT
// The scans that compaction-see shows. This source is instrumented, see recorder.h.

#include "compaction/ladder/hillis_steele_scan.h"
#include "compaction/ladder/multi_block_scan.h"
#include "compaction/ladder/naive_scan.h"
#include "compaction/ladder/single_pass_scan.h"
#include "compaction/learn/see/algorithm.h"
#include "compaction/single_pass/scan.h"

namespace compaction::see {

namespace {

using simt::host::Cells;
using simt::host::Executor;
using simt::host::Trace;

// The block scans of the ladder, with tiles small enough for a page.
template <class T>
using SmallKoggeStoneTile = KoggeStoneBlockScan<T, 64>;
template <class T>
using SmallBrentKungTile = BrentKungBlockScan<T, 32>;
template <class T>
using SmallCoarsenedTile = CoarsenedBlockScan<T, 64, 4>;

/// Memory of a scan, and its expected result.
struct ScanMemory {
  explicit ScanMemory(uint32_t n, size_t workspace_bytes)
      : in(digits(n)), out(n), total(1), workspace(workspace_bytes) {}

  Span<const uint32_t> items() const { return {in.data(), in.size()}; }
  Span<uint32_t> result() { return {out.data(), out.size()}; }
  Span<uint32_t> sum() { return {total.data(), total.size()}; }
  Span<std::byte> scratch() { return {workspace.data(), workspace.size()}; }

  std::vector<uint32_t> expected(ScanKind kind) const {
    std::vector<uint32_t> scanned(in.size());
    uint32_t sum = 0;
    for (size_t i = 0; i < in.size(); ++i) {
      scanned[i] = kind == ScanKind::kInclusive ? sum + in[i] : sum;
      sum += in[i];
    }
    return scanned;
  }

  std::vector<uint32_t> in, out, total;
  std::vector<std::byte> workspace;
};

/// Returns the queue and the tile states of a workspace as watched regions.
std::vector<Watched> watch_tiles(std::vector<std::byte>& workspace, uint32_t tiles) {
  const size_t queue = workspace_part(sizeof(TileQueue::State));
  return {{"queue", workspace.data(), sizeof(TileQueue::State), Cells::kU32},
          {"tile states", workspace.data() + queue, tiles * sizeof(uint64_t), Cells::kTileStates}};
}

Trace record_scan(const Problem& problem, ScanMemory& memory, ScanKind kind,
                  std::vector<Watched> watched, const std::function<void(Executor&)>& launch) {
  const std::vector<uint32_t> expected = memory.expected(kind);
  watched.insert(watched.begin(),
                 {{"in", memory.in}, {"out", memory.out}, {"total", memory.total}});
  Trace trace = record_run(problem.schedule, watched, launch);
  expect_result(trace, "out", memory.out, expected);
  return trace;
}

/// Records a LadderScan whose workspace contains words.
template <class Scan, ScanKind kind>
Trace see_scan(const Problem& problem) {
  ScanMemory memory(problem.n, Scan::template bytes<uint32_t>(problem.n));
  return record_scan(problem, memory, kind,
                     {{"workspace", memory.workspace.data(), memory.workspace.size(), Cells::kU32}},
                     [&](Executor& executor) {
                       if constexpr (kind == ScanKind::kInclusive)
                         Scan::inclusive(executor, memory.items(), problem.n, memory.result(),
                                         memory.scratch(), Sum<uint32_t>(), memory.sum());
                       else
                         Scan::exclusive(executor, memory.items(), problem.n, memory.result(),
                                         memory.scratch(), Sum<uint32_t>(), memory.sum());
                     });
}

/// Records a LadderScan whose workspace contains tile states.
template <class Scan>
Trace see_single_pass_scan(const Problem& problem) {
  ScanMemory memory(problem.n, Scan::template bytes<uint32_t>(problem.n));
  const uint32_t tiles = simt::ceil_div(problem.n, CoarsenedTile<uint32_t>::kItems);
  return record_scan(problem, memory, ScanKind::kInclusive, watch_tiles(memory.workspace, tiles),
                     [&](Executor& executor) {
                       Scan::inclusive(executor, memory.items(), problem.n, memory.result(),
                                       memory.scratch(), Sum<uint32_t>(), memory.sum());
                     });
}

Trace see_library_scan(const Problem& problem) {
  ScanMemory memory(problem.n, scan_bytes<uint32_t>(problem.n));
  using Job = ScanJob<uint32_t, Sum<uint32_t>, ScanKind::kInclusive, uint32_t>;
  const uint32_t tiles = uint32_t(tiles_of<TileWave<Job, kFewTiles<Job>>>(problem.n));
  return record_scan(problem, memory, ScanKind::kInclusive, watch_tiles(memory.workspace, tiles),
                     [&](Executor& executor) {
                       inclusive_scan(executor, memory.in.data(), problem.n, memory.out.data(),
                                      Sum<uint32_t>(), 0u, memory.total.data(), memory.scratch());
                     });
}

}  // namespace

std::vector<Algorithm> scans() {
  using KoggeStone = MultiBlockScan<SmallKoggeStoneTile>;
  using BrentKung = MultiBlockScan<SmallBrentKungTile>;
  using Coarsened = MultiBlockScan<SmallCoarsenedTile>;
  return {
      {"scan/naive",
       "Each thread adds all items from the first one to its own. The last thread takes as long as "
       "a sequential loop, and all threads together do n (n + 1) / 2 additions.",
       64, see_scan<NaiveScan, ScanKind::kInclusive>},
      {"scan/hillis-steele",
       "Each launch adds to every item the one that is 1, 2, 4, ... places before it. All threads "
       "work. Each step goes through global memory, because only the end of a kernel is a barrier "
       "for all blocks.",
       64, see_scan<HillisSteeleScan, ScanKind::kInclusive>},
      {"scan/kogge-stone",
       "The steps of Hillis and Steele within a block. The items are in shared memory, and two "
       "barriers per step separate reads from writes. Tiles have 64 items here, 256 in the ladder.",
       64, see_scan<KoggeStone, ScanKind::kInclusive>},
      {"scan/brent-kung",
       "The up-sweep builds a tree of sums; the down-sweep adds to every item the sums still "
       "missing. It takes two additions per item instead of log2(n). Tiles have 64 items here, 512 "
       "in the ladder.",
       64, see_scan<BrentKung, ScanKind::kInclusive>},
      {"scan/blelloch",
       "The up-sweep is that of Brent and Kung. Then the root becomes 0, and on the way down each "
       "node passes its prefix to its left child, and its prefix plus the left sum to its right "
       "child. Tiles have 64 items here, 512 in the ladder.",
       64, see_scan<BrentKung, ScanKind::kExclusive>},
      {"scan/coarsened",
       "Each thread scans four consecutive items by itself; the block scans only the sums of the "
       "threads, by shuffles. There are few barriers, and most additions need no communication.",
       256, see_scan<Coarsened, ScanKind::kInclusive>},
      {"scan/multi-block",
       "A scan of any number of items: blocks scan their tiles and write the sums, one block scans "
       "the sums, and a third kernel adds them to the tiles. Every item is read and written twice.",
       512, see_scan<KoggeStone, ScanKind::kInclusive>},
      {"scan/chained",
       "One kernel: each tile waits for the inclusive prefix of the tile before it, adds its own "
       "sum and publishes the result. Items are read once, but the prefix passes through all tiles "
       "one after the other.",
       8192, see_single_pass_scan<ChainedScan>},
      {"scan/look-back",
       "One kernel without a chain: each tile publishes its aggregate (A) at once. Then it looks "
       "back over the states of earlier tiles until it finds an inclusive prefix (P). Merrill and "
       "Garland, 2016.",
       12288, see_single_pass_scan<LookBackScan>},
      {"scan/single-pass",
       "The library's own scan: one kernel with vector accesses. Its warps look ahead at the "
       "states of earlier tiles while the items of the next tiles are loaded.",
       8192, see_library_scan},
  };
}

}  // namespace compaction::see
