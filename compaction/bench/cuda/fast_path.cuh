// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <new>
#include <utility>

#include "compaction/bench/cuda/device_array.cuh"
#include "compaction/bench/cuda/race.cuh"
#include "compaction/cuda.cuh"

namespace compaction::bench {

/// Name of the library's fast path among the contenders.
inline constexpr const char* kOurs = "compaction";

/// The library's fast path as a contender, with a workspace of its own.
///
/// @param call    call(workspace): one of the library's functions; copies what it reads
/// @param result  what the call writes
template <class Call>
Contender fast_path(size_t workspace_bytes, std::shared_ptr<Result> result, Call call,
                    const char* name = kOurs) {
  auto workspace = std::make_shared<Workspace>();
  cudaError_t status = workspace->reserve(workspace_bytes);
  if (status == cudaErrorMemoryAllocation) throw std::bad_alloc();
  check(status);
  return {name, [=] { check(call(workspace->span())); }, std::move(result)};
}

}  // namespace compaction::bench
