// SPDX-License-Identifier: MIT
#include "bvh/warp_rays.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "compaction/simt/host/executor.h"

namespace winnow {
namespace {

using simt::host::Executor;
using simt::host::Order;

/// Each lane shares its primitives and takes the jobs of ranks lane, lane + 32 and so on.
struct ShareAndTake {
  static constexpr unsigned kBlockSize = simt::kWarpSize;
  using Shared = WarpRays;

  simt::Span<const uint32_t> bits;     ///< [lane], its primitives
  simt::Span<const int> firsts;        ///< [lane], rank of the first in the warp
  simt::Span<uint32_t> owners, ranks;  ///< [rank in the warp], lane, and rank in it

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    simt::Warp auto warp = block.warp();
    const uint32_t lane = warp.thread_rank();
    const PrimitiveGroup primitives{.first = 100 * lane, .bits = bits[lane], .slots = bits[lane]};
    for (int before = 0; before < int(owners.size); before += int(simt::kWarpSize)) {
      const uint32_t starts = shared.share(warp, primitives, firsts[lane] - before);
      if (before + lane >= owners.size) continue;
      const WarpRays::TestJob job = shared.jobs[highest_set(starts & ~(~1u << lane))];
      owners[before + lane] = job.owner();
      ranks[before + lane] = lane - job.first();
      EXPECT_EQ(job.primitives.first, 100 * job.owner());
      EXPECT_EQ(job.primitives.bits, bits[job.owner()]);
    }
  }
};

TEST(WarpRays, ShareEveryPrimitiveOnce) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<uint32_t> bits, owners, ranks;
    std::vector<int> firsts;
    for (uint32_t lane = 0; lane < simt::kWarpSize; ++lane) {
      firsts.push_back(int(owners.size()));
      constexpr uint32_t kSlots = (1u << 24) - 1;
      const bool shares = trial == 0 || random() % 3 == 0;
      bits.push_back(!shares ? 0 : trial == 0 ? kSlots : uint32_t(random() & random()) & kSlots);
      for (uint32_t rank = 0; rank < simt::popcount(bits[lane]); ++rank) {
        owners.push_back(lane);
        ranks.push_back(rank);
      }
    }
    std::vector<uint32_t> found_owners(owners.size()), found_ranks(owners.size());
    Executor({.order = Order::kShuffled, .seed = uint64_t(trial)})
        .launch(1, ShareAndTake{{bits.data(), bits.size()},
                                {firsts.data(), firsts.size()},
                                {found_owners.data(), found_owners.size()},
                                {found_ranks.data(), found_ranks.size()}});
    EXPECT_EQ(found_owners, owners);
    EXPECT_EQ(found_ranks, ranks);
  }
}

TEST(WarpRays, PublishARayUnchanged) {
  WarpRays rays;
  const Ray ray{.origin = {1, 2, 3}, .direction = glm::vec3(0.48f, 0.8f, -0.36f)};
  const ShearedRay sheared(ray);
  rays.publish(5, 123, sheared, 7.0f);
  const ShearedRay published = rays.ray(5);
  EXPECT_EQ(published.x_axis, sheared.x_axis);
  EXPECT_EQ(published.y_axis, sheared.y_axis);
  EXPECT_EQ(published.z_axis, sheared.z_axis);
  EXPECT_EQ(published.origin, sheared.origin);
  EXPECT_EQ(glm::vec3(published.sx, published.sy, published.sz),
            glm::vec3(sheared.sx, sheared.sy, sheared.sz));
  EXPECT_EQ(rays.rays[5].item, 123u);
  EXPECT_EQ(rays.nearest[5].t, 7.0f);
  EXPECT_FALSE(rays.has_hit(5));
}

}  // namespace
}  // namespace winnow
