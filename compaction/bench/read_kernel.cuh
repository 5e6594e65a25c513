#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace compaction::bench {

/// Reads n vectors and, but for a chance, writes nothing: what any algorithm takes at least that
/// looks at all items. `sink` [1] is there for the compiler, which would drop the reads otherwise.
static __global__ void read_vectors(const uint4* items, size_t n, uint32_t* sink) {
  constexpr uint32_t kUnlikely = 0x9E3779B9;
  uint32_t bits = 0;
#pragma unroll 4
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x) {
    uint4 item = items[i];
    bits ^= item.x ^ item.y ^ item.z ^ item.w;
  }
  if (bits == kUnlikely) *sink = bits;
}

/// Starts read_vectors().
inline void read_all(const void* items, size_t bytes, uint32_t* sink, cudaStream_t stream) {
  constexpr unsigned kBlocks = 2048, kBlockSize = 256;  // fills the largest GPUs
  read_vectors<<<kBlocks, kBlockSize, 0, stream>>>(static_cast<const uint4*>(items),
                                                   bytes / sizeof(uint4), sink);
}

}  // namespace compaction::bench
