// SPDX-License-Identifier: MIT
// Finds the distance of each vertex of a graph from vertex 0: the device visits one level of
// vertices after the other.

#include <compaction/append.h>

#include <compaction/device_loop.cuh>
#include <compaction/simt/cuda/launch.cuh>

#include "loops.cuh"

/// A graph as compressed sparse rows: the neighbours of vertex v are neighbours[offsets[v]] to
/// neighbours[offsets[v + 1] - 1].
struct CsrGraph {
  uint32_t vertex_count;
  const uint32_t* offsets;     // [vertex_count + 1]
  const uint32_t* neighbours;  // [offsets[vertex_count]]
};

constexpr uint32_t kUnvisited = ~0u;

/// Visits the neighbours of the vertices of one level, one warp per vertex, and appends those that
/// no thread has visited to the next level.
struct VisitNeighbours {
  static constexpr unsigned kBlockSize = 256;
  using Shared = simt::NoShared;

  CsrGraph graph;
  const uint32_t* level;    // [n], vertices
  compaction::ItemCount n;  // their number
  uint32_t* next;           // [vertex_count]
  uint64_t* next_count;
  uint32_t* distances;  // [vertex_count]
  const compaction::LoopState* state;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    simt::Warp auto warp = block.warp();
    const unsigned warps = kBlockSize / simt::kWarpSize;
    const uint32_t distance = uint32_t(state->iterations) + 1;
    const uint64_t count = n();
    for (uint64_t item = uint64_t(block.group_index()) * warps + block.warp_rank(); item < count;
         item += uint64_t(block.num_groups()) * warps) {
      const uint32_t vertex = level[item], end = graph.offsets[vertex + 1];
      for (uint32_t edge = graph.offsets[vertex]; edge < end; edge += simt::kWarpSize) {
        bool is_new = false;
        uint32_t neighbour = 0;
        if (edge + warp.thread_rank() < end) {
          neighbour = graph.neighbours[edge + warp.thread_rank()];
          is_new = distances[neighbour] == kUnvisited &&
                   atomicCAS(&distances[neighbour], kUnvisited, distance) == kUnvisited;
        }
        compaction::warp_append(warp, is_new, neighbour,
                                compaction::Span<uint32_t>(next, graph.vertex_count), next_count);
      }
    }
  }
};

std::vector<uint32_t> distances_on_host(const CsrGraph& graph) {
  std::vector<uint32_t> distances(graph.vertex_count, kUnvisited), queue = {0};
  distances[0] = 0;
  for (size_t i = 0; i < queue.size(); ++i)
    for (uint32_t edge = graph.offsets[queue[i]]; edge < graph.offsets[queue[i] + 1]; ++edge) {
      const uint32_t neighbour = graph.neighbours[edge];
      if (distances[neighbour] != kUnvisited) continue;
      distances[neighbour] = distances[queue[i]] + 1;
      queue.push_back(neighbour);
    }
  return distances;
}

/// Searches a graph in which `neighbours(vertex)` returns a vector of vertices.
template <class Neighbours>
void search(const char* name, cudaStream_t stream, uint32_t vertex_count, Neighbours neighbours) {
  std::vector<uint32_t> edges;
  uint32_t* offsets = device_array<uint32_t>(int(vertex_count + 1));
  for (uint32_t vertex = 0; vertex < vertex_count; ++vertex) {
    offsets[vertex] = uint32_t(edges.size());
    for (uint32_t neighbour : neighbours(vertex)) edges.push_back(neighbour);
  }
  offsets[vertex_count] = uint32_t(edges.size());
  uint32_t* ends =
      device_array<uint32_t>(int(edges.size()), [&](int i) { return edges[size_t(i)]; });
  const CsrGraph graph{vertex_count, offsets, ends};

  const int n = int(vertex_count);
  uint32_t *distances = device_array<uint32_t>(n),
           *source = device_array<uint32_t>(1, [](int) { return 0u; });
  uint32_t* queue[2] = {device_array<uint32_t>(n), device_array<uint32_t>(n)};
  auto* state = device_array<compaction::LoopState>(1);
  const compaction::DeviceLoop loop{.state = state,
                                    .capacity = vertex_count,
                                    .first = 1,
                                    .limit = vertex_count,
                                    .iterations_per_decision = 4};
  const auto begin = [&](cudaStream_t on) {
    check(cudaMemsetAsync(distances, 0xFF, n * sizeof(uint32_t), on));  // kUnvisited
    for (uint32_t* to : {distances, queue[0]})
      check(cudaMemcpyAsync(to, source, sizeof(uint32_t), cudaMemcpyDeviceToDevice, on));
  };
  const auto visit = [&](cudaStream_t on, const compaction::LoopIteration& i) {
    simt::cuda::Launcher launcher(on, simt::cuda::Begin::kOverlapped);
    launcher.launch(launcher.resident_blocks<VisitNeighbours>(),
                    VisitNeighbours{graph, queue[i.from], i.n, queue[i.to], &state->counts[i.to],
                                    distances, state});
    check(launcher.status());
  };

  const std::vector<uint32_t> expected = distances_on_host(graph);
  race(name, stream, loop, begin, visit, [&] {
    expect(std::equal(expected.begin(), expected.end(), distances), "the distances are right");
    expect(state->left == 0 && state->overflowed == 0, "no vertex is left");
  });
}

int main() {
  return run_example([](cudaStream_t stream) {
    search("breadth-first search, random graph", stream, 1 << 20, [](uint32_t vertex) {
      std::vector<uint32_t> neighbours;
      for (uint32_t edge = 0; edge < 8; ++edge)
        neighbours.push_back(uint32_t(random_bits(vertex, edge)) % (1 << 20));
      return neighbours;
    });
    search("breadth-first search, grid of 1000 by 1000", stream, 1'000'000, [](uint32_t vertex) {
      const uint32_t side = 1000, x = vertex % side, y = vertex / side;
      std::vector<uint32_t> neighbours;
      if (x > 0) neighbours.push_back(vertex - 1);
      if (x < side - 1) neighbours.push_back(vertex + 1);
      if (y > 0) neighbours.push_back(vertex - side);
      if (y < side - 1) neighbours.push_back(vertex + side);
      return neighbours;
    });
  });
}
