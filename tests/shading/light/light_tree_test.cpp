// SPDX-License-Identifier: MIT
#include "shading/light/light_tree.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/shading/light/support/lit_scene.h"
#include "tests/support/chi_square.h"
#include "tests/support/sample_directions.h"

namespace winnow {
namespace {

/// The nodes from the root to the leaf of a light.
std::vector<LightNode> nodes_on_trail(const LitScene<kExtended>& lit, const Light& light) {
  std::vector<LightNode> nodes = {lit.table().tree[0]};
  for (uint32_t trail = light.trail; !nodes.back().is_leaf(); trail >>= 1)
    nodes.push_back(lit.table().tree[nodes.back().index() + (trail & 1)]);
  return nodes;
}

TEST(LightTree, LeadsToEveryLightOnItsShortTrail) {
  // Each is a quarter nearer to the corner than the previous one: splits in space would separate
  // one at a time.
  HostScene crowd = empty_scene();
  float place = 1e8f;
  for (int i = 0; i < 200; ++i, place *= 0.75f) add_sphere(crowd, glm::vec3(place), 0.2f * place);
  for (int i = 0; i < 100; ++i) add_sphere(crowd, glm::vec3(-1.0f), 0.5f);  // in one place
  for (const HostScene& scene :
       {light_cloud(2), light_cloud(3), light_cloud(64), light_cloud(3000), crowd}) {
    const LitScene<kExtended> lit(scene, LightChoice::kBvh);
    const uint32_t count = uint32_t(lit.table().local.size());
    EXPECT_EQ(count, scene.triangles.size() + scene.spheres.size());
    ASSERT_EQ(lit.table().tree.size(), 2 * count - 1);
    for (uint32_t light = 0; light < count; ++light) {
      const std::vector<LightNode> nodes = nodes_on_trail(lit, lit.table().local[light]);
      EXPECT_EQ(nodes.back().index(), light);
      EXPECT_LE(nodes.size(), 1 + 32u);  // a trail has 32 bits
    }
  }
}

TEST(LightTree, ChoosesEachLightWithItsProbability) {
  const LitScene<kExtended> lit(light_cloud(200), LightChoice::kBvh);
  const simt::Span<const LightNode> tree = lit.lights.tree;
  for (glm::vec3 from : {glm::vec3(0.0f), glm::vec3(6.0f, 1.0f, 0.0f)})
    for (glm::vec3 n : {glm::vec3(0.0f), kUp}) {
      constexpr uint32_t kCount = 100'000;
      std::vector<HistogramBin> bins(200);
      double none = 0.0;
      for (uint32_t i = 0; i < kCount; ++i) {
        const glm::vec4 u = Sampler{.seed = 4, .sample = i}.sample4(0);
        const ChosenLight chosen = choose_light(tree, from, n, {u.x, u.y});
        if (chosen.pmf == 0.0f) {
          none += 1.0;
          continue;
        }
        bins[chosen.light].observed += 1.0;
        bins[chosen.light].expected = double(chosen.pmf) * kCount;
        const float expected = light_choice_pmf(tree, lit.table().local[chosen.light].trail, from);
        ASSERT_NEAR(chosen.mis_pmf / expected, 1.0f, 1e-4f);
        if (n != glm::vec3(0.0f)) continue;
        ASSERT_NEAR(chosen.pmf / chosen.mis_pmf, 1.0f, 1e-4f);
      }
      double rest = kCount;
      for (const HistogramBin& bin : bins) rest -= bin.expected;
      if (none > 0.0) bins.push_back({rest, none});
      EXPECT_TRUE(fits_density(bins, 4));
    }
}

/// The probabilities of all lights sum to one at every point, or less where some cannot contribute.
TEST(LightTree, ProbabilitiesSumToOne) {
  const LitScene<kExtended> lit(light_cloud(500), LightChoice::kBvh);
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
  const HostScene scene = light_cloud(300);
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
    for (const LightNode& node : nodes_on_trail(lit, light)) {
      const LightImportance importance = light_importance(node, from, n);
      ASSERT_GT(importance.oriented, 0.0f);
      ASSERT_GE(importance.unoriented, importance.oriented);
    }
  }
  EXPECT_GT(shining, 5000u);
}

}  // namespace
}  // namespace winnow
