// SPDX-License-Identifier: MIT
// Several renderers as one: the same film as one of them gives, also if some are slow or fail.

#include "backend/device_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/render/render_passes.h"
#include "base/error.h"
#include "tests/film/support/random_film.h"
#include "tests/support/message_of.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

enum class Call { kNone, kRender, kRead, kWrite, kChoose, kStats };

/// The failure or delay that a device has.
struct Fate {
  Call fails_in = Call::kNone;
  int after = 0;              ///< calls of that kind that succeed
  double slow_seconds = 0.0;  ///< added to each sample of all pixels
};

/// A renderer that fails for good at some call, and may be slow.
class FatedRenderer : public Renderer {
 public:
  FatedRenderer(std::unique_ptr<Renderer> renderer, const Fate& fate)
      : renderer_(std::move(renderer)), fate_(fate) {}

  void render_samples(uint32_t first, uint32_t count, RenderControl& control) override {
    call(Call::kRender);
    renderer_->render_samples(first, count, control);
    const double part = double(chosen_) / (double(settings().width) * settings().height);
    std::this_thread::sleep_for(std::chrono::duration<double>(fate_.slow_seconds * count * part));
  }
  void choose_pixels(const std::vector<uint32_t>& pixels) override {
    call(Call::kChoose);
    chosen_ = pixels.size();
    renderer_->choose_pixels(pixels);
  }
  void read_pixels(size_t field, const FilmTiles& tiles, std::byte* packed) override {
    call(Call::kRead);
    renderer_->read_pixels(field, tiles, packed);
  }
  void write_pixels(size_t field, const FilmTiles& tiles, const std::byte* packed) override {
    call(Call::kWrite);
    renderer_->write_pixels(field, tiles, packed);
  }
  RenderStats stats() override {
    call(Call::kStats);
    return renderer_->stats();
  }
  const RenderSettings& settings() const override { return renderer_->settings(); }
  void restart(const RenderSettings& settings) override { renderer_->restart(settings); }
  void set_camera(const CameraDescription& camera) override { renderer_->set_camera(camera); }
  std::vector<AliveMask> alive_masks() override { return renderer_->alive_masks(); }
  std::string device_name() const override { return "fated"; }

 private:
  void call(Call kind) {
    has_failed_ |= kind == fate_.fails_in && fate_.after-- <= 0;
    if (has_failed_) throw Error("the device is gone");
  }

  std::unique_ptr<Renderer> renderer_;
  Fate fate_;
  size_t chosen_ = 0;
  bool has_failed_ = false;
};

const RenderSettings kGroupSettings{.width = 150, .height = 90, .max_bounces = 4};

class DeviceGroups : public OnDevice {
 protected:
  DeviceGroups() {
    settings_.keep_first_hits = settings_.keep_squares = settings_.map_terminations = true;
    settings_.keep_layers = true;
    settings_.threads = 1;
  }

  std::unique_ptr<Renderer> make_one() const { return make(scene_, settings_); }

  /// @param fates  of the devices
  std::unique_ptr<DeviceGroup> make_group(const std::vector<Fate>& fates) {
    std::vector<std::unique_ptr<Renderer>> members;
    for (const Fate& fate : fates)
      members.push_back(std::make_unique<FatedRenderer>(make_one(), fate));
    return std::make_unique<DeviceGroup>(
        std::move(members), [this](const std::string& failure) { failures_.push_back(failure); });
  }

  static void render_twice(Renderer& renderer) {
    RenderControl control;
    renderer.render_samples(0, 1, control);
    renderer.render_samples(1, 1, control);
  }
  static HostFilm rendered(Renderer& renderer) {
    render_twice(renderer);
    return finished(renderer);
  }
  /// Adds samples 2 to 4, for some pixels first, and sample 5.
  static HostFilm finished(Renderer& renderer) {
    RenderControl control;
    const std::vector<uint32_t> some = {20, 21, 22, 5000, 7000, 7001};
    std::vector<uint32_t> others;
    for (uint32_t pixel = 0; pixel < kGroupSettings.width * kGroupSettings.height; ++pixel)
      if (std::find(some.begin(), some.end(), pixel) == some.end()) others.push_back(pixel);
    for (const std::vector<uint32_t>& pixels : {some, others}) {
      renderer.choose_pixels(pixels);
      renderer.render_samples(2, 3, control);
    }
    renderer.choose_pixels({});
    renderer.render_samples(5, 1, control);
    return renderer.host_film();
  }

  HostScene scene_ = mixed_scene();
  RenderSettings settings_ = kGroupSettings;
  std::vector<std::string> failures_;
};

INSTANTIATE_TEST_SUITE_P(Cpu, DeviceGroups, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, DeviceGroups, testing::Values(Device::kCuda), device_name);

