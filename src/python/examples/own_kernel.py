# SPDX-License-Identifier: MIT
"""Compiles a kernel that appends by the headers of compaction, with CuPy's RawModule.

Usage: python own_kernel.py     needs CuPy and a GPU
"""

import winnow.compaction

BLOCK = 256
KERNEL = r"""
#include <compaction/append.h>
#include <compaction/simt/cuda/block.cuh>

// Writes the positive items, in any order of the blocks. `count` is 0 before.
extern "C" __global__ void keep_positive(const float* in, unsigned n, float* out, unsigned* count) {
  constexpr unsigned kBlock = 256;
  __shared__ compaction::AppendShared<kBlock> shared;
  simt::cuda::Block<kBlock> block;
  const unsigned item = block.group_index() * kBlock + block.thread_rank();
  const float value = item < n ? in[item] : 0.0f;
  compaction::block_append(block, value > 0.0f, value, simt::Span<float>(out, n), count, shared);
}
"""


def main():
    import cupy

    module = cupy.RawModule(code=KERNEL, options=winnow.compaction.nvrtc_options())
    keep_positive = module.get_function("keep_positive")
    items = cupy.random.default_rng(7).standard_normal(1_000_000, dtype=cupy.float32)
    kept, count = cupy.empty_like(items), cupy.zeros(1, cupy.uint32)
    blocks = -(-items.size // BLOCK)
    keep_positive((blocks,), (BLOCK,), (items, cupy.uint32(items.size), kept, count))
    expected = items[items > 0]
    assert cupy.array_equal(cupy.sort(kept[:int(count[0])]), cupy.sort(expected))
    print(f"kept {int(count[0])} of {items.size} items")


if __name__ == "__main__":
    main()
