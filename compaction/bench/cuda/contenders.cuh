// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>
#include <thrust/functional.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "compaction/bench/cuda/device_array.cuh"
#include "compaction/bench/cuda/race.cuh"
#include "compaction/cuda.cuh"

namespace compaction::bench {

/// Returns the library's fast path, with a workspace of its own.
///
/// @param to    output of the call
/// @param call  call(*to, storage) calls a function of the library; holds copies of its arguments
template <class To, class Call>
Contender fast_path(std::shared_ptr<To> to, Call call, const char* name = kOurs) {
  size_t bytes = 0;
  check(call(*to, Storage(nullptr, bytes)));  // asks for the size
  auto workspace = std::make_shared<Workspace>();
  cudaError_t status = workspace->reserve(bytes);
  if (status == cudaErrorMemoryAllocation) throw std::bad_alloc();
  check(status);
  return {name, [=] { check(call(*to, *workspace)); }, to};
}

template <class T>
simt::Span<T> span_of(const DeviceArray<T>& array) {
  return {array.data(), array.size()};
}

/// Returns a rung of the ladder, with a workspace of its own.
///
/// @param call  call(*to, launcher, workspace) puts the algorithm on the launcher's stream
template <class To, class Call>
Contender rung(const Session& session, std::string name, size_t workspace_bytes,
               std::shared_ptr<To> to, Call call) {
  auto workspace = std::make_shared<DeviceArray<std::byte>>(workspace_bytes);
  workspace->fill(0);  // some rungs need it zeroed once
  return {std::move(name),
          [=, stream = session.stream()] {
            simt::cuda::Launcher launcher(stream);
            call(*to, launcher, span_of(*workspace));
            check(launcher.status());
          },
          to};
}

/// Returns a function of CUB. Allocates its temporary storage once.
///
/// @param call  call(*to, temp, bytes) calls the function with the last two and all other arguments
template <class To, class Call>
Contender cub_contender(std::shared_ptr<To> to, Call call, const char* name = kCub) {
  size_t bytes = 0;
  check(call(*to, nullptr, bytes));
  auto storage = std::make_shared<DeviceArray<std::byte>>(bytes);
  return {name,
          [=] {
            size_t bytes = storage->bytes();
            check(call(*to, storage->data(), bytes));
          },
          to};
}

/// The operator of sums of T that Thrust recognizes, if it has one for T.
template <class T>
using ThrustSum = std::conditional_t<std::is_integral_v<T>, thrust::plus<T>, SumOf<T>>;

/// Returns a function of Thrust, `call(*to)`. It allocates, and waits for the device.
template <class To, class Call>
Contender thrust_contender(std::shared_ptr<To> to, Call call) {
  return {kThrust, [=] { call(*to); }, to, /*synchronizes=*/true};
}

/// Returns a copy of half of the task's bytes, since a copy reads and writes. Call it last among
/// the contenders: it allocates as much memory as the task moves.
Contender memcpy_contender(const Session& session, const Task& task);

/// Reads all of `items`, and writes only if their sum has an unlikely value: the lower bound of any
/// algorithm that reads all items. Does not synchronize.
///
/// @param sink  [1], keeps the compiler from removing the reads
void read_all(const void* items, size_t bytes, uint32_t* sink, cudaStream_t stream);

/// Returns a contender that calls read_all(): the bound of a reduction.
template <class T>
Contender read_contender(std::shared_ptr<DeviceArray<T>> items, cudaStream_t stream) {
  auto sink = std::make_shared<DeviceArray<uint32_t>>(1);
  return {"read kernel",
          [=] {
            read_all(items->data(), items->bytes(), sink->data(), stream);
            check(cudaGetLastError());
          },
          nullptr};
}

}  // namespace compaction::bench
