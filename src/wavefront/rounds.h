#pragma once

#include "backend/nanoseconds.h"
#include "compaction/simt/span.h"
#include "wavefront/cull/cull_policy.h"
#include "wavefront/wave_state.h"

namespace winnow {

// What runs once, on one thread, between the stages of a wave: the loop's bookkeeping. It keeps the
// host out of the loop.

/// Begins a wave: its first round holds every slot.
struct OpenWave {
  WaveState* state;
  Wave wave;
  uint32_t slot_count;

  SIMT_HOST_DEVICE void operator()() const {
    if (state->waves == 0) state->cull_cost_scale = 1.0f;
    state->wave = wave;
    state->slot_count = slot_count;
    state->next_path = slot_count;
    state->round = {.queued = slot_count, .cull_entries = slot_count};
  }
};

/// How the entries change from one round to the next.
enum class CullEffect {
  kNothing,    ///< the dead stay
  kLists,      ///< the living are listed anew
  kMovesState  ///< the state of the living moves to the other columns, side by side
};

/// Ends a round: adds what it counted to the totals, and makes the next one of it.
struct CloseRound {
  WaveState* state;
  simt::Span<BounceTotals> totals;  ///< [bounce]
  CullEffect effect;
  CullCost predicted;  ///< of culling on this device

  SIMT_HOST_DEVICE void operator()() const {
    const Round round = state->round;
    const bool culled = effect != CullEffect::kNothing && round.cull_entries > 0;
    const uint64_t now = nanoseconds();
    add_to_totals(round, culled, now);
    if (culled && round.start_of(Stage::kCull))
      state->cull_cost_scale =
          learn_scale(state->cull_cost_scale, float(now - round.start_of(Stage::kCull)),
                      predicted.of(round.queued));

    Round& next = state->round;
    next = {.turn = round.turn + 1,
            .queued = round.survivors > 0 && !culled ? round.queued : round.survivors,
            .list = round.list,
            .side = round.side,
            .all_alive = culled || (round.all_alive && round.survivors == round.queued)};
    next.cull_entries = next.queued;
    if (culled && effect == CullEffect::kLists) next.list = other_list(round.list);
    if (culled && effect == CullEffect::kMovesState) next.side = 1 - round.side;
  }

  /// Where the survivors of a queue are listed.
  SIMT_HOST_DEVICE static SlotList other_list(SlotList list) {
    return list == SlotList::kFirst ? SlotList::kSecond : SlotList::kFirst;
  }

 private:
  SIMT_HOST_DEVICE void add_to_totals(const Round& round, bool culled, uint64_t now) const {
    if (round.queued == 0) return;
    // With regeneration a wave takes more turns than a path.
    const uint32_t last = uint32_t(totals.size) - 1;
    BounceTotals& total = totals[round.turn < last ? round.turn : last];
    ++total.waves;
    total.culls += culled;
    total.queued += round.queued;
    total.survivors += round.survivors;
    total.busy_warps += round.busy_warps;
    total.shadow_rays += round.shadow_rays;

    // A stage lasts until the next one starts.
    const uint64_t cull_start = round.start_of(Stage::kCull) ? round.start_of(Stage::kCull) : now;
    auto add = [&](Stage stage, uint64_t end) {
      total.nanoseconds[uint32_t(stage)] += end - round.start_of(stage);
    };
    if (round.turn == 0) add(Stage::kGenerate, round.start_of(Stage::kIntersect));
    add(Stage::kIntersect, round.start_of(Stage::kShade));
    add(Stage::kShade, round.start_of(Stage::kShadow));
    add(Stage::kShadow, cull_start);
    total.nanoseconds[uint32_t(Stage::kCull)] += now - cull_start;
  }
};

/// Before the culling of a round: takes the time, and decides whether to cull where that is asked.
struct BeginCull {
  WaveState* state;
  bool decides;
  CullCost predicted;

  SIMT_HOST_DEVICE void operator()() const {
    Round& round = state->round;
    const uint64_t now = nanoseconds();
    round.start[uint32_t(Stage::kCull)] = now;
    if (decides &&
        !culling_pays(round.queued, round.survivors, float(now - round.start_of(Stage::kIntersect)),
                      state->cull_cost_scale * predicted.of(round.queued)))
      round.cull_entries = 0;
  }
};

/// Ends a wave.
struct CloseWave {
  WaveState* state;
  simt::Span<BounceTotals> totals;  ///< [bounce]

  SIMT_HOST_DEVICE void operator()() const {
    const Round& round = state->round;
    auto add = [&](Stage stage, uint64_t end) {
      totals[0].nanoseconds[uint32_t(stage)] += end - round.start_of(stage);
    };
    add(Stage::kFilm, nanoseconds());
    if (round.start_of(Stage::kPath)) add(Stage::kPath, round.start_of(Stage::kFilm));
    ++state->waves;
  }
};

}  // namespace winnow
