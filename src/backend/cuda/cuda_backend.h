// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <utility>

#include "backend/cuda/cuda_graph.h"
#include "backend/cuda/cuda_memory.h"
#include "bvh/accel.h"
#include "compaction/simt/cuda/event.h"
#include "wavefront/cull/group.h"
#include "wavefront/cull/plan.h"
#include "wavefront/kernels/append.h"
#include "wavefront/state/queue.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

class OptixTracer;
struct HomogeneousMedia;
template <Accel A>
struct IntersectClosest;
template <Accel A, class Scene, class Media>
struct TraceShadowRays;

/// Launches the stages of a wave on one GPU. Counts stay on the device. Has the same interface as
/// CpuBackend.
///
/// Host code: compiled without nvcc. The members that launch kernels are declared here, defined in
/// launch_stages.cuh and instantiated by the files of kernels/, one for each family of kernels.
class CudaBackend {
 public:
  /// Cost of appending per entry, ns: added time of shading if all paths stay active. Measured on
  /// an H200 with `scenes/open.json`; it was lower in other scenes.
  static constexpr float kCullNs = 0.002f;
  /// Whether waves are timed to choose among culling plans.
  static constexpr bool kMeasuresWaves = true;
  static constexpr bool kHostReadsState = false;

  /// Returns the feature set of the kernels that scenes with instances share: those of all stages
  /// but shading, and those that shade hits which are neither simple nor principled. They have as
  /// many registers as kernels of the smaller sets, because of the traversal of two levels and of
  /// the materials of such hits. The path loop is not shared: with media, it has 246 registers in
  /// place of 128, and `scenes/forest.json` takes 1.3 times as long (H200).
  static constexpr Features shared_features(Features features) {
    return features.instances ? kMedia : features;
  }

  /// @param optix  traces the rays of queues where trace_with() says so; null: never. Must outlive
  ///               the backend
  CudaBackend(const RenderSettings& settings, CudaMemory& memory, OptixTracer* optix = nullptr)
      : memory_(memory),
        target_(stream_.stream),
        optix_(optix),
        // Thrust synchronizes: a graph cannot record it.
        can_record_(settings.driver == Driver::kGraph && settings.cull != Cull::kThrust &&
                    (compaction::has_device_loops() ||
                     (!settings.regenerate && settings.max_bounces <= kMaxUnrolledIterations))) {}

  /// Loads one kernel for the current device. Throws Error if this program has no code that the
  /// device and its driver can run. PTX that is too new would fail only at its first launch.
  static void load_a_kernel();

  template <class T>
  Span<T> allocate(size_t count) {
    return memory_.allocate<T>(count);
  }

  /// Returns the bytes of workspace that a mode of CUB or Thrust needs; 0 for other modes.
  static size_t baseline_workspace_bytes(Cull mode, uint32_t capacity);

  /// Returns an upper bound of the work queue's length without reading the device.
  uint32_t max_entries(const WaveState*, uint32_t slots) const { return slots; }

  /// Sets what traces the rays of queues from now on: kBvh or kRt.
  void trace_with(Tracer tracer) { uses_optix_ = tracer == Tracer::kRt; }

  /// Records `work`, which launches on this backend, into a graph and loads its kernels. Does
  /// nothing with the host driver.
  ///
  /// @param which  index of the work, less than kMaxPlans
  template <class Work>
  void prepare(size_t which, Work work) {
    if (!records()) return;
    recording_ = &graphs_[which];
    recording_->record(stream_.stream, [&](cudaStream_t recording) { launch_on(recording, work); });
    check_cuda(status_, "recording the stages");
  }

  /// Runs `work`. The graph driver records it at the first call, unless prepare() has recorded it,
  /// and replays it at later calls: `work` must launch the same kernels each time.
  template <class Work>
  void replay(size_t which, Work work) {
    if (!graphs_[which]) prepare(which, work);
    check_cuda(wave_begun_[wave_ % 2].record(stream_.stream), "beginning a wave");
    if (records())
      graphs_[which].launch(stream_.stream);
    else
      work();
  }

  /// Calls use(wave, nanoseconds) for each wave that has ended since the last call. Waves are
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
  /// In a graph, the GPU checks for entries after every few iterations; otherwise the host polls.
  template <class Body>
  void repeat(const WaveState* state, uint32_t max_iterations, Body body) {
    if (records() && compaction::has_device_loops() && max_iterations > kIterationsPerCheck)
      record_loop(
          state,
          [](const void* body) {
            for (uint32_t i = 0; i < kIterationsPerCheck; ++i)
              (*static_cast<const Body*>(body))(i % 2);
          },
          &body);
    else
      run_loop(state, max_iterations, body);
  }

  /// Runs `step` on one thread.
  template <class Step>
  void once(const Step& step);

  /// Runs `stage` for every active item of `source`.
  template <class Source, class Stage>
  void for_each(WaveState* state, const Source& source, const Stage& stage);

