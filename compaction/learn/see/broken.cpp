// SPDX-License-Identifier: MIT
// Kernels with one mistake each, to show its effects. This source is instrumented, see recorder.h.

#include "compaction/learn/see/algorithm.h"
#include "compaction/simt/atomic.h"

namespace compaction::see {

namespace {

using simt::Span;
using simt::host::Executor;
using simt::host::Trace;

constexpr unsigned kTile = 64;  // items, and threads of a block

/// Base of the kernels: one block per tile.
struct TileKernel {
  static constexpr unsigned kBlockSize = kTile;

  Span<const uint32_t> in;
  Span<uint32_t> out;
};

struct ScanKernel : TileKernel {
  struct Shared {
    uint32_t items[kTile];
  };
};

/// Scans each tile in shared memory. The mistake: no barrier separates the reads of a step from its
/// writes, so a thread may read the sum of this step or of the next one.
struct ScanWithoutSecondBarrier : ScanKernel {
  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned thread = block.thread_rank();
    const uint32_t item = block.group_index() * kTile + thread;
    shared.items[thread] = item < in.size ? in[item] : 0;
    for (unsigned stride = 1; stride < kTile; stride *= 2) {
      block.sync();
      if (thread >= stride) shared.items[thread] += shared.items[thread - stride];
    }
    if (item < out.size) out[item] = shared.items[thread];
  }
};

/// Scans each tile. The mistake: a thread leaves the loop when its own item is finished, and the
/// others wait for it at the barrier in the loop.
struct ScanWithDivergentBarrier : ScanKernel {
  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned thread = block.thread_rank();
    const uint32_t item = block.group_index() * kTile + thread;
    shared.items[thread] = item < in.size ? in[item] : 0;
    block.sync();
    for (unsigned stride = 1; stride <= thread; stride *= 2) {
      const uint32_t below = shared.items[thread - stride];
      block.sync();
      shared.items[thread] += below;
      block.sync();
    }
    if (item < out.size) out[item] = shared.items[thread];
  }
};

/// The mistake: the first warp reads a count for each of its 32 lanes, but the block has two warps.
struct SumOfTooManyWarps : TileKernel {
  struct Shared {
    uint32_t warp_sums[simt::kWarpSize];
  };

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    simt::Warp auto warp = block.warp();
    const uint32_t item = block.group_index() * kTile + block.thread_rank();
    uint32_t sum = item < in.size ? in[item] : 0;
    for (unsigned delta = simt::kWarpSize / 2; delta > 0; delta /= 2)
      sum += warp.shfl_down(sum, delta);
    if (warp.thread_rank() == 0) shared.warp_sums[block.warp_rank()] = sum;
    block.sync();
    if (block.warp_rank() > 0) return;
    sum = shared.warp_sums[warp.thread_rank()];
    for (unsigned delta = simt::kWarpSize / 2; delta > 0; delta /= 2)
      sum += warp.shfl_down(sum, delta);
    if (warp.thread_rank() == 0) out[block.group_index()] = sum;
  }
};

/// The mistake: block i waits for block i - 1, which may not have started.
struct ChainWithoutTickets : TileKernel {  // out[tile]: the sum of the tiles up to this one
  using Shared = simt::NoShared;

  Span<uint32_t> is_done;  ///< [tile]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    if (block.thread_rank() > 0) return;
    const uint32_t tile = block.group_index();
    uint32_t sum = 0;
    for (uint32_t item = tile * kTile; item < in.size && item < (tile + 1) * kTile; ++item)
      sum += in[item];
    if (tile > 0) {
      while (simt::load_acquire(is_done[tile - 1]) == 0) simt::backoff();
      sum += out[tile - 1];
    }
    out[tile] = sum;
    simt::store_release(is_done[tile], 1);
  }
};

