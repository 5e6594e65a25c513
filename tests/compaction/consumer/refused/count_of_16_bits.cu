// SPDX-License-Identifier: MIT
// Must not compile: a count has 32 or 64 bits.

#include "compaction/select.cuh"

struct IsPositive {
  __host__ __device__ bool operator()(int item) const { return item > 0; }
};

int main() {
  int* items = nullptr;
  short* count = nullptr;
  return compaction::select_if(items, items, count, 1, IsPositive{}, compaction::Workspace()) !=
         cudaSuccess;
}
