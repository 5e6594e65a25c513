# SPDX-License-Identifier: MIT
"""Builds an extension of PyTorch that calls the library, by torch.utils.cpp_extension.

Usage: python torch_extension.py     needs PyTorch for CUDA, nvcc, ninja and a GPU
"""

import winnow.compaction

# The headers need C++20, so they are included by CUDA sources, for which PyTorch lets us choose it.
DECLARATION = "torch::Tensor positive(torch::Tensor items);"
SOURCE = r"""
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <compaction/cuda.cuh>

struct IsPositive {
  __host__ __device__ bool operator()(float value) const { return value > 0; }
};

torch::Tensor positive(torch::Tensor items) {
  TORCH_CHECK(items.is_cuda() && items.is_contiguous() && items.scalar_type() == torch::kFloat);
  torch::Tensor out = torch::empty_like(items);
  torch::Tensor count = torch::empty({1}, items.options().dtype(torch::kInt64));
  C10_CUDA_CHECK(compaction::select_if(
      items.const_data_ptr<float>(), out.mutable_data_ptr<float>(),
      count.mutable_data_ptr<int64_t>(), items.numel(), IsPositive{}, compaction::stream_ordered,
      at::cuda::getCurrentCUDAStream()));
  return out.narrow(0, 0, count.item<int64_t>());
}
"""


def build():
    """Compiles and loads the extension. Returns its module."""
    from torch.utils.cpp_extension import load_inline

    return load_inline("positive", cpp_sources=DECLARATION, cuda_sources=SOURCE, functions=["positive"],
                       extra_cuda_cflags=["-std=c++20"],
                       extra_include_paths=[winnow.compaction.include_dir()])


def main():
    import torch

    items = torch.randn(1_000_000, device="cuda")
    kept = build().positive(items)
    assert torch.equal(kept, items[items > 0])
    print(f"kept {kept.numel()} of {items.numel()} items")


if __name__ == "__main__":
    main()
