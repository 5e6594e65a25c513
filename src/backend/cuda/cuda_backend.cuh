// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include "backend/cuda/cuda_graph.cuh"
#include "backend/cuda/cuda_memory.cuh"
#include "backend/for_each.h"
#include "compaction/simt/cuda/event.cuh"
#include "compaction/simt/cuda/launch.cuh"
#include "wavefront/cull/cub.cuh"
#include "wavefront/cull/plan.h"
#include "wavefront/cull/thrust.cuh"
#include "wavefront/state/render_settings.h"

namespace winnow {

/// Launches the stages of a wave on one GPU. Counts stay on the device. Has the same interface as
/// CpuBackend.
class CudaBackend {
 public:
  /// Cost of appending, for each entry: how much slower shading is with it if all paths stay
  /// active. Measured on an H200 with `scenes/open.json`; other scenes had less.
  static constexpr float kCullNs = 0.002f;
  /// Whether the times of waves are measured, for the choice among plans of culling.
  static constexpr bool kMeasuresWaves = true;

  /// @param memory  for the arrays of a wave
  CudaBackend(const RenderSettings& settings, CudaMemory& memory)
      : memory_(memory),
        launcher_(stream_.stream),
        // Thrust synchronizes, which a graph cannot record.
        records_(settings.driver == Driver::kGraph && settings.cull != Cull::kThrust &&
                 (has_graph_loops() ||
                  (!settings.regenerate && settings.max_bounces <= kMaxUnrolledIterations))) {}

  template <class T>
  Span<T> allocate(size_t count) {
    return memory_.allocate<T>(count);
  }

  void reserve_cull_workspace(Cull mode, size_t bytes, uint32_t capacity) {
    if (mode == Cull::kCub) bytes = cub_workspace_bytes(capacity);
    workspace_ = allocate<std::byte>(bytes);
  }
  Span<std::byte> cull_workspace() const { return workspace_; }

  simt::cuda::Launcher& launcher() { return launcher_; }
  cudaStream_t stream() const { return launcher_.stream(); }

  /// Upper bound of the work queue's size, known to the host: on a GPU the number of slots.
  uint32_t max_entries(const WaveState*, uint32_t slots) const { return slots; }

  /// Records `work`, which launches on this backend, with the graph driver. This loads its kernels.
  ///
  /// @param which  of several works, less than kMaxPlans
  template <class Work>
  void prepare(size_t which, Work work) {
    if (!records_) return;
    recording_ = &graphs_[which];
    recording_->record(stream_.stream, work);
    check_cuda(launcher_.status(), "recording the stages");
  }

  /// Runs `work`. With the graph driver it is recorded at the first call, if it was not prepared,
  /// and replayed at later ones, so it must launch the same each time.
  template <class Work>
  void replay(size_t which, Work work) {
    if (!graphs_[which]) prepare(which, work);
    check_cuda(wave_begun_[wave_ % 2].record(stream_.stream), "beginning a wave");
    if (records_)
      graphs_[which].launch(stream_.stream);
    else
      work();
  }

  /// Calls use(wave, nanoseconds) for the waves that have ended since the last call, which are
  /// counted from 0.
  template <class Use>
  void take_times(Use use) {
    for (; timed_ < ended_; ++timed_) {
      float milliseconds = 0.0f;
      check_cuda(wave_done_[timed_ % 2].elapsed_since(wave_begun_[timed_ % 2], milliseconds),
                 "timing a wave");
      use(timed_, double(milliseconds) * 1e6);
    }
  }

  /// Runs `body(iteration % 2)` while the work queue has entries, at most `max_iterations` times.
  /// In a graph the GPU checks for entries after every few iterations; otherwise the host polls.
  template <class Body>
  void repeat(const WaveState* state, uint32_t max_iterations, Body body) {
    if (records_ && has_graph_loops() && max_iterations > kIterationsPerCheck)
      record_loop(state, body);
    else
      run_loop(state, max_iterations, body);
  }

  template <class Step>
  void once(const Step& step) {
    launch(1, RunOnce<Step>{step});
  }

  template <class Source, class Stage>
  void for_each(WaveState* state, const Source& source, const Stage& stage) {
    fill_device(ForEach<Source, Stage>{state, source, stage});
  }

  template <class Source, class Stage>
  void for_each_ray(WaveState* state, const Source& source, const Stage& stage) {
    fill_device(ForEachRay<Source, Stage>{state, source, stage});
  }

  template <class Source, class Stage>
  void for_each_tally(WaveState* state, const Source& source, const Stage& stage) {
    fill_device(ForEachTally<Source, Stage>{state, source, stage});
  }

