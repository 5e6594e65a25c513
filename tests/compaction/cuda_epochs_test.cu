// SPDX-License-Identifier: MIT
// The last epoch of a workspace on a GPU: every kernel that publishes tile states clears all of
// them, so that no word of an earlier call becomes valid again.

#include <functional>

#include "tests/compaction/support/cuda_arrays.cuh"

namespace {

using compaction::TileQueue;

/// Enough items for several blocks in a wave of tiles, and in a pipeline.
constexpr size_t kInWave = 100'000, kInPipeline = 6'000'000;

struct Low3Bits {
  __host__ __device__ uint32_t operator()(uint32_t item) const { return item % 8; }
};

class CudaEpochs : public OnGpu {
 protected:
  using Call =
      std::function<void(const uint32_t* in, uint32_t* out, size_t n, const Workspace& workspace)>;

  /// Expects that the last epoch of `call` leaves zeros, and that further calls are right.
  void expect_cleared(size_t n, const Call& call) {
    SCOPED_TRACE(testing::Message() << n << " items");
    const Array<uint32_t> first(random_numbers(n, 1)), second(random_numbers(n, 2));
    Array<uint32_t> out(n);
    const auto result = [&](const Array<uint32_t>& in, const Workspace& workspace) {
      check(cudaMemset(out.data(), 0, n * sizeof(uint32_t)));
      call(in.data(), out.data(), n, workspace);
      return out.read();
    };
    Workspace fresh, workspace;
    check(fresh.reserve(compaction::bytes_for<uint32_t>(n)));
    check(workspace.reserve(compaction::bytes_for<uint32_t>(n)));
    const std::vector<uint32_t> expected = result(second, fresh);
    for (int repetition = 0; repetition < 4; ++repetition) result(first, workspace);
    const uint64_t next = uint64_t(TileQueue::kLastEpoch - 1) << TileQueue::kEpochShift;
    check(cudaMemcpy(workspace.span().data, &next, sizeof(next), cudaMemcpyHostToDevice));
    for (int repetition = 0; repetition < 2; ++repetition)
      ASSERT_EQ(result(second, workspace), expected);
    std::vector<std::byte> memory(workspace.bytes());
    check(cudaMemcpy(memory.data(), workspace.span().data, memory.size(), cudaMemcpyDeviceToHost));
    EXPECT_TRUE(std::all_of(memory.begin(), memory.end(),
                            [](std::byte byte) { return byte == std::byte(0); }));
    for (int repetition = 0; repetition < 4; ++repetition)
      ASSERT_EQ(result(second, workspace), expected);
  }
  void expect_cleared(const Call& call) {
    expect_cleared(kInWave, call);
    expect_cleared(kInPipeline, call);
  }
};

TEST_P(CudaEpochs, TheLastOneClearsTheWorkspaceOfASelect) {
  Array<uint32_t> count(1);
  expect_cleared([&](auto in, auto out, size_t n, const Workspace& workspace) {
    check(compaction::select_if(in, out, count.data(), n, kBelowHalf, workspace));
  });
}

TEST_P(CudaEpochs, TheLastOneClearsTheWorkspaceOfAScan) {
  expect_cleared([](auto in, auto out, size_t n, const Workspace& workspace) {
    check(compaction::inclusive_scan(in, out, n, Sum<uint32_t>(), workspace));
  });
}

TEST_P(CudaEpochs, TheLastOneClearsTheWorkspaceOfAReduction) {
  expect_cleared([](auto in, auto out, size_t n, const Workspace& workspace) {
    check(compaction::reduce(in, out, n, Sum<uint32_t>(), workspace));
  });
}

TEST_P(CudaEpochs, TheLastOneClearsTheWorkspaceOfASplit) {
  Array<uint32_t> offsets(9);
  expect_cleared([&](auto in, auto out, size_t n, const Workspace& workspace) {
    check(compaction::split_by<8>(in, out, offsets.data(), n, Low3Bits(), workspace));
  });
}

TEST_P(CudaEpochs, TheLastOneClearsTheWorkspaceOfRuns) {
  Array<uint32_t> count(1);
  expect_cleared([&](auto in, auto out, size_t n, const Workspace& workspace) {
    check(compaction::reduce_by_key(in, in, nullptr, out, count.data(), n, Sum<uint32_t>(),
                                    workspace));
  });
}

INSTANTIATE_TEST_SUITE_P(Gpu, CudaEpochs, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
