// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace compaction::judge {

/// Thrown if a source cannot be rewritten. what() names the line and the reason.
struct RewriteError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns whether `source` is CUDA rather than C++ with kernels for simt.h.
bool is_cuda(const std::string& source);

/// Returns a CUDA source as C++ for cuda_syntax.h. Throws RewriteError. Line numbers, comments,
/// strings and everything else remain, except:
///
///   scan<256><<<blocks, 256>>>(out, in);  ->  a call of kernel_launch()
///   __shared__ float a[64], b;            ->  a struct of both in the block's shared memory, and
///                                             references to its members
///   extern __shared__ int s[];            ->  int* s; outside of functions, a DynamicShared<int>
///   #include <cuda_runtime.h>             ->  nothing, as for CUDA's other headers
///   __noinline__                          ->  nothing
std::string rewrite(const std::string& source);

}  // namespace compaction::judge
