// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace compaction::bench {

/// A mistake in the arguments; what() is one line that names the option and what it expects.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The way to empty L2: by writing, which leaves dirty lines that the next kernel must write back,
/// or by reading.
enum class Flush { kWrite, kRead };

/// Maximum number of items: CUB takes it as an int.
inline constexpr uint64_t kMaxItems = uint64_t(1) << 30;

const std::vector<std::string>& all_suites();

struct Options {
  std::vector<std::string> suites = all_suites();
  std::vector<uint64_t> sizes;         ///< items
  std::vector<uint64_t> ladder_sizes;  ///< items, for the suite "ladder"
  std::vector<double> keep;            ///< %
  std::vector<unsigned> item_bytes;
  int repeats = 0;
  Flush flush = Flush::kWrite;
  std::string masks_path;  ///< empty: none
  std::string json_path;   ///< empty: none
  std::string help;        ///< text of --help if it was given; then all other options are ignored
};

/// Parses "1000,2^10..2^14,2^16..2^20:4": numbers, and ranges that grow by a factor, 2 by default.
/// Throws UsageError.
std::vector<uint64_t> parse_sizes(std::string_view list);

/// Parses the arguments, without the name of the program. Throws UsageError.
Options parse_options(std::span<const char* const> arguments);

/// Measures, prints and saves. Returns the exit code. Throws std::runtime_error if a file cannot be
/// read or written. Defined by cuda/run_on_gpu.cu.
int run(const Options& options);

}  // namespace compaction::bench
