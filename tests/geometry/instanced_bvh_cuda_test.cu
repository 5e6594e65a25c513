#include <gtest/gtest.h>

#include "backend/cuda_memory.cuh"
#include "compaction/simt/cuda/launch.cuh"
#include "geometry/build_instanced_bvh.h"
#include "tests/geometry/hard_rays.h"
#include "tests/geometry/instanced_scenes.h"
#include "wavefront/renderer.h"

namespace winnow {
namespace {

struct TraceInstancedRays {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;

  InstancedBvh bvh;
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

/// Needs a GPU.
class InstancedBvhOnGpu : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string why = list_cuda_devices().why_none; !why.empty()) GTEST_SKIP() << why;
  }
};

void expect_the_hosts_hits(const HostScene& scene) {
  const InstancedBvhArrays arrays =
      build_instanced_bvh(scene, build_instance_table(scene),
                          [](const HostScene& mesh) { return build_wide_bvh(mesh); });
  const HostScene flat = flattened(scene);
  HardRays hard_rays(flat, 1);
  std::vector<Ray> rays(100'000);
  for (Ray& ray : rays) ray = hard_rays.next();

  CudaMemory memory;
  const TraceInstancedRays kernel{.bvh = {.trees = {.nodes = memory.upload(arrays.nodes),
                                                    .primitives = memory.upload(arrays.primitives)},
                                          .instances = memory.upload(arrays.instances)},
                                  .rays = memory.upload(rays),
                                  .hits = memory.allocate<Hit>(rays.size()),
                                  .occluded = memory.allocate<uint8_t>(rays.size())};
  simt::cuda::Launcher launcher(nullptr);
  launcher.launch(simt::ceil_div(uint32_t(rays.size()), TraceInstancedRays::kBlockSize), kernel);
  check_cuda(launcher.status(), "tracing rays");
  const std::vector<Hit> hits = download(kernel.hits);
  const std::vector<uint8_t> occluded = download(kernel.occluded);

  for (size_t i = 0; i < rays.size(); ++i) {
    const Hit expected = arrays.view().intersect(rays[i]);
    ASSERT_EQ(hits[i].primitive, expected.primitive) << "ray " << i;
    ASSERT_EQ(hits[i].t, expected.t) << "ray " << i;
    ASSERT_EQ(hits[i].u, expected.u) << "ray " << i;
    ASSERT_EQ(hits[i].v, expected.v) << "ray " << i;
    ASSERT_EQ(bool(occluded[i]), expected.primitive != kNoPrimitive) << "ray " << i;
  }
}

TEST_P(InstancedBvhOnGpu, FindsWhatTheHostFinds) {
  RandomScene random(56);
  for (uint32_t count : {1u, 40u, 2000u}) {
    SCOPED_TRACE(testing::Message() << count << " instances");
    expect_the_hosts_hits(instanced_scene(random, count));
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, InstancedBvhOnGpu, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace winnow
