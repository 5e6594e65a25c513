#include "tests/compaction/fast_path_cuda.cuh"
#include "tests/compaction/fast_path_select_on.h"

std::unique_ptr<fast::Selects> fast::make_cuda_selects() {
  return std::make_unique<fast_on::SelectsOn<CudaCalls>>();
}
