// SPDX-License-Identifier: MIT
#include "tests/compaction/ladder/support/ladder_on.h"
#include "tests/compaction/ladder/support/selects_on.h"
#include "tests/compaction/support/cuda_device.cuh"

std::vector<LadderBackend> cuda_ladders() {
  return {{.name = "cuda",
           .why_unavailable = why_no_gpu,
           .make_ladders = [] { return make_ladders<CudaDevice>(); },
           .make_selects = [] { return std::make_unique<LadderSelectsOn<CudaDevice>>(); }}};
}
