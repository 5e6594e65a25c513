// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>

#include "compaction/learn/judge/launcher.h"

// The part of CUDA's language and runtime that courses use, for g++ and the judge's executor. The
// judge rewrites what is not C++ (rewrite.h): `kernel<<<blocks, threads>>>(arguments)` and
// declarations with `__shared__`. Not supported: concurrent streams, textures, dynamic parallelism
// and cooperative groups.

namespace compaction::judge::cuda {

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;
enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorInvalidConfiguration = 9 };
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
struct cudaDeviceProp {
  char name[256] = "compaction-judge, with the limits of sm_90";
  size_t totalGlobalMem = size_t(1) << 30;
  size_t sharedMemPerBlock = size_t(48) << 10, sharedMemPerBlockOptin = size_t(227) << 10;
  size_t sharedMemPerMultiprocessor = size_t(228) << 10;
  int regsPerBlock = 65536, warpSize = 32, maxThreadsPerBlock = 1024;
  int maxThreadsDim[3] = {1024, 1024, 64}, maxGridSize[3] = {2147483647, 65535, 65535};
  int major = 9, minor = 0, multiProcessorCount = 4, maxThreadsPerMultiProcessor = 2048;
  int maxBlocksPerMultiProcessor = 32, clockRate = 1'000'000, memoryClockRate = 1'000'000;
  int concurrentKernels = 1, unifiedAddressing = 1, integrated = 0;
};
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};

}  // namespace compaction::judge::cuda

namespace compaction::judge {

using namespace cuda;
using Where = std::source_location;

// ---- launches

struct LaunchShape {
  dim3 grid, block;
  size_t dynamic_shared_bytes = 0;
  cudaStream_t stream = nullptr;
};

/// The body of a kernel with its parameters.
struct KernelCall {
  const void* parameters;
  size_t bytes;
  void (*run)(const void* parameters);
};

/// Runs `call` once per thread. An invalid shape sets the error of cudaGetLastError().
///
/// @param kernel  name of the kernel, by which its static shared memory is counted
void run_kernel(const LaunchShape& shape, const char* kernel, const KernelCall& call);

/// Returns `kernel<<<...>>>` as a function of the kernel's arguments.
template <class Body>
auto kernel_launch(const char* kernel, LaunchShape shape, Body body) {
  return [=](auto... arguments) {
    const std::pair parameters(body, std::tuple(arguments...));
    using Parameters = decltype(parameters);
    run_kernel(shape, kernel, {&parameters, sizeof parameters, [](const void* call) {
                                 const auto& [body, arguments] = *static_cast<Parameters*>(call);
                                 std::apply(body, arguments);
                               }});
  };
}

struct Index3 {
  unsigned x, y, z;
};

Index3 thread_index();
Index3 block_index();
dim3 block_shape();
dim3 grid_shape();

/// Reserves static shared memory for one declaration, before main(). Returns its offset.
size_t place_shared(size_t bytes);
/// Returns the memory reserved at `offset` in the running block. Throws std::runtime_error if the
/// kernel declares more than 48 KiB.
void* static_shared(size_t offset, size_t bytes);
void* dynamic_shared();

template <class Shared>
inline const size_t kSharedOffset = place_shared(sizeof(Shared));

/// Returns the variables of one declaration with `__shared__`, which are the members of `Shared`.
/// All threads of a block get the same object.
template <class Shared>
Shared& shared_memory() {
  return *static_cast<Shared*>(static_shared(kSharedOffset<Shared>, sizeof(Shared)));
}

/// Type of `extern __shared__ T name[]` outside of functions.
template <class T>
struct DynamicShared {
  operator T*() const { return static_cast<T*>(dynamic_shared()); }
};

// ---- collective operations

unsigned sync_block_count(bool vote, Where where);
uint32_t ballot(uint32_t mask, bool vote, Where where);
/// Returns the bits that `lane` passes, or the caller's own if `lane` is not in `mask`.
uint64_t exchange(uint32_t mask, uint64_t bits, unsigned lane, Where where);
unsigned lane_index();
/// Returns the mask of the lanes that have a thread: fewer than 32 in the last warp of some blocks.
uint32_t lanes_of_warp();

/// Returns the value of `lane`, or the caller's own if `lane` is not among its `width` neighbours.
template <class T>
T shuffle(uint32_t mask, T value, unsigned lane, unsigned width, Where where) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(uint64_t));
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  const bool is_neighbour = lane / width == lane_index() / width;
  bits = exchange(mask, bits, is_neighbour ? lane : lane_index(), where);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

