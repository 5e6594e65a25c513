// Times the sequential reference, for builds without CUDA.

#include <chrono>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "compaction/bench/median.h"
#include "compaction/bench/problem.h"

namespace {

using namespace compaction;

/// Median time of one call, after one that is not counted. ms.
template <class F>
double median_ms(F call) {
  constexpr int kRepeats = 9;
  call();
  std::vector<double> ms;
  for (int i = 0; i < kRepeats; ++i) {
    auto start = std::chrono::steady_clock::now();
    call();
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                     .count());
  }
  return median(std::move(ms));
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = argc == 2 && std::string_view(argv[1]) == "--quick";
  if (argc > 1 && !quick) {
    std::fprintf(stderr, "usage: compaction_bench [--quick]\n");
    return 2;
  }
  std::printf("Built without CUDA: times the sequential select on one CPU thread.\n");
  std::printf("GB/s counts one byte per flag and four per selected index.\n\n");
  std::printf("%12s %6s %12s %10s %8s %9s\n", "n", "keep", "algorithm", "us", "GB/s", "x memcpy");
  std::vector<uint32_t> sizes = {1u << 16, 1u << 20};
  if (!quick) sizes.push_back(1u << 24);
  for (uint32_t n : sizes)
    for (double density : densities()) {
      Problem problem(n, density);
      std::vector<uint32_t> selected(problem.selected.size());
      uint32_t count = 0;
      FlagSource source{{problem.flags.data(), n}};
      double ms = median_ms([&] {
        count = sequential_select(source, n, {selected.data(), selected.size()});
      });
      if (count != problem.selected.size() || selected != problem.selected) {
        std::fprintf(stderr, "sequential: wrong result for n = %u\n", n);
        return 1;
      }
      // A copy reads and writes, so half as many bytes make the same traffic.
      std::vector<char> from(size_t(problem.bytes() / 2)), to(from.size());
      double copy_ms = median_ms([&] { std::memcpy(to.data(), from.data(), from.size()); });
      std::printf("%12u %5.0f%% %12s %10.1f %8.2f %9.2f\n", n, 100 * density, "sequential",
                  1e3 * ms, 1e-6 * problem.bytes() / ms, copy_ms / ms);
    }
}
