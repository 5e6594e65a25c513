// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <stdexcept>
#include <string>

inline void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

inline void expect(bool is_true, const char* statement) {
  if (!is_true) throw std::runtime_error(std::string("not so: ") + statement);
}

/// Returns an array that host and device can read. The program ends soon, so nothing frees it.
template <class T>
T* device_array(int size) {
  T* items = nullptr;
  check(cudaMallocManaged(&items, size_t(size) * sizeof(T)));
  return items;
}
template <class T, class Item>
T* device_array(int size, Item item) {
  T* items = device_array<T>(size);
  for (int i = 0; i < size; ++i) items[i] = item(i);
  return items;
}

/// Runs `example(stream)` on a stream of its own. Returns the exit status of the program: 0, also
/// if there is no GPU, or 1 if it fails.
template <class Example>
int run_example(Example example) {
  int devices = 0;
  if (cudaError_t status = cudaGetDeviceCount(&devices); status != cudaSuccess) {
    std::printf("built, but not run: %s\n", cudaGetErrorString(status));
    return 0;
  }
  try {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    example(stream);
    check(cudaStreamSynchronize(stream));
    check(cudaStreamDestroy(stream));
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  std::printf("right\n");
  return 0;
}
