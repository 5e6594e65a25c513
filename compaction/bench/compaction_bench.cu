// Times every select beside CUB's, Thrust's and a plain copy of the same bytes.

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_select.cuh>
#include <cub/version.cuh>
#include <functional>
#include <string_view>

#include "compaction/bench/problem.h"
#include "compaction/bench/stopwatch.cuh"
#include "compaction/select/ballot_select.h"
#include "compaction/select/look_back_select.h"
#include "compaction/select/scan_select.h"
#include "compaction/simt/cuda/launch.cuh"

namespace {

using namespace compaction;

struct IsSet {
  __device__ bool operator()(uint8_t flag) const { return flag != 0; }
};

/// The buffers that all algorithms work on.
struct Buffers {
  explicit Buffers(const Problem& problem)
      : n(uint32_t(problem.flags.size())),
        flags(problem.flags),
        selected(n),
        count(1),
        scan_workspace(scan_select_bytes(n)),
        ballot_workspace(ballot_select_bytes(n)),
        look_back_workspace(look_back_select_bytes(n)),
        cub_workspace(cub_bytes(n)) {
    look_back_workspace.fill(0);
  }

  static size_t cub_bytes(uint32_t n) {
    size_t bytes = 0;
    check(cub::DeviceSelect::Flagged(
        nullptr, bytes, thrust::counting_iterator<uint32_t>(0), static_cast<uint8_t*>(nullptr),
        static_cast<uint32_t*>(nullptr), static_cast<uint32_t*>(nullptr), int64_t(n)));
    return bytes;
  }

  FlagSource source() const { return {{flags.data(), n}}; }
  Span<uint32_t> out() const { return {selected.data(), n}; }
  Span<uint32_t> out_count() const { return {count.data(), 1}; }

  uint32_t n;
  DeviceArray<uint8_t> flags;
  DeviceArray<uint32_t> selected, count;
  DeviceArray<std::byte> scan_workspace, ballot_workspace, look_back_workspace, cub_workspace;
};

Span<std::byte> span(const DeviceArray<std::byte>& array) {
  return {array.data(), array.bytes()};
}

/// An algorithm, put on the stream by a call.
struct Algorithm {
  const char* name;
  std::function<void()> run;
  bool writes_count = true;
};

std::vector<Algorithm> algorithms(Buffers& b, cudaStream_t stream) {
  auto ours = [&b, stream](auto select, const DeviceArray<std::byte>& workspace) {
    return [&b, &workspace, stream, select] {
      simt::cuda::Launcher launcher(stream);
      select(launcher, b.source(), ItemCount{b.n}, b.out(), b.out_count(), span(workspace));
      check(launcher.status());
    };
  };
  return {
      {"scan", ours([](auto& l, auto... a) { scan_select(l, a...); }, b.scan_workspace)},
      {"ballot", ours([](auto& l, auto... a) { ballot_select(l, a...); }, b.ballot_workspace)},
      {"look-back",
       ours([](auto& l, auto... a) { look_back_select(l, a...); }, b.look_back_workspace)},
      {"cub",
       [&b, stream] {
         size_t bytes = b.cub_workspace.bytes();
         check(cub::DeviceSelect::Flagged(b.cub_workspace.data(), bytes,
                                          thrust::counting_iterator<uint32_t>(0), b.flags.data(),
                                          b.selected.data(), b.count.data(), int64_t(b.n), stream));
       }},
      {"thrust",  // allocates, and returns the count to the host
       [&b, stream] {
         thrust::copy_if(thrust::cuda::par.on(stream), thrust::counting_iterator<uint32_t>(0),
                         thrust::counting_iterator<uint32_t>(b.n), b.flags.data(),
                         b.selected.data(), IsSet{});
       },
       /*writes_count=*/false},
  };
}

/// Ends the program unless the buffers hold what the reference selects.
void check_result(const Algorithm& algorithm, const Buffers& buffers, const Problem& problem) {
  std::vector<uint32_t> selected = buffers.selected.read();
  bool right = std::equal(problem.selected.begin(), problem.selected.end(), selected.begin());
  if (algorithm.writes_count) right = right && buffers.count.read()[0] == problem.selected.size();
  if (right) return;
  std::fprintf(stderr, "%s: wrong result for n = %u\n", algorithm.name, buffers.n);
  std::exit(1);
}

struct Times {
  double cold_ms, hot_ms;
};

void print_row(uint32_t n, double density, const char* name, Times times, double bytes, Times copy,
               Times cub) {
  auto half = [&](double ms, double copy_ms, double cub_ms) {
    std::printf(" | %10.1f %8.1f %8.2f %7.2f", 1e3 * ms, 1e-6 * bytes / ms, copy_ms / ms,
                cub_ms / ms);
  };
  std::printf("%10u %5.0f%% %-10s", n, 100 * density, name);
  half(times.cold_ms, copy.cold_ms, cub.cold_ms);
  half(times.hot_ms, copy.hot_ms, cub.hot_ms);
  std::printf("\n");
}

void bench(uint32_t n, double density, cudaStream_t stream, int repeats) {
  Problem problem(n, density);
  Buffers buffers(problem);
  Stopwatch stopwatch(stream);
  auto time = [&](auto& run) {
    return Times{stopwatch.cold_ms(repeats, run), stopwatch.hot_ms(repeats, run)};
  };

  // A copy reads and writes, so half as many bytes make the same traffic.
  DeviceArray<char> from(size_t(problem.bytes() / 2)), to(from.bytes());
  auto run_copy = [&] {
    check(cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice, stream));
  };
  Times copy = time(run_copy);

