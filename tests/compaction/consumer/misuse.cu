// SPDX-License-Identifier: MIT
// A user's program with COMPACTION_CHECK that makes mistakes: each must be refused, and is then
// named on stderr. package_test.cmake holds what must be printed.

#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

#include "compaction/cuda.cuh"

namespace {

struct Odd {
  __host__ __device__ bool operator()(uint32_t item) const { return item % 2 == 1; }
};

int unexpected = 0;

void expect(cudaError_t expected, cudaError_t got, const char* call) {
  if (got == expected) return;
  std::printf("%s: %s instead of %s\n", call, cudaGetErrorName(got), cudaGetErrorName(expected));
  ++unexpected;
}

/// Numbers of a linear congruential generator (Knuth, MMIX).
std::vector<uint32_t> random_numbers(size_t count) {
  std::vector<uint32_t> numbers(count);
  uint64_t state = 1;
  for (uint32_t& number : numbers) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    number = uint32_t(state >> 32);
  }
  return numbers;
}

template <class T>
T* device_array(size_t size) {
  T* items = nullptr;
  expect(cudaSuccess, cudaMalloc(&items, size * sizeof(T)), "cudaMalloc");
  expect(cudaSuccess, cudaMemset(items, 0, size * sizeof(T)), "cudaMemset");
  return items;
}

void make_mistakes() {
  using compaction::reduce, compaction::select_if, compaction::inclusive_scan;
  constexpr int kItems = 100'000;
  constexpr cudaError_t kRefused = cudaErrorInvalidValue;
  uint32_t *in = device_array<uint32_t>(kItems), *out = device_array<uint32_t>(kItems);
  uint32_t *sum = device_array<uint32_t>(1), *count = device_array<uint32_t>(2);
  uint32_t* none = nullptr;
  std::vector<uint32_t> on_host(kItems);
  auto* odd_address = reinterpret_cast<uint32_t*>(reinterpret_cast<char*>(out) + 2);
  const std::plus<> plus;
  compaction::Workspace workspace, unfit;
  const size_t bytes = compaction::bytes_for<uint32_t>(kItems);
  expect(cudaSuccess, workspace.reserve(bytes), "reserve");
  expect(cudaSuccess, unfit.reserve(bytes), "reserve");
  expect(cudaSuccess, cudaMemset(unfit.span().data, 0xCD, bytes), "cudaMemset");

  int device = 0, can_read_host = 0;  // on some systems this is no misuse
  expect(cudaSuccess, cudaGetDevice(&device), "cudaGetDevice");
  cudaDeviceGetAttribute(&can_read_host, cudaDevAttrPageableMemoryAccess, device);
  if (can_read_host != 0)
    std::fprintf(stderr,
                 "reduce: in is not memory that the current device can access; is it host "
                 "memory? (Not so here.)\n");
  expect(can_read_host ? cudaSuccess : kRefused,
         reduce(on_host.data(), sum, kItems, plus, workspace), "host memory");
  expect(kRefused, reduce(in, none, kItems, plus, workspace), "null");
  constexpr uint64_t kTooMany = uint64_t(1) << 38;  // a TiB, which no allocation of a GPU has
  if (can_read_host != 0)
    std::fprintf(stderr, "reduce: in ends before its 274877906944 items. (Not so here.)\n");
  else
    expect(kRefused, reduce(in, sum, kTooMany, plus, workspace), "an array that is too short");
  expect(kRefused, reduce(in, in + 5, kItems, plus, workspace), "overlapping result");
  expect(kRefused, inclusive_scan(in, in + 1, kItems - 1, plus, workspace), "shifted");
  expect(kRefused, inclusive_scan(in, odd_address, 100, plus, workspace), "misaligned");
  expect(kRefused, select_if(in, in + 8, count, kItems, Odd{}, workspace), "shifted select");
  expect(kRefused, compaction::partition_if(in, out, out, count, kItems, Odd{}, workspace),
         "twice");
  expect(kRefused, select_if(in, out, count, -1, Odd{}, workspace), "negative");
  expect(kRefused, select_if(in, out, count, kItems, Odd{}, simt::Span<std::byte>{}), "none");
  expect(kRefused, reduce(in, sum, kItems, plus, unfit), "not zeroed");

  const std::vector<uint32_t> random = random_numbers(bytes / sizeof(uint32_t));
  expect(cudaSuccess,
         cudaMemcpy(unfit.span().data, random.data(), random.size() * sizeof(uint32_t),
                    cudaMemcpyHostToDevice),
         "cudaMemcpy");
  expect(kRefused, inclusive_scan(in, out, kItems, plus, unfit), "random bytes");
  const size_t exact = compaction::select_if_bytes<uint32_t, Odd>(kItems);
  std::byte* memory = workspace.span().data;
  const simt::Span<std::byte> enough{memory, exact}, short_by_one{memory, exact - 1},
      misaligned{memory + 1, bytes - 1};
  expect(kRefused, select_if(in, out, count, kItems, Odd{}, short_by_one), "a byte too few");
  expect(kRefused, select_if(in, out, count, kItems, Odd{}, misaligned), "misaligned workspace");
  expect(cudaSuccess, select_if(in, out, count, kItems, Odd{}, enough), "exact workspace");

  expect(cudaSuccess, cudaMemset(count, 0xFF, sizeof(*count)), "cudaMemset");
  expect(cudaSuccess, reduce(in, sum, {kItems, count}, plus, workspace), "count of -1");
  expect(cudaSuccess, reduce(in, sum, kItems, plus, workspace), "reduce");
  expect(cudaSuccess, inclusive_scan(in, in, kItems, plus, workspace), "scan in place");
  expect(cudaSuccess, select_if(in, in, count, kItems, Odd{}, workspace), "select in place");
  expect(cudaSuccess, select_if(in, out, count, kItems, Odd{}, compaction::stream_ordered), "pool");
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaError_t status = cudaGetDeviceCount(&devices); status != cudaSuccess) {
    std::printf("built, but not run: %s\n", cudaGetErrorString(status));
    return 0;
  }
  make_mistakes();
  std::printf("%d unexpected results\n", unexpected);
  return unexpected == 0 ? 0 : 1;
}
