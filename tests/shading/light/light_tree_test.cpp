// SPDX-License-Identifier: MIT
#include "shading/light/light_tree.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/shading/light/support/lit_scene.h"
#include "tests/support/chi_square.h"

namespace winnow {
namespace {

/// Triangles and balls in a cloud.
HostScene cloud(uint32_t count) {
  HostScene scene = empty_scene();
  for (uint32_t i = 0; i < count; ++i) {
    const glm::vec4 u = Sampler{.seed = 2, .sample = i}.sample4(0);
    const glm::vec4 v = Sampler{.seed = 2, .sample = i}.sample4(1);
    const glm::vec3 p = 8.0f * glm::vec3(u) - 4.0f;
    if (i % 4 == 0)
      add_sphere(scene, p, 0.02f + 0.2f * u.w, i % 2);
    else
      add_triangle(scene, p, p + 0.3f * glm::vec3(v), p + 0.3f * glm::vec3(v.y, -v.z, v.w), i % 2);
  }
  return scene;
}

TEST(LightTree, LeadsToEveryLightOnItsTrail) {
  for (uint32_t count : {2u, 3u, 64u, 3000u}) {
    const LitScene<kExtended> lit(cloud(count), LightChoice::kBvh);
    ASSERT_EQ(lit.table().tree.size(), 2 * count - 1);
    for (uint32_t light = 0; light < count; ++light) {
      uint32_t node = 0;
      for (uint32_t trail = lit.table().local[light].trail; !lit.table().tree[node].is_leaf();
           trail >>= 1)
        node = lit.table().tree[node].index() + (trail & 1);
      EXPECT_EQ(lit.table().tree[node].index(), light);
    }
  }
}

TEST(LightTree, KeepsItsTrailsShortWhereLightsCrowd) {
  // Each is a quarter nearer to the corner than the previous one: splits in space would separate
  // one at a time.
  HostScene scene = empty_scene();
  float place = 1e8f;
  for (int i = 0; i < 200; ++i, place *= 0.75f) add_sphere(scene, glm::vec3(place), 0.2f * place);
  for (int i = 0; i < 100; ++i) add_sphere(scene, glm::vec3(-1.0f), 0.5f);  // in one place
  const LitScene<kExtended> lit(scene, LightChoice::kBvh);
  std::set<uint32_t> reached;
  std::vector<std::pair<uint32_t, int>> nodes = {{0, 0}};
  while (!nodes.empty()) {
    const auto [node, depth] = nodes.back();
    nodes.pop_back();
    ASSERT_LE(depth, 32);
    if (lit.table().tree[node].is_leaf()) {
      reached.insert(lit.table().tree[node].index());
    } else {
      nodes.push_back({lit.table().tree[node].index(), depth + 1});
      nodes.push_back({lit.table().tree[node].index() + 1, depth + 1});
    }
  }
  EXPECT_EQ(reached.size(), 300u);
}

TEST(LightTree, ChoosesEachLightWithItsProbability) {
  const LitScene<kExtended> lit(cloud(200), LightChoice::kBvh);
  const simt::Span<const LightNode> tree = lit.lights.tree;
  for (glm::vec3 from : {glm::vec3(0.0f), glm::vec3(6.0f, 1.0f, 0.0f)})
    for (glm::vec3 n : {glm::vec3(0.0f), kUp}) {
      constexpr uint32_t kCount = 100'000;
      std::vector<HistogramBin> bins(200);
      std::vector<float> pmfs(200, 0.0f);
      double none = 0.0;
      for (uint32_t i = 0; i < kCount; ++i) {
        const glm::vec4 u = Sampler{.seed = 4, .sample = i}.sample4(0);
        const ChosenLight chosen = choose_light(tree, from, n, {u.x, u.y});
        if (chosen.pmf == 0.0f) {
          none += 1.0;
          continue;
        }
        bins[chosen.light].observed += 1.0;
        pmfs[chosen.light] = chosen.pmf;
        const float expected = light_choice_pmf(tree, lit.table().local[chosen.light].trail, from);
        ASSERT_NEAR(chosen.mis_pmf / expected, 1.0f, 1e-4f);
        if (n != glm::vec3(0.0f)) continue;
        ASSERT_NEAR(chosen.pmf / chosen.mis_pmf, 1.0f, 1e-4f);
      }
      double total = 0.0;
      for (size_t i = 0; i < bins.size(); ++i) {
        bins[i].expected = double(pmfs[i]) * kCount;
        total += double(pmfs[i]);
      }
      if (none > 0.0) bins.push_back({(1.0 - total) * kCount, none});
      EXPECT_TRUE(fits_density(bins, 4));
    }
}

/// The probabilities of all lights sum to one at every point, or less where some cannot contribute.
TEST(LightTree, ProbabilitiesSumToOne) {
  const LitScene<kExtended> lit(cloud(500), LightChoice::kBvh);
  for (uint32_t i = 0; i < 50; ++i) {
    const glm::vec3 from = 12.0f * glm::vec3(Sampler{.seed = 6, .sample = i}.sample4(0)) - 6.0f;
    double sum = 0.0;
    for (const Light& light : lit.table().local)
      sum += double(light_choice_pmf(lit.lights.tree, light.trail, from));
    EXPECT_NEAR(sum, 1.0, 1e-3);
  }
}

/// No light that shines on a point may be left out, in any node above it.
TEST(LightTree, LeavesNoLightOut) {
  const HostScene scene = cloud(300);
  const LitScene<kExtended> lit(scene, LightChoice::kBvh);
  uint32_t shining = 0;
  for (uint32_t i = 0; i < 20'000; ++i) {
    const Sampler sampler{.seed = 8, .sample = i};
    const glm::vec4 u = sampler.sample4(0), v = sampler.sample4(1);
    const glm::vec3 from = 10.0f * glm::vec3(u) - 5.0f;
    const glm::vec3 n = sample_uniform_sphere({v.x, v.y});
    const Light& light = lit.table().local[i % 300];
    glm::vec2 b(0.0f);
    const LightSample sample = sample_light_point(lit.lights, light, from, {v.z, v.w}, b);
    if (!(sample.pdf > 0.0f) || !(glm::dot(sample.wi, n) > 1e-4f)) continue;
    if (light.kind == LightKind::kTriangle && std::abs(glm::dot(light.n, sample.wi)) < 1e-3f)
      continue;  // seen from its edge
    ++shining;
    uint32_t node = 0;
    for (uint32_t trail = light.trail;; trail >>= 1) {
      const LightImportance importance = light_importance(lit.lights.tree[node], from, n);
      ASSERT_GT(importance.oriented, 0.0f);
      ASSERT_GE(importance.unoriented, importance.oriented);
      if (lit.lights.tree[node].is_leaf()) break;
      node = lit.lights.tree[node].index() + (trail & 1);
    }
  }
  EXPECT_GT(shining, 5000u);
}

}  // namespace
}  // namespace winnow
