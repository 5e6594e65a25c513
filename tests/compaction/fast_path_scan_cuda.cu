#include "tests/compaction/fast_path_cuda.cuh"
#include "tests/compaction/fast_path_scan_on.h"

fast::AllScans fast::make_cuda_scans() {
  return fast_on::make_scans<CudaCalls>();
}
