// SPDX-License-Identifier: MIT
#include "app/bench/run.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/support/message_of.h"

namespace winnow {
namespace {

/// A renderer with times and stats given by a test, and the clock that it advances.
class ScriptedRenderer : public Renderer {
 public:
  /// Milliseconds of a frame; called once per frame.
  std::function<double(const RenderSettings&)> milliseconds = [](const RenderSettings&) {
    return 1.0;
  };
  std::function<RenderStats(const RenderSettings&)> counts = [](const RenderSettings&) {
    return RenderStats{};
  };
  std::function<float(const RenderSettings&)> pixel = [](const RenderSettings& settings) {
    return settings.roulette ? 1.0f : 2.0f;
  };

  double now = 0.0;                    ///< s
  std::vector<RenderSettings> frames;  ///< rendered so far, without their lead-ins
  RenderStats lead_in;                 ///< counted before a frame

  void restart(const RenderSettings& settings) override {
    settings_ = settings;
    rendered_ = false;
  }
  void render_samples(uint32_t first, uint32_t, RenderControl&) override {
    constexpr double kLeadInSeconds = 1000.0;
    if (first == 0) {
      now += kLeadInSeconds;
      return;
    }
    now += milliseconds(settings_) * 1e-3;
    frames.push_back(settings_);
    rendered_ = true;
  }
  Image film() override {
    return {.width = 1, .height = 1, .pixels = {glm::vec3(rendered_ ? pixel(settings_) : 0.0f)}};
  }
  RenderStats stats() override { return rendered_ ? counts(settings_) : lead_in; }
  void set_camera(const CameraDescription&) override {}
  void choose_pixels(const std::vector<uint32_t>&) override {}
  const RenderSettings& settings() const override { return settings_; }
  void read_pixels(size_t, const FilmTiles&, std::byte*) override {}
  void write_pixels(size_t, const FilmTiles&, const std::byte*) override {}
  std::vector<AliveMask> alive_masks() override { return {}; }
  std::string device_name() const override { return "scripted"; }

