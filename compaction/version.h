// SPDX-License-Identifier: MIT
#pragma once

// The version of the library, and what it needs: C++20, CUDA 12.4, and a GPU of sm_75 or newer.
// Every header includes this file before any other of the library, so that its messages come first.

#define COMPACTION_VERSION_MAJOR 0
#define COMPACTION_VERSION_MINOR 3
#define COMPACTION_VERSION_PATCH 0

/// Increases with each version: major * 10000 + minor * 100 + patch.
#define COMPACTION_VERSION \
  (COMPACTION_VERSION_MAJOR * 10000 + COMPACTION_VERSION_MINOR * 100 + COMPACTION_VERSION_PATCH)

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
