// SPDX-License-Identifier: MIT
// Records and measures the programs of programs.h and held_out_programs.h on a GPU:
//
//   step_programs record FOLDER [SCALE]   writes a file of steps for each, without culling
//   step_programs measure [SCALE]         prints the time of a frame of each with each variant, us
//
// SCALE multiplies the numbers of items (1).

#include <compaction/cuda/graph.h>

#include <compaction/cuda/workspace.cuh>
#include <compaction/simt/cuda/launch.cuh>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../example.cuh"
#include "held_out_programs.h"
#include "programs.h"
#include "variants.h"

namespace {

using namespace steps;

template <class T>
T* gpu_array(uint64_t size) {
  T* items = nullptr;
  check(cudaMalloc(&items, size * sizeof(T)));
  check(cudaMemset(items, 0, size * sizeof(T)));
  check(cudaDeviceSynchronize());  // the program's stream does not wait for the default one
  return items;
}
template <class T>
T* gpu_array(const std::vector<T>& from) {
  T* items = gpu_array<T>(from.size());
  check(cudaMemcpy(items, from.data(), from.size() * sizeof(T), cudaMemcpyDefault));
  return items;
}
template <class T>
std::vector<T> on_host(const T* items, uint64_t size) {
  std::vector<T> copy(size);
  check(cudaMemcpy(copy.data(), items, size * sizeof(T), cudaMemcpyDefault));
  return copy;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class Program>
class Runner {
 public:
  Runner(const Program& program, uint32_t n, cudaStream_t stream)
      : program_(program), n_(n), stream_(stream) {
    buffers_.all = gpu_array<uint32_t>(n);
    buffers_.list[0] = gpu_array<uint32_t>(n), buffers_.list[1] = gpu_array<uint32_t>(n);
    buffers_.counts = gpu_array<uint32_t>(kCountWords);
    const size_t bytes = workspace_bytes<Program>(n);
    buffers_.workspace = {gpu_array<std::byte>(bytes), bytes};
    blocks_ = simt::cuda::Launcher(stream).resident_blocks<RunStep<Program>>();
  }

  /// Returns the number of steps until no item is active.
  uint32_t count_steps(const Variant& variant) {
    begin(variant);
    const IsActive<Program> unused{program_};
    for (uint32_t step = 0;; ++step) {
      simt::cuda::Launcher launcher(stream_);
      const Program now = program_.at(step);
      uint32_t* const count = buffers_.counts + 1;
      compaction::select(launcher, ActiveItems<Program>{buffers_.all, {now}},
                         ToList{buffers_.list[1]}, n_, {count}, buffers_.workspace);
      check(launcher.status());
      check(cudaStreamSynchronize(stream_));
      if (on_host(count, 1)[0] == 0) return step;
      if (variant.cull == Cull::kRegenerate)
        launcher.launch(
            blocks_, RunSlots<Program>{now, n_, variant.slots, buffers_.list[0], buffers_.counts});
      else
        launcher.launch(blocks_, RunStep<Program>{now, nullptr, n_, {}});
      check(launcher.status());
    }
  }

  /// The steps of a frame as a CUDA graph, so that no step waits for the host.
  class Frame {
   public:
    /// @param items  records the items of each step
    /// @param ends_of_steps  whether the times of the steps are measured, not only of the frame
    Frame(const Runner& runner, const Variant& variant, uint32_t step_count,
          const compaction::StepItems& items, bool ends_of_steps)
        : runner_(runner), variant_(variant), ends_(ends_of_steps ? step_count + 1 : 2) {
      for (cudaEvent_t& event : ends_) check(cudaEventCreate(&event));
      const auto mark = [&](cudaStream_t stream, uint32_t end) {
        check(cudaEventRecordWithFlags(ends_[end], stream, cudaEventRecordExternal));
      };
      check(graph_.record([&](cudaStream_t stream) {
        simt::cuda::Launcher launcher(stream);
        run_steps(
            launcher, runner.program_, runner.n_, runner.buffers_, variant, step_count,
            runner.blocks_,
            [&](uint32_t step) {
              // Setting the bytes counts in the time of a frame, but not in those of steps.
              if (!ends_of_steps && step == 0) mark(stream, step);
              if (items.classes)
                check(cudaMemsetAsync(items.classes, compaction::StepItems::kInactive, runner.n_,
                                      stream));
              if (ends_of_steps) mark(stream, step);
            },
            [&](uint32_t) { return items; });
        mark(stream, uint32_t(ends_.size()) - 1);
        return launcher.status();
      }));
    }
    ~Frame() {
      for (cudaEvent_t event : ends_) cudaEventDestroy(event);
    }
    Frame(const Frame&) = delete;

    /// Runs the frame. Returns the time between one mark and the next, us.
    std::vector<double> times() const {
      runner_.begin(variant_);
      check(graph_.launch(runner_.stream_));
      check(cudaStreamSynchronize(runner_.stream_));
      std::vector<double> times;
      for (size_t end = 1; end < ends_.size(); ++end) {
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, ends_[end - 1], ends_[end]));
        times.push_back(1e3 * double(milliseconds));
      }
      return times;
    }

   private:
    const Runner& runner_;
    Variant variant_;
    std::vector<cudaEvent_t> ends_;
    compaction::Graph graph_;
  };

