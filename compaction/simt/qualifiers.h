// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/version.h"

// The only macros that kernels use. SIMT_NOINLINE marks functions that few threads execute, where a
// copy at each call would fill the instruction cache.

#if defined(__CUDACC__)
#define SIMT_KERNEL __device__
#define SIMT_HOST_DEVICE __host__ __device__
#define SIMT_NOINLINE __noinline__
#else
#define SIMT_KERNEL
#define SIMT_HOST_DEVICE
#define SIMT_NOINLINE
#endif
