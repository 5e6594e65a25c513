#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "backend/stage_times.h"
#include "compaction/simt/host/executor.h"
#include "wavefront/queue.h"
#include "wavefront/render_stats.h"

namespace winnow {

/// One worker thread of the CPU: runs a stage over its small wave, item after item. Kernels run on
/// the host executor. Each worker has its own; nothing in it is shared.
class CpuBackend {
 public:
  /// @param bounces  turns of the bounce loop that are measured apart
  CpuBackend(uint32_t bounces, bool measure_stages) : times_(bounces), measures_(measure_stages) {}

  /// Zeroed items that live as long as the backend.
  template <class T>
  Span<T> allocate(size_t count) {
    auto& bytes = allocations_.emplace_back(count * sizeof(T) + alignof(std::max_align_t));
    void* data = bytes.data();
    size_t space = bytes.size();
    return {static_cast<T*>(std::align(alignof(T), count * sizeof(T), data, space)), count};
  }

  void reserve_select_workspace(size_t bytes) { workspace_ = allocate<std::byte>(bytes); }
  Span<std::byte> select_workspace() const { return workspace_; }

  /// Where kernels are launched.
  simt::host::Executor& launcher() {
    if (!executor_) executor_.emplace();
    return *executor_;
  }

  /// The most items that a queue can hold, as far as the host knows: on the CPU all that it does
  /// hold.
  uint32_t upper_bound(const Queue& queue) const { return *queue.count; }

  /// Which bounce the stages from here on belong to.
  void begin_bounce(uint32_t bounce) { bounce_ = bounce; }

  /// Runs the stage for the items 0 ... count - 1.
  template <class Stage>
  void for_each(uint32_t count, const Stage& stage) {
    measure(Stage::kStage, [&] {
      for (uint32_t i = 0; i < count; ++i) stage(i);
    });
  }

  /// Runs the stage for every path of the queue.
  template <class Stage>
  void for_each(const Queue& queue, const Stage& stage) {
    measure(Stage::kStage, [&] {
      for (uint32_t i = 0; i < *queue.count; ++i) stage(queue[i]);
    });
  }

  /// The same; a path for which bit k of the stage's result is set goes to `pushed[k]`.
  template <class Stage, size_t kQueues>
  void for_each_push(const Queue& queue, const Stage& stage, const Queue (&pushed)[kQueues]) {
    measure(Stage::kStage, [&] {
      for (uint32_t i = 0; i < *queue.count; ++i) {
        PathId path = queue[i];
        uint32_t pushes = stage(path);
        for (size_t k = 0; k < kQueues; ++k)
          if (pushes >> k & 1 && pushed[k].count) pushed[k].ids[(*pushed[k].count)++] = path;
      }
    });
  }

  /// Runs `work` and books its time on a stage of the present bounce.
  template <class Work>
  void measure(Stage stage, Work work) {
    if (!measures_) return work();
    auto start = std::chrono::steady_clock::now();
    work();
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    times_[bounce_][uint32_t(stage)] += time.count();
  }

  const StageTimes& times() const { return times_; }

 private:
  std::deque<std::vector<std::byte>> allocations_;
  Span<std::byte> workspace_;
  std::optional<simt::host::Executor> executor_;
  StageTimes times_;
  uint32_t bounce_ = 0;
  bool measures_;
};

}  // namespace winnow
