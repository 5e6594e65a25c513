// SPDX-License-Identifier: MIT
#define COMMON_CALL template
#include "tests/compaction/support/cuda_arrays.cuh"
