#pragma once

#include <cub/device/device_select.cuh>

#include "base/cuda_check.cuh"
#include "wavefront/cull/peers.cuh"

namespace winnow {

/// CUB's flagged select, for comparison. Keeps the order.
inline cudaError_t cub_select(const CullJob& job, void* workspace, size_t& bytes,
                              cudaStream_t stream) {
  return cub::DeviceSelect::Flagged(workspace, bytes, slots_of_entries(job), lives_of_entries(job),
                                    job.survivors().data, &job.state->round.culled_to,
                                    int(job.most_entries), stream);
}

template <class Backend>
void cull_cub(Backend& backend, const CullJob& job) {
  Span<std::byte> workspace = backend.cull_workspace();
  size_t bytes = workspace.size;
  check_cuda(cub_select(job, workspace.data, bytes, backend.stream()), "culling by CUB");
}

inline size_t cub_workspace_bytes(uint32_t capacity) {
  CullJob job{};
  job.most_entries = capacity;
  WaveState nowhere;
  job.state = &nowhere;  // CUB is given an address of it, and looks at nothing yet
  size_t bytes = 0;
  check_cuda(cub_select(job, nullptr, bytes, nullptr), "asking CUB");
  return bytes;
}

}  // namespace winnow
