// SPDX-License-Identifier: MIT
// Tests passes that continue a film, and passes that checkpoints end.

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>

#include "app/render/render_passes.h"
#include "tests/film/support/film_in_memory.h"
#include "tests/film/support/random_film.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

constexpr uint32_t kPassesWidth = 70, kPassesHeight = 50;

class ContinuedPasses : public testing::Test {
 protected:
  ContinuedPasses() { settings_.keep_squares = true; }

  std::unique_ptr<Renderer> make() const { return make_cpu_renderer(scene_, settings_); }

  static void render(Renderer& renderer, const RenderGoal& goal, PassPlan& plan) {
    const Interrupt interrupt;
    ProgressPrinter printer(ProgressPrinter::Style::kSilent);
    render_passes(renderer, goal, interrupt, printer, plan);
  }

  static PassPlan whole() { return {.tiles = make_film_tiles(kPassesWidth, kPassesHeight, true)}; }

  static RenderGoal goal(uint32_t spp, std::optional<double> noise = {}) {
    return {.pixel_count = kPassesWidth * kPassesHeight, .spp = spp, .noise = noise};
  }

  HostFilm rendered(const RenderGoal& goal) const {
    std::unique_ptr<Renderer> renderer = make();
    PassPlan plan = whole();
    render(*renderer, goal, plan);
    return renderer->host_film();
  }

  static constexpr int kWhenTilesHaveEnded = -1;  ///< instead of a number of checkpoints

  /// Renders with the goal until the n-th checkpoint, where a signal arrives, and goes on in
  /// another renderer from the film that is left then.
  HostFilm rendered_in_two_parts(const RenderGoal& goal, int n) {
    std::unique_ptr<Renderer> renderer = make();
    PassPlan plan = whole();
    plan.checkpoint_interval = 0.001;
    plan.keeps_interval = true;
    plan.checkpoint = [&](const NoiseState& noise, double) {
      const auto active = size_t(std::count(noise.active.begin(), noise.active.end(), 1));
      const bool some_have_ended = active > 0 && active < noise.active.size();
      if (n == kWhenTilesHaveEnded ? some_have_ended : --n == 0) std::raise(SIGINT);
      had_ended_tiles_ |= n == kWhenTilesHaveEnded && some_have_ended;
    };
    render(*renderer, goal, plan);
    PassPlan next = whole();
    next.samples = renderer->host_film().samples;
    next.noise = plan.noise;
    std::unique_ptr<Renderer> other = make();
    other->continue_from(renderer->host_film());
    render(*other, goal, next);
    return other->host_film();
  }

  HostScene scene_ = mixed_scene();
  bool had_ended_tiles_ = false;  ///< a render was interrupted after some tiles had ended
  RenderSettings settings_{.width = kPassesWidth, .height = kPassesHeight, .max_bounces = 4};
};

TEST_F(ContinuedPasses, GiveEveryPixelWhatItLacks) {
  const HostFilm expected = rendered(goal(20));
  // 13 samples on the left, 5 on the right, none below.
  std::unique_ptr<Renderer> renderer = make();
  RenderControl control;
  std::vector<uint32_t> left, right;
  for (uint32_t pixel = 0; pixel < kPassesWidth * 30; ++pixel)
    (pixel % kPassesWidth < 20 ? left : right).push_back(pixel);
  renderer->choose_pixels(left);
  renderer->render_samples(0, 13, control);
  renderer->choose_pixels(right);
  renderer->render_samples(0, 5, control);

  std::unique_ptr<Renderer> other = make();
  other->continue_from(renderer->host_film());
  PassPlan plan = whole();
  plan.samples = renderer->host_film().samples;
  render(*other, goal(20), plan);
  EXPECT_TRUE(have_same_bits(other->host_film(), expected));
}

