// SPDX-License-Identifier: MIT
#include "app/render/live_view.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <set>
#include <thread>

#include "image/compare.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

constexpr uint32_t kViewWidth = 70, kViewHeight = 50;

/// Keeps frames, and calls a function of the test at each.
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
  double busy_seconds() const override { return busy; }

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
  double busy = 0.0;  // s
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
  constexpr uint32_t kSpp = 320;  // more than two passes: the save is before the third
  render(kSpp);
  ASSERT_EQ(saved_.size(), 1u);
  EXPECT_NE(saved_.front(), expected_hash(kSpp, scene_.camera));
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

/// Measures the cost of frames that each take the same time by the clock of the test.
class CostOfLiveViews : public LiveViews {
 protected:
  struct Frames {
    std::vector<double> times;  ///< s, when each frame was shown
    double longest_wait = 0.0;  ///< s, between two of them

    /// The share of the first `seconds` that frames of `cost` s took.
    double share(double seconds, double cost) const {
      const auto count = std::ranges::count_if(times, [&](double time) { return time < seconds; });
      return cost * double(count) / seconds;
    }
  };

  /// Runs passes of 50 ms, each of one sample. Each query of the clock moves it by `step`, which is
  /// the time to read a frame.
  Frames frames_of(double seconds, double step) {
    double now = 0.0;
    renderer_ = make_cpu_renderer(scene_, settings_);
    LiveView view(display_, *renderer_, scene_.camera, nullptr, [&] { return now += step; });
    Frames frames;
    while (now < seconds) {
      now += 0.05 - step;
      view.after_pass({});
      if (display_.frames.size() == frames.times.size()) continue;
      if (!frames.times.empty())
        frames.longest_wait = std::max(frames.longest_wait, now - frames.times.back());
      frames.times.push_back(now);
    }
    return frames;
  }
};

TEST_F(CostOfLiveViews, IsAtMostAHundredthOfTheTimeOnceTheFirstFramesAreMadeUpFor) {
  const Frames frames = frames_of(30.0, 0.005);
  ASSERT_GE(frames.times.size(), 5u);
  EXPECT_LT(frames.times[4], 1.0);
  EXPECT_LT(frames.longest_wait, 2.2);
  for (const double seconds : {7.0, 10.0, 15.0, 30.0})
    EXPECT_LT(frames.share(seconds, 0.005), 0.0081);
  EXPECT_GT(frames.share(30.0, 0.005), 0.0065);
}

/// A film of 7680x4320 pixels has frames like these.
TEST_F(CostOfLiveViews, IsAtMostAHundredthOfTheTimeWithFramesThatTakeLong) {
  for (const double cost : {0.02, 0.045}) {
    display_.frames.clear();
    const Frames frames = frames_of(60.0, cost);
    for (const double seconds : {7.0, 10.0, 15.0, 30.0, 60.0})
      EXPECT_LT(frames.share(seconds, cost), 0.0081)
          << cost << " s each, after " << seconds << " s";
    EXPECT_GT(frames.share(60.0, cost), 0.006);
  }
}

TEST_F(CostOfLiveViews, CountsWhatTheDisplayTakesOnItsThreads) {
  const double busy = 0.02 * std::max(1u, std::thread::hardware_concurrency());
  display_.on_frame = [&] { display_.busy += busy; };  // four times what reading takes
  const Frames frames = frames_of(60.0, 0.005);
  for (const double seconds : {10.0, 15.0, 30.0, 60.0})
    EXPECT_LT(frames.share(seconds, 0.025), 0.0085);
}

TEST_F(CostOfLiveViews, IsNotMadeUpForAfterAWhileInWhichNobodyLooked) {
  double now = 0.0;
  renderer_ = make_cpu_renderer(scene_, settings_);
  LiveView view(display_, *renderer_, scene_.camera, nullptr, [&] { return now += 0.005; });
  auto render_for = [&](double seconds) {
    const size_t before = display_.frames.size();
    for (const double end = now + seconds; now < end; now += 0.045) view.after_pass({});
    return display_.frames.size() - before;
  };
  render_for(10.0);
  const std::vector<FilmArray> wanted = std::exchange(display_.wanted, {});
  EXPECT_EQ(render_for(100.0), 0u);
  display_.wanted = wanted;
  EXPECT_LE(render_for(10.0), 18u);
}

TEST_F(LiveViews, UseTheMemoryOfFramesAgainThatNobodyHolds) {
  std::set<const glm::dvec3*> films;
  display_.on_frame = [&] {
    films.insert(display_.frames.back()->film.sum.data());
    if (display_.frames.size() > 1) display_.frames.erase(display_.frames.begin());
  };
  double now = 0.0;
  renderer_ = make_cpu_renderer(scene_, settings_);
  LiveView view(display_, *renderer_, scene_.camera, nullptr, [&] { return now += 1.0; });
  for (int pass = 0; pass < 2000; ++pass) view.after_pass({});
  EXPECT_GT(films.size(), 1u);  // a viewer may hold the last one
  EXPECT_LE(films.size(), 4u);
}

TEST(Pictures, AreTheRadianceAndWhatTheFilmHasRecorded) {
  auto names = [](const FilmFeatures& features) {
    std::vector<std::string> result;
    for (const Picture& picture : pictures_of(features)) result.push_back(picture.name);
    return result;
  };
  EXPECT_THAT(names({}), testing::ElementsAre("radiance", "samples"));
  EXPECT_THAT(names({.squares = true, .first_hits = true, .terminations = true, .cost = true}),
              testing::ElementsAre("radiance", "albedo", "normal", "depth", "position", "ids",
                                   "variance", "samples", "bounces", "deaths", "cost"));
}

}  // namespace
}  // namespace winnow
