#include "bvh/warp_rays.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "compaction/simt/host/executor.h"

namespace winnow {
namespace {

using simt::host::Executor;
using simt::host::Order;

/// Each lane lends primitives, and borrows those of the numbers lane, lane + 32 and so on.
struct LendAndBorrow {
  static constexpr unsigned kBlockSize = simt::kWarpSize;
  using Shared = WarpRays;

  simt::Span<const uint32_t> bits;     ///< [lane], of the primitives that it lends
  simt::Span<const int> firsts;        ///< [lane], their first number
  simt::Span<uint32_t> owners, ranks;  ///< [number], who lends a primitive, and which of theirs

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    simt::Warp auto warp = block.warp();
    const uint32_t lane = warp.thread_rank();
    const Leaves leaves{.first = 100 * lane, .bits = bits[lane], .slots = bits[lane]};
    for (int before = 0; before < int(owners.size); before += int(simt::kWarpSize)) {
      const uint32_t starts = shared.lend(warp, leaves, firsts[lane] - before);
      if (before + lane >= owners.size) continue;
      const WarpRays::Loan loan = shared.loans[highest_set(starts & ~(~1u << lane))];
      owners[before + lane] = loan.owner();
      ranks[before + lane] = lane - loan.first();
      EXPECT_EQ(loan.leaves.first, 100 * loan.owner());
      EXPECT_EQ(loan.leaves.bits, bits[loan.owner()]);
    }
  }
};

TEST(WarpRays, LendEveryPrimitiveOnce) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<uint32_t> bits, owners, ranks;
    std::vector<int> firsts;
    for (uint32_t lane = 0; lane < simt::kWarpSize; ++lane) {
      firsts.push_back(int(owners.size()));
      constexpr uint32_t kSlots = (1u << 24) - 1;
      const bool lends = trial == 0 || random() % 3 == 0;
      bits.push_back(!lends ? 0 : trial == 0 ? kSlots : uint32_t(random() & random()) & kSlots);
      for (uint32_t rank = 0; rank < simt::popcount(bits[lane]); ++rank) {
        owners.push_back(lane);
        ranks.push_back(rank);
      }
    }
    std::vector<uint32_t> found_owners(owners.size()), found_ranks(owners.size());
    Executor({.order = Order::kShuffled, .seed = uint64_t(trial)})
        .launch(1, LendAndBorrow{{bits.data(), bits.size()},
                                 {firsts.data(), firsts.size()},
                                 {found_owners.data(), found_owners.size()},
                                 {found_ranks.data(), found_ranks.size()}});
    EXPECT_EQ(found_owners, owners);
    EXPECT_EQ(found_ranks, ranks);
  }
}

TEST(WarpRays, ShowARayAsItIs) {
  WarpRays rays;
  const Ray ray{.origin = {1, 2, 3}, .direction = glm::vec3(0.48f, 0.8f, -0.36f)};
  const ShearedRay sheared(ray);
  rays.show(5, sheared, 7.0f);
  const ShearedRay shown = rays.ray(5);
  EXPECT_EQ(shown.x_axis, sheared.x_axis);
  EXPECT_EQ(shown.y_axis, sheared.y_axis);
  EXPECT_EQ(shown.z_axis, sheared.z_axis);
  EXPECT_EQ(shown.origin, sheared.origin);
  EXPECT_EQ(glm::vec3(shown.sx, shown.sy, shown.sz), glm::vec3(sheared.sx, sheared.sy, sheared.sz));
  EXPECT_EQ(rays.nearest[5].t, 7.0f);
  EXPECT_FALSE(rays.has_hit(5));
}

}  // namespace
}  // namespace winnow
