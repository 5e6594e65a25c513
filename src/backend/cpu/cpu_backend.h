#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/nanoseconds.h"
#include "compaction/simt/host/executor.h"
#include "wavefront/cull/survivors.h"
#include "wavefront/stage/shade.h"
#include "wavefront/state/queue.h"
#include "wavefront/state/render_settings.h"
#include "wavefront/state/rounds.h"

namespace winnow {

/// One worker thread of the CPU: runs a stage over its small wave, item after item. Kernels run on
/// the host executor. Each worker has its own; nothing in it is shared.
class CpuBackend {
 public:
  /// What appending costs an entry: less than could be told from the noise, which was this much.
  static constexpr float kCullNs = 1.0f;

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
    for (uint32_t i = 0; i < items.count; ++i) {
      if (!items.is_alive(i)) continue;
      if constexpr (Counts<Stage>)
        Stage::counter(state->round) += stage(items[i]);
      else
        stage(items[i]);
    }
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

  /// The same for the entries of the work queue. Marks the entries that go on. Appends the shadow
  /// rays and, if asked to and the round culls, the paths that go on.
  template <class Stage>
  void for_each_push(WaveState* state, const WorkQueue& work, const Stage& stage, bool appends) {
    stamp_start(state, Stage::kStage);
    Round& round = state->round;
    const Items entries = work.items(*state);
    const bool moves = appends && round.cull_entries > 0;
    const uint32_t side = moves ? 1 - round.side : round.side;
    for (uint32_t first = 0; first < entries.count; first += simt::kWarpSize) {
      uint32_t living = 0;
      bool busy = false;
      for (uint32_t i = first; i < entries.count && i < first + simt::kWarpSize; ++i) {
        if (!entries.is_alive(i)) continue;
        busy = true;
        const uint32_t slot = entries[i];
        const auto outcome = stage(slot);
        if (outcome.casts_shadow_ray) stage.store_shadow_ray(round.shadow_rays++, outcome);
        if (!outcome.active) continue;
        living |= 1u << (i - first);
        stage.store_path(side, moves ? round.survivors : slot, outcome);
        ++round.survivors;
      }
      work.alive[first / simt::kWarpSize] = living;
      round.busy_warps += busy;
    }
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
