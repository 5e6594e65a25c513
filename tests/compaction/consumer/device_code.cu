// SPDX-License-Identifier: MIT
// Kernels of a user with the device code of the library, compiled by NVRTC.
#include <compaction/append.h>
#include <compaction/group/block_scan.h>
#include <compaction/record/record_steps.h>
#include <compaction/single_pass/partition.h>
#include <compaction/single_pass/reduce.h>
#include <compaction/single_pass/runs.h>
#include <compaction/single_pass/scan_loaded.h>
#include <compaction/single_pass/select.h>
#include <compaction/single_pass/split.h>

#include <compaction/simt/cuda/block.cuh>

constexpr unsigned kBlockSize = 256;
using Block = simt::cuda::Block<kBlockSize>;

extern "C" __global__ void appends_by_block(simt::Span<const float> in, simt::Span<float> out,
                                            unsigned* count) {
  __shared__ compaction::AppendShared<kBlockSize> shared;
  Block block;
  const unsigned item = block.group_index() * kBlockSize + block.thread_rank();
  const float value = item < in.size ? in[item] : 0.0f;
  compaction::block_append(block, value > 0.0f, value, out, count, shared);
}

extern "C" __global__ void appends_staged(simt::Span<const double> in, simt::Span<double> out,
                                          long long* count) {
  __shared__ compaction::StagedAppendShared<double, kBlockSize, 2> shared;
  Block block;
  const double values[2] = {in[2 * block.thread_rank()], in[2 * block.thread_rank() + 1]};
  const bool push[2] = {values[0] > 0, values[1] > 0};
  compaction::block_append(block, push, values, out, count, shared);
}

extern "C" __global__ void appends_by_warp(simt::Span<const int> in, simt::Span<int> out,
                                           unsigned long long* count) {
  const Block block;
  const int value = in[block.thread_rank()];
  compaction::warp_append(block.warp(), value % 2 == 0, value, out, count);
}

extern "C" __global__ void ranks(simt::Span<const unsigned char> flags, simt::Span<unsigned> to) {
  __shared__ compaction::WarpTotals<kBlockSize> shared;
  Block block;
  to[block.thread_rank()] = compaction::block_rank(block, flags[block.thread_rank()], shared).rank;
}

extern "C" __global__ void records_its_items(compaction::StepItems step,
                                             simt::Span<const float> in) {
  const unsigned item = blockIdx.x * kBlockSize + threadIdx.x;
  const long long begin = clock64();
  if (item < in.size)
    step.record(item, in[item] > 0.0f, in[item] > 1.0f, uint64_t(clock64() - begin));
}
