// SPDX-License-Identifier: MIT
#include "wavefront/cull/cull.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "backend/cpu/cpu_backend.h"
#include "tests/support/test_names.h"
#include "wavefront/bookkeeping.h"

namespace winnow {
namespace {

constexpr uint32_t kSlots = 5000;
constexpr CullPolicy kCullAlways{.is_auto = false, .cull_ns = 0.0f};

/// A work queue of all slots at first, then of the slots that culling left, in which some paths
/// end.
class CullModes : public testing::TestWithParam<Named<Cull>> {
 protected:
  CullModes() : backend_({}) {
    state_ = backend_.allocate<WaveState>(1).data;
    for (Span<uint32_t>& list : work_.lists) list = backend_.allocate<uint32_t>(kSlots);
    work_.alive = backend_.allocate<uint32_t>(simt::ceil_div(kSlots, simt::kWarpSize));
    for (PathColumns& columns : paths_.columns)
      columns = {backend_.allocate<Packed>(kSlots), backend_.allocate<Packed>(kSlots),
                 backend_.allocate<Packed>(kSlots), backend_.allocate<uint32_t>(kSlots)};
    totals_ = backend_.allocate<BounceTotals>(10);
    workspace_ = backend_.allocate<std::byte>(cull_workspace_bytes(GetParam(), kSlots));
  }

  /// Begins a wave whose path i has slot i.
  void begin(uint32_t slots) {
    BeginWave{state_, totals_, kCullAlways, {.pixel_count = slots, .sample_count = 1}, slots}();
    active_.clear();
    for (uint32_t slot = 0; slot < slots; ++slot) {
      paths_.columns[0].store(slot, slot, 0, Path{.eta_scale = float(slot)});
      active_.push_back(slot);
    }
  }

  /// Keeps each path of the queue active with a probability, culls and ends the iteration.
  void iterate(double survival) {
    std::bernoulli_distribution survives(survival);
    Iteration& iteration = state_->iteration;
    std::fill_n(work_.alive.data, work_.alive.size, 0);
    std::vector<PathId> survivors;
    for (uint32_t i = 0; i < iteration.queued; ++i) {
      if (!survives(random_)) continue;
      work_.alive[i / 32] |= 1u << i % 32;
      survivors.push_back(active_[i]);
      ++iteration.survivors;
    }
    active_ = survivors;
    backend_.cull(GetParam(),
                  {work_, state_, paths_, iteration.queued, iteration.index % 2, workspace_});
    EXPECT_EQ(iteration.culled_to, survivors.size());
    EndIteration{state_, totals_, mode_of(GetParam()).effect, kCullAlways}();
  }

  /// The paths in the queue, in its order.
  std::vector<PathId> queued() const {
    std::vector<PathId> ids;
    const Items items = work_.items(*state_);
    const PathColumns& columns = paths_.columns[state_->iteration.ping_pong];
    for (uint32_t i = 0; i < items.count; ++i) {
      EXPECT_TRUE(items.is_alive(i));
      ids.push_back(std::bit_cast<PathId>(columns.direction_id[items[i]].w));
      EXPECT_EQ(columns.throughput_eta[items[i]].w, float(ids.back()));
    }
    return ids;
  }

  std::mt19937 random_{42};
  CpuBackend backend_;
  Span<std::byte> workspace_;
  WaveState* state_;
  WorkQueue work_;
  Paths paths_;
  Span<BounceTotals> totals_;
  std::vector<PathId> active_;
};

INSTANTIATE_TEST_SUITE_P(Modes, CullModes,
                         testing::Values(Cull::kScan, Cull::kBallot, Cull::kLookBack,
                                         Cull::kLookAhead, Cull::kMove),
                         [](const auto& info) { return test_name(enum_name(info.param.value)); });

TEST_P(CullModes, KeepTheActivePathsInOrderBounceByBounce) {
  for (uint32_t slots : {1u, 31u, 32u, 1000u, kSlots})
    for (double survival : {0.0, 0.1, 0.9, 1.0}) {
      begin(slots);
      for (uint32_t bounce = 0; bounce < 4; ++bounce) {
        SCOPED_TRACE(testing::Message()
                     << slots << " slots, survival " << survival << ", bounce " << bounce);
        iterate(survival);
        ASSERT_EQ(queued(), active_);
      }
    }
}

}  // namespace
}  // namespace winnow
