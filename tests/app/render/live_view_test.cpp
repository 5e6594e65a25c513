// SPDX-License-Identifier: MIT
#include "app/render/live_view.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>

#include "image/compare.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

constexpr uint32_t kViewWidth = 70, kViewHeight = 50;

/// Keeps frames, and has viewers who do what a test wants at some frame.
class FakeDisplay : public Display {
 public:
  void begin(ShownRender) override {}
  std::vector<FilmArray> wanted_arrays() override { return wanted; }
  void show(std::shared_ptr<const DisplayFrame> frame) override {
    frames.push_back(frame);
    if (on_frame) on_frame();
  }
  void say(const std::string& text) override { said.push_back(text); }
  bool has_camera() const override { return has_new_camera; }
  std::optional<CameraDescription> take_camera() override {
    has_new_camera = false;
    return camera;
  }
  bool take_save() override { return std::exchange(wants_save, false); }
  bool is_watched() const override { return watched; }

  void move_to(const CameraDescription& place) {
    camera = place;
    has_new_camera = true;
  }

  std::vector<FilmArray> wanted = {FilmArray::kSum, FilmArray::kSamples};
  std::vector<std::shared_ptr<const DisplayFrame>> frames;
  std::vector<std::string> said;
  std::function<void()> on_frame;
  std::atomic<bool> has_new_camera{false};
  CameraDescription camera;
  bool wants_save = false, watched = false;
};

class LiveViews : public testing::Test {
 protected:
  LiveViews() {
    other_camera_ = scene_.camera;
    other_camera_.position += glm::vec3(0.3f, 0.2f, 0.1f);
  }

  static RenderGoal goal(uint32_t spp) {
    return {.pixel_count = kViewWidth * kViewHeight, .spp = spp};
  }

  void render(uint32_t spp) {
    renderer_ = make_cpu_renderer(scene_, settings_);
    LiveView view(display_, *renderer_, scene_.camera, [&](double) {
      saved_.push_back(image_hash(renderer_->film()));
      return "saved";
    });
    PassPlan plan{.tiles = make_film_tiles(kViewWidth, kViewHeight, true), .view = &view};
    const Interrupt interrupt;
    ProgressPrinter printer(ProgressPrinter::Style::kSilent);
    render_passes(*renderer_, goal(spp), interrupt, printer, plan);
  }

  /// The film of a render without a display.
  std::string expected_hash(uint32_t spp, const CameraDescription& camera) const {
    HostScene scene = scene_;
    scene.camera = camera;
    std::unique_ptr<Renderer> renderer = make_cpu_renderer(scene, settings_);
    RenderControl control;
    renderer->render_samples(0, spp, control);
    return image_hash(renderer->film());
  }

  HostScene scene_ = mixed_scene();
  CameraDescription other_camera_;
  RenderSettings settings_{.width = kViewWidth, .height = kViewHeight, .max_bounces = 4};
  FakeDisplay display_;
  std::unique_ptr<Renderer> renderer_;
  std::vector<std::string> saved_;
};

TEST_F(LiveViews, ShowTheFilmWhileItRendersAndLeaveItAsItIs) {
  render(40);
  ASSERT_GE(display_.frames.size(), 2u);
  EXPECT_EQ(display_.frames.front()->film.samples[0], 1u);
  const DisplayFrame& last = *display_.frames.back();
  EXPECT_TRUE(last.is_final);
  EXPECT_EQ(last.film.samples[0], 40u);
  EXPECT_EQ(image_hash(mean_radiance(last.film)), expected_hash(40, scene_.camera));
  EXPECT_EQ(image_hash(renderer_->film()), expected_hash(40, scene_.camera));
  EXPECT_EQ(last.stats.paths, 40u * kViewWidth * kViewHeight);
  EXPECT_TRUE(saved_.empty());  // the program writes the images when it ends
}

TEST_F(LiveViews, CostNothingWhileNobodyLooks) {
  display_.wanted = {};
  render(8);
  EXPECT_TRUE(display_.frames.empty());
}