  /// Runs all steps without culling, and calls after(step) when the items of a step are recorded.
  void record_steps(uint32_t step_count, const compaction::StepItems& items,
                    const std::function<void(uint32_t)>& after) const {
    begin({});
    simt::cuda::Launcher launcher(stream_);
    const auto end_step = [&](uint32_t step) {
      check(cudaStreamSynchronize(stream_));
      after(step);
    };
    run_steps(
        launcher, program_, n_, buffers_, {}, step_count, blocks_,
        [&](uint32_t step) {
          if (step > 0) end_step(step - 1);
          check(cudaMemsetAsync(items.classes, compaction::StepItems::kInactive, n_, stream_));
        },
        [&](uint32_t) { return items; });
    check(launcher.status());
    end_step(step_count - 1);
  }

  uint32_t size() const { return n_; }
  uint32_t resident_warps() const { return blocks_ * (kBlockSize / simt::kWarpSize); }

 private:
  void begin(const Variant& variant) const {
    check(cudaMemsetAsync(buffers_.counts, 0, kCountWords * sizeof(uint32_t), stream_));
    simt::cuda::Launcher launcher(stream_);
    start(launcher, program_, n_, buffers_, variant, blocks_);
    check(launcher.status());
    check(cudaStreamSynchronize(stream_));
  }

  Program program_;
  uint32_t n_;
  cudaStream_t stream_;
  Buffers buffers_{};
  uint32_t blocks_ = 0;
};

struct NamedVariant {
  const char* name;
  Variant variant;
};

template <class Program>
std::vector<NamedVariant> variants_of(uint32_t n) {
  std::vector<NamedVariant> all = {{"none", {}}, {"every step", {.cull = Cull::kEvery}}};
  if (Program::kClasses > 1) all.push_back({"by class", {.cull = Cull::kClass}});
  if (Program::kOnlyEnds) {
    all.push_back({"every 4 steps", {.cull = Cull::kEvery, .every = 4}});
    all.push_back({"every 16 steps", {.cull = Cull::kEvery, .every = 16}});
    all.push_back({"regeneration", {.cull = Cull::kRegenerate, .slots = n / 8}});
  }
  return all;
}

constexpr int kFrames = 11;

