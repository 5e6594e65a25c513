// SPDX-License-Identifier: MIT
#include "bvh/build/build_wide_bvh.h"
#include "tests/bvh/support/hits_on_gpu.cuh"
#include "tests/bvh/support/nasty_scenes.h"

namespace winnow {
namespace {

class WideBvhOnGpu : public HitsOnGpu {};

TEST_P(WideBvhOnGpu, FindsWhatTheHostFinds) {
  for (const NastyScene& nasty : nasty_scenes()) {
    SCOPED_TRACE(nasty.name);
    const WideBvhArrays arrays = build_wide_bvh(nasty.scene);
    CudaMemory memory;
    const WideBvh on_gpu{.nodes = memory.upload(arrays.nodes),
                         .primitives = memory.upload(arrays.primitives)};
    expect_the_hosts_hits(on_gpu, arrays.view(), nasty.scene);
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, WideBvhOnGpu, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace winnow
