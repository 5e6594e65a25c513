// SPDX-License-Identifier: MIT
// Times the algorithms of compaction/ against CUB, Thrust and a copy of as many bytes.

#include <cstdio>
#include <exception>
#include <span>

#include "compaction/bench/options.h"

int main(int argc, char** argv) {
  using namespace compaction::bench;
  constexpr int kExitFailure = 1, kExitUsage = 2;
  auto fail = [](const std::exception& error, int code) {
    std::fprintf(stderr, "compaction_bench: %s\n", error.what());
    return code;
  };
  try {
    Options options = parse_options(std::span<char*>(argv + 1, size_t(argc - 1)));
    if (options.help.empty()) return run(options);
    std::fputs(options.help.c_str(), stdout);
    return 0;
  } catch (const UsageError& error) {
    return fail(error, kExitUsage);
  } catch (const std::exception& error) {
    return fail(error, kExitFailure);
  }
}