TEST_F(LiveViews, BeginAgainFromANewCamera) {
  display_.on_frame = [&] {
    if (display_.frames.size() == 2) display_.move_to(other_camera_);
  };
  render(200);
  EXPECT_EQ(image_hash(renderer_->film()), expected_hash(200, other_camera_));
  EXPECT_EQ(display_.frames.back()->view, 1u);
  EXPECT_EQ(display_.frames.back()->camera.position, other_camera_.position);
  EXPECT_EQ(renderer_->stats().paths, 200u * kViewWidth * kViewHeight);
}

TEST_F(LiveViews, StayWhileTheyAreWatchedAndSaveFirst) {
  display_.watched = true;
  display_.on_frame = [&] {
    const DisplayFrame& frame = *display_.frames.back();
    if (!frame.is_final) return;
    if (frame.view == 0) display_.move_to(other_camera_);
    if (frame.view == 1) display_.watched = false;
  };
  render(6);
  EXPECT_EQ(display_.frames.back()->view, 1u);
  EXPECT_EQ(image_hash(renderer_->film()), expected_hash(6, other_camera_));
}

TEST_F(LiveViews, SaveWhatThereIsWhenAViewerAsks) {
  display_.on_frame = [&] { display_.wants_save = display_.frames.size() == 1; };
  render(40);
  ASSERT_EQ(saved_.size(), 1u);
  EXPECT_NE(saved_.front(), expected_hash(40, scene_.camera));
  EXPECT_THAT(display_.said, testing::ElementsAre("saved"));
}

TEST_F(LiveViews, EndByASignalAsARenderDoes) {
  display_.watched = true;
  display_.on_frame = [&] {
    if (display_.frames.size() == 2) std::raise(SIGINT);
  };
  render(kUnlimitedSpp);
  EXPECT_TRUE(display_.frames.back()->is_final);
  EXPECT_LT(renderer_->stats().paths, uint64_t(kUnlimitedSpp));
}

TEST_F(LiveViews, ShowAnArrayThatAViewerHasJustChosen) {
  settings_.keep_first_hits = true;
  display_.on_frame = [&] {
    if (display_.frames.size() == 1) display_.wanted.push_back(FilmArray::kAlbedo);
  };
  render(2);
  EXPECT_EQ(display_.frames.back()->film.albedo.size(), kViewWidth * kViewHeight);
}

/// Reading this film takes 5 ms by the clock of the test, and a pass of one sample 50 ms.
TEST_F(LiveViews, TakeAtMostAHundredthOfTheTimeOnceTheFirstFramesAreMadeUpFor) {
  double now = 0.0, last_frame = 0.0, longest_wait = 0.0;
  renderer_ = make_cpu_renderer(scene_, settings_);
  LiveView view(display_, *renderer_, scene_.camera, nullptr, [&] { return now += 0.005; });
  for (size_t frames = 0; now < 30.0;) {
    now += 0.05;
    view.after_pass({});
    if (display_.frames.size() == frames) continue;
    frames = display_.frames.size();
    longest_wait = std::max(longest_wait, now - last_frame);
    last_frame = now;
    if (frames == 5) {
      EXPECT_LT(now, 1.0);
    }
  }
  const double reading = 0.005 * double(display_.frames.size());
  EXPECT_LT(reading, 0.0101 * now);
  EXPECT_GT(reading, 0.008 * now);
  EXPECT_LT(longest_wait, 2.2);
}

TEST(Pictures, AreTheRadianceAndWhatTheFilmHasRecorded) {
  auto names = [](const FilmFeatures& features) {
    std::vector<std::string> result;
    for (const Picture& picture : pictures_of(features)) result.push_back(picture.name);
    return result;
  };
  EXPECT_THAT(names({}), testing::ElementsAre("radiance", "samples"));
  EXPECT_THAT(names({.squares = true, .first_hits = true, .deaths = true}),
              testing::ElementsAre("radiance", "albedo", "normal", "depth", "position", "ids",
                                   "variance", "samples", "bounces", "deaths"));
}

}  // namespace
}  // namespace winnow