/// Atomically replaces `*address` by `change(*address)`. Returns the previous value.
template <class T, class Change>
T update(T* address, Change change) {
  T before;
  __atomic_load(address, &before, __ATOMIC_RELAXED);
  for (;;) {
    T after = change(before);
    if (__atomic_compare_exchange(address, &before, &after, false, __ATOMIC_RELAXED,
                                  __ATOMIC_RELAXED))
      return before;
  }
}

}  // namespace compaction::judge

// ---- CUDA's own names

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) alignas(bytes)
#ifndef __restrict__
#define __restrict__
#endif

#define threadIdx (::compaction::judge::thread_index())
#define blockIdx (::compaction::judge::block_index())
#define blockDim (::compaction::judge::block_shape())
#define gridDim (::compaction::judge::grid_shape())
#define CUDART_CB
#define __popc __builtin_popcount
#define __popcll __builtin_popcountll
#define __ffs __builtin_ffs
#define __threadfence_block __threadfence
#define __threadfence_system __threadfence

using uint = unsigned;

/// As CUDA's, also of numbers of two types, except that NaN is not left out.
template <class A, class B>
constexpr std::common_type_t<A, B> max(A a, B b) {
  return a < b ? b : a;
}
template <class A, class B>
constexpr std::common_type_t<A, B> min(A a, B b) {
  return b < a ? b : a;
}

namespace compaction::judge::cuda {

inline constexpr int warpSize = 32;

void __syncthreads(Where where = Where::current());
inline int __syncthreads_count(int vote, Where where = Where::current()) {
  return int(sync_block_count(vote != 0, where));
}
inline int __syncthreads_or(int vote, Where where = Where::current()) {
  return sync_block_count(vote != 0, where) > 0;
}
inline int __syncthreads_and(int vote, Where where = Where::current()) {
  return sync_block_count(vote == 0, where) == 0;
}
void __syncwarp(unsigned mask = ~0u, Where where = Where::current());
inline unsigned __ballot_sync(unsigned mask, int vote, Where where = Where::current()) {
  return ballot(mask, vote != 0, where);
}
inline int __any_sync(unsigned mask, int vote, Where where = Where::current()) {
  return ballot(mask, vote != 0, where) != 0;
}
inline int __all_sync(unsigned mask, int vote, Where where = Where::current()) {
  return ballot(mask, vote == 0, where) == 0;
}

/// Returns the calling lane alone, because CUDA guarantees no more.
inline unsigned __activemask() {
  return 1u << lane_index();
}

template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32, Where where = Where::current()) {
  const unsigned first = lane_index() & ~unsigned(width - 1);
  return shuffle(mask, value, first + unsigned(lane) % unsigned(width), unsigned(width), where);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                 Where where = Where::current()) {
  return shuffle(mask, value, lane_index() - delta, unsigned(width), where);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                   Where where = Where::current()) {
  return shuffle(mask, value, lane_index() + delta, unsigned(width), where);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32,
                  Where where = Where::current()) {
  return shuffle(mask, value, lane_index() ^ unsigned(lanes), unsigned(width), where);
}

inline void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __nanosleep(unsigned) {}

