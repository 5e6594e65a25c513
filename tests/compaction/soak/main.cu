// SPDX-License-Identifier: MIT
// compaction_soak: random calls of the library's functions, compared with sequential loops.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

#include "tests/compaction/soak/case.cuh"

namespace soak {
namespace {

constexpr int kFailed = 1, kMisused = 2, kSkipped = 77;
constexpr const char* kUsage =
    "usage: compaction_soak [--seconds S] [--seed N] [--cases N] [--threads N]\n"
    "                       [--case SEED]\n"
    "  --seconds S   for S seconds (60)\n"
    "  --seed N      of the sequence of cases (1)\n"
    "  --cases N     at most N cases\n"
    "  --threads N   that prepare and check cases (1)\n"
    "  --case SEED   this case alone\n";

struct Options {
  double seconds = 60;
  uint64_t seed = 1;
  uint64_t cases = ~uint64_t(0);
  uint64_t threads = 1;
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
    else if (name == "--threads" && number > 0)
      options.threads = number;
    else if (name == "--case")
      options.only = number;
    else
      return {};
  }
  return options;
}

/// The functions: those with exact operators, then those of floats.
struct Functions {
  std::vector<Function> all;
  size_t exact = 0;

  Functions() {
    for (const auto& functions : {select_functions(), partition_functions(), scan_functions(),
                                  run_functions(), split_functions()})
      all.insert(all.end(), functions.begin(), functions.end());
    exact = all.size();
    for (const Function& function : float_functions()) all.push_back(function);
  }

  /// The index of a function. Half of the cases are sums of floats.
  size_t draw(Draw& draw) const {
    return draw.one_in(2) ? exact + draw.below(all.size() - exact) : draw.below(exact);
  }
};

/// Runs cases on several streams, each of which has one in flight while the host prepares others.
class Soak {
 public:
  Soak() : counts_(functions_.all.size(), 0) {
    slots_[0].lane = std::make_unique<Lane>(Case::kLargeBytes + Case::kSmallBytes);
    for (size_t i = 1; i < kLanes; ++i)
      slots_[i].lane = std::make_unique<Lane>(2 * Case::kSmallBytes);
  }

  /// Starts a case. False if the one that its lane had in flight was wrong.
  bool start(uint64_t seed) {
    Draw draw(seed);
    const size_t function = functions_.draw(draw);
    const uint64_t size = draw_size(draw);
    Slot& slot = slots_[size > Case::kSmallSize ? 0 : 1 + seed % (kLanes - 1)];
    if (!finish(slot)) return false;
    slot.seed = seed;
    slot.text = functions_.all[function].name;
    slot.lane->clear();
    Case one(draw, size, *slot.lane);
    try {
      functions_.all[function].run(one);
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

  /// The number of cases of each function.
  const std::vector<uint64_t>& counts() const { return counts_; }

 private:
  static constexpr size_t kLanes = 4;
  struct Slot {
    std::unique_ptr<Lane> lane;
    uint64_t seed = 0;
    std::string text;
  };

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

  Functions functions_;
  std::vector<uint64_t> counts_;
  std::array<Slot, kLanes> slots_;
};

/// Lets the pool of the device keep what calls free: faster, and the next call finds it dirty.
void keep_freed_memory() {
  cudaMemPool_t pool = nullptr;
  uint64_t kept_bytes = ~uint64_t(0);
  check(cudaDeviceGetDefaultMemPool(&pool, 0));
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept_bytes));
}

/// Runs the cases of a sequence of seeds on several threads.
class Threads {
 public:
  explicit Threads(const Options& options) : options_(options), seeds_(options.seed) {}

  /// False if a case was wrong.
  bool run() {
    std::vector<std::thread> threads;
    for (uint64_t i = 0; i < options_.threads; ++i) threads.emplace_back([this] { run_cases(); });
    for (std::thread& thread : threads) thread.join();
    print();
    return right_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void run_cases() {
    try {
      Soak soak;
      bool right = true;
      while (const std::optional<uint64_t> seed = right ? next_seed() : std::nullopt)
        right = soak.start(*seed);
      if (!soak.finish() || !right) right_ = false;
      const std::lock_guard lock(mutex_);
      for (size_t i = 0; i < counts_.size(); ++i) counts_[i] += soak.counts()[i];
    } catch (const std::exception& error) {
      std::fprintf(stderr, "compaction_soak: %s\n", error.what());
      right_ = false;
    }
  }
  /// The seed of the next case; none if the time or the cases are used up, or one was wrong.
  std::optional<uint64_t> next_seed() {
    const std::lock_guard lock(mutex_);
    if (!right_ || cases_ == options_.cases || elapsed() >= options_.seconds) return {};
    ++cases_;
    return seeds_.next();
  }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  void print() const {
    for (size_t i = 0; i < counts_.size(); ++i)
      std::printf("%10llu  %s\n", static_cast<unsigned long long>(counts_[i]),
                  functions_.all[i].name);
    std::printf("%10llu  cases in %.1f s, seed %llu: %s\n", static_cast<unsigned long long>(cases_),
                elapsed(), static_cast<unsigned long long>(options_.seed),
                right_ ? "all right" : "WRONG");
  }

  const Options options_;
  const Functions functions_;
  const Clock::time_point begin_ = Clock::now();
  std::atomic<bool> right_ = true;
  std::mutex mutex_;  // guards what follows
  Draw seeds_;
  uint64_t cases_ = 0;
  std::vector<uint64_t> counts_ = std::vector<uint64_t>(functions_.all.size(), 0);
};

int run(const Options& options) {
  keep_freed_memory();
  if (!options.only) return Threads(options).run() ? 0 : kFailed;
  Soak soak;
  return soak.start(*options.only) && soak.finish() ? 0 : kFailed;
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
