// SPDX-License-Identifier: MIT
#include "app/render/render_passes.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <stdexcept>
#include <thread>

namespace winnow {
namespace {

/// Counts its passes and paths, and advances a clock by a fixed time for each path.
class FakeRenderer : public Renderer {
 public:
  explicit FakeRenderer(double seconds_per_path, uint32_t pixel_count = 1)
      : seconds_per_path_(seconds_per_path), pixel_count_(pixel_count) {}

  void render_samples(uint32_t first, uint32_t count, RenderControl& control) override {
    EXPECT_EQ(first, end_);
    for (uint32_t path = 0; path < count * pixel_count_ && !control.stop; ++path) {
      if (path_count_ == interrupt_at_) {
        std::raise(SIGINT);
        while (!control.stop) std::this_thread::yield();
        return;
      }
      if (path_count_ == wait_at_) wait_until_the_clock_is_read_twice();
      advance_clock(seconds_per_path_);
      ++control.paths_done;
      ++path_count_;
    }
    end_ = path_count_ / pixel_count_;
    passes_.push_back(count);
  }
  PassPaths pass_paths() const override { return pass_paths_; }
  Image film() override { return {}; }
  RenderStats stats() override { return {}; }
  void restart(const RenderSettings&) override {}
  void set_camera(const CameraDescription&) override {}
  void choose_pixels(const std::vector<uint32_t>&) override {}
  const RenderSettings& settings() const override { return settings_; }
  void read_pixels(size_t, const FilmTiles&, std::byte*) override {}
  void write_pixels(size_t, const FilmTiles&, const std::byte*) override {}
  std::vector<AliveMask> alive_masks() override { return {}; }
  std::string device_name() const override { return "fake"; }
  std::vector<uint32_t> sample_counts() override {
    return std::vector<uint32_t>(pixel_count_, end_);
  }

  /// The time that has passed; read by the thread that watches the time limit, too.
  double seconds() {
    ++clock_reads_;
    return seconds_;
  }
  void advance_clock(double seconds) { seconds_ = seconds_ + seconds; }

  double seconds_per_path_;
  const uint32_t pixel_count_;
  PassPaths pass_paths_ = {};
  uint32_t end_ = 0, path_count_ = 0;
  std::vector<uint32_t> passes_;        ///< samples of each pass
  uint32_t interrupt_at_ = UINT32_MAX;  ///< path at which a signal arrives
  uint32_t wait_at_ = UINT32_MAX;       ///< path at which the watching thread catches up

 private:
  void wait_until_the_clock_is_read_twice() const {
    const uint32_t before = clock_reads_;
    while (clock_reads_ < before + 2) std::this_thread::yield();
  }

  RenderSettings settings_;
  std::atomic<double> seconds_ = 0.0;
  std::atomic<uint32_t> clock_reads_ = 0;
};

class RenderPasses : public testing::Test {
 protected:
  double render(FakeRenderer& renderer, const RenderGoal& goal) {
    Interrupt interrupt;
    ProgressPrinter printer(ProgressPrinter::Style::kSilent);
    PassPlan plan;
    double seconds =
        render_passes(renderer, goal, interrupt, printer, plan, [&] { return renderer.seconds(); });
    interrupted_ = interrupt.requested();
    return seconds;
  }

  static constexpr double kSavingSeconds = 2.0;  ///< duration of a checkpoint by the clock

  /// Renders 4096 samples of 1 s each with a checkpoint that is due every second. Returns the
  /// seconds from the end of each checkpoint to the next one.
  static std::vector<double> seconds_between_checkpoints(bool keeps_interval) {
    FakeRenderer renderer(1.0);
    PassPlan plan{.checkpoint_interval = 1.0, .keeps_interval = keeps_interval};
    std::vector<double> result;
    double last_end = 0.0;
    plan.checkpoint = [&](const NoiseState&, double seconds) {
      if (last_end > 0.0) result.push_back(seconds - last_end);
      renderer.advance_clock(kSavingSeconds);
      last_end = seconds + kSavingSeconds;
    };
    const Interrupt interrupt;
    ProgressPrinter printer(ProgressPrinter::Style::kSilent);
    render_passes(renderer, {.pixel_count = 1, .spp = 4096}, interrupt, printer, plan,
                  [&] { return renderer.seconds(); });
    EXPECT_EQ(renderer.path_count_, 4096u);
    return result;
  }

