#include "tests/compaction/support/cuda_device.cuh"
#include "tests/compaction/support/ladder_on.h"

std::vector<LadderBackend> cuda_ladders() {
  return {{.name = "cuda", .why_unavailable = why_no_gpu, .make = [] {
             return make_ladders<CudaDevice>();
           }}};
}
