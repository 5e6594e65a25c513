#pragma once

#include "base/nanoseconds.h"
#include "compaction/simt/span.h"
#include "wavefront/state/cull_policy.h"
#include "wavefront/state/wave_state.h"

namespace winnow {

// What runs once, on one thread, between the stages of a wave: the loop's bookkeeping. It keeps the
// host out of the loop.

/// Begins a wave: its first round holds every slot.
struct OpenWave {
  WaveState* state;
  simt::Span<const BounceTotals> totals;  ///< [bounce]
  CullPolicy policy;
  Wave wave;
  uint32_t slot_count;

  SIMT_HOST_DEVICE void operator()() const {
    state->wave = wave;
    state->slot_count = slot_count;
    state->next_path = slot_count;
    state->round = {.queued = slot_count, .cull_entries = policy.culls(totals[0]) ? slot_count : 0};
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
  CullPolicy policy;

  SIMT_HOST_DEVICE void operator()() const {
    const Round round = state->round;
    const bool culled = effect != CullEffect::kNothing && round.cull_entries > 0;
    const uint64_t now = nanoseconds();
    add_to_totals(round, culled, now);

    Round& next = state->round;
    next = {.turn = round.turn + 1,
            .queued = round.survivors > 0 && !culled ? round.queued : round.survivors,
            .list = round.list,
            .side = round.side,
            .all_alive = culled || (round.all_alive && round.survivors == round.queued)};
    next.cull_entries = policy.culls(totals[bounce_of(next)]) ? next.queued : 0;
    if (culled && effect == CullEffect::kLists) next.list = other_list(round.list);
    if (culled && effect == CullEffect::kMovesState) next.side = 1 - round.side;
  }

  /// Where the survivors of a queue are listed.
  SIMT_HOST_DEVICE static SlotList other_list(SlotList list) {
    return list == SlotList::kFirst ? SlotList::kSecond : SlotList::kFirst;
  }

 private:
  /// Where a round is counted: with regeneration a wave takes more turns than a path.
  SIMT_HOST_DEVICE uint32_t bounce_of(const Round& round) const {
    const uint32_t last = uint32_t(totals.size) - 1;
    return round.turn < last ? round.turn : last;
  }

  SIMT_HOST_DEVICE void add_to_totals(const Round& round, bool culled, uint64_t now) const {
    if (round.queued == 0) return;
    BounceTotals& total = totals[bounce_of(round)];
    ++total.waves;
    total.culls += culled;
    total.queued += round.queued;
    total.survivors += round.survivors;
    total.busy_warps += round.busy_warps;
    total.shadow_rays += round.shadow_rays;
    total.unoccluded += round.unoccluded;

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

/// Before the culling of a round: takes the time.
struct BeginCull {
  WaveState* state;

  SIMT_HOST_DEVICE void operator()() const {
    state->round.start[uint32_t(Stage::kCull)] = nanoseconds();
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
    const uint64_t now = nanoseconds(), first_hits = round.start_of(Stage::kFirstHits);
    add(Stage::kFilm, first_hits ? first_hits : now);
    if (first_hits) add(Stage::kFirstHits, now);
    if (round.start_of(Stage::kPath)) add(Stage::kPath, round.start_of(Stage::kFilm));
    ++state->waves;
  }
};

}  // namespace winnow
