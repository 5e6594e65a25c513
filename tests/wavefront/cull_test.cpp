#include "wavefront/cull.h"

#include <gtest/gtest.h>

#include <random>

#include "backend/cpu_backend.h"

namespace winnow {
namespace {

constexpr uint32_t kPaths = 5000;

/// A queue of every second path in a random order, of which some have ended.
class CullModes : public testing::TestWithParam<Cull> {
 protected:
  CullModes() {
    paths_.certificate = backend_.allocate<Certificate>(kPaths);
    counts_ = backend_.allocate<uint32_t>(2);
    queue_ = {backend_.allocate<PathId>(kPaths), &counts_[0], kPaths};
    next_ = {backend_.allocate<PathId>(kPaths), &counts_[1], kPaths};
    backend_.reserve_select_workspace(cull_workspace_bytes(GetParam(), kPaths));
  }

  void fill(uint32_t count, double survival) {
    std::bernoulli_distribution survives(survival);
    counts_[0] = count;
    counts_[1] = 0;
    survivors_.clear();
    for (uint32_t i = 0; i < count; ++i) {
      PathId path = (i * 2) % kPaths;
      queue_.ids[i] = path;
      bool alive = survives(random_);
      paths_.certificate[path] = alive ? Certificate{} : Certificate::of(Death::kEscaped, 3);
      if (alive) survivors_.push_back(path);
    }
  }

  std::mt19937 random_{42};
  CpuBackend backend_{1, false};
  Paths paths_;
  Span<uint32_t> counts_;
  Queue queue_, next_;
  std::vector<PathId> survivors_;
};

INSTANTIATE_TEST_SUITE_P(Modes, CullModes,
                         testing::Values(Cull::kScan, Cull::kBallot, Cull::kLookBack));

TEST_P(CullModes, KeepTheLivingInOrder) {
  for (uint32_t count : {0u, 1u, 31u, 32u, 1000u, kPaths / 2})
    for (double survival : {0.0, 0.1, 0.9, 1.0}) {
      fill(count, survival);
      Queue left = cull(backend_, GetParam(), queue_, next_, paths_);
      ASSERT_EQ(*left.count, survivors_.size()) << count << " paths, survival " << survival;
      for (uint32_t i = 0; i < survivors_.size(); ++i) ASSERT_EQ(left[i], survivors_[i]);
    }
}

TEST(CullNone, LeavesTheQueueAsItIs) {
  uint32_t count = 7;
  Queue queue{.ids = {}, .count = &count, .capacity = 7};
  Queue left = cull_none(queue);
  EXPECT_EQ(left.count, &count);
  EXPECT_EQ(left[3], 3u);
}

}  // namespace
}  // namespace winnow
