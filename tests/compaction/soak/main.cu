// SPDX-License-Identifier: MIT
// compaction_soak: random calls of the library's functions, compared with sequential loops.

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>

#include "tests/compaction/soak/case.cuh"

namespace soak {
namespace {

constexpr int kFailed = 1, kMisused = 2, kSkipped = 77;
constexpr const char* kUsage =
    "usage: compaction_soak [--seconds S] [--seed N] [--cases N] [--case SEED]\n"
    "  --seconds S   for S seconds (60)\n"
    "  --seed N      of the sequence of cases (1)\n"
    "  --cases N     at most N cases\n"
    "  --case SEED   this case alone\n";

struct Options {
  double seconds = 60;
  uint64_t seed = 1;
  uint64_t cases = ~uint64_t(0);
  std::optional<uint64_t> only;
};

/// The options, or none where they are wrong.
std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    if (i + 1 == argc) return {};
    char* end = nullptr;
    const double seconds = std::strtod(argv[i + 1], &end);
    if (name == "--seconds" && *end == 0) {
      options.seconds = seconds;
      continue;
    }
    const uint64_t number = std::strtoull(argv[i + 1], &end, 0);
    if (*end != 0) return {};
    if (name == "--seed")
      options.seed = number;
    else if (name == "--cases")
      options.cases = number;
    else if (name == "--case")
      options.only = number;
    else
      return {};
  }
  return options;
}

std::vector<Function> all_functions() {
  std::vector<Function> all;
  for (const auto& functions : {select_functions(), partition_functions(), scan_functions(),
                                run_functions(), split_functions()})
    all.insert(all.end(), functions.begin(), functions.end());
  return all;
}

/// Runs cases on several streams, each of which has one in flight while the host prepares others.
class Soak {
 public:
  Soak() : functions_(all_functions()), counts_(functions_.size(), 0) {
    keep_freed_memory();
    slots_[0].lane = std::make_unique<Lane>(Case::kLargeBytes + Case::kSmallBytes);
    for (size_t i = 1; i < kLanes; ++i)
      slots_[i].lane = std::make_unique<Lane>(2 * Case::kSmallBytes);
  }

  /// Starts a case. False if the one that its lane had in flight was wrong.
  bool start(uint64_t seed) {
    Draw draw(seed);
    const size_t function = draw.below(functions_.size());
    const uint64_t size = draw_size(draw);
    Slot& slot = slots_[size > Case::kSmallSize ? 0 : 1 + seed % (kLanes - 1)];
    if (!finish(slot)) return false;
    slot.seed = seed;
    slot.text = functions_[function].name;
    slot.lane->clear();
    Case one(draw, size, *slot.lane);
    try {
      functions_[function].run(one);
    } catch (const std::exception& error) {
      return fail(slot, one.text(), error.what());
    }
    slot.text += ": " + one.text();
    ++counts_[function];
    return true;
  }
  /// Waits for all cases. False if one of them was wrong.
  bool finish() {
    bool right = true;
    for (Slot& slot : slots_) right = finish(slot) && right;
    return right;
  }

  void print_counts() const {
    for (size_t i = 0; i < functions_.size(); ++i)
      std::printf("%10llu  %s\n", static_cast<unsigned long long>(counts_[i]), functions_[i].name);
  }

 private:
  static constexpr size_t kLanes = 4;
  struct Slot {
    std::unique_ptr<Lane> lane;
    uint64_t seed = 0;
    std::string text;
  };

  /// Lets the pool of the device keep what calls free: faster, and the next call finds it dirty.
  static void keep_freed_memory() {
    cudaMemPool_t pool = nullptr;
    uint64_t kept_bytes = ~uint64_t(0);
    check(cudaDeviceGetDefaultMemPool(&pool, 0));
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept_bytes));
  }

  bool finish(Slot& slot) {
    try {
      const std::string error = slot.lane->error();
      return error.empty() || fail(slot, "", error);
    } catch (const std::exception& error) {
      return fail(slot, "", error.what());
    }
  }
  bool fail(const Slot& slot, const std::string& text, const std::string& error) const {
    std::fprintf(stderr, "wrong: %s %s: %s\n  repeat it alone: compaction_soak --case %llu\n",
                 slot.text.c_str(), text.c_str(), error.c_str(),
                 static_cast<unsigned long long>(slot.seed));
    return false;
  }

  std::vector<Function> functions_;
  std::vector<uint64_t> counts_;
  std::array<Slot, kLanes> slots_;
};

int run(const Options& options) {
  using Clock = std::chrono::steady_clock;
  Soak soak;
  if (options.only) return soak.start(*options.only) && soak.finish() ? 0 : kFailed;

  Draw seeds(options.seed);
  const auto begin = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  bool right = true;
  uint64_t cases = 0;
  for (; right && cases < options.cases && elapsed() < options.seconds; ++cases)
    right = soak.start(seeds.next());
  right = soak.finish() && right;
  soak.print_counts();
  std::printf("%10llu  cases in %.1f s, seed %llu: %s\n", static_cast<unsigned long long>(cases),
              elapsed(), static_cast<unsigned long long>(options.seed),
              right ? "all right" : "WRONG");
  return right ? 0 : kFailed;
}

}  // namespace
}  // namespace soak

int main(int argc, char** argv) {
  const std::optional<soak::Options> options = soak::parse(argc, argv);
  if (!options) {
    std::fputs(soak::kUsage, stderr);
    return soak::kMisused;
  }
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fputs("compaction_soak: there is no CUDA device\n", stderr);
    return soak::kSkipped;
  }
  try {
    return soak::run(*options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compaction_soak: %s\n", error.what());
    return soak::kFailed;
  }
}
