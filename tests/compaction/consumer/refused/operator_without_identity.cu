// SPDX-License-Identifier: MIT
// Must not compile: the identity of the operator is unknown.

#include "compaction/cuda.cuh"

struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

int main() {
  int* items = nullptr;
  return compaction::reduce(items, items, 1, Larger{}, compaction::Workspace()) != cudaSuccess;
}