/// Prints the time of the frames of a program; the variants take turns. `result()` is the same
/// after each.
template <class Program, class Result>
void measure(Runner<Program>& runner, Result result) {
  using Frame = typename Runner<Program>::Frame;
  const std::vector<NamedVariant> variants = variants_of<Program>(runner.size());
  std::vector<std::vector<double>> times(variants.size());
  std::vector<std::unique_ptr<Frame>> frames;
  std::vector<uint32_t> step_counts;
  for (const NamedVariant& v : variants) {
    const bool regenerates = v.variant.cull == Cull::kRegenerate;
    step_counts.push_back(regenerates || step_counts.empty() ? runner.count_steps(v.variant)
                                                             : step_counts[0]);
    frames.push_back(std::make_unique<Frame>(runner, v.variant, step_counts.back(),
                                             compaction::StepItems{}, false));
  }
  frames[0]->times();
  const auto expected = result();
  for (int frame = -1; frame < kFrames; ++frame)
    for (size_t v = 0; v < variants.size(); ++v) {
      const double time = frames[v]->times()[0];
      if (frame >= 0)
        times[v].push_back(time);
      else
        expect(result() == expected, "all variants have the same result");
    }
  for (size_t v = 0; v < variants.size(); ++v)
    std::printf("%s | %s | %u | %u | %.1f\n", Program::kName, variants[v].name, runner.size(),
                step_counts[v], median(times[v]));
}

template <class Program>
void record(Runner<Program>& runner, const std::string& folder) {
  const uint32_t n = runner.size(), step_count = runner.count_steps({});
  std::vector<std::vector<double>> of_step(step_count);
  std::vector<double> frames, recorded;
  compaction::StepItems items{.classes = gpu_array<uint8_t>(n)};
  if (Program::kCost != compaction::StepCost::kNone) items.costs = gpu_array<uint32_t>(n);
  const typename Runner<Program>::Frame by_step(runner, {}, step_count, {}, true),
      whole(runner, {}, step_count, {}, false), recording(runner, {}, step_count, items, false);
  whole.times();
  for (int frame = 0; frame < kFrames; ++frame) {
    const std::vector<double> times = by_step.times();
    for (uint32_t step = 0; step < step_count; ++step) of_step[step].push_back(times[step]);
    frames.push_back(whole.times()[0]);
    recorded.push_back(recording.times()[0]);
  }
  std::string name = Program::kName;
  std::replace(name.begin(), name.end(), ' ', '-');
  std::ofstream stream(folder + "/" + name + ".steps", std::ios::binary);
  compaction::StepFile file(stream, {.state_bytes = Program::kStateBytes,
                                     .cost = Program::kCost,
                                     .resident_warps = runner.resident_warps()});
  runner.record_steps(step_count, items, [&](uint32_t step) {
    const std::vector<uint8_t> classes = on_host(items.classes, n);
    const std::vector<uint32_t> costs =
        items.costs ? on_host(items.costs, n) : std::vector<uint32_t>();
    file.add(classes.data(), costs.data(), n, 1e3 * median(of_step[step]));
  });
  file.finish(1e3 * median(frames));
  std::printf("%s: %u items, %u steps, %.1f us, recording %.1f us\n", Program::kName, n, step_count,
              median(frames), median(recorded));
}

/// A ring of vertices with rows of 4 to a few hundred neighbours nearby, and a few far ones.
void make_graph(uint32_t vertices, std::vector<uint32_t>& offsets,
                std::vector<uint32_t>& neighbours) {
  for (uint32_t v = 0; v < vertices; ++v) {
    offsets.push_back(uint32_t(neighbours.size()));
    const uint64_t bits = mixed(v + 1);
    const uint32_t degree = bits % 32 == 0 ? 48 + uint32_t(bits >> 8) % 256 : 4 + bits % 12;
    for (uint32_t edge = 0; edge < degree; ++edge) {
      const uint64_t to = mixed(bits + edge);
      const bool is_far = to % 4096 == 0;
      neighbours.push_back(is_far ? uint32_t(to >> 13) % vertices
                                  : (v + uint32_t(to >> 13) % 2048 + vertices - 1024) % vertices);
    }
  }
  offsets.push_back(uint32_t(neighbours.size()));
}

template <class Program, class Result>
void run(const Program& program, uint32_t n, cudaStream_t stream, bool records,
         const std::string& folder, Result result) {
  Runner<Program> runner(program, n, stream);
  if (records)
    record(runner, folder);
  else
    measure(runner, result);
}

}  // namespace

