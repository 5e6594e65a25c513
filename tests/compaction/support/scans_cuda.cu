// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_cuda.cuh"
#include "tests/compaction/support/scans_on.h"

fast::AllScans fast::make_cuda_scans(CudaTiles tiles) {
  switch (tiles) {
    case CudaTiles::kLarge:
      return fast_on::make_scans<CudaLargeTileCalls>();
    case CudaTiles::kSmall:
      return fast_on::make_scans<CudaSmallTileCalls>();
    case CudaTiles::kLibrary:
      break;
  }
  return fast_on::make_scans<CudaCalls>();
}
