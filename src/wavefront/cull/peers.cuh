#pragma once

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "wavefront/cull/survivors.h"

namespace winnow {

// What Thrust and CUB are handed. They take no count from the device, so they go through as many
// entries as there can be; those beyond the queue count as dead and are not read.

struct SlotOfEntry {
  WorkQueue work;
  const WaveState* state;

  __device__ uint32_t operator()(uint32_t i) const {
    return i < state->round.queued ? work.items(*state)[i] : 0;
  }
};

struct EntryLives {
  Survivors survivors;

  __device__ bool operator()(uint32_t i) const {
    return i < survivors.state->round.queued && survivors.selected(i);
  }
};

inline auto slots_of_entries(const CullJob& job) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator(0u),
                                         SlotOfEntry{job.work, job.state});
}

inline auto lives_of_entries(const CullJob& job) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator(0u),
                                         EntryLives{{job.work, job.state}});
}

}  // namespace winnow
