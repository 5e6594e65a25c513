// SPDX-License-Identifier: MIT
// Sums the values of each run of equal keys.

#include <compaction/runs.cuh>

#include "example.cuh"

int main() {
  return run_example([](cudaStream_t stream) {
    const uint32_t n = 5000;
    auto* keys = device_array<uint32_t>(n, [](int i) { return uint32_t(i / 10); });
    auto* values = device_array<float>(n, [](int) { return 0.5f; });
    auto* run_keys = device_array<uint32_t>(n);
    auto* run_sums = device_array<float>(n);
    auto* runs = device_array<uint32_t>(1);

    using compaction::Sum;
    using Values = compaction::Items<float>;
    compaction::Workspace workspace;
    check(workspace.reserve(compaction::reduce_by_key_bytes<uint32_t, Values, Sum<float>>(n),
                            stream));
    check(compaction::reduce_by_key(keys, values, run_keys, run_sums, {runs}, {n}, Sum<float>{},
                                    workspace, stream));

    check(cudaStreamSynchronize(stream));
    expect(runs[0] == 500 && run_keys[499] == 499, "each ten items are a run");
    expect(run_sums[0] == 5.0f && run_sums[499] == 5.0f, "their values are summed");
  });
}