int main(int argc, char** argv) {
  const bool records = argc > 1 && std::string(argv[1]) == "record";
  const std::string folder = records && argc > 2 ? argv[2] : ".";
  const int scale_at = records ? 3 : 2;
  const double scale = argc > scale_at ? std::atof(argv[scale_at]) : 1;
  return run_example([&](cudaStream_t stream) {
    const auto items = [&](uint32_t n) { return uint32_t(scale * n) / 32 * 32; };
    {
      const uint32_t n = items(1u << 22);
      const NeutronSlab slab{gpu_array<float>(n), gpu_array<float>(n), gpu_array<float>(n),
                             gpu_array<uint64_t>(n), gpu_array<uint8_t>(n)};
      run(slab, n, stream, records, folder, [=] { return on_host(slab.energy, n); });
    }
    {
      const uint32_t n = items(1u << 23);
      const RejectionSampler sampler{gpu_array<uint8_t>(n), gpu_array<float>(n),
                                     gpu_array<uint64_t>(n)};
      run(sampler, n, stream, records, folder, [=] { return on_host(sampler.value, n); });
    }
    {
      const uint32_t n = items(1u << 21);
      std::vector<uint32_t> offsets, neighbours;
      make_graph(n, offsets, neighbours);
      const BreadthFirstSearch search{gpu_array(offsets), gpu_array(neighbours),
                                      gpu_array<uint32_t>(n)};
      run(search, n, stream, records, folder, [=] { return on_host(search.distances, n); });
    }
    {
      const uint32_t n = items(1u << 22);
      const std::vector<uint32_t> table = HashProbes::make_table(n, 0.85);
      const HashProbes probes{gpu_array(table), uint32_t(table.size()) - 1, gpu_array<uint32_t>(n),
                              gpu_array<uint32_t>(n)};
      run(probes, n, stream, records, folder, [=] { return on_host(probes.found, n); });
    }
    {
      const uint32_t n = items(1u << 21);
      const RandomEvents events{gpu_array<uint8_t>(n), gpu_array<uint32_t>(n),
                                gpu_array<uint32_t>(n), gpu_array<float>(n),
                                gpu_array<uint64_t>(n)};
      run(events, n, stream, records, folder, [=] { return on_host(events.first, n); });
    }
    {
      const uint32_t n = items(1u << 22);
      const FlowParticles particles{gpu_array(FlowParticles::make_flow()), gpu_array<float>(n),
                                    gpu_array<float>(n), gpu_array<float>(n), gpu_array<float>(n)};
      run(particles, n, stream, records, folder, [=] { return on_host(particles.x, n); });
    }
    {
      const uint32_t n = items(1u << 22);
      const EscapeTime points{uint32_t(std::sqrt(double(n))), gpu_array<float>(n),
                              gpu_array<float>(n), gpu_array<uint32_t>(n)};
      run(points, n, stream, records, folder, [=] { return on_host(points.iterations, n); });
    }
    {
      const uint32_t n = items(1u << 22);
      const AdaptiveOscillators oscillators{gpu_array<uint8_t>(n), gpu_array<float>(n),
                                            gpu_array<float>(n), gpu_array<float>(n),
                                            gpu_array<float>(n)};
      run(oscillators, n, stream, records, folder, [=] { return on_host(oscillators.x, n); });
    }
    {
      const uint32_t n = items(1u << 21);
      const TriangularSolve::Matrix matrix = TriangularSolve::make_matrix(n);
      const TriangularSolve solve{gpu_array(matrix.offsets), gpu_array(matrix.columns),
                                  gpu_array(matrix.levels), gpu_array<float>(n)};
      run(solve, n, stream, records, folder, [=] { return on_host(solve.unknowns, n); });
    }
    {
      const uint32_t n = items(1u << 22);
      const HillRays rays{gpu_array(HillRays::make_hills()), gpu_array<float>(n)};
      run(rays, n, stream, records, folder, [=] { return on_host(rays.distance, n); });
    }
  });
}
