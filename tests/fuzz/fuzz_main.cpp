// SPDX-License-Identifier: MIT
// The entry points of libFuzzer, for all targets: winnow_fuzz --target=NAME [libFuzzer's
// arguments]. `winnow_fuzz --target=NAME --seeds=FOLDER` writes the seeds and ends; --list prints
// the names.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/target.h"

namespace {

winnow::FuzzTarget fuzzed;

void write_seeds(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  int number = 0;
  for (const std::string& seed : fuzzed.seeds())
    std::ofstream(folder / ("seed-" + std::to_string(number++)), std::ios::binary) << seed;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  std::string name, seeds;
  for (int i = 1; i < *argc; ++i) {
    const std::string argument = (*argv)[i];
    if (argument.starts_with("--target=")) name = argument.substr(argument.find('=') + 1);
    if (argument.starts_with("--seeds=")) seeds = argument.substr(argument.find('=') + 1);
    if (argument != "--list") continue;
    for (const winnow::FuzzTarget& target : winnow::fuzz_targets()) std::puts(target.name);
    std::exit(0);
  }
  try {
    fuzzed = winnow::fuzz_target(name);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "--target=NAME is missing: %s\n", error.what());
    std::exit(2);
  }
  if (seeds.empty()) return 0;
  write_seeds(seeds);
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzzed.run({reinterpret_cast<const char*>(data), size});
  return 0;
}
