// SPDX-License-Identifier: MIT
// Calls functions on one array with the same workspace.

#include <compaction/cuda.cuh>

#include "example.cuh"

struct Positive {
  __host__ __device__ bool operator()(float value) const { return value > 0; }
};

int main() {
  return run_example([](cudaStream_t stream) {
    const int n = 1000;
    float* in = device_array<float>(n, [](int i) { return i % 3 == 0 ? float(i) : -1.0f; });
    float *out = device_array<float>(n), *rejected = device_array<float>(n);
    float *sums = device_array<float>(n), *largest = device_array<float>(1);
    int* count = device_array<int>(1);

    // Once: memory that suits all functions, zeroed on the stream.
    compaction::Workspace workspace;
    check(workspace.reserve(compaction::bytes_for<float>(n), stream));

    // As often as needed: one launch each.
    using compaction::Max, compaction::Sum;
    check(compaction::select_if(in, out, count, n, Positive{}, workspace, stream));
    check(compaction::partition_if(in, out, rejected, count, n, Positive{}, workspace, stream));
    check(compaction::exclusive_scan(in, sums, n, Sum<float>{}, workspace, stream));
    check(compaction::reduce(in, largest, n, Max<float>{}, workspace, stream));

    check(cudaStreamSynchronize(stream));
    expect(count[0] == 333, "there are 333 positive items");
    expect(out[0] == 3.0f && rejected[0] == 0.0f, "they are apart from the others");
    expect(sums[3] == -2.0f && sums[4] == 1.0f, "a sum is that of the items before it");
    expect(largest[0] == 999.0f, "the largest item is 999");
  });
}
