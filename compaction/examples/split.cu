// SPDX-License-Identifier: MIT
// Orders paths by their materials.

#include <compaction/split.cuh>

#include "example.cuh"

int main() {
  return run_example([](cudaStream_t stream) {
    const int capacity = 10000;
    auto* material = device_array<int8_t>(capacity, [](int i) { return int8_t(i % 34 - 1); });
    auto* path = device_array<uint32_t>(capacity);
    auto* offsets = device_array<uint32_t>(33);
    auto* path_count = device_array<uint32_t>(1, [](int) { return 6800u; });

    using Source = compaction::IndicesByKey<int8_t>;
    using Sink = compaction::WriteIndices<uint32_t>;
    compaction::Workspace workspace;
    check(workspace.reserve(compaction::split_bytes<32, Source, Sink>(capacity), stream));
    // offsets[33]: paths of material m are written from offsets[m] to offsets[m + 1].
    check(compaction::split_indices<32>(material, path, {offsets}, {capacity, path_count},
                                        workspace, stream));

    check(cudaStreamSynchronize(stream));
    expect(offsets[1] == 200 && offsets[32] == 6400, "of each material there are 200");
    expect(path[200] == 2 && path[201] == 36, "the first paths of material 1");
  });
}
