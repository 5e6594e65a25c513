// SPDX-License-Identifier: MIT
#include "backend/cpu/primitive_list.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "math/sampler.h"
#include "tests/bvh/support/hard_rays.h"
#include "tests/bvh/support/test_every_primitive.h"
#include "tests/support/sample_directions.h"
#include "tests/support/test_names.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

/// Points in [-1, 1]^3.
glm::vec3 point_of_shape(uint32_t i, uint32_t dimension) {
  return 2.0f * glm::vec3(Sampler{.seed = 1, .pixel = i}.sample4(dimension)) - 1.0f;
}

/// Triangles and spheres in a cube of 2 m around a place, in other units.
HostScene shapes_at_random(uint32_t triangles, uint32_t spheres, float scale = 1.0f,
                           glm::vec3 place = glm::vec3(0.0f)) {
  HostScene scene;
  add_material(scene, {});
  for (uint32_t i = 0; i < 3 * triangles; ++i)
    scene.positions.push_back(place + scale * point_of_shape(i, 0));
  for (uint32_t i = 0; i < triangles; ++i) {
    scene.triangles.push_back(3 * i + glm::uvec3(0, 1, 2));
    scene.triangle_materials.push_back(0);
  }
  for (uint32_t i = 0; i < spheres; ++i)
    scene.spheres.push_back({.center = place + scale * point_of_shape(i, 1),
                             .radius = scale * 0.3f * std::abs(point_of_shape(i, 2).x)});
  return scene;
}

Ray ray_among_shapes(uint32_t i, float scale = 1.0f, glm::vec3 place = glm::vec3(0.0f)) {
  const glm::vec4 u = Sampler{.seed = 2, .pixel = i}.sample4(0);
  return {.origin = place + scale * point_of_shape(i, 3),
          .direction = sample_uniform_sphere({u.x, u.y}),
          .t_max = i % 4 == 0 ? scale * u.z : INFINITY};
}

/// The hits of rays that are traced in batches.
std::vector<Hit> intersect_in_batches(const PrimitiveList& list, InstructionSet set,
                                      const std::vector<Ray>& rays) {
  std::vector<Hit> hits(rays.size());
  const auto trace = [&](RayBatch& batch) {
    EXPECT_LE(batch.count, kBatchSize);
    list.intersect(set, batch);
    for (uint32_t i = 0; i < batch.count; ++i) hits[batch.ids[i]] = batch.hit(i);
  };
  RayBatcher batches(trace);
  for (uint32_t i = 0; i < rays.size(); ++i) batches.add(i, rays[i]);
  batches.finish();
  return hits;
}

std::vector<bool> test_in_batches(const PrimitiveList& list, InstructionSet set,
                                  const std::vector<Ray>& rays) {
  std::vector<bool> occluded(rays.size());
  const auto trace = [&](RayBatch& batch) {
    list.find_nearest(set, batch);
    for (uint32_t i = 0; i < batch.count; ++i)
      occluded[batch.ids[i]] = batch.primitive[i] != kNoPrimitive;
  };
  RayBatcher batches(trace);
  for (uint32_t i = 0; i < rays.size(); ++i) batches.add(i, rays[i]);
  batches.finish();
  return occluded;
}

void expect_equal_hits(const Hit& hit, const Hit& expected) {
  EXPECT_EQ(hit.primitive, expected.primitive);
  EXPECT_EQ(std::bit_cast<uint32_t>(hit.t), std::bit_cast<uint32_t>(expected.t));
  EXPECT_EQ(hit.u, expected.u);
  EXPECT_EQ(hit.v, expected.v);
}

class PrimitiveLists : public testing::TestWithParam<Named<InstructionSet>> {
 protected:
  void SetUp() override {
    if (GetParam() > best_instruction_set()) GTEST_SKIP() << "this processor does not have them";
  }

  /// Expects the hits of a plain loop over all primitives, bit for bit. Returns how many there are.
  static size_t expect_the_hits_of_a_loop(const HostScene& scene, const std::vector<Ray>& rays) {
    const PrimitiveList list(scene);
    const std::vector<Hit> hits = intersect_in_batches(list, GetParam(), rays);
    const std::vector<bool> occluded = test_in_batches(list, GetParam(), rays);
    size_t count = 0;
    for (size_t i = 0; i < rays.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "ray " << i);
      const Hit expected = intersect_all(scene, rays[i]);
      expect_equal_hits(hits[i], expected);
      expect_equal_hits(list.intersect(GetParam(), rays[i]), expected);
      EXPECT_EQ(occluded[i], expected.primitive != kNoPrimitive);
      EXPECT_EQ(list.occluded(GetParam(), rays[i]), occluded[i]);
      count += expected.primitive != kNoPrimitive;
      if (testing::Test::HasFailure()) return count;
    }
    return count;
  }
};

TEST_P(PrimitiveLists, FindTheHitsOfALoopOverAllPrimitives) {
  std::vector<Ray> rays;
  for (uint32_t i = 0; i < 3000; ++i) rays.push_back(ray_among_shapes(i));
  for (const auto& [triangles, spheres] :
       {std::pair{96u, 0u}, {0u, 96u}, {17u, 71u}, {64u, 0u}, {1u, 0u}}) {
    SCOPED_TRACE(testing::Message() << triangles << " triangles, " << spheres << " spheres");
    EXPECT_GT(expect_the_hits_of_a_loop(shapes_at_random(triangles, spheres), rays), 30u);
  }
  EXPECT_EQ(expect_the_hits_of_a_loop(HostScene(), rays), 0u);
}

