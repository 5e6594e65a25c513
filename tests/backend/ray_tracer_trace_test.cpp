// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "backend/ray_set_stages.h"
#include "backend/ray_tracer.h"
#include "bvh/build/build_instanced_bvh.h"
#include "compaction/simt/host/executor.h"
#include "tests/bvh/support/hard_rays.h"
#include "tests/bvh/support/instanced_scenes.h"
#include "wavefront/kernels/for_each.h"

namespace winnow {
namespace {

using simt::host::Executor;
using simt::host::Order;

/// Traces hard rays in warps, as on a GPU, and one by one: the hits must be bit-identical.
template <class Bvh>
void expect_the_hits_of_lone_rays(const Bvh& bvh, const HostScene& scene, size_t count) {
  HardRays hard_rays(scene, 1);
  std::vector<Packed> origins, directions;
  for (size_t i = 0; i < count; ++i) {
    const Ray ray = hard_rays.next();
    origins.push_back({ray.origin, 0.0f});
    directions.push_back({ray.direction, ray.t_max});
  }
  const RayColumns rays{{origins.data(), count}, {directions.data(), count}};
  WaveState state{};
  state.slot_count = uint32_t(count);
  constexpr unsigned kBlocks = 2;  // few, so that warps fetch new rays
  for (Order order : {Order::kForward, Order::kShuffled})
    for (bool coherent : {false, true}) {
      Executor executor({.order = order, .seed = 3, .resident_blocks = kBlocks});
      std::vector<Hit> hits(count);
      std::vector<uint32_t> occluded(count);
      state.iteration = {};
      executor.launch(kBlocks, ForEachRay<AllSlots, TraceClosest<Bvh>>{
                                   &state, {}, {bvh, rays, {hits.data(), count}, coherent}});
      state.iteration = {};
      executor.launch(kBlocks, ForEachRay<AllSlots, TraceAny<Bvh>>{
                                   &state, {}, {bvh, rays, {occluded.data(), count}}});
      size_t met = 0;
      for (size_t i = 0; i < count; ++i) {
        const Hit expected = bvh.intersect(rays.ray(i));
        ASSERT_EQ(hits[i].primitive, expected.primitive) << "ray " << i;
        ASSERT_EQ(hits[i].t, expected.t) << "ray " << i;
        ASSERT_EQ(hits[i].u, expected.u) << "ray " << i;
        ASSERT_EQ(hits[i].v, expected.v) << "ray " << i;
        ASSERT_EQ(occluded[i], expected.primitive != kNoPrimitive) << "ray " << i;
        met += occluded[i];
      }
      EXPECT_GT(met, count / 10);
      EXPECT_LT(met, count * 9 / 10);
    }
}

TEST(TraceRays, HitInAWarpWhatTheyHitAlone) {
  for (uint32_t spheres : {0u, 30u}) {
    const HostScene scene = RandomScene(5).scene(300, spheres);
    const WideBvhArrays arrays = build_wide_bvh(scene);
    expect_the_hits_of_lone_rays(arrays.view(), scene, 2000);
  }
}

TEST(TraceRays, HitTheLowestOfManyInOnePlace) {
  HostScene scene = flat_grid(4);
  for (int again = 0; again < 2; ++again) add_mesh(scene, Mesh(flat_grid(4)), glm::mat4(1.0f), 0);
  const WideBvhArrays arrays = build_wide_bvh(scene);
  expect_the_hits_of_lone_rays(arrays.view(), scene, 2000);
}

TEST(TraceRays, HitInAWarpTheInstancesThatTheyHitAlone) {
  RandomScene random(51);
  const HostScene scene = instanced_scene(random, 30);
  const InstancedBvhArrays arrays =
      build_instanced_bvh(scene, build_instance_table(scene),
                          [](const HostScene& mesh) { return build_wide_bvh(mesh); });
  expect_the_hits_of_lone_rays(arrays.view(), flattened(scene), 2000);
}

}  // namespace
}  // namespace winnow
