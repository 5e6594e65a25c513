// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"
#include "compaction/simt/atomic.h"

// Mistakes at the limits of memory, of the input and of what a launch guarantees.

/// Adds up words of shared memory that threads without an item have not written.
namespace planted::tail_not_padded {

struct SumBlock {
  static constexpr unsigned kBlockSize = 64;
  struct Shared {
    uint32_t sums[kBlockSize];
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank();
    if (t < in.size) shared.sums[t] = in[t];
    for (unsigned stride = kBlockSize / 2; stride > 0; stride /= 2) {
      block.sync();
      if (t < stride) shared.sums[t] += shared.sums[t + stride];
    }
    if (t == 0) out[0] = shared.sums[0];
  }
};

void reduce(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  launcher.launch(1, SumBlock{in, out});
}

}  // namespace planted::tail_not_padded

/// Compares with <= instead of <, so one thread too many writes.
namespace planted::one_item_too_many {

struct Copy {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;

  const uint32_t* in;
  uint32_t* out;
  uint32_t n;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t item = block.group_index() * kBlockSize + block.thread_rank();
    uint32_t sum = 0;
    for (uint32_t i = 0; i < item && i < n; ++i) sum += in[i];
    if (item <= n) out[item] = sum;
  }
};

void scan(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  const uint32_t n = uint32_t(in.size);
  launcher.launch(simt::ceil_div(n, Copy::kBlockSize), Copy{in.data, out.data, n});
}

}  // namespace planted::one_item_too_many

/// Has a barrier after an early return.
namespace planted::early_return {

struct ScanBlock {
  static constexpr unsigned kBlockSize = 64;
  struct Shared {
    uint32_t items[kBlockSize];
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank();
    if (t >= in.size) return;
    shared.items[t] = in[t];
    block.sync();
    uint32_t sum = 0;
    for (unsigned i = 0; i < t; ++i) sum += shared.items[i];
    out[t] = sum;
  }
};

void scan(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  launcher.launch(1, ScanBlock{in, out});
}

}  // namespace planted::early_return

/// Blocks reserve their part of the output by an atomic, so items are in the order in which blocks
/// run.
namespace planted::order_of_blocks {

struct Append {
  static constexpr unsigned kBlockSize = 32;
  using Shared = simt::NoShared;

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out;
  uint32_t* count;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    simt::Warp auto warp = block.warp();
    const uint32_t item = block.group_index() * kBlockSize + block.thread_rank();
    const uint32_t value = item < in.size ? in[item] : 0;
    const uint32_t kept = warp.ballot(value != 0);
    uint32_t first = 0;
    if (warp.thread_rank() == 0) first = simt::fetch_add_relaxed(*count, simt::popcount(kept));
    first = warp.shfl(first, 0);
    if (value != 0)
      out[first + simt::popcount(kept & simt::lanes_below(warp.thread_rank()))] = value;
  }
};

void select(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out,
            simt::Span<uint32_t> count) {
  compaction::judge::device_memset(count.data, 0, sizeof(uint32_t));
  launcher.launch(simt::ceil_div(uint32_t(in.size), Append::kBlockSize),
                  Append{in, out, count.data});
}

}  // namespace planted::order_of_blocks

/// Each block waits for the block with the index before its own, which may not start until this one
/// has ended.
namespace planted::waits_by_index {

struct ScanInAChain {
  static constexpr unsigned kBlockSize = 32;
  using Shared = simt::NoShared;

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out, sums;  ///< [block], 1 + sum of all items up to its end; 0: unknown

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    if (block.thread_rank() != 0) return;
    const uint32_t tile = block.group_index(), first = tile * kBlockSize;
    uint32_t sum = 0, published = 0;
    if (tile > 0) {
      while ((published = simt::load_relaxed(sums[tile - 1])) == 0) simt::backoff();
      sum = published - 1;
    }
    for (uint32_t i = first; i < first + kBlockSize && i < in.size; ++i) {
      out[i] = sum;
      sum += in[i];
    }
    simt::store_relaxed(sums[tile], sum + 1);
  }
};

void scan(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  const uint32_t blocks = simt::ceil_div(uint32_t(in.size), ScanInAChain::kBlockSize);
  launcher.launch(blocks,
                  ScanInAChain{in, out, compaction::judge::zeroed_device_array<uint32_t>(blocks)});
}

}  // namespace planted::waits_by_index
