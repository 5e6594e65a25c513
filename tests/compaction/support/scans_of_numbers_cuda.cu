// SPDX-License-Identifier: MIT
#include "tests/compaction/support/scans_cuda.cuh"

namespace fast {

using compaction::Max, compaction::Min, compaction::Sum;

template ScansPointer<uint32_t, Sum<uint32_t>> make_cuda_scans_of(CudaTiles);
template ScansPointer<uint8_t, Max<uint8_t>> make_cuda_scans_of(CudaTiles);
template ScansPointer<uint16_t, Min<uint16_t>> make_cuda_scans_of(CudaTiles);
template ScansPointer<float, Sum<float>> make_cuda_scans_of(CudaTiles);

}  // namespace fast
