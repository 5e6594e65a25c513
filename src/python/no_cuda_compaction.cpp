// SPDX-License-Identifier: MIT
#include "python/compaction_calls.h"

// Replaces cuda_*.cu in builds without nvcc.

namespace winnow::python {
namespace {

[[noreturn]] void refuse() {
  throw Error("this winnow was built without CUDA: it takes arrays in host memory only");
}

}  // namespace

void run_on_cuda(const SelectCall&, CudaPlace) {
  refuse();
}

void run_on_cuda(const ScanCall&, CudaPlace) {
  refuse();
}

void run_on_cuda(const SplitCall&, CudaPlace) {
  refuse();
}

int cuda_device_of(uintptr_t) {
  refuse();
}

}  // namespace winnow::python
