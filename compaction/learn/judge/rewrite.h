// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace compaction::judge {

/// Source that cannot be rewritten. what() has the line.
struct RewriteError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether `source` is CUDA rather than C++ with kernels of simt.h.
bool is_cuda(const std::string& source);

/// `source`, a CUDA source, as C++ for cuda_syntax.h. All else is kept, lines included:
///
///   scan<256><<<blocks, 256>>>(out, in);  ->  a call of kernel_launch(); comments, strings and
///                                             arguments stay
///   __shared__ float a[64], b;            ->  a struct of the two in the block's shared memory,
///   and
///                                             references to its members
///   extern __shared__ int s[];            ->  int* s, or outside of functions a DynamicShared<int>
///   #include <cuda_runtime.h>             ->  nothing, and so for other headers of CUDA
std::string rewrite(const std::string& source);

}  // namespace compaction::judge
