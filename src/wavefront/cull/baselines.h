// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include "wavefront/cull/survivors.h"

namespace winnow {

// --cull cub and --cull thrust, the baselines. Neither takes an item count from device memory, so
// they process as many entries as there can be; entries beyond the queue count as terminated and
// are not read.

/// Selects the slots of the survivors by CUB. Stable.
void cull_cub(const CullJob& job, cudaStream_t stream);

/// Returns the bytes of CullJob::workspace that cull_cub() needs for queues of up to `capacity`
/// entries.
size_t cub_workspace_bytes(uint32_t capacity);

/// Copies the slots of the survivors by Thrust's copy_if. Allocates memory and synchronizes.
/// Stable.
void cull_thrust(const CullJob& job, cudaStream_t stream);

}  // namespace winnow
