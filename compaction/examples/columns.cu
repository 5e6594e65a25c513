// SPDX-License-Identifier: MIT
// Selects the active particles of a structure of arrays.

#include <compaction/cuda.cuh>

#include "example.cuh"

int main() {
  return run_example([](cudaStream_t stream) {
    const int capacity = 3000;
    auto* active = device_array<uint8_t>(capacity, [](int i) { return uint8_t(i % 3 == 0); });
    auto* position =
        device_array<float4>(capacity, [](int i) { return make_float4(float(i), 0, 0, 1); });
    auto* velocity =
        device_array<float4>(capacity, [](int i) { return make_float4(float(-i), 0, 0, 0); });
    auto* id = device_array<uint32_t>(capacity, [](int i) { return uint32_t(i); });
    auto *position_out = device_array<float4>(capacity),
         *velocity_out = device_array<float4>(capacity);
    auto *id_out = device_array<uint32_t>(capacity),
         *particle_count_out = device_array<uint32_t>(1);
    auto* particle_count = device_array<uint32_t>(1, [](int) { return 2400u; });

    using Particles = compaction::WriteColumns<float4, float4, uint32_t>;
    using compaction::Flagged, compaction::select_bytes;
    compaction::Workspace workspace;
    check(workspace.reserve(select_bytes<Flagged, Particles>(capacity), stream));
    check(compaction::select(
        Flagged{active},
        Particles({position, position_out}, {velocity, velocity_out}, {id, id_out}),
        {capacity, particle_count}, particle_count_out, workspace, stream));

    check(cudaStreamSynchronize(stream));
    expect(particle_count_out[0] == 800, "a third of 2400 particles is active");
    expect(id_out[799] == 3 * 799 && velocity_out[799].x == -3.0f * 799, "all columns are moved");
  });
}
