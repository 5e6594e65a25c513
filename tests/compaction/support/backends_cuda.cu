// SPDX-License-Identifier: MIT
#include "tests/compaction/support/backends.h"
#include "tests/compaction/support/cuda_device.cuh"

std::vector<fast::Backend> fast::cuda_backends() {
  auto backend = [](const char* name, CudaTiles tiles) {
    return Backend{.name = name,
                   .why_unavailable = why_no_gpu,
                   .make_selects = [=] { return make_cuda_selects(tiles); },
                   .make_scans = [=] { return make_cuda_scans(tiles); }};
  };
  return {backend("cuda", CudaTiles::kLibrary), backend("cuda_large_tiles", CudaTiles::kLarge),
          backend("cuda_small_tiles", CudaTiles::kSmall)};
}