 private:
  RenderSettings settings_;
  bool rendered_ = false;
};

/// A plan that uses the clock of the renderer and is never stopped.
BenchPlan scripted_plan(ScriptedRenderer& renderer, uint32_t rounds) {
  return {.settings = {},
          .spp = 1,
          .rounds = rounds,
          .worker_threads = 1,
          .seconds = [&renderer] { return renderer.now; },
          .stop = [] { return false; },
          .report_phase = [](const std::string&) {}};
}

std::vector<BenchConfig> three_culls() {
  return bench_configs({.culls = {Cull::kNone, Cull::kAppend, Cull::kScan},
                        .loops = {Loop::kWave},
                        .roulettes = {true},
                        .regenerates = {false}});
}

TEST(RunMatrix, TimesEachConfigurationOnceARoundAfterAWarmUp) {
  ScriptedRenderer renderer;
  renderer.milliseconds = [&](const RenderSettings& settings) {
    return double(settings.cull) + 1.0 + (renderer.frames.size() < 3 ? 100.0 : 0.0);
  };
  renderer.counts = [](const RenderSettings&) {
    return RenderStats{.host_seconds = 0.002, .bounces = {}};
  };
  std::vector<ConfigRun> runs = run_matrix(renderer, three_culls(), scripted_plan(renderer, 4));
  ASSERT_EQ(runs.size(), 3u);
  for (const ConfigRun& run : runs) {
    double expected = double(run.config.cull) + 1.0;
    EXPECT_THAT(run.frame_milliseconds,
                testing::ElementsAreArray(
                    std::vector<testing::Matcher<double>>(4, testing::DoubleNear(expected, 1e-6))));
    EXPECT_EQ(run.host_milliseconds, std::vector<double>(4, 2.0));
    ASSERT_TRUE(run.measured);
    EXPECT_NEAR(run.measured->milliseconds, expected, 1e-6);
  }
  EXPECT_EQ(renderer.frames.size(), 3u * (1 + 4 + kMeasuredFrames));
}

TEST(RunMatrix, TheLeadInOfAFrameIsNotCounted) {
  ScriptedRenderer renderer;
  renderer.lead_in.paths = 100;
  renderer.lead_in.host_seconds = 1.0;
  renderer.counts = [](const RenderSettings&) {
    RenderStats stats;
    stats.paths = 130;
    stats.host_seconds = 1.5;
    return stats;
  };
  std::vector<ConfigRun> runs = run_matrix(renderer, three_culls(), scripted_plan(renderer, 1));
  EXPECT_NEAR(runs[0].frame_milliseconds[0], 1.0, 1e-6);
  EXPECT_EQ(runs[0].host_milliseconds[0], 500.0);
  EXPECT_EQ(runs[0].measured->stats.paths, 30u);
}

TEST(RunMatrix, InterleavesTheConfigurationsInAnotherOrderEachRound) {
  ScriptedRenderer renderer, again;
  constexpr uint32_t kRounds = 12;
  run_matrix(renderer, three_culls(), scripted_plan(renderer, kRounds));
  run_matrix(again, three_culls(), scripted_plan(again, kRounds));
  std::set<std::vector<Cull>> orders;
  for (uint32_t round = 0; round < kRounds; ++round) {
    std::vector<Cull> order, order_again;
    for (size_t frame = 0; frame < 3; ++frame) {
      order.push_back(renderer.frames[3 + 3 * round + frame].cull);
      order_again.push_back(again.frames[3 + 3 * round + frame].cull);
    }
    EXPECT_EQ(order, order_again);
    EXPECT_THAT(order, testing::UnorderedElementsAre(Cull::kNone, Cull::kAppend, Cull::kScan));
    orders.insert(order);
  }
  EXPECT_GE(orders.size(), 4u);  // there are 6 possible orders
}

TEST(RunMatrix, MeasuresStagesOnlyInTheLastFrames) {
  ScriptedRenderer renderer;
  run_matrix(renderer, three_culls(), scripted_plan(renderer, 2));
  for (size_t frame = 0; frame < renderer.frames.size(); ++frame)
    EXPECT_EQ(renderer.frames[frame].measure_stages, frame >= 9) << frame;
}

TEST(RunMatrix, KeepsTheMeasuredFrameWithTheMedianTime) {
  ScriptedRenderer renderer;
  renderer.milliseconds = [&](const RenderSettings&) {
    constexpr double kTimes[] = {1.0, 1.0, 5.0, 9.0, 7.0};  // warm-up, round, measured frames
    return kTimes[renderer.frames.size()];
  };
  renderer.counts = [&](const RenderSettings&) {
    RenderStats stats;
    stats.paths = renderer.frames.size();
    return stats;
  };
  std::vector<BenchConfig> one = {three_culls().front()};
  std::vector<ConfigRun> runs = run_matrix(renderer, one, scripted_plan(renderer, 1));
  EXPECT_NEAR(runs[0].measured->milliseconds, 7.0, 1e-6);
  EXPECT_EQ(runs[0].measured->stats.paths, 5u);  // frame 5 took the median time
}

TEST(RunMatrix, StageTimesAreDividedByTheThreads) {
  ScriptedRenderer renderer;
  renderer.counts = [](const RenderSettings&) {
    RenderStats stats;
    stats.bounces.resize(1);
    stats.bounces[0].milliseconds[size_t(Stage::kShade)] = 12.0;
    return stats;
  };
  BenchPlan plan = scripted_plan(renderer, 1);
  plan.worker_threads = 4;
  std::vector<ConfigRun> runs = run_matrix(renderer, three_culls(), plan);
  EXPECT_EQ(runs[0].measured->stats.bounces[0].milliseconds[size_t(Stage::kShade)], 3.0);
}

TEST(RunMatrix, FilmsThatDifferAreAnErrorThatNamesBoth) {
  ScriptedRenderer renderer;
  renderer.pixel = [](const RenderSettings& settings) {
    return settings.cull == Cull::kScan ? 0.5f : 1.0f;
  };
  EXPECT_THAT(message_of([&] { run_matrix(renderer, three_culls(), scripted_plan(renderer, 2)); }),
              testing::AllOf(testing::HasSubstr("wave + scan"), testing::HasSubstr("wave + none"),
                             testing::HasSubstr("with roulette"), testing::HasSubstr("differ")));
}

TEST(RunMatrix, AFilmThatDiffersBeforeOrAfterTheTimedRoundsIsFound) {
  for (size_t frame : {3, 12}) {  // there are 3 frames before, 6 timed ones and 9 after
    ScriptedRenderer renderer;
    renderer.pixel = [&](const RenderSettings&) {
      return renderer.frames.size() == frame ? 0.5f : 1.0f;
    };
    EXPECT_THROW(run_matrix(renderer, three_culls(), scripted_plan(renderer, 2)), Error) << frame;
  }
}

TEST(RunMatrix, FilmsMayDifferBetweenRouletteSettings) {
  ScriptedRenderer renderer;
  std::vector<ConfigRun> runs =
      run_matrix(renderer, bench_configs({.culls = {Cull::kNone}}), scripted_plan(renderer, 1));
  EXPECT_EQ(runs.size(), 6u);
  EXPECT_EQ(runs[0].film_hash, runs[1].film_hash);
  EXPECT_NE(runs[0].film_hash, runs[3].film_hash);
}

TEST(RunMatrix, StoppedItKeepsTheCompleteRounds) {
  for (size_t frames : {0, 2, 3, 8, 9, 11, 14, 20, 21}) {
    ScriptedRenderer renderer;
    BenchPlan plan = scripted_plan(renderer, 3);
    plan.stop = [&] { return renderer.frames.size() >= frames; };
    std::vector<ConfigRun> runs = run_matrix(renderer, three_culls(), plan);
    EXPECT_EQ(renderer.frames.size(), frames);
    for (const ConfigRun& run : runs)
      EXPECT_EQ(run.frame_milliseconds.size(),
                frames < 3 ? 0 : std::min<size_t>(frames / 3 - 1, 3));
    EXPECT_EQ(runs[2].measured.has_value(), frames == 21);  // 1 + 3 + 3 frames of each
  }
}

/// Statistics in which each field has another number, times `factor`.
RenderStats counted(uint64_t factor) {
  RenderStats stats;
  stats.paths = 3 * factor;
  stats.waves = 5 * factor;
  stats.host_seconds = 0.5 * double(factor);
  stats.bounces.resize(2);
  for (uint64_t b = 0; b < 2; ++b) {
    BounceStats& bounce = stats.bounces[b];
    uint64_t number = 100 * b;
    for (const auto& [name, count] : kBounceCounts) bounce.*count = factor * ++number;
    for (uint64_t& terminations : bounce.terminations) terminations = factor * ++number;
    for (double& ms : bounce.milliseconds) ms = 0.25 * double(factor * ++number);
  }
  return stats;
}

TEST(StatsSince, SubtractsEveryField) {
  EXPECT_EQ(stats_since(counted(2), counted(7)), counted(5));
  EXPECT_EQ(stats_since(RenderStats{}, counted(7)), counted(7));
}

}  // namespace
}  // namespace winnow
