// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"
#include "compaction/simt/atomic.h"

// Mistakes that leave two accesses unordered. Many give the right result on most GPUs most of the
// time.

namespace planted {

/// Base of kernels of one block that has a sum per thread in shared memory.
template <unsigned block_size>
struct OneBlock {
  static constexpr unsigned kBlockSize = block_size;
  struct Shared {
    uint32_t sums[kBlockSize];
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out;

  /// Writes the sum of a thread's items to shared memory. Ends with a barrier.
  SIMT_KERNEL void sum_items(simt::Block auto& block, Shared& shared) const {
    uint32_t sum = 0;
    for (uint32_t i = block.thread_rank(); i < in.size; i += kBlockSize) sum += in[i];
    shared.sums[block.thread_rank()] = sum;
    block.sync();
  }
};

}  // namespace planted

/// Sums in a tree without a barrier between the steps.
namespace planted::no_barrier_between_steps {

struct SumBlock : OneBlock<128> {
  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank();
    sum_items(block, shared);
    for (unsigned stride = kBlockSize / 2; stride > 0; stride /= 2)
      if (t < stride) shared.sums[t] += shared.sums[t + stride];  // a barrier belongs here
    if (t == 0) out[0] = shared.sums[0];
  }
};

void reduce(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  launcher.launch(1, SumBlock{{in, out}});
}

}  // namespace planted::no_barrier_between_steps

/// Leaves the last steps of a tree to one warp, without barriers of that warp. Since sm_70, its
/// lanes do not run in lockstep.
namespace planted::warp_in_step {

struct SumBlock : OneBlock<64> {
  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank();
    sum_items(block, shared);
    if (t < simt::kWarpSize)
      for (unsigned stride = simt::kWarpSize; stride > 0; stride /= 2)
        shared.sums[t] += shared.sums[t + stride];
    if (t == 0) out[0] = shared.sums[0];
  }
};

void reduce(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  launcher.launch(1, SumBlock{{in, out}});
}

}  // namespace planted::warp_in_step

/// Does Kogge & Stone's steps in one buffer with one barrier per step, although two are needed: a
/// thread overwrites a sum that another one is about to read.
namespace planted::one_buffer {

struct ScanBlock : OneBlock<128> {
  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank();
    shared.sums[t] = t > 0 && t - 1 < in.size ? in[t - 1] : 0;
    for (unsigned stride = 1; stride < kBlockSize; stride *= 2) {
      block.sync();
      if (t >= stride) shared.sums[t] += shared.sums[t - stride];
    }
    if (t < in.size) out[t] = shared.sums[t];
  }
};

void scan(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  launcher.launch(1, ScanBlock{{in, out}});
}

}  // namespace planted::one_buffer

/// Adds to the result without an atomic.
namespace planted::plain_addition {

struct AddItems {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t item = block.group_index() * kBlockSize + block.thread_rank();
    if (item < in.size) out[0] += in[item];
  }
};

void reduce(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  compaction::judge::device_memset(out.data, 0, sizeof(uint32_t));
  launcher.launch(simt::ceil_div(uint32_t(in.size), AddItems::kBlockSize), AddItems{in, out});
}

}  // namespace planted::plain_addition

/// The last block to end adds the sums of all blocks, but nothing orders its reads after their
/// writes.
namespace planted::last_block_without_fence {

struct SumBlocks {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out, sums;
  uint32_t* ended;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    if (block.thread_rank() != 0) return;
    const uint32_t first = block.group_index() * kBlockSize;
    uint32_t sum = 0;
    for (uint32_t i = first; i < first + kBlockSize && i < in.size; ++i) sum += in[i];
    sums[block.group_index()] = sum;
    if (simt::fetch_add_relaxed(*ended, 1u) + 1 < block.num_groups()) return;
    uint32_t all = 0;
    for (uint32_t block_sum : sums) all += block_sum;
    out[0] = all;
  }
};

void reduce(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  const uint32_t tiles = simt::ceil_div(uint32_t(in.size), SumBlocks::kBlockSize);
  const uint32_t blocks = tiles > 0 ? tiles : 1;
  launcher.launch(blocks, SumBlocks{in, out, compaction::judge::device_array<uint32_t>(blocks),
                                    compaction::judge::zeroed_device_array<uint32_t>(1).data});
}

}  // namespace planted::last_block_without_fence
