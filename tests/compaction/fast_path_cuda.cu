#include "tests/compaction/cuda_device.cuh"
#include "tests/compaction/fast_path.h"

std::vector<fast::Backend> fast::cuda_backends() {
  return {{.name = "cuda",
           .why_unavailable = why_no_gpu,
           .make_selects = make_cuda_selects,
           .make_scans = make_cuda_scans}};
}
