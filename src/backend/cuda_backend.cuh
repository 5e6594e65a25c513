#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "backend/cuda_memory.cuh"
#include "backend/for_each.h"
#include "backend/stage_times.h"
#include "compaction/simt/cuda/launch.cuh"
#include "wavefront/queue.h"
#include "wavefront/render_stats.h"

namespace winnow {

/// One GPU: launches a stage over a wave. Counts stay on the device. The twin of CpuBackend.
class CudaBackend {
 public:
  CudaBackend(uint32_t bounces, bool measure_stages)
      : launcher_(stream_.stream), times_(bounces), measures_(measure_stages) {}

  template <class T>
  Span<T> allocate(size_t count) {
    return memory_.allocate<T>(count);
  }

  void reserve_select_workspace(size_t bytes) { workspace_ = allocate<std::byte>(bytes); }
  Span<std::byte> select_workspace() const { return workspace_; }

  simt::cuda::Launcher& launcher() { return launcher_; }

  /// The most items that a queue can hold, as far as the host knows: on a GPU its capacity.
  uint32_t upper_bound(const Queue& queue) const { return queue.capacity; }

  void begin_bounce(uint32_t bounce) { bounce_ = bounce; }

  template <class Stage>
  void for_each(uint32_t count, const Stage& stage) {
    run(Stage::kStage, count, ForEachItem<Stage>{count, stage});
  }

  template <class Stage>
  void for_each(const Queue& queue, const Stage& stage) {
    run(Stage::kStage, queue.capacity, ForEachPath<Stage>{queue, stage});
  }

  template <class Stage, size_t kQueues>
  void for_each_push(const Queue& queue, const Stage& stage, const Queue (&pushed)[kQueues]) {
    ForEachPathPush<Stage, kQueues> kernel{queue, stage, {}};
    std::copy(pushed, pushed + kQueues, kernel.pushed);
    run(Stage::kStage, queue.capacity, kernel);
  }

  /// Runs `work`, which launches on this backend, and books its device time on a stage of the
  /// present bounce; the time is known after finish_wave().
  template <class Work>
  void measure(Stage stage, Work work) {
    if (measures_) record(stage, bounce_);
    work();
    if (measures_) record(stage, bounce_);
    check_cuda(launcher_.status(), std::string("starting stage ") + kStageNames[uint32_t(stage)]);
  }

  /// Called after the last stage of a wave. Waits for the wave before it, so that the host runs
  /// ahead of the GPU by one wave and no more; when measuring, waits for this one.
  void finish_wave() {
    check_cuda(cudaEventRecord(wave_done_[wave_ % 2].event, stream_.stream), "ending a wave");
    ++wave_;
    if (measures_)
      collect_times();
    else
      wait(wave_done_[wave_ % 2].event);
  }

  /// Waits for everything.
  void synchronize() {
    check_cuda(cudaStreamSynchronize(stream_.stream),
               "rendering; CUDA_LAUNCH_BLOCKING=1 names the stage");
  }

  const StageTimes& times() const { return times_; }

 private:
  struct Stream {
    cudaStream_t stream;
    Stream() {
      check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
    }
    Stream(const Stream&) = delete;
    ~Stream() { cudaStreamDestroy(stream); }
  };

  struct Event {
    cudaEvent_t event;
    Event() { check_cuda(cudaEventCreate(&event), "creating an event"); }
    Event(const Event&) = delete;
    ~Event() { cudaEventDestroy(event); }
  };

  /// A time stamp between stages. They come in pairs: start and end.
  struct Stamp {
    Stage stage;
    uint32_t bounce;
    std::unique_ptr<Event> event = std::make_unique<Event>();
  };

  template <class Kernel>
  void run(Stage stage, uint32_t items, const Kernel& kernel) {
    measure(stage, [&] { launcher_.launch(simt::ceil_div(items, Kernel::kBlockSize), kernel); });
  }

  void wait(cudaEvent_t event) {
    check_cuda(cudaEventSynchronize(event), "rendering; CUDA_LAUNCH_BLOCKING=1 names the stage");
  }

  void record(Stage stage, uint32_t bounce) {
    if (stamp_count_ == stamps_.size()) stamps_.push_back({});
    Stamp& stamp = stamps_[stamp_count_++];
    stamp.stage = stage;
    stamp.bounce = bounce;
    check_cuda(cudaEventRecord(stamp.event->event, stream_.stream), "recording an event");
  }

  void collect_times() {
    synchronize();
    for (size_t i = 0; i < stamp_count_; i += 2) {
      float milliseconds;
      check_cuda(
          cudaEventElapsedTime(&milliseconds, stamps_[i].event->event, stamps_[i + 1].event->event),
          "reading an event");
      times_[stamps_[i].bounce][uint32_t(stamps_[i].stage)] += double(milliseconds);
    }
    stamp_count_ = 0;
  }

  Stream stream_;
  simt::cuda::Launcher launcher_;
  CudaMemory memory_;
  Span<std::byte> workspace_;
  Event wave_done_[2];
  uint64_t wave_ = 0;
  std::vector<Stamp> stamps_;
  size_t stamp_count_ = 0;
  StageTimes times_;
  uint32_t bounce_ = 0;
  bool measures_;
};

}  // namespace winnow
