// SPDX-License-Identifier: MIT
// compaction-advise: says what culling would gain a program, from a file of its steps.

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "compaction/advise/command.h"

int main(int argc, char** argv) {
  using namespace compaction::advise;
  Gpu gpu;
#ifdef COMPACTION_ADVISE_CUDA
  gpu = this_gpu();
#endif
  try {
    const std::string text = run({argv + 1, argv + argc}, gpu);
    if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
      throw std::runtime_error("cannot write to the standard output");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compaction-advise: %s\n", error.what());
    return 2;
  }
}
