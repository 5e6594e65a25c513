#pragma once

#include <cuda_runtime.h>

#include "backend/cuda/cuda_graph.cuh"
#include "backend/cuda/cuda_memory.cuh"
#include "backend/for_each.h"
#include "compaction/simt/cuda/event.cuh"
#include "compaction/simt/cuda/launch.cuh"
#include "wavefront/cull/cub.cuh"
#include "wavefront/cull/thrust.cuh"
#include "wavefront/state/render_settings.h"

namespace winnow {

/// One GPU: launches a stage over a wave. Counts stay on the device. The twin of CpuBackend.
class CudaBackend {
 public:
  /// What appending costs an entry: by how much shading with it is slower where all go on.
  /// Measured on an H200, in `scenes/open.json`; elsewhere it was less.
  static constexpr float kCullNs = 0.002f;

  explicit CudaBackend(const RenderSettings& settings)
      : launcher_(stream_.stream),
        // Thrust waits for the GPU, which cannot be recorded.
        records_(settings.driver == Driver::kGraph && settings.cull != Cull::kThrust &&
                 (has_graph_loops() ||
                  (!settings.regenerate && settings.max_bounces <= kMaxTurnsWithoutLoop))) {}

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

  /// The most entries that the work queue can have, as far as the host knows: on a GPU as many as
  /// there are slots.
  uint32_t most_entries(const WaveState*, uint32_t slots) const { return slots; }

  /// Runs `work`, which calls this backend: the first time it is recorded, if the settings say so.
  /// It must launch the same each time.
  template <class Work>
  void replay(Work work) {
    if (!records_) return work();
    if (!graph_) {
      graph_.record(stream_.stream, work);
      check_cuda(launcher_.status(), "recording the stages");
    }
    graph_.launch(stream_.stream);
  }

  /// Runs `round(parity of its turn)` while the work queue has entries, `most` times at most. In a
  /// graph the GPU decides after every few turns; else the host asks it now and then.
  template <class Round>
  void repeat(const WaveState* state, uint32_t most, Round round) {
    if (records_ && has_graph_loops() && most > kTurnsInGraph)
      record_turns(state, round);
    else
      run_turns(state, most, round);
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

  template <class Stage>
  void for_each_push(WaveState* state, const WorkQueue& work, const Stage& stage, bool appends) {
    fill_device(ForEachPush<Stage>{state, work, stage, appends});
  }

  void cull_by_peer(Cull mode, const CullJob& job) {
    if (mode == Cull::kCub)
      cull_cub(*this, job);
    else
      cull_thrust(*this, job);
  }

  /// Called after the last stage of a wave. Waits for the wave before it, so that the host runs
  /// ahead of the GPU by one wave and no more.
  void finish_wave() {
    check_cuda(launcher_.status(), "starting the stages");
    check_cuda(wave_done_[wave_ % 2].record(stream_.stream), "ending a wave");
    ++wave_;
    check_cuda(wave_done_[wave_ % 2].synchronize(), kRendering);
  }

  const RecordedWork& recorded() const { return graph_.content(); }

  /// Waits for everything.
  void synchronize() { check_cuda(cudaStreamSynchronize(stream_.stream), kRendering); }

 private:
  static constexpr const char* kRendering = "rendering; CUDA_LAUNCH_BLOCKING=1 names the stage";
  /// Turns between two decisions in a graph, an even number, so that each node knows its turn's
  /// parity. On an H200 a decision costs as much as half an empty turn.
  static constexpr uint32_t kTurnsInGraph = 4;
  /// Turns that older drivers, which know no loops, are given one by one.
  static constexpr uint32_t kMaxTurnsWithoutLoop = 64;
  /// Turns between two questions of the host, each of which lets the GPU run dry.
  static constexpr uint32_t kTurnsWithoutAsking = 16;

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

  /// Launches as many blocks as run at once.
  template <class Kernel>
  void fill_device(const Kernel& kernel) {
    launch(launcher_.resident_blocks<Kernel>(), kernel);
  }

  template <class Round>
  void run_turns(const WaveState* state, uint32_t most, Round round) {
    for (uint32_t turn = 0; turn < most; ++turn) {
      round(turn % 2);
      if (records_ || turn % kTurnsWithoutAsking != kTurnsWithoutAsking - 1) continue;
      uint32_t queued = 0;
      check_cuda(cudaMemcpyAsync(&queued, &state->round.queued, sizeof queued,
                                 cudaMemcpyDeviceToHost, stream_.stream),
                 kRendering);
      synchronize();
      if (queued == 0) return;
    }
  }

  template <class Round>
  void record_turns(const WaveState* state, Round round) {
    cudaGraphConditionalHandle loop;
    cudaGraph_t body = record_loop(stream_.stream, loop);
    check_cuda(cudaStreamBeginCaptureToGraph(loop_stream_.stream, body, nullptr, nullptr, 0,
                                             cudaStreamCaptureModeThreadLocal),
               "recording a loop");
    simt::cuda::Launcher outside = launcher_;
    launcher_ = simt::cuda::Launcher(loop_stream_.stream);
    for (uint32_t turn = 0; turn < kTurnsInGraph; ++turn) round(turn % 2);
    launch(1, DecideLoop{loop, state});
    cudaError_t status = launcher_.status();
    launcher_ = outside;
    check_cuda(cudaStreamEndCapture(loop_stream_.stream, &body), "recording a loop");
    check_cuda(status, "recording a loop");
    graph_.count(body);
  }

  Stream stream_, loop_stream_;
  simt::cuda::Launcher launcher_;
  CudaMemory memory_;
  CudaGraph graph_;
  Span<std::byte> workspace_;
  simt::cuda::Event wave_done_[2] = {simt::cuda::Event(cudaEventDisableTiming),
                                     simt::cuda::Event(cudaEventDisableTiming)};
  uint64_t wave_ = 0;
  bool records_;
};

}  // namespace winnow
