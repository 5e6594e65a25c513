// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include "backend/cuda/cuda_memory.cuh"
#include "backend/renderer.h"
#include "compaction/simt/cuda/launch.cuh"
#include "tests/bvh/support/hard_rays.h"

namespace winnow {

template <class Bvh>
struct TraceRays {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;

  Bvh bvh;
  Span<const Ray> rays;
  Span<Hit> hits;
  Span<uint8_t> occluded;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t i = block.group_index() * kBlockSize + block.thread_rank();
    if (i >= rays.size) return;
    hits[i] = bvh.intersect(rays[i]);
    occluded[i] = bvh.occluded(rays[i]);
  }
};

/// Expects bit-identical hits from a tree on the GPU and the same tree on the host.
///
/// @param scene  the geometry of the tree, for HardRays
template <class Bvh>
void expect_the_hosts_hits(const Bvh& on_gpu, const Bvh& on_host, const HostScene& scene) {
  HardRays hard_rays(scene, 1);
  std::vector<Ray> rays(100'000);
  for (Ray& ray : rays) ray = hard_rays.next();

  CudaMemory memory;
  const TraceRays<Bvh> kernel{.bvh = on_gpu,
                              .rays = memory.upload(rays),
                              .hits = memory.allocate<Hit>(rays.size()),
                              .occluded = memory.allocate<uint8_t>(rays.size())};
  simt::cuda::Launcher launcher(nullptr);
  launcher.launch(simt::ceil_div(uint32_t(rays.size()), TraceRays<Bvh>::kBlockSize), kernel);
  check_cuda(launcher.status(), "tracing rays");
  const std::vector<Hit> hits = download(kernel.hits);
  const std::vector<uint8_t> occluded = download(kernel.occluded);

  for (size_t i = 0; i < rays.size(); ++i) {
    const Hit expected = on_host.intersect(rays[i]);
    ASSERT_EQ(hits[i].primitive, expected.primitive) << "ray " << i;
    ASSERT_EQ(hits[i].t, expected.t) << "ray " << i;
    ASSERT_EQ(hits[i].u, expected.u) << "ray " << i;
    ASSERT_EQ(hits[i].v, expected.v) << "ray " << i;
    ASSERT_EQ(bool(occluded[i]), expected.primitive != kNoPrimitive) << "ray " << i;
  }
}

/// Needs a GPU.
class HitsOnGpu : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string why = list_cuda_devices().why_none; !why.empty()) GTEST_SKIP() << why;
  }
};

}  // namespace winnow
