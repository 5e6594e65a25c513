// SPDX-License-Identifier: MIT
#pragma once

#include <cub/device/device_select.cuh>

#include "base/cuda_check.cuh"
#include "wavefront/cull/baselines.cuh"

namespace winnow {

/// Selects the survivors' slots by CUB's flagged select. A null workspace only sets `bytes`.
inline cudaError_t cub_select(const CullJob& job, void* workspace, size_t& bytes,
                              cudaStream_t stream) {
  return cub::DeviceSelect::Flagged(workspace, bytes, slots_of_entries(job), flags_of_entries(job),
                                    job.survivors().data, job.survivor_count().data,
                                    int(job.max_entries), stream);
}

/// --cull cub: CUB as a baseline. Stable.
template <class Backend>
void cull_cub(Backend& backend, const CullJob& job) {
  Span<std::byte> workspace = backend.cull_workspace();
  size_t bytes = workspace.size;
  check_cuda(cub_select(job, workspace.data, bytes, backend.stream()), "culling by CUB");
}

/// Returns the bytes of workspace of cull_cub() for queues of up to `capacity` entries.
inline size_t cub_workspace_bytes(uint32_t capacity) {
  CullJob job{};
  job.max_entries = capacity;
  WaveState unused;
  job.state = &unused;  // only its address is taken
  size_t bytes = 0;
  check_cuda(cub_select(job, nullptr, bytes, nullptr), "querying CUB's workspace size");
  return bytes;
}

}  // namespace winnow
