#pragma once

// The only macros that a kernel author meets. SIMT_NOINLINE is for what few threads run: kernels
// call it, where a copy at each use would crowd the instruction cache.

#if defined(__CUDACC__)
#define SIMT_KERNEL __device__
#define SIMT_HOST_DEVICE __host__ __device__
#define SIMT_NOINLINE __noinline__
#else
#define SIMT_KERNEL
#define SIMT_HOST_DEVICE
#define SIMT_NOINLINE
#endif
