// SPDX-License-Identifier: MIT
#include "bvh/ploc/build_fast_bvh.h"

#include "tests/bvh/ploc/support/build_fast_bvh.h"
#include "tests/bvh/ploc/support/host_bvh_backend.h"
#include "tests/bvh/support/decoded_bvh.h"
#include "tests/bvh/support/hard_rays.h"
#include "tests/bvh/support/nasty_scenes.h"
#include "tests/support/rounds.h"

namespace winnow {
namespace {

/// Expects each finite primitive in exactly one leaf, inside boxes that contain it.
void expect_complete(const HostScene& scene, const std::optional<WideBvhArrays>& bvh,
                     size_t not_finite = 0) {
  ASSERT_TRUE(bvh);
  const size_t finite = scene.triangles.size() + scene.spheres.size() - not_finite;
  EXPECT_EQ(bvh->primitives.size(), finite);
  std::vector<bool> held(scene.triangles.size() + scene.spheres.size());
  std::vector<bool> reached(bvh->primitives.size());
  const uint32_t levels = visit_leaves(*bvh, [&](uint32_t place, const auto& around) {
    const uint32_t primitive = bvh->primitives.at(place).index();
    EXPECT_FALSE(held.at(primitive)) << "in two places";
    EXPECT_FALSE(reached.at(place)) << "in two leaves";
    held[primitive] = reached[place] = true;
    const Bounds own = geometry_of(scene).bounds(primitive);
    for (const DecodedBox& box : around)
      EXPECT_TRUE(contains(box, own.min) && contains(box, own.max)) << primitive;
  });
  EXPECT_EQ(size_t(std::count(held.begin(), held.end(), true)), finite);
  EXPECT_LE(levels, uint32_t(WideBvh::kMaxDepth));
}

TEST_P(BuildFastBvh, HoldsEveryPrimitiveOfFew) {
  // Around the width of a node, its powers and a warp.
  for (uint32_t count :
       {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 13u, 15u, 16u, 17u, 24u, 31u, 32u, 33u, 39u}) {
    SCOPED_TRACE(count);
    RandomScene random(count);
    const HostScene scene = random.scene(count, count % 3);
    expect_complete(scene, build(scene));
  }
}

TEST_P(BuildFastBvh, HoldsManyCoincidentPrimitives) {
  RandomScene random(4);
  const HostScene one = random.scene(1, 0);
  for (uint32_t count : {2u, 3u, 4u, 5u, 7000u}) {
    HostScene scene = one;
    scene.triangles.resize(count, one.triangles[0]);
    expect_complete(scene, build(scene));
  }
}

TEST_P(BuildFastBvh, IsEmptyForAnEmptyScene) {
  EXPECT_TRUE(build(HostScene{})->nodes.empty());
  HostScene scene = flat_grid(3);
  for (glm::vec3& p : scene.positions) p.x = NAN;
  EXPECT_TRUE(build(scene)->nodes.empty());
  EXPECT_TRUE(build(scene)->primitives.empty());
}

TEST_P(BuildFastBvh, OmitsPrimitivesThatAreNotFinite) {
  RandomScene random(6);
  HostScene scene = random.scene(1000, 20);
  for (uint32_t i = 0; i < 1000; i += 10) {
    scene.positions[3 * i + i % 3][int(i / 10 % 3)] = i % 4 ? NAN : INFINITY;
    if (i % 40 == 0) scene.positions[3 * i].y = -INFINITY;
  }
  scene.spheres[3].radius = NAN;
  scene.spheres[7].center.z = INFINITY;
  const std::optional<WideBvhArrays> bvh = build(scene);
  expect_complete(scene, bvh, 100 + 2);
  for (const BvhPrimitive& p : bvh->primitives)
    EXPECT_TRUE(p.index() < 1000 ? p.index() % 10 != 0 : p.index() != 1003 && p.index() != 1007);
}

/// Hits are bit-identical for different trees.
TEST_P(BuildFastBvh, HoldsEveryPrimitiveOnceAndFindsTheHitsOfTheQualityBuild) {
  for (const NastyScene& nasty : nasty_scenes()) {
    SCOPED_TRACE(nasty.name);
    const std::optional<WideBvhArrays> fast = build(nasty.scene);
    expect_complete(nasty.scene, fast);
    ASSERT_TRUE(fast);
    const WideBvhArrays quality = build_wide_bvh(nasty.scene);
    expect_hits(fast->view(), nasty.scene, 3, int(rounds(3000)),
                [&](const Ray& ray) { return quality.view().intersect(ray); });
  }
}

/// Triangles, each 1.5 times as large as the previous one, whose box it contains: merging makes a
/// chain of them.
HostScene long_chain() {
  std::vector<glm::vec3> positions;
  for (int i = -100; i <= 100; ++i) {
    const float size = std::pow(1.5f, float(i));
    positions.insert(positions.end(), {{0, 0, 0}, {size, size, 0}, {size, 0, size}});
  }
  return triangle_scene(std::move(positions));
}

TEST_P(BuildFastBvh, ReportsATreeThatIsTooDeep) {
  EXPECT_FALSE(build(long_chain()));
}

/// The expected cost of a random ray through the bounds of the scene, in node visits.
double expected_cost(const WideBvhArrays& bvh) {
  auto area = [](const DecodedBox& box) {
    const glm::dvec3 size = box.max - box.min;
    return size.x * size.y + size.y * size.z + size.z * size.x;
  };
  double cost = 0.0;
  for (const WideBvhNode& node : bvh.nodes)
    for (uint32_t slot = 0; slot < WideBvhNode::kWidth; ++slot)
      if (node.node_slots >> slot & 1) cost += area(decoded_box(node, slot));
  DecodedBox whole{glm::dvec3(INFINITY), glm::dvec3(-INFINITY)};
  visit_leaves(bvh, [&](uint32_t, const std::vector<DecodedBox>& around) {
    cost += WideBvh::kPrimitiveCost * area(around.back());
    whole.min = glm::min(whole.min, around.front().min);
    whole.max = glm::max(whole.max, around.front().max);
  });
  return cost / area(whole);
}

TEST_P(BuildFastBvh, CostsAQuarterMoreThanTheQualityBuildAtMost) {
  RandomScene random(8);
  const NastyScene scenes[] = {{"bumpy sphere", bumpy_sphere(100, 120)},
                               {"grid", flat_grid(64)},
                               {"soup", random.scene(10'000, 100)}};
  for (const NastyScene& scene : scenes) {
    SCOPED_TRACE(scene.name);
    EXPECT_LE(expected_cost(*build(scene.scene)) / expected_cost(build_wide_bvh(scene.scene)),
              1.25);
  }
}

std::vector<FastBuild> fast_builds_on_host() {
  std::vector<FastBuild> builds;
  for (const auto& [name, schedule] : kBvhSchedules)
    builds.push_back(
        {name, false,
         [&schedule = schedule](const HostScene& scene) -> std::optional<WideBvhArrays> {
           HostBvhBackend backend(schedule);
           const FastBvh bvh = FastBvhBuilder(backend, geometry_of(scene)).build();
           if (bvh.too_deep) return std::nullopt;
           return WideBvhArrays{{bvh.nodes.data, bvh.nodes.data + bvh.node_count},
                                {bvh.primitives.data, bvh.primitives.data + bvh.primitive_count}};
         }});
  return builds;
}

INSTANTIATE_TEST_SUITE_P(Schedules, BuildFastBvh, testing::ValuesIn(fast_builds_on_host()),
                         BuildFastBvh::name);

}  // namespace
}  // namespace winnow
