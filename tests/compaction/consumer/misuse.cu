// SPDX-License-Identifier: MIT
// A user's program with COMPACTION_CHECK that makes mistakes. The library must refuse each and name
// it on stderr. package_test.cmake contains the expected output.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

#include "compaction/cuda.cuh"

namespace {

struct Odd {
  __host__ __device__ bool operator()(uint32_t item) const { return item % 2 == 1; }
};

/// Selects odd items. Waits at each item until the host releases it, for at most about a second.
struct WaitAtOdd {
  struct Words {
    uint32_t begun, released;
  };
  volatile Words* words;  // in host memory

  __device__ bool operator()(uint32_t item) const {
    if (item % 2 == 0) return false;
    words->begun = 1;
    constexpr unsigned kNanoseconds = 1000;
    for (int i = 0; i < 1'000'000 && words->released == 0; ++i) __nanosleep(kNanoseconds);
    return true;
  }
};

int unexpected = 0;

void expect(cudaError_t expected, cudaError_t got, const char* call) {
  if (got == expected) return;
  std::printf("%s: %s instead of %s\n", call, cudaGetErrorName(got), cudaGetErrorName(expected));
  ++unexpected;
}

/// Returns numbers of a linear congruential generator (Knuth, MMIX).
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

  int device = 0, can_read_host = 0;  // on some systems it can, which is no misuse
  expect(cudaSuccess, cudaGetDevice(&device), "cudaGetDevice");
  cudaDeviceGetAttribute(&can_read_host, cudaDevAttrPageableMemoryAccess, device);
  if (can_read_host != 0)
    std::fprintf(stderr,
                 "reduce: in is not memory that the current device can access; is it host "
                 "memory? (Not so here.)\n");
  expect(can_read_host ? cudaSuccess : kRefused,
         reduce(on_host.data(), sum, kItems, plus, workspace), "host memory");
  expect(kRefused, reduce(in, none, kItems, plus, workspace), "null");
  constexpr uint64_t kTooMany = uint64_t(1) << 38;  // a TiB, more than any GPU can allocate
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
  size_t size = 0;
  expect(kRefused, select_if(nullptr, size, in, out, count, -1, Odd{}), "size for -1 items");
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
  const int* negative = reinterpret_cast<const int*>(count);
  expect(cudaSuccess, reduce(in, sum, {kItems, negative}, plus, workspace), "signed count of -1");
  expect(cudaSuccess, reduce(in, sum, {kItems, count}, plus, workspace), "count of -1");
  expect(cudaSuccess, reduce(in, sum, kItems, plus, workspace), "reduce");
  expect(cudaSuccess, inclusive_scan(in, in, kItems, plus, workspace), "scan in place");
  expect(cudaSuccess, select_if(in, in, count, kItems, Odd{}, workspace), "select in place");
  expect(cudaSuccess, select_if(in, out, count, kItems, Odd{}, compaction::stream_ordered), "pool");
}

