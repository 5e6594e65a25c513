#pragma once

#include <cstdint>

#include "compaction/bench/device_array.cuh"
#include "compaction/bench/random_items.h"

namespace compaction::bench {

/// Sets items [n] by `item`, a function of their number. Grid-stride.
template <class T, class Item>
__global__ void fill_items(T* items, uint64_t n, Item item) {
  for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < n;
       i += uint64_t(gridDim.x) * blockDim.x)
    items[i] = item(i);
}

template <class T, class Item>
void fill(const DeviceArray<T>& items, Item item) {
  constexpr unsigned kBlocks = 2048, kBlockSize = 256;  // fills the largest GPUs
  fill_items<<<kBlocks, kBlockSize>>>(items.data(), items.size(), item);
  check(cudaGetLastError());
}

/// Item number i + `first` of the random items.
template <class T>
struct RandomItem {
  uint64_t first = 0;
  __device__ T operator()(uint64_t i) const { return random_item<T>(first + i); }
};

/// Fills with random_item(0), random_item(1) ...
template <class T>
void fill_random(const DeviceArray<T>& items) {
  fill(items, RandomItem<T>{});
}

/// 1 for each random item that the predicate keeps, else 0.
template <class T>
struct FlagOf {
  Below<T> keep;
  __device__ uint8_t operator()(uint64_t i) const { return keep(random_item<T>(i)) ? 1 : 0; }
};

}  // namespace compaction::bench