  bool interrupted_ = false;
};

TEST(PassSize, DoublesUntilAPassIsLongEnough) {
  const RenderGoal goal{.pixel_count = 1'000'000, .spp = 1000};
  const PassPaths paths{.least = 1, .most = 16'000'000};
  EXPECT_EQ(pass_size(0, goal, paths), 1u);
  EXPECT_EQ(pass_size(1, goal, paths), 1u);
  EXPECT_EQ(pass_size(2, goal, paths), 2u);
  EXPECT_EQ(pass_size(4, goal, paths), 4u);
  EXPECT_EQ(pass_size(8, goal, paths), 8u);
  EXPECT_EQ(pass_size(64, goal, paths), 16u);
  EXPECT_EQ(pass_size(998, goal, paths), 2u);
}

TEST(PassSize, KeepsADeviceBusy) {
  const RenderGoal goal{.pixel_count = 1'000'000, .spp = 1000};
  const PassPaths paths{.least = 8'000'000, .most = 20'000'000};
  EXPECT_EQ(pass_size(0, goal, paths), 8u);
  EXPECT_EQ(pass_size(8, goal, paths), 8u);
  EXPECT_EQ(pass_size(16, goal, paths), 16u);
  EXPECT_EQ(pass_size(32, goal, paths), 20u);
}

TEST(PassSize, IsThatOfTheFirstPassAtLeast) {
  const RenderGoal goal{.pixel_count = 1'000'000, .spp = 64, .least_pass = 64};
  EXPECT_EQ(pass_size(0, goal, {.least = 1, .most = 100'000'000}), 64u);
  EXPECT_EQ(pass_size(0, goal, {.least = 1, .most = 16'000'000}), 16u);
}

TEST(PassSize, IsOneSampleOfTheLargestFilm) {
  const RenderGoal goal{.pixel_count = uint64_t(32768) * 32768, .spp = 4};
  EXPECT_EQ(pass_size(3, goal, {}), 1u);
}

TEST_F(RenderPasses, BeginWithOneSampleWhereTheTimeIsLimited) {
  for (const std::optional<double> limit : {std::optional<double>(), std::optional(1000.0)}) {
    FakeRenderer renderer(1.0);
    renderer.pass_paths_ = {.least = 16, .most = 16};
    render(renderer, {.pixel_count = 1, .spp = 20, .time_limit = limit});
    EXPECT_EQ(renderer.passes_,
              limit ? (std::vector<uint32_t>{1, 16, 3}) : (std::vector<uint32_t>{16, 4}));
  }
}

TEST_F(RenderPasses, RenderEverySampleOnce) {
  for (uint32_t spp : {1u, 2u, 3u, 7u, 64u, 1000u}) {
    FakeRenderer renderer(0.0);
    render(renderer, {.pixel_count = 1, .spp = spp});
    EXPECT_EQ(renderer.path_count_, spp);
    EXPECT_LE(renderer.passes_.size(), 11u);
    EXPECT_FALSE(interrupted_);
  }
}

TEST(FittingSize, IsWhatTheTimeLeftHoldsAtTheSpeedSoFar) {
  // 100 samples a second.
  EXPECT_EQ(fitting_size(64, 128, 1.28, 10.0), 64u);
  EXPECT_EQ(fitting_size(64, 128, 1.28, 1.335), 5u);
  EXPECT_EQ(fitting_size(64, 128, 1.28, 1.285), 0u);
  EXPECT_EQ(fitting_size(64, 128, 1.28, 1.0), 0u);
}

TEST(ShownSize, IsWhatTakesLessThanASecondOrFourSamplesInTwo) {
  EXPECT_EQ(shown_size(18, 32, 0.0125), 18u);  // 0.4 ms a sample: the whole pass
  EXPECT_EQ(shown_size(64, 32, 1.0), 25u);     // 31 ms
  EXPECT_EQ(shown_size(64, 32, 8.0), 4u);      // 0.25 s
  EXPECT_EQ(shown_size(2, 32, 8.0), 2u);
  EXPECT_EQ(shown_size(64, 32, 24.0), 2u);  // 0.75 s
  EXPECT_EQ(shown_size(64, 32, 96.0), 1u);  // 3 s
  EXPECT_EQ(shown_size(0, 32, 96.0), 0u);   // the time limit is reached
}

TEST_F(RenderPasses, EndWithTheTimeLimit) {
  constexpr double kSecondsPerPath = 0x1p-8, kLimit = 0.5;  // exact: 128 paths
  FakeRenderer renderer(kSecondsPerPath);
  EXPECT_EQ(render(renderer, {.pixel_count = 1, .spp = kUnlimitedSpp, .time_limit = kLimit}),
            kLimit);
  EXPECT_EQ(renderer.path_count_, 128u);
}

TEST_F(RenderPasses, StopAPassThatIsSlowerThanItsPredecessors) {
  struct Slowing : FakeRenderer {
    using FakeRenderer::FakeRenderer;
    void render_samples(uint32_t first, uint32_t count, RenderControl& control) override {
      if (first == 4) {
        EXPECT_EQ(count, 4u);
        seconds_per_path_ = 1000.0;
        wait_at_ = 5;  // path 4 has used up the time
      }
      FakeRenderer::render_samples(first, count, control);
    }
  } renderer(1.0);
  render(renderer, {.pixel_count = 1, .spp = 8, .time_limit = 100.0});
  EXPECT_GE(renderer.path_count_, 5u);
  EXPECT_LE(renderer.path_count_, 6u);
}

TEST_F(RenderPasses, FinishTheFirstSampleWhateverTheTimeLimit) {
  FakeRenderer renderer(0.02, 10);
  renderer.wait_at_ = 5;
  render(renderer, {.pixel_count = 10, .spp = 100, .time_limit = 0.001});
  EXPECT_EQ(renderer.path_count_, 10u);
}

TEST_F(RenderPasses, EndSoonAfterAnInterruptEvenWithinAPass) {
  FakeRenderer renderer(0.0);
  renderer.interrupt_at_ = 3000;
  render(renderer, {.pixel_count = 1, .spp = 100'000});
  EXPECT_TRUE(interrupted_);
  EXPECT_EQ(renderer.path_count_, 3000u);  // the pass would end at 4096
}

// Passes of 1, 1, 2, 4, ... samples can end with a checkpoint; the second thread may add some more.
TEST_F(RenderPasses, TakeAtMostAHundredthOfTheTimeForCheckpoints) {
  const std::vector<double> between = seconds_between_checkpoints(false);
  EXPECT_GE(between.size(), 5u);  // after 1, 256, 512, ... samples
  for (const double seconds : between) EXPECT_GE(seconds, 99.0 * kSavingSeconds);
}

TEST_F(RenderPasses, TakeAtMostHalfOfTheTimeForCheckpointsHoweverOftenTheUserWantsThem) {
  const std::vector<double> between = seconds_between_checkpoints(true);
  EXPECT_GE(between.size(), 11u);  // after 1, 4, 8, ... samples
  for (const double seconds : between) EXPECT_GE(seconds, kSavingSeconds);
}

TEST_F(RenderPasses, LetAnErrorThrough) {
  struct Failing : FakeRenderer {
    using FakeRenderer::FakeRenderer;
    void render_samples(uint32_t, uint32_t, RenderControl&) override {
      throw std::runtime_error("device lost");
    }
  } renderer(0.0);
  EXPECT_THROW(render(renderer, {.pixel_count = 1, .spp = 4}), std::runtime_error);
}

}  // namespace
}  // namespace winnow
