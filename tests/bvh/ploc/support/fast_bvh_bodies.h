// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "tests/bvh/support/decoded_bvh.h"
#include "tests/bvh/support/hard_rays.h"
#include "tests/bvh/support/nasty_scenes.h"

// What a fast build promises, wherever it runs: the bodies of its tests on the host and on a GPU.

namespace winnow {

/// Returns none if the tree would be too deep.
using BuildFast = std::function<std::optional<WideBvhArrays>(const HostScene&)>;

/// Expects that all boxes around a primitive contain it.
inline void expect_held(const HostScene& scene, uint32_t primitive,
                        const std::vector<DecodedBox>& around) {
  auto expect_in_all = [&](glm::vec3 p) {
    const double point[3] = {p.x, p.y, p.z};
    for (const DecodedBox& box : around) ASSERT_TRUE(box.contains(point)) << primitive;
  };
  if (primitive < scene.triangles.size()) {
    const glm::uvec3 t = scene.triangles[primitive];
    for (uint32_t vertex : {t.x, t.y, t.z}) expect_in_all(scene.positions[vertex]);
  } else {
    const Sphere& s = scene.spheres[primitive - scene.triangles.size()];
    expect_in_all(s.center - s.radius);
    expect_in_all(s.center + s.radius);
  }
}

/// Expects each finite primitive in exactly one leaf, inside boxes that contain it.
inline void expect_complete(const HostScene& scene, const WideBvhArrays& bvh, size_t finite) {
  EXPECT_EQ(bvh.primitives.size(), finite);
  std::vector<bool> held(scene.triangles.size() + scene.spheres.size());
  std::vector<bool> reached(bvh.primitives.size());
  const uint32_t levels = visit_leaves(bvh, [&](uint32_t place, const auto& around) {
    const uint32_t primitive = bvh.primitives.at(place).index();
    EXPECT_FALSE(held.at(primitive)) << "in two places";
    EXPECT_FALSE(reached.at(place)) << "in two leaves";
    held[primitive] = reached[place] = true;
    expect_held(scene, primitive, around);
  });
  EXPECT_EQ(size_t(std::count(held.begin(), held.end(), true)), finite);
  EXPECT_LE(levels, uint32_t(WideBvh::kMaxDepth));
}

inline void expect_complete(const HostScene& scene, const BuildFast& build) {
  const std::optional<WideBvhArrays> bvh = build(scene);
  ASSERT_TRUE(bvh);
  expect_complete(scene, *bvh, scene.triangles.size() + scene.spheres.size());
}

inline void holds_every_primitive_once(const BuildFast& build) {
  for (const NastyScene& nasty : nasty_scenes()) {
    SCOPED_TRACE(nasty.name);
    expect_complete(nasty.scene, build);
  }
}

inline void holds_every_primitive_of_few(const BuildFast& build) {
  for (uint32_t count = 1; count < 40; ++count) {
    SCOPED_TRACE(count);
    RandomScene random(count);
    expect_complete(random.scene(count, count % 3), build);
  }
}

inline void holds_many_coincident_primitives(const BuildFast& build) {
  RandomScene random(4);
  const HostScene one = random.scene(1, 0);
  for (uint32_t count : {2u, 3u, 4u, 5u, 7000u}) {
    HostScene scene = one;
    scene.triangles.resize(count, one.triangles[0]);
    expect_complete(scene, build);
  }
}

inline void is_empty_for_an_empty_scene(const BuildFast& build) {
  EXPECT_TRUE(build(HostScene{})->nodes.empty());
  HostScene scene = flat_grid(3);
  for (glm::vec3& p : scene.positions) p.x = NAN;
  EXPECT_TRUE(build(scene)->nodes.empty());
  EXPECT_TRUE(build(scene)->primitives.empty());
}

inline void omits_primitives_that_are_not_finite(const BuildFast& build) {
  RandomScene random(6);
  HostScene scene = random.scene(1000, 20);
  for (uint32_t i = 0; i < 1000; i += 10) {
    scene.positions[3 * i + i % 3][int(i / 10 % 3)] = i % 4 ? NAN : INFINITY;
    if (i % 40 == 0) scene.positions[3 * i].y = -INFINITY;
  }
  scene.spheres[3].radius = NAN;
  scene.spheres[7].center.z = INFINITY;
  const std::optional<WideBvhArrays> bvh = build(scene);
  ASSERT_TRUE(bvh);
  expect_complete(scene, *bvh, 1000 - 100 + 20 - 2);
  for (const BvhPrimitive& p : bvh->primitives)
    EXPECT_TRUE(p.index() < 1000 ? p.index() % 10 != 0 : p.index() != 1003 && p.index() != 1007);
}

/// Hits are bit-identical for different trees.
inline void finds_the_hits_of_the_quality_build(const BuildFast& build) {
  for (const NastyScene& nasty : nasty_scenes()) {
    SCOPED_TRACE(nasty.name);
    const std::optional<WideBvhArrays> fast = build(nasty.scene);
    ASSERT_TRUE(fast);
    const WideBvhArrays quality = build_wide_bvh(nasty.scene);
    HardRays rays(nasty.scene, 3);
    for (int i = 0; i < 10'000; ++i) {
      const Ray ray = rays.next();
      const Hit hit = fast->view().intersect(ray), expected = quality.view().intersect(ray);
      ASSERT_EQ(hit.primitive, expected.primitive) << "ray " << i;
      ASSERT_EQ(hit.t, expected.t) << "ray " << i;
      ASSERT_EQ(hit.u, expected.u) << "ray " << i;
      ASSERT_EQ(fast->view().occluded(ray), expected.primitive != kNoPrimitive) << "ray " << i;
    }
  }
}

/// Triangles, each 1.5 times as large as the previous one, whose box it contains: merging makes a
/// chain of them.
inline HostScene long_chain() {
  std::vector<glm::vec3> positions;
  std::vector<glm::uvec3> triangles;
  for (int i = -100; i <= 100; ++i) {
    const float size = std::pow(1.5f, float(i));
    const auto first = uint32_t(positions.size());
    positions.insert(positions.end(), {{0, 0, 0}, {size, size, 0}, {size, 0, size}});
    triangles.push_back({first, first + 1, first + 2});
  }
  return triangle_scene(std::move(positions), std::move(triangles));
}

inline void reports_a_tree_that_is_too_deep(const BuildFast& build) {
  EXPECT_FALSE(build(long_chain()));
}

/// The expected cost of a random ray through the bounds of the scene, in node visits.
inline double expected_cost(const WideBvhArrays& bvh) {
  auto area = [](const DecodedBox& box) {
    double size[3];
    for (int axis = 0; axis < 3; ++axis) size[axis] = box.max[axis] - box.min[axis];
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
  };
  double cost = 0.0;
  for (const WideBvhNode& node : bvh.nodes)
    for (uint32_t slot = 0; slot < WideBvhNode::kWidth; ++slot)
      if (node.node_slots >> slot & 1) cost += area(decoded_box(node, slot));
  DecodedBox whole{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  visit_leaves(bvh, [&](uint32_t, const std::vector<DecodedBox>& around) {
    cost += WideBvh::kPrimitiveCost * area(around.back());
    for (int axis = 0; axis < 3; ++axis) {
      whole.min[axis] = std::min(whole.min[axis], around.front().min[axis]);
      whole.max[axis] = std::max(whole.max[axis], around.front().max[axis]);
    }
  });
  return cost / area(whole);
}

inline void costs_a_quarter_more_than_the_quality_build_at_most(const BuildFast& build) {
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

}  // namespace winnow
