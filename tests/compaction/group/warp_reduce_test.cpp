#include "compaction/group/warp_reduce.h"

#include <gtest/gtest.h>

#include "compaction/ladder/sequential_reduce.h"
#include "tests/compaction/group/support/group_test.h"
#include "tests/compaction/support/ladder_items.h"

namespace {

template <class T, class Op>
struct ReduceWarps {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;
  simt::Span<const T> in;
  simt::Span<T> results;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    unsigned thread = block.thread_rank();
    results[thread] = compaction::warp_reduce(block.warp(), in[thread], Op());
  }
};

template <class T, class Op>
void expect_reduced() {
  std::vector<T> in = ladder_items<T>(64);
  for (const simt::host::Schedule& schedule : schedules()) {
    std::vector<T> results(64);
    simt::host::Executor(schedule).launch(
        1, ReduceWarps<T, Op>{{in.data(), 64}, {results.data(), 64}});
    for (unsigned i = 0; i < 64; ++i) {
      simt::Span<const T> from_here{in.data() + i, 32 - i % 32};
      EXPECT_TRUE(results[i] == compaction::sequential_reduce(from_here, Op())) << "thread " << i;
    }
  }
}

TEST(WarpReduce, EachLaneReceivesTheLanesFromItselfOnInOrder) {
  expect_reduced<int32_t, compaction::Sum<int32_t>>();
  expect_reduced<Affine, Compose>();
  expect_reduced<Wide, KeepLast>();
}

}  // namespace
