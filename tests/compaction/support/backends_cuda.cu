// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_cuda.cuh"
#include "tests/compaction/support/scans_on.h"

namespace {

fast::AllScans make_cuda_scans(fast::CudaTiles tiles) {
  switch (tiles) {
    case fast::CudaTiles::kLarge:
      return fast_on::make_scans<fast::CudaLargeTileCalls>();
    case fast::CudaTiles::kSmall:
      return fast_on::make_scans<fast::CudaSmallTileCalls>();
    case fast::CudaTiles::kLibrary:
      break;
  }
  return fast_on::make_scans<fast::CudaCalls>();
}

}  // namespace

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
