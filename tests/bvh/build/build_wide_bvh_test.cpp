// SPDX-License-Identifier: MIT
#include "bvh/build/build_wide_bvh.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/bvh/support/decoded_bvh.h"
#include "tests/bvh/support/nasty_scenes.h"

namespace winnow {
namespace {

TEST(BuildWideBvh, HoldsEveryPrimitiveWithinTheMaximumDepth) {
  for (const NastyScene& nasty : nasty_scenes()) {
    SCOPED_TRACE(nasty.name);
    const WideBvhArrays bvh = build_wide_bvh(nasty.scene);
    std::vector<bool> held(nasty.scene.triangles.size() + nasty.scene.spheres.size());
    std::vector<bool> reached(bvh.primitives.size());
    const uint32_t levels = visit_leaves(bvh, [&](uint32_t reference, const auto&) {
      held.at(bvh.primitives.at(reference).index()) = true;
      EXPECT_FALSE(reached.at(reference)) << "in two leaves";
      reached[reference] = true;
    });
    EXPECT_EQ(std::count(held.begin(), held.end(), false), 0);
    EXPECT_EQ(std::count(reached.begin(), reached.end(), false), 0);
    EXPECT_LE(levels, uint32_t(WideBvh::kMaxDepth));
  }
}

TEST(BuildWideBvh, CoversEveryPartOfEveryTriangle) {
  RandomScene random(5);
  for (const NastyScene& nasty : nasty_scenes()) {
    SCOPED_TRACE(nasty.name);
    const HostScene& scene = nasty.scene;
    const WideBvhArrays bvh = build_wide_bvh(scene);
    std::vector<std::vector<std::vector<DecodedBox>>> around(scene.triangles.size());
    visit_leaves(bvh, [&](uint32_t reference, const std::vector<DecodedBox>& boxes) {
      const uint32_t primitive = bvh.primitives[reference].index();
      if (primitive < scene.triangles.size()) around[primitive].push_back(boxes);
    });
    const bool splits = bvh.primitives.size() > scene.triangles.size() * 21 / 20;
    EXPECT_TRUE(splits || nasty.name != "slivers");
    for (uint32_t triangle = 0; triangle < scene.triangles.size(); ++triangle)
      for (int sample = 0; sample < 100; ++sample) {
        const glm::dvec3 point = random.point_on(scene, triangle);
        const bool covered = std::ranges::any_of(around[triangle], [&](const auto& boxes) {
          return std::ranges::all_of(boxes,
                                     [&](const DecodedBox& box) { return contains(box, point); });
        });
        ASSERT_TRUE(covered) << "triangle " << triangle << ", sample " << sample;
      }
  }
}

TEST(BuildWideBvh, TakesAtMost70BytesForEachTriangle) {
  for (const HostScene& scene : {bumpy_sphere(200, 300), flat_grid(128)}) {
    const WideBvhArrays bvh = build_wide_bvh(scene);
    const size_t bytes =
        bvh.nodes.size() * sizeof(WideBvhNode) + bvh.primitives.size() * sizeof(BvhPrimitive);
    EXPECT_LE(double(bytes) / double(scene.triangles.size()), 70.0);
  }
}

TEST(BuildWideBvh, HoldsManyCoincidentPrimitives) {
  RandomScene random(4);
  HostScene one = random.scene(1, 0), scene = one;
  for (uint32_t i = 1; i < 5000; ++i) {
    scene.triangles.push_back(one.triangles[0]);
    scene.triangle_materials.push_back(0);
  }
  const WideBvhArrays bvh = build_wide_bvh(scene);
  EXPECT_EQ(bvh.primitives.size(), 5000);
  glm::vec3 middle = (one.positions[0] + one.positions[1] + one.positions[2]) / 3.0f;
  glm::vec3 origin(0.0f, 0.0f, 5.0f);
  Hit hit = bvh.view().intersect({.origin = origin, .direction = glm::normalize(middle - origin)});
  EXPECT_NEAR(hit.t, glm::length(middle - origin), 1e-5f);
  EXPECT_EQ(hit.primitive, 0);  // the lowest of all
}

TEST(BuildWideBvh, OmitsPrimitivesThatAreNotFinite) {
  RandomScene random(6);
  HostScene scene = random.scene(20, 2);
  scene.positions[3 * 4].y = NAN;
  scene.positions[3 * 9 + 1].x = INFINITY;
  scene.spheres[1].radius = NAN;
  const WideBvhArrays bvh = build_wide_bvh(scene);
  EXPECT_EQ(bvh.primitives.size(), 19);
  for (const BvhPrimitive& p : bvh.primitives)
    EXPECT_TRUE(p.index() != 4 && p.index() != 9 && p.index() != 21);
}

}  // namespace
}  // namespace winnow