template <class T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
  if constexpr (std::is_integral_v<T>)
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
  else
    return update(address, [&](T before) { return before + value; });
}
template <class T>
T atomicSub(T* address, std::type_identity_t<T> value) {
  return __atomic_fetch_sub(address, value, __ATOMIC_RELAXED);
}
template <class T>
T atomicExch(T* address, std::type_identity_t<T> value) {
  T before;
  __atomic_exchange(address, &value, &before, __ATOMIC_RELAXED);
  return before;
}
template <class T>
T atomicCAS(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
  __atomic_compare_exchange(address, &compare, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return compare;
}
template <class T>
T atomicMax(T* address, std::type_identity_t<T> value) {
  return update(address, [&](T before) { return max(before, value); });
}
template <class T>
T atomicMin(T* address, std::type_identity_t<T> value) {
  return update(address, [&](T before) { return min(before, value); });
}
template <class T>
T atomicAnd(T* address, std::type_identity_t<T> value) {
  return __atomic_fetch_and(address, value, __ATOMIC_RELAXED);
}
template <class T>
T atomicOr(T* address, std::type_identity_t<T> value) {
  return __atomic_fetch_or(address, value, __ATOMIC_RELAXED);
}
template <class T>
T atomicXor(T* address, std::type_identity_t<T> value) {
  return __atomic_fetch_xor(address, value, __ATOMIC_RELAXED);
}
inline unsigned atomicInc(unsigned* address, unsigned last) {
  return update(address, [=](unsigned before) { return before >= last ? 0u : before + 1; });
}
inline unsigned atomicDec(unsigned* address, unsigned last) {
  return update(address,
                [=](unsigned before) { return before == 0 || before > last ? last : before - 1; });
}

inline int __clz(int bits) {
  return bits == 0 ? warpSize : __builtin_clz(unsigned(bits));
}
template <class T>
T __ldg(const T* address) {
  return *address;
}

template <class T>
cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  *pointer = bytes > 0 ? static_cast<T*>(device_bytes(bytes)) : nullptr;
  return cudaSuccess;
}
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMemset(void* to, int value, size_t bytes);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t = nullptr) {
  return cudaMemcpy(to, from, bytes, kind);
}
inline cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t = nullptr) {
  return cudaMemset(to, value, bytes);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice) {
  return cudaMemcpy(reinterpret_cast<std::byte*>(&symbol) + offset, from, bytes, cudaMemcpyDefault);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  return cudaMemcpy(to, reinterpret_cast<const std::byte*>(&symbol) + offset, bytes,
                    cudaMemcpyDefault);
}
/// Allows launches of any kernel with this much dynamic shared memory.
cudaError_t set_dynamic_shared_limit(int bytes);
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel*, cudaFuncAttribute attribute, int value) {
  return attribute == cudaFuncAttributeMaxDynamicSharedMemorySize ? set_dynamic_shared_limit(value)
                                                                  : cudaSuccess;
}
inline cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
inline cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : cudaErrorInvalidValue;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  *properties = {};
  return cudaSetDevice(device);
}
/// Frees nothing: the judge frees all arrays after the judged call.
inline cudaError_t cudaDeviceReset() {
  return cudaSuccess;
}
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
inline const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaSuccess                     ? "no error"
         : error == cudaErrorInvalidConfiguration ? "invalid configuration argument"
                                                  : "invalid argument";
}
inline const char* cudaGetErrorName(cudaError_t error) {
  return error == cudaSuccess                     ? "cudaSuccess"
         : error == cudaErrorInvalidConfiguration ? "cudaErrorInvalidConfiguration"
                                                  : "cudaErrorInvalidValue";
}
inline cudaError_t cudaDeviceSynchronize() {
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = nullptr;
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr) {
  return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return cudaSuccess;
}
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 0;
  return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t) {
  return cudaSuccess;
}

}  // namespace compaction::judge::cuda

using namespace compaction::judge::cuda;
