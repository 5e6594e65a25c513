// SPDX-License-Identifier: MIT
// Culling passes, and the split of grouping.
#include "backend/cuda/launch_stages.cuh"
#include "wavefront/cull/baselines.h"
#include "wavefront/cull/cull.h"

namespace winnow {

size_t CudaBackend::baseline_workspace_bytes(Cull mode, uint32_t capacity) {
  return mode == Cull::kCub ? cub_workspace_bytes(capacity) : 0;
}

void CudaBackend::cull(Cull mode, const CullJob& job) {
  if (mode == Cull::kCub) return cull_cub(job, target_);
  if (mode == Cull::kThrust) return cull_thrust(job, target_);
  with_launcher([&](simt::cuda::Launcher& launcher) { winnow::cull(launcher, mode, job); });
}

void CudaBackend::split_by_class(const GroupJob& job) {
  with_launcher([&](simt::cuda::Launcher& launcher) { winnow::split_by_class(launcher, job); });
}

}  // namespace winnow
