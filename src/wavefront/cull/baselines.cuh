// SPDX-License-Identifier: MIT
#pragma once

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "wavefront/cull/survivors.h"

namespace winnow {

// Inputs of the baselines, Thrust and CUB. Neither takes an item count from device memory, so both
// process as many entries as there can be; entries beyond the queue count as terminated and are not
// read.

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

inline auto slots_of_entries(const CullJob& job) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator(0u),
                                         SlotOfEntry{job.work, job.state});
}

inline auto flags_of_entries(const CullJob& job) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator(0u),
                                         IsEntryActive{{job.work, job.state}});
}

}  // namespace winnow