TEST_F(ContinuedPasses, RenderTheTilesOfAShareAlone) {
  const HostFilm expected = rendered(goal(6));
  HostFilm joined = make_host_film(kPassesWidth, kPassesHeight, settings_.film_features());
  for (uint32_t index : {1u, 2u, 0u}) {
    std::unique_ptr<Renderer> renderer = make();
    PassPlan plan = {.tiles = tiles_of_share(kPassesWidth, kPassesHeight, {index, 3})};
    RenderGoal share_goal = goal(6);
    share_goal.pixel_count = plan.tiles.pixel_count();
    render(*renderer, share_goal, plan);
    const HostFilm film = renderer->host_film();
    EXPECT_EQ(renderer->stats().paths, share_goal.pixel_count * 6);
    for (uint32_t pixel = 0; pixel < film.samples.size(); ++pixel)
      ASSERT_EQ(film.samples[pixel], plan.tiles.holds(pixel) ? 6u : 0u);
    place_pixels(pack_pixels(film, plan.tiles, settings_.film_features()), plan.tiles,
                 settings_.film_features(), joined);
  }
  EXPECT_TRUE(have_same_bits(joined, expected));
}

TEST_F(ContinuedPasses, SaveInAPassThatIsLongerThanTheInterval) {
  // One pass of a second or so, in which several checkpoints are due.
  const HostFilm expected = rendered(goal(150));
  std::unique_ptr<Renderer> renderer = make();
  PassPlan plan = whole();
  plan.checkpoint_interval = 0.02;
  plan.keeps_interval = true;
  int saved = 0;
  plan.checkpoint = [&](const NoiseState&, double) { ++saved; };
  render(*renderer, goal(150), plan);
  EXPECT_GE(saved, 2);
  EXPECT_TRUE(have_same_bits(renderer->host_film(), expected));
}

TEST_F(ContinuedPasses, EndAtTheBitsOfASingleRenderWhereverTheyWereInterrupted) {
  const HostFilm expected = rendered(goal(64));
  for (int n : {1, 2, 3, 5})
    EXPECT_TRUE(have_same_bits(rendered_in_two_parts(goal(64), n), expected)) << n;
}

TEST_F(ContinuedPasses, EndAtTheNoiseLimitWithTheBitsOfASingleRender) {
  const HostFilm expected = rendered(goal(200, 0.08));
  EXPECT_NE(expected.samples, std::vector<uint32_t>(expected.samples.size(), 200));
  for (int n : {kWhenTilesHaveEnded, 1, 8, 12})
    EXPECT_TRUE(have_same_bits(rendered_in_two_parts(goal(200, 0.08), n), expected)) << n;
  EXPECT_TRUE(had_ended_tiles_);
}

TEST_F(ContinuedPasses, JudgeNoNoiseBeforeEveryPixelHasItsSamples) {
  // Passes become longer until a checkpoint ends one of them, and a signal arrives meanwhile.
  std::unique_ptr<Renderer> renderer = make();
  PassPlan plan = whole();
  plan.checkpoint_interval = 0.001;
  plan.keeps_interval = true;
  uint32_t interrupted_at = 0;
  plan.checkpoint = [&](const NoiseState&, double) {
    const std::vector<uint32_t> counts = renderer->sample_counts();
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    if (*least == *most || *most != next_judgement(*most - 1)) return;
    interrupted_at = *most;
    std::raise(SIGINT);
  };
  render(*renderer, goal(kUnlimitedSpp, 1e-6), plan);
  EXPECT_GT(interrupted_at, 0u);
  EXPECT_LT(plan.noise.judged, interrupted_at);
}

TEST_F(ContinuedPasses, OfATileThatHasEndedAddNothing) {
  std::unique_ptr<Renderer> renderer = make();
  PassPlan plan = whole();
  plan.noise.active.assign(plan.tiles.present.size(), 0);
  plan.noise.judged = 32;
  render(*renderer, goal(200, 0.08), plan);
  EXPECT_EQ(renderer->stats().paths, 0u);
}

}  // namespace
}  // namespace winnow
