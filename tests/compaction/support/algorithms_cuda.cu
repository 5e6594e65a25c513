#include "tests/compaction/support/algorithms_on.h"
#include "tests/compaction/support/cuda_device.cuh"

std::vector<Backend> cuda_backends() {
  return {{.name = "cuda", .why_unavailable = why_no_gpu, .make = [] {
             return std::make_unique<AlgorithmsOn<CudaDevice>>();
           }}};
}
