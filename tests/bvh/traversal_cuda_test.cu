// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "backend/cuda/cuda_memory.h"
#include "backend/renderer.h"
#include "bvh/ploc/build_fast_bvh.h"
#include "compaction/simt/cuda/launch.cuh"
#include "tests/bvh/support/hard_rays.h"
#include "tests/bvh/support/instanced_scenes.h"

namespace winnow {
namespace {

template <class Bvh>
struct TraceBoth {
  Bvh bvh;
  Span<const Ray> rays;
  Span<Hit> hits;
  Span<uint8_t> occluded;

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
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
  const TraceBoth<Bvh> stage{.bvh = on_gpu,
                             .rays = memory.upload(rays),
                             .hits = memory.allocate<Hit>(rays.size()),
                             .occluded = memory.allocate<uint8_t>(rays.size())};
  simt::cuda::Launcher launcher(nullptr);
  for_items(launcher, uint32_t(rays.size()), stage);
  check_cuda(launcher.status(), "tracing rays");
  const std::vector<Hit> hits = download(stage.hits);
  const std::vector<uint8_t> occluded = download(stage.occluded);

  for (size_t i = 0; i < rays.size(); ++i) {
    ASSERT_EQ(hits[i], on_host.intersect(rays[i])) << "ray " << i;
    ASSERT_EQ(bool(occluded[i]), hits[i].primitive != kNoPrimitive) << "ray " << i;
  }
}

/// Needs a GPU.
class TraversalOnGpu : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string why = list_cuda_devices().why_none; !why.empty()) GTEST_SKIP() << why;
  }
};

TEST_P(TraversalOnGpu, FindsWhatTheHostFindsInAWideBvh) {
  for (const NastyScene& nasty : nasty_scenes()) {
    SCOPED_TRACE(nasty.name);
    const WideBvhArrays arrays = build_wide_bvh(nasty.scene);
    CudaMemory memory;
    const WideBvh on_gpu{.nodes = memory.upload(arrays.nodes),
                         .primitives = memory.upload(arrays.primitives)};
    expect_the_hosts_hits(on_gpu, arrays.view(), nasty.scene);
  }
}

TEST_P(TraversalOnGpu, FindsWhatTheHostFindsInAnInstancedBvh) {
  RandomScene random(56);
  for (uint32_t count : {1u, 40u, 2000u}) {
    SCOPED_TRACE(testing::Message() << count << " instances");
    const HostScene scene = instanced_scene(random, count);
    const InstancedBvhArrays arrays = build_instanced_bvh(scene, build_instance_table(scene));
    CudaMemory memory;
    const InstancedBvh on_gpu{.trees = {.nodes = memory.upload(arrays.nodes),
                                        .primitives = memory.upload(arrays.primitives)},
                              .instances = memory.upload(arrays.instances)};
    expect_the_hosts_hits(on_gpu, arrays.view(), flattened(scene));
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, TraversalOnGpu, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace winnow