/// Calls reduce() while a select on another stream, whose first tile waits, uses the workspace. The
/// select has more tiles than a device can hold at once, so some are not drawn yet. It is replayed
/// from a graph, because a direct call with COMPACTION_CHECK waits for its stream.
void use_one_workspace_on_two_streams() {
  using compaction::reduce, compaction::select_if;
  constexpr int kItems = 1 << 24;
  uint32_t *in = device_array<uint32_t>(kItems), *out = device_array<uint32_t>(kItems);
  uint32_t *sum = device_array<uint32_t>(1), *count = device_array<uint32_t>(1);
  const uint32_t odd = 77'777;
  expect(cudaSuccess, cudaMemcpy(in, &odd, sizeof(odd), cudaMemcpyHostToDevice), "cudaMemcpy");
  compaction::Workspace workspace;
  expect(cudaSuccess, workspace.reserve(compaction::bytes_for<uint32_t>(kItems)), "reserve");
  WaitAtOdd::Words* memory = nullptr;
  expect(cudaSuccess, cudaMallocHost(&memory, sizeof(*memory)), "cudaMallocHost");
  *memory = {};
  volatile WaitAtOdd::Words* words = memory;

  cudaStream_t first, second;
  cudaGraph_t graph;
  cudaGraphExec_t replay;
  expect(cudaSuccess, cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking), "stream");
  expect(cudaSuccess, cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking), "stream");
  expect(cudaSuccess, cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal), "capture");
  expect(cudaSuccess, select_if(in, out, count, kItems, WaitAtOdd{words}, workspace, first),
         "captured select");
  expect(cudaSuccess, cudaStreamEndCapture(first, &graph), "end of the capture");
  expect(cudaSuccess, cudaGraphInstantiate(&replay, graph, 0), "cudaGraphInstantiate");
  expect(cudaSuccess, cudaGraphLaunch(replay, first), "cudaGraphLaunch");

  using Clock = std::chrono::steady_clock;
  const Clock::time_point limit = Clock::now() + std::chrono::seconds(10);
  while (words->begun == 0 && Clock::now() < limit) {
  }
  expect(cudaErrorInvalidValue, reduce(in, sum, kItems, std::plus<>(), workspace, second),
         "the workspace of another stream");
  expect(cudaErrorNotReady, cudaStreamQuery(first), "the other stream");
  words->released = 1;
  expect(cudaSuccess, cudaStreamSynchronize(first), "select");
  expect(cudaSuccess, reduce(in, sum, kItems, std::plus<>(), workspace, second), "reduce after it");

  uint32_t selected = 0, total = 0, selected_item = 0;
  cudaMemcpy(&selected, count, sizeof(selected), cudaMemcpyDeviceToHost);
  cudaMemcpy(&selected_item, out, sizeof(selected_item), cudaMemcpyDeviceToHost);
  cudaMemcpy(&total, sum, sizeof(total), cudaMemcpyDeviceToHost);
  if (selected != 1 || selected_item != odd || total != odd) {
    std::printf("selected %u items, %u first, of %u in all\n", selected, selected_item, total);
    ++unexpected;
  }
}

/// Records loops that CUDA would refuse later, with an error that does not say why.
void make_mistakes_in_loops() {
  constexpr int kItems = 1000;
  uint32_t *in = device_array<uint32_t>(kItems), *sum = device_array<uint32_t>(1);
  compaction::DeviceLoop loop{
      .state = device_array<compaction::LoopState>(1), .capacity = kItems, .first = kItems};
  const auto body = [&](cudaStream_t stream, const compaction::LoopIteration& i) {
    return compaction::reduce(in, sum, i.n, std::plus<>(), compaction::stream_ordered, stream);
  };
  const auto add_loop = [&](cudaStream_t stream) {
    return compaction::device_loop(stream, loop, body);
  };
  compaction::Graph graph, empty;
  expect(cudaErrorIllegalState, add_loop(nullptr), "a loop without a capture");
  expect(cudaErrorNotSupported, graph.record(add_loop), "a loop that allocates");
  expect(cudaErrorInvalidValue, compaction::unrolled_loop(nullptr, loop, body), "no limit");
  expect(cudaSuccess, empty.record([](cudaStream_t) {}), "an empty graph");
  expect(cudaErrorStreamCaptureUnsupported,
         graph.record([&](cudaStream_t stream) { return empty.launch(stream); }),
         "the launch of a graph in a capture");
  loop.state = nullptr;
  expect(cudaErrorInvalidValue, graph.record(add_loop), "no state");
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaError_t status = cudaGetDeviceCount(&devices); status != cudaSuccess) {
    std::printf("built, but not run: %s\n", cudaGetErrorString(status));
    return 0;
  }
  make_mistakes();
  make_mistakes_in_loops();
  use_one_workspace_on_two_streams();
  std::printf("%d unexpected results\n", unexpected);
  return unexpected == 0 ? 0 : 1;
}
