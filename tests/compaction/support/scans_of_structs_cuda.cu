// SPDX-License-Identifier: MIT
#include "tests/compaction/support/scans_cuda.cuh"

namespace fast {

template ScansPointer<Affine, Compose> make_cuda_scans_of(CudaTiles);
template ScansPointer<Interval, Join> make_cuda_scans_of(CudaTiles);
template ScansPointer<Wide, KeepLast> make_cuda_scans_of(CudaTiles);

}  // namespace fast
