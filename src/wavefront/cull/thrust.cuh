// SPDX-License-Identifier: MIT
#pragma once

#include <thrust/copy.h>
#include <thrust/execution_policy.h>

#include <string>

#include "base/error.h"
#include "wavefront/cull/baselines.cuh"

namespace winnow {

struct IsTrue {
  __device__ bool operator()(bool value) const { return value; }
};

/// --cull thrust: copy_if as a baseline. Allocates memory and synchronizes. Stable.
template <class Backend>
void cull_thrust(Backend& backend, const CullJob& job) {
  auto slots = slots_of_entries(job);
  try {
    thrust::copy_if(thrust::cuda::par.on(backend.stream()), slots, slots + job.max_entries,
                    flags_of_entries(job), job.survivors().data, IsTrue{});
  } catch (const std::exception& e) {
    throw Error(std::string("CUDA failed while culling by Thrust: ") + e.what());
  }
}

}  // namespace winnow