TEST_P(DeviceGroups, RenderTheFilmOfOneDevice) {
  const std::unique_ptr<Renderer> one = make_one();
  const HostFilm expected = rendered(*one);
  for (const size_t count : {1, 2, 3, 5}) {
    const std::unique_ptr<DeviceGroup> group = make_group(std::vector<Fate>(count));
    EXPECT_TRUE(have_same_bits(rendered(*group), expected)) << count;
    EXPECT_EQ(group->stats().paths, one->stats().paths);
    uint64_t paths = 0;
    for (const DeviceStats& device : group->device_stats()) paths += device.paths;
    EXPECT_EQ(paths, one->stats().paths);
    group->restart(settings_);
    EXPECT_TRUE(have_same_bits(rendered(*group), expected)) << count << ", again";
    group->set_camera(scene_.camera);
    EXPECT_TRUE(have_same_bits(rendered(*group), expected)) << count << ", seen again";
  }
}

TEST_P(DeviceGroups, DealTheFirstPassEvenly) {
  for (const size_t count : {1, 2, 3, 5}) {
    const std::unique_ptr<DeviceGroup> group = make_group(std::vector<Fate>(count));
    RenderControl control;
    group->render_samples(0, 1, control);
    for (const DeviceStats& device : group->device_stats())
      EXPECT_GT(device.paths, group->stats().paths / count / 2) << count;
  }
}

TEST_P(DeviceGroups, ContinueAFilmAndGiveOneAway) {
  const std::unique_ptr<Renderer> one = make_one();
  const HostFilm expected = rendered(*one);
  const std::unique_ptr<DeviceGroup> first = make_group({{}, {}}),
                                     second = make_group({{}, {}, {}});
  RenderControl control;
  first->render_samples(0, 1, control);
  second->continue_from(first->host_film());
  second->render_samples(1, 1, control);
  const std::unique_ptr<Renderer> third = make_one();
  third->continue_from(second->host_film());
  EXPECT_TRUE(have_same_bits(finished(*third), expected));
}

TEST_P(DeviceGroups, MoveTilesFromSlowDevicesToFastOnes) {
  const std::unique_ptr<Renderer> one = make_one();
  const std::unique_ptr<DeviceGroup> group = make_group({{.slow_seconds = 0.4}, {}});
  RenderControl control;
  uint32_t done = 0;
  for (const uint32_t count : {1, 1, 2, 2}) {
    one->render_samples(done, count, control);
    group->render_samples(done, count, control);
    done += count;
  }
  EXPECT_TRUE(have_same_bits(group->host_film(), one->host_film()));
  EXPECT_EQ(group->stats().paths, one->stats().paths);
  const std::vector<DeviceStats> devices = group->device_stats();
  EXPECT_LT(devices[0].paths, devices[1].paths * 3 / 4);
}

TEST_P(DeviceGroups, LoseNothingWhenADeviceFails) {
  const std::unique_ptr<Renderer> one = make_one();
  const HostFilm expected = rendered(*one);
  for (const Call call : {Call::kRender, Call::kRead, Call::kChoose})
    for (const int after : {0, 1, 2}) {
      if (call == Call::kChoose && after == 2) continue;  // there are only two calls
      SCOPED_TRACE(testing::Message() << "call " << int(call) << ", after " << after);
      failures_.clear();
      const std::unique_ptr<DeviceGroup> group =
          make_group({{}, {.fails_in = call, .after = after}, {}});
      EXPECT_TRUE(have_same_bits(rendered(*group), expected));
      EXPECT_THAT(failures_,
                  ElementsAre("device 2 of 3, fated, has failed: the device is gone; the others "
                              "render its part of the image again"));
      EXPECT_TRUE(group->device_stats()[1].has_failed);
      EXPECT_EQ(group->device_stats()[1].paths, 0u);
    }
}

TEST_P(DeviceGroups, LoseNothingWhenOneAfterAnotherFails) {
  const std::unique_ptr<Renderer> one = make_one();
  const HostFilm expected = rendered(*one);
  // The second one fails while it renders what the first one lost, or copies it, or right after.
  for (const Fate& second : {Fate{Call::kRender, 2}, Fate{Call::kWrite, 0}, Fate{Call::kWrite, 3},
                             Fate{Call::kRead, 1}}) {
    failures_.clear();
    SCOPED_TRACE(testing::Message()
                 << "call " << int(second.fails_in) << ", after " << second.after);
    const std::unique_ptr<DeviceGroup> group = make_group({{Call::kRender, 1}, second, {}});
    EXPECT_TRUE(have_same_bits(rendered(*group), expected));
    EXPECT_EQ(failures_.size(), 2u);
  }
}

TEST_P(DeviceGroups, LoseNothingWhenADeviceFailsWhileTilesMove) {
  constexpr uint32_t kMaxSamples = 20;  // on a busy machine tiles may move late
  for (const Fate& fate : {Fate{Call::kRead, 2, 0.2}, Fate{Call::kWrite, 2, 0.0}}) {
    failures_.clear();
    const bool is_slow = fate.slow_seconds > 0.0;
    const std::unique_ptr<Renderer> one = make_one();
    const std::unique_ptr<DeviceGroup> group =
        make_group({fate, {.slow_seconds = is_slow ? 0.0 : 0.2}, {}});
    RenderControl control;
    for (uint32_t sample = 0; sample < kMaxSamples && failures_.empty(); ++sample) {
      group->render_samples(sample, 1, control);
      one->render_samples(sample, 1, control);
    }
    EXPECT_EQ(failures_.size(), 1u);
    EXPECT_TRUE(have_same_bits(group->host_film(), one->host_film()));
  }
}

