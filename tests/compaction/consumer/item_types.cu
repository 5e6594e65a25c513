// SPDX-License-Identifier: MIT
// Calls with items that no vector access moves, or that are aligned to more than a vector. With the
// flags of a user, without nvcc's --expt-relaxed-constexpr, they must compile without a warning.

#include "compaction/cub/cub_compat.cuh"
#include "compaction/cuda.cuh"

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
using Item128 = Item<128, 64>;
template cudaError_t moves(const Item3*, Item3*, Item3*, int*, const uint8_t*, int);
template cudaError_t moves(const Item12*, Item12*, Item12*, int*, const uint8_t*, int);
template cudaError_t moves(const Item20*, Item20*, Item20*, int*, const uint8_t*, int);
template cudaError_t moves(const Item32*, Item32*, Item32*, int*, const uint8_t*, int);
template cudaError_t combines(const Item20*, Item20*, int);
template cudaError_t combines(const Item32*, Item32*, int);
template cudaError_t combines(const Item128*, Item128*, int);

cudaError_t splits(const Item12* in, Item12* out, long long* offsets, int n) {
  return compaction::split_by<5>(in, out, offsets, n, First{}, compaction::stream_ordered);
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
