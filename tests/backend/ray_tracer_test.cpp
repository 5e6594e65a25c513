// SPDX-License-Identifier: MIT
#include "backend/ray_tracer.h"

#include <gtest/gtest.h>

#include "app/bench_rays/ray_sets.h"
#include "backend/renderer.h"
#include "scene/frame_scene.h"
#include "scene/scene_bounds.h"
#include "tests/bvh/support/random_scene.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

/// Rays of all kinds through a scene; of each kind more than one task traces.
class RayTracerTest : public testing::Test {
 protected:
  /// @param offset  m, moves all triangles
  void make(uint32_t triangles, uint32_t spheres, glm::vec3 offset = glm::vec3(0.0f)) {
    scene_ = RandomScene(3).scene(triangles, spheres);
    for (glm::vec3& position : scene_.positions) position += offset;
    frame_scene(scene_);
    embree_.emplace(scene_);
    bvh_ = build_wide_bvh(scene_);
    sets_ = make_ray_sets(scene_, embree_->accel(),
                          {.camera = scene_.camera,
                           .light = default_light(scene_),
                           .width = 97,
                           .height = 61,
                           .spp = 1,
                           .seed = 1});
  }

  /// Expects the tracer to find the same hits as `accel` in every set.
  template <class A>
  void expect_results_of(const A& accel, RayTracer& tracer) {
    for (const RaySet& set : sets_) {
      SCOPED_TRACE(tracer.name() + ", " + kRayKindNames[size_t(set.kind)]);
      tracer.load(set);
      EXPECT_GE(tracer.trace(), 0.0);
      EXPECT_GE(tracer.trace(), 0.0);  // overwrites the results
      const RayResults results = tracer.results();
      ASSERT_EQ(results.hits.size(), is_shadow(set.kind) ? 0 : set.size());
      ASSERT_EQ(results.occluded.size(), is_shadow(set.kind) ? set.size() : 0);
      for (size_t i = 0; i < set.size(); ++i) {
        const Ray ray = set.columns().ray(i);
        if (is_shadow(set.kind)) {
          ASSERT_EQ(bool(results.occluded[i]), accel.occluded(ray)) << i;
          continue;
        }
        const Hit expected = accel.intersect(ray);
        ASSERT_EQ(results.hits[i].primitive, expected.primitive) << i;
        ASSERT_EQ(results.hits[i].t, expected.t) << i;
        ASSERT_EQ(results.hits[i].u, expected.u) << i;
        ASSERT_EQ(results.hits[i].v, expected.v) << i;
      }
    }
  }

  /// Expects results that no test of all primitives refutes where they differ from Embree's.
  void expect_no_wrong_results(RayTracer& tracer) { EXPECT_EQ(wrong_results(tracer), 0u); }

  size_t wrong_results(RayTracer& tracer) {
    auto embree = make_embree_loop(*embree_, "Embree");
    size_t wrong = 0;
    for (const RaySet& set : sets_) {
      for (RayTracer* each : {&tracer, embree.get()}) {
        each->load(set);
        each->trace();
      }
      wrong += check_rays(scene_, set, tracer.results(), embree->results()).wrong;
    }
    return wrong;
  }

  HostScene scene_;
  std::optional<EmbreeScene> embree_;
  WideBvhArrays bvh_;
  std::array<RaySet, kRayKindCount> sets_;
};

TEST_F(RayTracerTest, OnTheCpuFindsWhatItsAccelFinds) {
  make(2000, 50);
  ASSERT_GT(sets_[size_t(RayKind::kDiffuse1)].size(), 100u);
  expect_results_of(embree_->accel(), *make_embree_loop(*embree_, "Embree"));
  expect_results_of(embree_->accel(), *make_embree_stages(*embree_));
  expect_results_of(bvh_.view(), *make_host_wide_bvh(bvh_));
}

TEST_F(RayTracerTest, PacketsFindWhatSingleRaysFind) {
  make(2000, 0);
  expect_no_wrong_results(*make_embree_packets(*embree_));
}

TEST_F(RayTracerTest, FastEmbreeFindsTheSameOnEasyRays) {
  make(2000, 50);
  const EmbreeScene fast(scene_, EmbreeTests::kFast);
  expect_no_wrong_results(*make_embree_loop(fast, "fast"));
}

/// Needs a GPU.
class RayTracerOnGpu : public RayTracerTest, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    if (std::string why = list_cuda_devices().why_none; !why.empty()) GTEST_SKIP() << why;
  }
};

TEST_P(RayTracerOnGpu, FindsWhatTheHostFinds) {
  make(5000, 50);
  const int device = list_cuda_devices().devices.front().index;
  expect_results_of(bvh_.view(), *make_cuda_wide_bvh(bvh_, device));
}

TEST_P(RayTracerOnGpu, OptixFindsWhatTheHostFinds) {
  make(5000, 50);
  const int device = list_cuda_devices().devices.front().index;
  std::unique_ptr<RayTracer> optix;
  const std::string why = message_of([&] { optix = make_cuda_optix(scene_, bvh_, device); });
  if (!why.empty()) GTEST_SKIP() << why;
  expect_results_of(bvh_.view(), *optix);
}

TEST_P(RayTracerOnGpu, OptixFindsSmallTrianglesFarFromTheOrigin) {
  make(50'000, 0, {20'000.0f, 500.0f, -30'000.0f});
  const int device = list_cuda_devices().devices.front().index;
  std::unique_ptr<RayTracer> optix;
  const std::string why = message_of([&] { optix = make_cuda_optix(scene_, bvh_, device); });
  if (!why.empty()) GTEST_SKIP() << why;
  EXPECT_LE(wrong_results(*optix), wrong_results(*make_host_wide_bvh(bvh_)));
}

TEST_P(RayTracerOnGpu, SortsRaysAsTheHostDoes) {
  make(5000, 50);
  const Bounds bounds = scene_bounds(scene_);
  const RayOrder order(bounds.min, bounds.size());
  auto tracer = make_cuda_wide_bvh(bvh_, list_cuda_devices().devices.front().index);
  const RaySet& rays = sets_[size_t(RayKind::kDiffuse2)];
  tracer->load(rays);
  for (int time = 0; time < 2; ++time) EXPECT_GT(tracer->sort(order), 0.0);
  tracer->trace();
  const RayResults results = tracer->results();
  const RaySet sorted = sorted_rays(rays, order);
  ASSERT_EQ(results.hits.size(), sorted.size());
  for (size_t i = 0; i < sorted.size(); ++i)
    ASSERT_EQ(results.hits[i].t, bvh_.view().intersect(sorted.columns().ray(i)).t) << i;
}

INSTANTIATE_TEST_SUITE_P(Gpu, RayTracerOnGpu, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace winnow
