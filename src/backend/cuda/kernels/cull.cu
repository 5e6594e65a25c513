// SPDX-License-Identifier: MIT
// Culling passes, and the split of grouping.
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_select.cuh>
#include <string>

#include "backend/cuda/launch_stages.cuh"
#include "base/cuda_check.h"
#include "base/error.h"
#include "wavefront/cull/cull.h"

namespace winnow {
namespace {

// --cull cub and --cull thrust, the baselines. Neither takes an item count from device memory, so
// they process as many entries as there can be; entries beyond the queue count as terminated and
// are not read.

struct SlotOfEntry {
  WorkQueue work;
  const WaveState* state;

  __device__ uint32_t operator()(uint32_t i) const {
    return i < state->iteration.queued ? work.items(*state)[i] : 0;
  }
};

struct IsEntryActive {
  Survivors survivors;

  __device__ bool operator()(uint32_t i) const {
    return i < survivors.state->iteration.queued && survivors.selected(i);
  }
};

struct IsTrue {
  __device__ bool operator()(bool value) const { return value; }
};

auto slots_of_entries(const CullJob& job) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator(0u),
                                         SlotOfEntry{job.work, job.state});
}

auto flags_of_entries(const CullJob& job) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator(0u),
                                         IsEntryActive{{job.work, job.state}});
}

/// Selects the survivors' slots by CUB's flagged select. A null workspace only sets `bytes`.
cudaError_t cub_select(const CullJob& job, void* workspace, size_t& bytes, cudaStream_t stream) {
  return cub::DeviceSelect::Flagged(workspace, bytes, slots_of_entries(job), flags_of_entries(job),
                                    job.survivors().data, job.survivor_count().data,
                                    int(job.max_entries), stream);
}

/// Copies the slots of the survivors by Thrust's copy_if. Allocates memory and synchronizes.
/// Stable.
void thrust_select(const CullJob& job, cudaStream_t stream) {
  auto slots = slots_of_entries(job);
  try {
    thrust::copy_if(thrust::cuda::par.on(stream), slots, slots + job.max_entries,
                    flags_of_entries(job), job.survivors().data, IsTrue{});
  } catch (const std::exception& e) {
    throw Error(std::string("CUDA failed while culling by Thrust: ") + e.what());
  }
}

}  // namespace

size_t CudaBackend::baseline_workspace_bytes(Cull mode, uint32_t capacity) {
  if (mode != Cull::kCub) return 0;
  CullJob job{};
  job.max_entries = capacity;
  WaveState unused;
  job.state = &unused;  // only its address is taken
  size_t bytes = 0;
  check_cuda(cub_select(job, nullptr, bytes, nullptr), "querying CUB's workspace size");
  return bytes;
}

void CudaBackend::cull(Cull mode, const CullJob& job) {
  if (mode == Cull::kThrust) return thrust_select(job, target_);
  if (mode == Cull::kCub) {
    size_t bytes = job.workspace.size;
    return check_cuda(cub_select(job, job.workspace.data, bytes, target_), "culling by CUB");
  }
  with_launcher([&](simt::cuda::Launcher& launcher) {
    with_pass(mode, [&](auto pass) { pass.cull(launcher, job); });
  });
}

void CudaBackend::split_by_class(const GroupJob& job) {
  with_launcher([&](simt::cuda::Launcher& launcher) { winnow::split_by_class(launcher, job); });
}

}  // namespace winnow