/// The mistake: the count is passed on by five ballots, one per bit, but 32 has six bits.
struct CountInFiveBits : TileKernel {  // out[warp]: the number of items
  using Shared = simt::NoShared;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    constexpr unsigned kBits = 5;
    simt::Warp auto warp = block.warp();
    const uint32_t item = block.group_index() * kTile + block.thread_rank();
    const uint32_t count = simt::popcount(warp.ballot(item < in.size));
    uint32_t sum = 0;
    for (unsigned bit = 0; bit < kBits; ++bit)
      sum += simt::first_set(~warp.ballot((count >> bit) & 1)) > 0 ? 1u << bit : 0;
    const uint32_t place = block.group_index() * (kTile / simt::kWarpSize) + block.warp_rank();
    if (warp.thread_rank() == 0 && place < out.size) out[place] = sum;
  }
};

uint32_t tiles_for(uint32_t n) {
  return simt::ceil_div(n, kTile);
}

/// Records a kernel with arrays `in` and `out`, and compares `out` with `expected(n)`.
template <class Kernel>
std::function<Trace(const Problem&)> run_of(std::vector<uint32_t> (*expected)(uint32_t n)) {
  return [=](const Problem& problem) {
    std::vector<uint32_t> in = digits(problem.n), wanted = expected(problem.n), out(wanted.size());
    Trace trace = record_run(problem.schedule, {{"in", in}, {"out", out}}, [&](Executor& executor) {
      executor.launch(tiles_for(problem.n), Kernel{span_of(in), span_of(out)});
    });
    expect_result(trace, "out", out, wanted);
    return trace;
  };
}

std::vector<uint32_t> scanned_tiles(uint32_t n) {
  std::vector<uint32_t> items = digits(n);
  for (uint32_t i = 0; i < n; ++i)
    if (i % kTile != 0) items[i] += items[i - 1];
  return items;
}

std::vector<uint32_t> sums_of_tiles(uint32_t n) {
  std::vector<uint32_t> items = digits(n), sums(tiles_for(n));
  for (uint32_t i = 0; i < n; ++i) sums[i / kTile] += items[i];
  return sums;
}

Trace see_deadlock(const Problem& problem) {
  std::vector<uint32_t> in = digits(problem.n), out(tiles_for(problem.n)), is_done(out.size());
  return record_run(
      problem.schedule, {{"in", in}, {"out", out}, {"is_done", is_done}}, [&](Executor& executor) {
        executor.launch(tiles_for(problem.n),
                        ChainWithoutTickets{{span_of(in), span_of(out)}, span_of(is_done)});
      });
}

std::vector<uint32_t> items_of_warps(uint32_t n) {
  std::vector<uint32_t> items(simt::ceil_div(n, simt::kWarpSize), simt::kWarpSize);
  if (n % simt::kWarpSize) items.back() = n % simt::kWarpSize;
  return items;
}

}  // namespace

std::vector<Algorithm> broken() {
  return {
      {"broken:race", 256, run_of<ScanWithoutSecondBarrier>(scanned_tiles),
       "A scan of a block without its second barrier: threads read items while others write them. "
       "With the forward schedule, the result may even be right."},
      {"broken:divergent-barrier", 256, run_of<ScanWithDivergentBarrier>(scanned_tiles),
       "A scan whose threads leave the loop as soon as their own item is finished. The others wait "
       "at the barrier in the loop, which not all threads reach."},
      {"broken:poison", 256, run_of<SumOfTooManyWarps>(sums_of_tiles),
       "The sums of a block's warps are read by 32 lanes, but the block has two warps. The other "
       "30 words of shared memory were never written."},
      {"broken:deadlock", 1024, see_deadlock,
       "A chain of tiles without tickets: each block waits for the block before it, which may not "
       "have started. The kernel ends only if the device starts blocks in order of their index."},
      {"broken:five-bits", 256, run_of<CountInFiveBits>(items_of_warps),
       "Counts of up to 32 are split into five bits. The result is wrong as soon as a warp is "
       "full: 32 has six bits."},
  };
}

}  // namespace compaction::see
