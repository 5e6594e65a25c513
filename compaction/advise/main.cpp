// SPDX-License-Identifier: MIT
// compaction-advise: says what culling would gain a program, from a file of its steps.

#include <cstdio>
#include <exception>

#include "compaction/advise/command.h"

int main(int argc, char** argv) {
  using namespace compaction::advise;
  Gpu gpu;
#ifdef COMPACTION_ADVISE_CUDA
  gpu = this_gpu();
#endif
  try {
    std::printf("%s", run({argv + 1, argv + argc}, gpu).c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compaction-advise: %s\n", error.what());
    return 2;
  }
}
