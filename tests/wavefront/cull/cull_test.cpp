#include "wavefront/cull/cull.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "backend/cpu/cpu_backend.h"

namespace winnow {
namespace {

constexpr uint32_t kSlots = 5000;
constexpr CullPolicy kAlways{.decides = false, .cull_ns = 0.0f};

/// A work queue, first of all slots, then of those that a culling left, in which some paths end.
class CullModes : public testing::TestWithParam<Cull> {
 protected:
  CullModes() : backend_({}) {
    state_ = backend_.allocate<WaveState>(1).data;
    for (Span<uint32_t>& list : work_.lists) list = backend_.allocate<uint32_t>(kSlots);
    work_.alive = backend_.allocate<uint32_t>(simt::ceil_div(kSlots, simt::kWarpSize));
    for (PathColumns& columns : paths_.columns)
      columns = {backend_.allocate<Packed>(kSlots), backend_.allocate<Packed>(kSlots),
                 backend_.allocate<Packed>(kSlots), backend_.allocate<uint32_t>(kSlots)};
    totals_ = backend_.allocate<BounceTotals>(10);
    backend_.reserve_cull_workspace(GetParam(), cull_workspace_bytes(GetParam(), kSlots), kSlots);
  }

  /// Starts a wave whose path i lies in slot i.
  void open(uint32_t slots) {
    OpenWave{state_, totals_, kAlways, {.pixel_count = slots, .sample_count = 1}, slots}();
    living_.clear();
    for (uint32_t slot = 0; slot < slots; ++slot) {
      paths_.columns[0].store(slot, slot, 0, Path{.eta_scale = float(slot)});
      living_.push_back(slot);
    }
  }

  /// Lets each path of the queue live with a probability, culls and closes the round.
  void live_on(double survival) {
    std::bernoulli_distribution lives(survival);
    Round& round = state_->round;
    std::fill_n(work_.alive.data, work_.alive.size, 0);
    std::vector<PathId> survivors;
    for (uint32_t i = 0; i < round.queued; ++i) {
      if (!lives(random_)) continue;
      work_.alive[i / 32] |= 1u << i % 32;
      survivors.push_back(living_[i]);
      ++round.survivors;
    }
    living_ = survivors;
    cull(backend_, GetParam(), {work_, state_, paths_, round.queued, round.turn % 2});
    EXPECT_EQ(round.culled_to, survivors.size());
    CloseRound{state_, totals_, cull_effect(GetParam()), kAlways}();
  }

  /// The paths in the queue, in its order.
  std::vector<PathId> queued() const {
    std::vector<PathId> ids;
    const Items items = work_.items(*state_);
    const PathColumns& columns = paths_.columns[state_->round.side];
    for (uint32_t i = 0; i < items.count; ++i) {
      EXPECT_TRUE(items.is_alive(i));
      ids.push_back(std::bit_cast<PathId>(columns.direction_id[items[i]].w));
      EXPECT_EQ(columns.throughput_eta[items[i]].w, float(ids.back()));
    }
    return ids;
  }

  std::mt19937 random_{42};
  CpuBackend backend_;
  WaveState* state_;
  WorkQueue work_;
  Paths paths_;
  Span<BounceTotals> totals_;
  std::vector<PathId> living_;
};

INSTANTIATE_TEST_SUITE_P(Modes, CullModes,
                         testing::Values(Cull::kScan, Cull::kBallot, Cull::kLookBack, Cull::kMove));

TEST_P(CullModes, KeepTheLivingInOrderBounceByBounce) {
  for (uint32_t slots : {1u, 31u, 32u, 1000u, kSlots})
    for (double survival : {0.0, 0.1, 0.9, 1.0}) {
      open(slots);
      for (uint32_t bounce = 0; bounce < 4; ++bounce) {
        SCOPED_TRACE(testing::Message()
                     << slots << " slots, survival " << survival << ", bounce " << bounce);
        live_on(survival);
        ASSERT_EQ(queued(), living_);
      }
    }
}

}  // namespace
}  // namespace winnow
