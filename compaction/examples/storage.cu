// SPDX-License-Identifier: MIT
// Shows the other ways to give a call its memory, and counts that stay on the device.

#include <compaction/cuda.cuh>
#include <functional>

#include "example.cuh"

struct Even {
  __host__ __device__ bool operator()(int value) const { return value % 2 == 0; }
};

int main() {
  return run_example([](cudaStream_t stream) {
    const int n = 5000;
    int* in = device_array<int>(n, [](int i) { return i; });
    int *out = device_array<int>(n), *count = device_array<int>(1);
    uint32_t* overflowed = device_array<uint32_t>(1);
    uint64_t* sum = device_array<uint64_t>(1);

    // CUB's way: query the size, then call with any memory of that size.
    size_t bytes = 0;
    void* temp = nullptr;
    check(compaction::select_if(temp, bytes, in, out, count, n, Even{}, stream));
    check(cudaMalloc(&temp, bytes));
    check(compaction::select_if(temp, bytes, in, out, count, n, Even{}, stream));

    // From the memory pool of the stream. The number of items is read on the device.
    check(compaction::reduce(out, sum, {n, count}, std::plus<>{}, compaction::stream_ordered,
                             stream));

    check(cudaStreamSynchronize(stream));
    expect(count[0] == 2500 && sum[0] == 2499 * 2500, "the even numbers are added in 64 bits");

    // No more than 100 items are written; the count is that of all.
    check(compaction::select_if(in, out,
                                {.count = count, .capacity = 100, .overflowed = overflowed}, n,
                                Even{}, compaction::stream_ordered, stream));
    check(cudaStreamSynchronize(stream));
    expect(count[0] == 2500 && overflowed[0] == 1, "the overflow is reported");
    check(cudaFree(temp));
  });
}