  /// Runs a stage that traces one ray per item.
  template <class Source, class Stage>
  void for_each_ray(WaveState* state, const Source& source, const Stage& stage);

  template <class Source, class Stage>
  void for_each_tally(WaveState* state, const Source& source, const Stage& stage);

  /// Runs the shading stage for the active entries of `range`, see ForEachPush.
  template <class Stage, class Range>
  void for_each_push(WaveState* state, const WorkQueue& work, const Stage& stage,
                     AppendSurvivors append, Range range);

  void cull(Cull mode, const CullJob& job);
  void split_by_class(const GroupJob& job);

  /// Ends a wave. Waits for the previous wave: the host is at most one wave ahead of the GPU.
  void finish_wave() {
    check_cuda(status_, "starting the stages");
    check_cuda(wave_done_[wave_ % 2].record(stream_.stream), "ending a wave");
    ++wave_;
    check_cuda(wave_done_[wave_ % 2].synchronize(), kRendering);
    ended_ = wave_ - 1;
  }

  /// Returns what the graph of the first plan contains.
  RecordedWork recorded() const { return graphs_[0].content(); }

  void synchronize() {
    check_cuda(cudaStreamSynchronize(stream_.stream), kRendering);
    ended_ = wave_;
  }

 private:
  static constexpr const char* kRendering = "rendering; CUDA_LAUNCH_BLOCKING=1 names the stage";
  /// Iterations between two checks in a graph. Even, so that each node has a fixed ping-pong index.
  /// On an H200 a check costs as much as half an empty iteration.
  static constexpr uint32_t kIterationsPerCheck = 4;
  /// Maximum number of iterations in a graph for drivers that do not support loops.
  static constexpr uint32_t kMaxUnrolledIterations = 64;
  /// Iterations between two polls by the host. Each poll leaves the GPU idle for a moment.
  static constexpr uint32_t kIterationsPerPoll = 16;

  struct Stream {
    cudaStream_t stream;
    Stream() {
      check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
    }
    Stream(const Stream&) = delete;
    ~Stream() { cudaStreamDestroy(stream); }
  };

  /// Calls use(launcher), unless an earlier launch failed.
  template <class Use>
  void with_launcher(Use use);

  /// Returns whether launches are recorded. OptiX starts its launches at once: a graph cannot
  /// record them.
  bool records() const { return can_record_ && !uses_optix_; }

  enum class Occluders { kOpaque, kMayBePassed };

  /// Runs a stage whose rays OptiX traces. Defined in kernels/rays.cu.
  template <class A>
  void trace_by_optix(WaveState* state, const WorkQueue& work, const IntersectClosest<A>& stage,
                      Occluders occluders);
  template <class A, class Scene>
  void trace_by_optix(WaveState* state, const AllShadowRays& all,
                      const TraceShadowRays<A, Scene, HomogeneousMedia>& stage,
                      Occluders occluders);

  /// Launches as many blocks as are resident at once.
  template <class Kernel>
  void fill_device(const Kernel& kernel);

  /// Runs `work`, whose launches go to `stream`.
  template <class Work>
  void launch_on(cudaStream_t stream, const Work& work) {
    struct Restored {
      cudaStream_t& target;
      cudaStream_t before;
      ~Restored() { target = before; }
    } restored{target_, std::exchange(target_, stream)};
    work();
  }

  /// Adds a loop to the graph that is being recorded. While the work queue has entries, the loop
  /// repeats what iterations(body) launches. Takes no std::function, because the compiler would
  /// read its long header for each file of kernels.
  void record_loop(const WaveState* state, void (*iterations)(const void* body), const void* body);

  template <class Body>
  void run_loop(const WaveState* state, uint32_t max_iterations, Body body) {
    for (uint32_t i = 0; i < max_iterations; ++i) {
      body(i % 2);
      if (records() || i % kIterationsPerPoll != kIterationsPerPoll - 1) continue;
      uint32_t queued = 0;
      check_cuda(cudaMemcpyAsync(&queued, &state->iteration.queued, sizeof queued,
                                 cudaMemcpyDeviceToHost, stream_.stream),
                 kRendering);
      check_cuda(cudaStreamSynchronize(stream_.stream), kRendering);
      if (queued == 0) return;
    }
  }

  CudaMemory& memory_;
  Stream stream_;
  cudaStream_t target_;               ///< receives the launches: stream_, or one that is recorded
  cudaError_t status_ = cudaSuccess;  ///< first error of a launch, after which nothing is launched
  CudaGraph graphs_[kMaxPlans];       ///< [plan]
  CudaGraph* recording_ = nullptr;
  simt::cuda::Event wave_begun_[2], wave_done_[2];  ///< [wave % 2], of the latest two waves
  uint64_t wave_ = 0, ended_ = 0, timed_ = 0;
  OptixTracer* optix_;
  bool uses_optix_ = false, can_record_;
};

}  // namespace winnow