TEST_P(DeviceGroups, KeepAnEarlierFilmWhenADeviceFails) {
  // The samples of the earlier film are of another scene and cannot be rendered again.
  HostScene other = scene_;
  other.camera.vertical_fov *= 0.7f;
  const std::unique_ptr<Renderer> before = make(other, settings_);
  render_twice(*before);
  const HostFilm earlier = before->host_film();
  const std::unique_ptr<Renderer> one = make_one();
  one->continue_from(earlier);
  const HostFilm expected = finished(*one);
  for (const Fate& fate : {Fate{Call::kRender, 0}, Fate{Call::kRender, 2}, Fate{Call::kWrite, 1},
                           Fate{Call::kRead, 0}, Fate{Call::kChoose, 0}}) {
    failures_.clear();
    SCOPED_TRACE(testing::Message() << "call " << int(fate.fails_in) << ", after " << fate.after);
    const std::unique_ptr<DeviceGroup> group = make_group({{}, fate, {}});
    group->continue_from(earlier);
    EXPECT_TRUE(have_same_bits(finished(*group), expected));
    EXPECT_EQ(failures_.size(), 1u);
  }
}

TEST_P(DeviceGroups, EndWithTheFailureOfTheLastDevice) {
  const std::unique_ptr<DeviceGroup> group = make_group({{Call::kRender, 1}, {Call::kRender, 1}});
  RenderControl control;
  group->render_samples(0, 1, control);
  EXPECT_EQ(message_of([&] { group->render_samples(1, 1, control); }), "the device is gone");
}

TEST_P(DeviceGroups, StopAndGoOn) {
  const std::unique_ptr<Renderer> one = make_one();
  const HostFilm expected = rendered(*one);
  const std::unique_ptr<DeviceGroup> group = make_group({{}, {}, {Call::kRender, 2}});
  RenderControl control;
  group->render_samples(0, 1, control);
  control.stop = true;
  group->render_samples(1, 100, control);
  EXPECT_EQ(group->sample_counts(), std::vector<uint32_t>(expected.samples.size(), 1));
  control.stop = false;
  group->render_samples(1, 1, control);  // here the third one fails
  EXPECT_TRUE(have_same_bits(finished(*group), expected));
  EXPECT_EQ(failures_.size(), 1u);
}

TEST_P(DeviceGroups, JudgeNoiseAlikeHoweverManyThereAre) {
  auto film = [](Renderer& renderer) {
    const Interrupt interrupt;
    ProgressPrinter printer(ProgressPrinter::Style::kSilent);
    const RenderGoal goal{
        .pixel_count = kGroupSettings.width * kGroupSettings.height, .spp = 64, .noise = 0.08};
    PassPlan plan{.tiles = make_film_tiles(kGroupSettings.width, kGroupSettings.height, true)};
    render_passes(renderer, goal, interrupt, printer, plan);
    return renderer.host_film();
  };
  const HostFilm expected = film(*make_one());
  const auto [least, most] = std::minmax_element(expected.samples.begin(), expected.samples.end());
  EXPECT_LT(*least, *most);  // some tiles ended earlier than others
  EXPECT_TRUE(have_same_bits(film(*make_group({{}, {}, {}})), expected));
  // The tiles of a device that fails late are rendered as far as they were, and no further.
  EXPECT_TRUE(have_same_bits(film(*make_group({{}, {Call::kRender, 6}, {}})), expected));
  EXPECT_EQ(failures_.size(), 1u);
}

TEST_P(DeviceGroups, NameTheirDevices) {
  EXPECT_EQ(make_group({{}, {}})->device_name(), "2 x fated");
  EXPECT_EQ(make_group({{}})->device_name(), "fated");
  EXPECT_THAT(make_one()->device_stats(), IsEmpty());
}

/// Renderers that share what is computed of a scene.
using CudaRendererSets = OnDevice;
INSTANTIATE_TEST_SUITE_P(Gpu, CudaRendererSets, testing::Values(Device::kCuda), device_name);

TEST_P(CudaRendererSets, RenderTheFilmOfOneEvenIfTheyShareAGpu) {
  for (const HostScene& scene : {mixed_scene(), mixed_scene_with_instances()}) {
    std::vector<int> devices = {0, 0};
    for (const CudaDevice& device : list_cuda_devices().devices)
      if (device.index > 0) devices.push_back(device.index);
    const std::string expected = image_hash(render(*make(scene, kGroupSettings), kSpp));
    DeviceGroup group(make_cuda_renderers(scene, kGroupSettings, devices),
                      [](const std::string& failure) { FAIL() << failure; });
    EXPECT_EQ(image_hash(render(group, kSpp)), expected);
  }
}

}  // namespace
}  // namespace winnow