TEST_P(PrimitiveLists, FindTheHitsOfRaysThatAreHardToDecide) {
  const HostScene scene = shapes_at_random(17, 31);
  HardRays hard_rays(scene, 1);
  std::vector<Ray> rays;
  for (int i = 0; i < 3000; ++i) rays.push_back(hard_rays.next());
  EXPECT_GT(expect_the_hits_of_a_loop(scene, rays), 300u);
}

TEST_P(PrimitiveLists, FindThemAtAnyScaleAndPlace) {
  for (const float scale : {1e-6f, 1e6f})
    for (const glm::vec3 place : {glm::vec3(0.0f), scale * glm::vec3(300.0f, -1000.0f, 20.0f)}) {
      SCOPED_TRACE(testing::Message() << "scale " << scale << ", at " << place.x);
      std::vector<Ray> rays;
      for (uint32_t i = 0; i < 1000; ++i) rays.push_back(ray_among_shapes(i, scale, place));
      EXPECT_GT(expect_the_hits_of_a_loop(shapes_at_random(30, 30, scale, place), rays), 500u);
    }
}

TEST_P(PrimitiveLists, FindThemInSmallGroupsOfTriangles) {
  // Four groups, flat ones among them, and rays that start inside, pass by, or graze their boxes.
  for (const float scale : {1e-6f, 1.0f, 1e6f}) {
    HostScene scene = shapes_at_random(60, 2, scale);
    for (uint32_t i = 0; i < scene.positions.size(); ++i) {
      const uint32_t group = i / 45;
      glm::vec3& p = scene.positions[i];
      p = 0.1f * p + scale * point_of_shape(group, 4);
      if (group == 1) p.y = 0.25f * scale;
      if (group == 2) p.x = scale;
    }
    std::vector<Ray> rays;
    for (uint32_t i = 0; i < 3000; ++i) {
      Ray ray = ray_among_shapes(i, scale);
      const glm::vec3 target = scene.positions[7 * i % scene.positions.size()];
      if (i % 2 == 0) ray.direction = glm::normalize(target - ray.origin);
      if (i % 5 == 0) ray.direction[i % 3] = 0.0f, ray.direction = glm::normalize(ray.direction);
      if (i % 7 == 0) ray.origin = target;
      rays.push_back(ray);
    }
    SCOPED_TRACE(testing::Message() << "scale " << scale);
    EXPECT_GT(expect_the_hits_of_a_loop(scene, rays), 100u);
  }
}

TEST_P(PrimitiveLists, PassNoRayThroughSharedEdgesAndTakeTheFirstOfEqualHits) {
  HostScene scene;  // a square of two triangles, twice
  add_material(scene, {});
  scene.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  for (int k = 0; k < 2; ++k)
    for (const glm::uvec3 t : {glm::uvec3(0, 1, 2), glm::uvec3(0, 2, 3)}) {
      scene.triangles.push_back(t);
      scene.triangle_materials.push_back(0);
    }
  std::vector<Ray> rays;
  for (int i = -500; i <= 500; ++i) {
    const glm::vec3 on_diagonal(float(i) / 500.0f, float(i) / 500.0f, 0.0f);
    const glm::vec3 from(0.0f, 0.0f, 1.0f);
    rays.push_back({.origin = from, .direction = glm::normalize(on_diagonal - from)});
  }
  EXPECT_EQ(expect_the_hits_of_a_loop(scene, rays), rays.size());
  for (const Hit& hit : intersect_in_batches(PrimitiveList(scene), GetParam(), rays))
    EXPECT_LT(hit.primitive, 2u);
}

TEST_P(PrimitiveLists, NeverHitWhatIsNotFiniteOrHasNoArea) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  HostScene scene = shapes_at_random(40, 20);
  for (uint32_t i = 0; i < 40; ++i) {
    glm::vec3& corner = scene.positions[3 * i];
    if (i % 4 == 0) corner.x = nan;
    if (i % 4 == 1) corner.y = INFINITY;
    if (i % 4 == 2) corner = scene.positions[3 * i + 1];
    if (i % 4 == 3) scene.positions[3 * i + 2] = 0.5f * (corner + scene.positions[3 * i + 1]);
  }
  for (uint32_t i = 0; i < 20; ++i) {
    if (i % 3 == 0) scene.spheres[i].center.z = nan;
    if (i % 3 == 1) scene.spheres[i].radius = INFINITY;
    if (i % 3 == 2) scene.spheres[i].center.x = -INFINITY;
  }
  std::vector<Ray> rays;
  for (uint32_t i = 0; i < 1000; ++i) rays.push_back(ray_among_shapes(i));
  const PrimitiveList list(scene);
  uint32_t hits = 0;
  for (const Hit& hit : intersect_in_batches(list, GetParam(), rays))
    hits += hit.primitive != kNoPrimitive;
  EXPECT_LT(hits, 3u);  // slivers, whose corners are not quite in line
}

TEST(PrimitiveListSize, IsThatOfSmallScenesWithoutInstances) {
  if (best_instruction_set() == InstructionSet::kBase)
    GTEST_SKIP() << "this processor has no lanes for lists";
  EXPECT_TRUE(PrimitiveList::suits(shapes_at_random(40, 56)));
  EXPECT_FALSE(PrimitiveList::suits(shapes_at_random(40, 57)));
  HostScene scene = shapes_at_random(1, 1);
  scene.instances.push_back({});
  EXPECT_FALSE(PrimitiveList::suits(scene));
}

INSTANTIATE_TEST_SUITE_P(Sets, PrimitiveLists,
                         testing::Values(InstructionSet::kBase, InstructionSet::kAvx2,
                                         InstructionSet::kAvx512),
                         [](const auto& info) { return enum_name(info.param.value); });

}  // namespace
}  // namespace winnow
