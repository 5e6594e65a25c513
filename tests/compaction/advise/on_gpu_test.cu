// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "compaction/advise/command.h"
#include "tests/compaction/support/cuda_arrays.cuh"

// Tests what compaction-advise measures on a GPU.

namespace {

class AdviseConstants : public OnGpu {};

/// Returns the bytes read and written per ns by the driver's copies on a stream.
double bytes_per_ns_of_driver() {
  constexpr size_t kBytes = size_t(1) << 29;
  constexpr int kCopies = 50;
  const Array<uint8_t> from(kBytes), to(kBytes);
  cudaEvent_t begin = nullptr, end = nullptr;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  float milliseconds = 0;
  for (int run = 0; run < 2; ++run) {  // the first wakes the GPU
    check(cudaEventRecord(begin));
    for (int copy = 0; copy < kCopies; ++copy)
      check(cudaMemcpyAsync(to.data(), from.data(), kBytes, cudaMemcpyDeviceToDevice));
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    check(cudaEventElapsedTime(&milliseconds, begin, end));
  }
  cudaEventDestroy(begin), cudaEventDestroy(end);
  return 2.0 * kCopies * kBytes / (1e6 * double(milliseconds));
}

TEST_P(AdviseConstants, BandwidthIsThatOfACopyOnAStream) {
  double driver = 0, measured = 0;
  for (int run = 0; run < 3; ++run) {  // other processes may use the GPU during some of them
    driver = std::max(driver, bytes_per_ns_of_driver());
    measured = std::max(measured, compaction::advise::this_gpu().measure().bytes_per_ns);
  }
  EXPECT_GT(measured, 0.85 * driver);
  EXPECT_LT(measured, 1.25 * driver);
}

INSTANTIATE_TEST_SUITE_P(Gpu, AdviseConstants, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
