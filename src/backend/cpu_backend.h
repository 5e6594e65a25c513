#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "backend/nanoseconds.h"
#include "compaction/select/sequential_select.h"
#include "compaction/simt/host/executor.h"
#include "wavefront/cull/survivors.h"
#include "wavefront/queue.h"
#include "wavefront/render_settings.h"
#include "wavefront/rounds.h"
#include "wavefront/shade.h"

namespace winnow {

/// One worker thread of the CPU: runs a stage over its small wave, item after item. Kernels run on
/// the host executor. Each worker has its own; nothing in it is shared.
class CpuBackend {
 public:
  /// A first guess; what culling takes is learned from the first bounce on.
  static constexpr CullCost kCullCost{.fixed_ns = 100.0f, .entry_ns = 2.0f};

  explicit CpuBackend(const RenderSettings&) {}

  /// Zeroed items that live as long as the backend.
  template <class T>
  Span<T> allocate(size_t count) {
    if (count == 0) return {};
    auto& bytes = allocations_.emplace_back(count * sizeof(T) + alignof(T));
    void* data = bytes.data();
    size_t space = bytes.size();
    return {static_cast<T*>(std::align(alignof(T), count * sizeof(T), data, space)), count};
  }

  void reserve_cull_workspace(Cull, size_t bytes, uint32_t) {
    workspace_ = allocate<std::byte>(bytes);
  }
  Span<std::byte> cull_workspace() const { return workspace_; }

  /// Where kernels are launched.
  simt::host::Executor& launcher() {
    if (!executor_) executor_.emplace();
    return *executor_;
  }

  /// The most entries that the work queue can have, as far as the host knows: on the CPU all that
  /// it does have.
  uint32_t most_entries(const WaveState* state, uint32_t) const { return state->round.queued; }

  /// Runs `work`, which calls this backend; on a GPU once, to repeat it from then on.
  template <class Work>
  void replay(Work work) {
    work();
  }

  /// Runs `round(parity of its turn)` while the work queue has entries, `most` times at most.
  template <class Round>
  void repeat(const WaveState* state, uint32_t most, Round round) {
    for (uint32_t turn = 0; turn < most && state->round.queued > 0; ++turn) round(turn % 2);
  }

  template <class Step>
  void once(const Step& step) {
    step();
  }

  /// Runs the stage for every living item of the source.
  template <class Source, class Stage>
  void for_each(WaveState* state, const Source& source, const Stage& stage) {
    stamp_start(state, Stage::kStage);
    const Items items = source.items(*state);
    for (uint32_t i = 0; i < items.count; ++i)
      if (items.is_alive(i)) stage(items[i]);
  }

  /// The same for a stage that traces rays.
  template <class Source, class Stage>
  void for_each_ray(WaveState* state, const Source& source, const Stage& stage) {
    for_each(state, source, stage);
  }

  /// The same for a stage that counts in a tally.
  template <class Source, class Stage>
  void for_each_tally(WaveState* state, const Source& source, const Stage& stage) {
    stamp_start(state, Stage::kStage);
    typename Stage::Tally tally{};
    const Items items = source.items(*state);
    for (uint32_t i = 0; i < items.count; ++i) stage(items[i], tally);
    for (uint32_t k = 0; k < Stage::Tally::kSize; ++k) stage.add_tally(tally, k);
  }

  /// The same for the entries of the work queue. Marks the entries that live on, pushes those that
  /// cast a shadow ray and, if asked to, those that live on.
  template <class Stage>
  void for_each_push(WaveState* state, const WorkQueue& work, const Stage& stage,
                     const ShadowQueue& shadows, bool lists_survivors) {
    stamp_start(state, Stage::kStage);
    Round& round = state->round;
    const Items entries = work.items(*state);
    const Span<uint32_t> survivors = work.list(CloseRound::other_list(round.list));
    for (uint32_t first = 0; first < entries.count; first += simt::kWarpSize) {
      uint32_t living = 0;
      bool busy = false;
      for (uint32_t i = first; i < entries.count && i < first + simt::kWarpSize; ++i) {
        if (!entries.is_alive(i)) continue;
        busy = true;
        const uint32_t slot = entries[i];
        const Pushes pushes = stage(slot);
        if (pushes.shadow_ray) shadows.slots[round.shadow_rays++] = slot;
        if (!pushes.path) continue;
        living |= 1u << (i - first);
        if (lists_survivors) survivors[round.survivors] = slot;
        ++round.survivors;
      }
      work.alive[first / simt::kWarpSize] = living;
      round.busy_warps += busy;
    }
  }

  /// Lists the slots of the living entries: the plain loop is fastest here.
  void select_survivors(const CullJob& job) {
    job.state->round.culled_to =
        compaction::sequential_select(Survivors{job.work, job.state}, job.state->round.cull_entries,
                                      job.work.list(CloseRound::other_list(job.state->round.list)));
  }

  void cull_by_peer(Cull, const CullJob&) {}  // CpuRenderer refuses them

 private:
  static void stamp_start(WaveState* state, Stage stage) {
    state->round.start[uint32_t(stage)] = nanoseconds();
  }

  std::deque<std::vector<std::byte>> allocations_;
  Span<std::byte> workspace_;
  std::optional<simt::host::Executor> executor_;
};

}  // namespace winnow
