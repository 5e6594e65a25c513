// SPDX-License-Identifier: MIT
// Calls with items that no vector access moves, or that are aligned to more than a vector. With the
// flags of a user, without nvcc's --expt-relaxed-constexpr, they must compile without a warning.

#include "compaction/cub/cub_compat.cuh"
#include "compaction/cuda.cuh"
#include "compaction/simt/cuda/launch.cuh"

template <int kBytes, int kAlignment>
struct alignas(kAlignment) Item {
  unsigned char bytes[kBytes];
  bool operator==(const Item&) const = default;
};

struct IsOdd {
  template <class T>
  __host__ __device__ bool operator()(const T& item) const {
    return item.bytes[0] % 2 == 1;
  }
};
struct First {
  template <class T>
  __host__ __device__ long long operator()(const T& item) const {
    return item.bytes[0];
  }
};
/// The first item that is not zero.
struct FirstSet {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a.bytes[0] != 0 ? a : b;
  }
};

template <class T>
cudaError_t moves(const T* in, T* out, T* rest, int* count, const uint8_t* flags, int n) {
  using compaction::stream_ordered;
  if (cudaError_t status = compaction::select_if(in, out, count, n, IsOdd{}, stream_ordered))
    return status;
  if (cudaError_t status =
          compaction::partition_if(in, out, rest, count, n, IsOdd{}, stream_ordered))
    return status;
  return compaction::select_flagged(in, flags, out, count, n, stream_ordered);
}
template <class T>
cudaError_t combines(const T* in, T* out, int n) {
  using compaction::stream_ordered;
  const compaction::WithIdentity op{FirstSet{}, T{}};
  if (cudaError_t status = compaction::reduce(in, out, n, op, stream_ordered)) return status;
  return compaction::inclusive_scan(in, out, n, op, stream_ordered);
}

using Item3 = Item<3, 1>;
using Item12 = Item<12, 4>;
using Item20 = Item<20, 4>;
using Item32 = Item<32, 32>;
template cudaError_t moves(const Item3*, Item3*, Item3*, int*, const uint8_t*, int);
template cudaError_t moves(const Item20*, Item20*, Item20*, int*, const uint8_t*, int);
using Item16 = Item<16, 16>;
template cudaError_t moves(const Item16*, Item16*, Item16*, int*, const uint8_t*, int);
template cudaError_t combines(const Item32*, Item32*, int);

cudaError_t splits(const Item12* in, Item12* out, long long* offsets, int n) {
  return compaction::split_by<5>(in, out, offsets, n, First{}, compaction::stream_ordered);
}
cudaError_t partitions(const Item16* in, Item16* out, int* count, int n) {
  return compaction::partition_in_one_if(in, out, count, n, IsOdd{}, compaction::stream_ordered);
}
cudaError_t extremes(const float* in, float* out, int n) {
  using compaction::stream_ordered;
  if (cudaError_t status =
          compaction::inclusive_scan(in, out, n, compaction::Max<float>{}, stream_ordered))
    return status;
  return compaction::reduce(in, out, n, compaction::Min<float>{}, stream_ordered);
}
cudaError_t arg_min(void* temp, size_t& bytes, const float* in, float* out, int* index, int n) {
  return compaction::cub_compat::DeviceReduce::ArgMin(temp, bytes, in, out, index, n);
}

/// Appends with counts of signed integers.
__global__ void append(const int* in, int* out, int* count, long long* wide_count) {
  __shared__ compaction::AppendShared<128> shared;
  simt::cuda::Block<128> block;
  const int item = in[block.thread_rank()];
  const compaction::Span<int> span{out, 128};
  compaction::block_append(block, item > 0, item, span, count, shared);
  compaction::warp_append(block.warp(), item > 0, item, span, wide_count);
}