  std::vector<Algorithm> all = algorithms(buffers, stream);
  std::vector<Times> times;
  Times cub{};
  for (const Algorithm& algorithm : all) {
    buffers.selected.fill(0xFF);
    buffers.count.fill(0xFF);
    times.push_back(time(algorithm.run));
    check_result(algorithm, buffers, problem);
    if (std::string_view(algorithm.name) == "cub") cub = times.back();
  }
  for (size_t i = 0; i < all.size(); ++i)
    print_row(n, density, all[i].name, times[i], problem.bytes(), copy, cub);
  print_row(n, density, "memcpy", copy, problem.bytes(), copy, cub);
}

void print_device() {
  int device = 0, driver = 0, runtime = 0;
  cudaDeviceProp properties{};
  check(cudaGetDevice(&device));
  check(cudaGetDeviceProperties(&properties, device));
  check(cudaDriverGetVersion(&driver));
  check(cudaRuntimeGetVersion(&runtime));
  std::printf("%s, %d SMs, L2 %.0f MiB, driver %d.%d, runtime %d.%d, CUB %d.%d.%d\n",
              properties.name, properties.multiProcessorCount,
              double(properties.l2CacheSize) / (1 << 20), driver / 1000, driver % 1000 / 10,
              runtime / 1000, runtime % 1000 / 10, CUB_MAJOR_VERSION, CUB_MINOR_VERSION,
              CUB_SUBMINOR_VERSION);
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = argc == 2 && std::string_view(argv[1]) == "--quick";
  if (argc > 1 && !quick) {
    std::fprintf(stderr, "usage: compaction_bench [--quick]\n");
    return 2;
  }
  int devices = 0;
  if (cudaError_t status = cudaGetDeviceCount(&devices); status != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "compaction_bench: no CUDA device: %s\n", cudaGetErrorString(status));
    return 1;
  }
  print_device();
  std::printf(
      "Selects the indices of set byte flags. GB/s counts one byte per flag and four per index.\n"
      "cold: L2 flushed, median of single calls. hot: calls in a row on the same buffers, "
      "launches\n"
      "included. x memcpy and x cub: speed beside a copy of as many bytes, and beside CUB.\n\n");
  std::printf("%10s %6s %-10s | %10s %8s %8s %7s | %10s %8s %8s %7s\n", "n", "keep", "algorithm",
              "cold us", "GB/s", "x memcpy", "x cub", "hot us", "GB/s", "x memcpy", "x cub");

  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  std::vector<uint32_t> sizes = {1u << 16, 1u << 20, 1u << 24};
  if (!quick) sizes.push_back(1u << 28);
  for (uint32_t n : sizes)
    for (double density : densities()) bench(n, density, stream, quick ? 5 : 21);
  check(cudaStreamDestroy(stream));
}
