// SPDX-License-Identifier: MIT
// Simulates particles that move, split and die: their number stays on the device.

#include <compaction/device_loop.cuh>
#include <compaction/scan.cuh>

#include "loops.cuh"

/// A particle, in fixed point so that the host computes the same.
struct Particle {
  uint32_t id;  // identifies its history: the parent's, and which child it is
  int position, velocity;
};

constexpr int kWall = 1 << 20;

/// Moves a particle by one step. Returns how many there are after it: none if it leaves the domain
/// or is absorbed, two if it splits.
__host__ __device__ inline uint8_t move(Particle& p, uint64_t step) {
  const uint64_t bits = random_bits(p.id, step);
  p.velocity += int(bits & 0x3FF) - 0x200;
  p.position += p.velocity;
  if (p.position < -kWall || p.position > kWall) return 0;
  const unsigned event = unsigned(bits >> 32) % 1000;
  return event < 30 ? 0 : event < 64 ? 2 : 1;
}
__host__ __device__ inline Particle child_of(const Particle& p, uint32_t child, uint64_t step) {
  if (child == 0) return p;
  return {uint32_t(random_bits(p.id, step << 8 | child)), p.position, -p.velocity};
}

struct Particles {
  Particle *from, *to;
  uint8_t* counts;   // [particle], how many there are after the step
  uint64_t* places;  // [particle], where they go
  compaction::ItemCount n;
  uint64_t capacity;
  const compaction::LoopState* state;
};

__global__ void move_all(Particles all) {
  const uint64_t n = all.n(), stride = uint64_t(gridDim.x) * blockDim.x;
  for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    all.counts[i] = move(all.from[i], all.state->iterations);
}

__global__ void write_all(Particles all) {
  const uint64_t n = all.n(), stride = uint64_t(gridDim.x) * blockDim.x;
  for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    for (uint32_t child = 0; child < all.counts[i]; ++child)
      if (all.places[i] + child < all.capacity)  // the loop flags particles beyond it
        all.to[all.places[i] + child] = child_of(all.from[i], child, all.state->iterations);
}

int main() {
  return run_example([](cudaStream_t stream) {
    const int first = 100'000, capacity = 400'000;
    const uint64_t steps = 300;
    const auto particle = [](int i) { return Particle{uint32_t(i), i % 1000 - 500, i % 7 - 3}; };
    const Particle* start = device_array<Particle>(first, particle);
    Particle* arrays[2] = {device_array<Particle>(capacity), device_array<Particle>(capacity)};
    auto* counts = device_array<uint8_t>(capacity);
    auto* places = device_array<uint64_t>(capacity);
    auto* state = device_array<compaction::LoopState>(1);
    compaction::Workspace workspace;
    check(workspace.reserve(
        compaction::scan_bytes<uint64_t, compaction::Sum<uint64_t>, uint8_t>(capacity), stream));

    const compaction::DeviceLoop loop{.state = state,
                                      .capacity = capacity,
                                      .first = first,
                                      .limit = steps,
                                      .iterations_per_decision = 4};
    const auto begin = [&](cudaStream_t on) {
      check(cudaMemcpyAsync(arrays[0], start, first * sizeof(Particle), cudaMemcpyDefault, on));
    };
    const auto step = [&](cudaStream_t on, const compaction::LoopIteration& i) {
      const Particles all{arrays[i.from], arrays[i.to], counts, places, i.n, capacity, state};
      const unsigned blocks = 512, threads = 256;
      move_all<<<blocks, threads, 0, on>>>(all);
      // A scan finds where the particles go; its total is how many there are after the step.
      check(compaction::exclusive_scan(counts, places, i.n, compaction::Sum<uint64_t>{}, workspace,
                                       on, {}, &state->counts[i.to]));
      write_all<<<blocks, threads, 0, on>>>(all);
      check(cudaPeekAtLastError());
    };

    std::vector<Particle> expected(start, start + first);
    for (uint64_t i = 0; i < steps; ++i) {
      std::vector<Particle> next;
      for (Particle p : expected) {
        const unsigned count = move(p, i);
        for (uint32_t child = 0; child < count; ++child) next.push_back(child_of(p, child, i));
      }
      expected = next;
    }
    race("particles, 300 steps", stream, loop, begin, step, [&] {
      expect(state->iterations == steps && state->overflowed == 0, "all steps were made");
      expect(state->left == expected.size(), "the number of particles is right");
      const Particle* got = arrays[steps % 2];
      for (size_t i = 0; i < expected.size(); ++i)
        expect(got[i].id == expected[i].id && got[i].position == expected[i].position &&
                   got[i].velocity == expected[i].velocity,
               "each particle is right");
    });
  });
}
