// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_cuda.cuh"
#include "tests/compaction/support/selects_on.h"

std::unique_ptr<fast::Selects> fast::make_cuda_selects(CudaTiles tiles) {
  switch (tiles) {
    case CudaTiles::kLarge:
      return std::make_unique<fast_on::SelectsOn<CudaLargeTileCalls>>();
    case CudaTiles::kSmall:
      return std::make_unique<fast_on::SelectsOn<CudaSmallTileCalls>>();
    case CudaTiles::kLibrary:
      break;
  }
  return std::make_unique<fast_on::SelectsOn<CudaCalls>>();
}
