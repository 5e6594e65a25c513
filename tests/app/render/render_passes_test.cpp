#include "app/render/render_passes.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

namespace winnow {
namespace {

/// Notes its passes, and takes some time for each path.
class FakeRenderer : public Renderer {
 public:
  explicit FakeRenderer(double seconds_per_path, uint32_t pixel_count = 1)
      : seconds_per_path_(seconds_per_path), pixel_count_(pixel_count) {}

  void render_samples(uint32_t first, uint32_t count, RenderControl& control) override {
    EXPECT_EQ(first, end_);
    for (uint32_t path = 0; path < count * pixel_count_ && !control.stop; ++path) {
      if (path_count_ == interrupt_at_) {
        std::raise(SIGINT);
        seconds_per_path_ = 0.01;
      }
      if (seconds_per_path_ > 0.0)
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds_per_path_));
      ++control.paths_done;
      ++path_count_;
    }
    end_ = first + count;
    ++pass_count_;
  }
  Image film() override { return {}; }
  RenderStats stats() override { return {}; }
  void restart(const RenderSettings&) override {}
  void choose_pixels(const std::vector<uint32_t>&) override {}
  HostFilm host_film() override { return {}; }
  std::vector<AliveMask> alive_masks() override { return {}; }
  std::string device_name() const override { return "fake"; }

  double seconds_per_path_;
  uint32_t pixel_count_;
  uint32_t end_ = 0, path_count_ = 0, pass_count_ = 0;
  uint32_t interrupt_at_ = UINT32_MAX;
};

class RenderPasses : public testing::Test {
 protected:
  double render(FakeRenderer& renderer, const RenderGoal& goal) {
    Interrupt interrupt;
    ProgressPrinter printer(ProgressPrinter::Style::kSilent);
    double seconds = render_passes(renderer, goal, interrupt, printer);
    interrupted_ = interrupt.requested();
    return seconds;
  }
  bool interrupted_ = false;
};

TEST(PassSize, DoublesUntilAPassIsLongEnough) {
  RenderGoal goal{.pixel_count = 1'000'000, .spp = 1000};
  EXPECT_EQ(pass_size(0, goal), 1u);
  EXPECT_EQ(pass_size(1, goal), 1u);
  EXPECT_EQ(pass_size(2, goal), 2u);
  EXPECT_EQ(pass_size(4, goal), 4u);
  EXPECT_EQ(pass_size(8, goal), 8u);
  EXPECT_EQ(pass_size(64, goal), 16u);
  EXPECT_EQ(pass_size(998, goal), 2u);
}

TEST(PassSize, IsOneSampleOfTheLargestFilm) {
  RenderGoal goal{.pixel_count = uint64_t(32768) * 32768, .spp = 4};
  EXPECT_EQ(pass_size(3, goal), 1u);
}

TEST_F(RenderPasses, RenderEverySampleOnce) {
  for (uint32_t spp : {1u, 2u, 3u, 7u, 64u, 1000u}) {
    FakeRenderer renderer(0.0);
    render(renderer, {.pixel_count = 1, .spp = spp});
    EXPECT_EQ(renderer.path_count_, spp);
    EXPECT_LE(renderer.pass_count_, 11u);
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

TEST_F(RenderPasses, EndWithTheTimeLimit) {
  FakeRenderer renderer(0.005);
  double seconds = render(renderer, {.pixel_count = 1, .spp = kUnlimitedSpp, .time_limit = 0.5});
  EXPECT_GT(renderer.path_count_, 20u);
  EXPECT_LT(seconds, 10.0);  // it ends; how soon is up to the load
}

TEST_F(RenderPasses, FinishTheFirstSampleWhateverTheTimeLimit) {
  FakeRenderer renderer(0.02, 10);
  render(renderer, {.pixel_count = 10, .spp = 100, .time_limit = 0.001});
  EXPECT_EQ(renderer.path_count_, 10u);
}

TEST_F(RenderPasses, EndSoonAfterAnInterruptEvenWithinAPass) {
  FakeRenderer renderer(0.0);
  renderer.interrupt_at_ = 3000;
  render(renderer, {.pixel_count = 1, .spp = 100'000});
  EXPECT_TRUE(interrupted_);
  EXPECT_GE(renderer.path_count_, 3000u);
  EXPECT_LT(renderer.path_count_, 3500u);  // the pass would go on to 4096
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
