// SPDX-License-Identifier: MIT
#pragma once

// Every header includes this file first, so these messages come first.

#if __cplusplus < 202002L
#error "compaction needs C++20: compile with -std=c++20, or link compaction::compaction with CMake"
#endif

// clang as a compiler of CUDA does not set these.
#if defined(__CUDACC_VER_MAJOR__)
#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1204
#error "compaction needs CUDA 12.4 or newer"
#endif
#endif

#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ < 750
#error "compaction needs a GPU of sm_75 or newer: compile with -arch=sm_75 or higher"
#endif
#endif

// The only macros that kernels use. SIMT_NOINLINE marks functions that few threads execute, whose
// inlined copies would fill the instruction cache.

#if defined(__CUDACC__)
#define SIMT_KERNEL __device__
#define SIMT_HOST_DEVICE __host__ __device__
#define SIMT_NOINLINE __noinline__
#else
#define SIMT_KERNEL
#define SIMT_HOST_DEVICE
#define SIMT_NOINLINE
#endif
