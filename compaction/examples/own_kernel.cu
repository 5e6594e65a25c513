// SPDX-License-Identifier: MIT
// Runs a user's kernel on a GPU. on_the_host.cpp runs the same kernel.

#include <compaction/simt/cuda/launch.cuh>

#include "example.cuh"
#include "own_kernel.h"

int main() {
  return run_example([](cudaStream_t stream) {
    const int n = 1000, tiles = 4;
    const uint8_t* bits = device_array<uint8_t>(n, [](int i) { return uint8_t(i % 2); });
    uint32_t* totals = device_array<uint32_t>(tiles);
    simt::Span<const uint8_t> flags(bits, n);
    simt::Span<uint32_t> counts(totals, tiles);

    simt::cuda::Launcher launcher(stream);
    launcher.launch(tiles, CountSetFlags{.flags = flags, .tile_counts = counts});
    check(launcher.status());

    check(cudaStreamSynchronize(stream));
    expect(totals[0] == 128 && totals[3] == (n - 3 * 256) / 2, "the set flags are counted");
  });
}
