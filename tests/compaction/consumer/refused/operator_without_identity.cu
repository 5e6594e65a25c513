// SPDX-License-Identifier: MIT
// Must not compile: nothing is known of the operator's identity.

#include "compaction/cuda.cuh"

struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

int main() {
  int* items = nullptr;
  return compaction::reduce(items, items, 1, Larger{}, compaction::Workspace()) != cudaSuccess;
}