  template <class Stage, class Range = AllEntries>
  void for_each_push(WaveState* state, const WorkQueue& work, const Stage& stage,
                     AppendSurvivors append, Range range = {}) {
    fill_device(ForEachPush<Stage, Range>{state, work, stage, append, range});
  }

  void cull_by_baseline(Cull mode, const CullJob& job) {
    if (mode == Cull::kCub)
      cull_cub(*this, job);
    else
      cull_thrust(*this, job);
  }

  /// Ends a wave. Waits for the previous wave, so that the host is at most one wave ahead of the
  /// GPU.
  void finish_wave() {
    check_cuda(launcher_.status(), "starting the stages");
    check_cuda(wave_done_[wave_ % 2].record(stream_.stream), "ending a wave");
    ++wave_;
    check_cuda(wave_done_[wave_ % 2].synchronize(), kRendering);
    ended_ = wave_ - 1;
  }

  /// Of the first work.
  const RecordedWork& recorded() const { return graphs_[0].content(); }

  /// Waits for all launched work.
  void synchronize() {
    check_cuda(cudaStreamSynchronize(stream_.stream), kRendering);
    ended_ = wave_;
  }

 private:
  static constexpr const char* kRendering = "rendering; CUDA_LAUNCH_BLOCKING=1 names the stage";
  /// Iterations between two checks in a graph: an even number, so that the parity of the iteration
  /// is fixed for each node. On an H200 a check costs as much as half an empty iteration.
  static constexpr uint32_t kIterationsPerCheck = 4;
  /// Maximum number of iterations in a graph without a loop, for drivers that do not support loops.
  static constexpr uint32_t kMaxUnrolledIterations = 64;
  /// Iterations between two polls by the host, each of which leaves the GPU idle for a moment.
  static constexpr uint32_t kIterationsPerPoll = 16;

  struct Stream {
    cudaStream_t stream;
    Stream() {
      check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
    }
    Stream(const Stream&) = delete;
    ~Stream() { cudaStreamDestroy(stream); }
  };

  template <class Kernel>
  void launch(uint32_t blocks, const Kernel& kernel) {
    launcher_.launch(blocks, kernel);
  }

  /// Launches as many blocks as are resident at once.
  template <class Kernel>
  void fill_device(const Kernel& kernel) {
    launch(launcher_.resident_blocks<Kernel>(), kernel);
  }

  template <class Body>
  void run_loop(const WaveState* state, uint32_t max_iterations, Body body) {
    for (uint32_t i = 0; i < max_iterations; ++i) {
      body(i % 2);
      if (records_ || i % kIterationsPerPoll != kIterationsPerPoll - 1) continue;
      uint32_t queued = 0;
      check_cuda(cudaMemcpyAsync(&queued, &state->iteration.queued, sizeof queued,
                                 cudaMemcpyDeviceToHost, stream_.stream),
                 kRendering);
      check_cuda(cudaStreamSynchronize(stream_.stream), kRendering);
      if (queued == 0) return;
    }
  }

  template <class Body>
  void record_loop(const WaveState* state, Body body) {
    cudaGraphConditionalHandle condition;
    cudaGraph_t loop_body = add_loop(stream_.stream, condition);
    check_cuda(cudaStreamBeginCaptureToGraph(loop_stream_.stream, loop_body, nullptr, nullptr, 0,
                                             cudaStreamCaptureModeThreadLocal),
               "recording a loop");
    simt::cuda::Launcher outside = launcher_;
    launcher_ = simt::cuda::Launcher(loop_stream_.stream);
    for (uint32_t i = 0; i < kIterationsPerCheck; ++i) body(i % 2);
    launch(1, SetLoopCondition{condition, state});
    cudaError_t status = launcher_.status();
    launcher_ = outside;
    check_cuda(cudaStreamEndCapture(loop_stream_.stream, &loop_body), "recording a loop");
    check_cuda(status, "recording a loop");
    recording_->count(loop_body);
  }

  CudaMemory& memory_;
  Stream stream_, loop_stream_;
  simt::cuda::Launcher launcher_;
  CudaGraph graphs_[kMaxPlans];  ///< of each work
  CudaGraph* recording_ = nullptr;
  Span<std::byte> workspace_;
  simt::cuda::Event wave_begun_[2], wave_done_[2];  ///< of the latest waves, by their number
  uint64_t wave_ = 0, ended_ = 0, timed_ = 0;
  bool records_;
};

}  // namespace winnow
