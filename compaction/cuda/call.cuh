// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/cuda/check.cuh"
#include "compaction/cuda/workspace.cuh"
#include "compaction/grid/item_count.h"
#include "compaction/grid/workspace.h"
#include "compaction/simt/cuda/launch.cuh"
#include "compaction/single_pass/run_tiles.h"

namespace compaction::detail {

/// Tests the arguments of a call. The storage is not temporary.
inline cudaError_t check_call([[maybe_unused]] const CallSite& site, const ItemCount& n,
                              size_t needed_bytes, const Storage& storage,
                              [[maybe_unused]] cudaStream_t stream) {
  const bool many = n.capacity > kMaxItems;
  const bool small = !storage.allocates && storage.workspace.size < needed_bytes;
#if defined(COMPACTION_CHECK)
  Checker checker(site.function, stream);
  if (many) checker.error("more than 2^40 items, or a negative number of them");
  if (!many && small)
    checker.error("the workspace has " + std::to_string(storage.workspace.size) +
                  " bytes and must have " + std::to_string(needed_bytes));
  if (!many) checker.check_arrays(site.arrays, n);
  if (!many && !small && storage.is_zeroed) checker.check_workspace(storage.workspace);
  checker.check_count(n);
  return checker.status();
#else
  return many || small ? cudaErrorInvalidValue : cudaSuccess;
#endif
}

/// Runs `call(workspace)` in memory that is allocated on the stream and freed there. It is not
/// zeroed.
template <class Call>
cudaError_t in_pool(const StreamOrdered& from, size_t bytes, cudaStream_t stream, Call call) {
  void* memory = nullptr;
  cudaError_t status = from.pool != nullptr
                           ? cudaMallocFromPoolAsync(&memory, bytes, from.pool, stream)
                           : cudaMallocAsync(&memory, bytes, stream);
  if (status != cudaSuccess) return status;
  status = call(simt::Span<std::byte>{static_cast<std::byte*>(memory), bytes});
  const cudaError_t freed = cudaFreeAsync(memory, stream);
  return status != cudaSuccess ? status : freed;
}

/// Runs `call(workspace)` in temporary storage, or only sets the required size if `temp` is null.
/// The workspace is an aligned part of the storage. It is not zeroed.
template <class Call>
cudaError_t in_temp_storage(const Storage& storage, size_t needed_bytes, Call call) {
  // The storage may have any alignment: its size includes the padding.
  const size_t padded_bytes = needed_bytes + kWorkspaceAlignment - 1;
  if (storage.asks_for_size()) {
    *storage.temp_bytes = padded_bytes;
    return cudaSuccess;
  }
  if (*storage.temp_bytes < padded_bytes) return cudaErrorInvalidValue;
  uintptr_t address = workspace_part(reinterpret_cast<uintptr_t>(storage.temp));
  return call(simt::Span<std::byte>{reinterpret_cast<std::byte*>(address), needed_bytes});
}

template <class Call>
cudaError_t launch(const CallSite& site, const ItemCount& n, size_t needed_bytes,
                   const Storage& storage, cudaStream_t stream, Call call) {
  // Too many items are refused below, also by a query of the size.
  if (storage.temp_bytes != nullptr && n.capacity <= kMaxItems)
    return in_temp_storage(storage, needed_bytes, [&](Storage workspace) {
      workspace.is_zeroed = false;
      return launch(site, n, needed_bytes, workspace, stream, call);
    });
  cudaError_t status = check_call(site, n, needed_bytes, storage, stream);
  if (status != cudaSuccess) return status;
  const auto run = [&](simt::Span<std::byte> workspace) {
    simt::cuda::Launcher launcher(stream, simt::cuda::Begin::kOverlapped);
    if (!storage.is_zeroed) launcher.zero_before_use(workspace);
    call(launcher, workspace);
    return launcher.status();
  };
  status =
      storage.allocates ? in_pool(storage.from, needed_bytes, stream, run) : run(storage.workspace);
#if defined(COMPACTION_CHECK)
  status = Checker(site.function, stream).finish(status);
#endif
  return status;
}

template <class Job>
cudaError_t run_job(const CallSite& site, const Job& job, const ItemCount& n,
                    const Storage& storage, cudaStream_t stream) {
  return launch(
      site, n, run_tiles_bytes<Job>(n.capacity), storage, stream,
      [&](auto& launcher, Span<std::byte> workspace) { run_tiles(launcher, job, n, workspace); });
}

inline SelectedCount selected_count(const SelectedCount& count) {
  return count;
}
template <class Count>
SelectedCount selected_count([[maybe_unused]] Count count) {
  constexpr bool kIsCount = std::is_constructible_v<DeviceCountOut, Count>;
  static_assert(
      kIsCount,
      "compaction: the count must be a pointer to an integer of 32 or 64 bits that is not "
      "const, or a SelectedCount");
  if constexpr (kIsCount)
    return {.count = count};
  else
    return {};
}

}  // namespace compaction::detail
