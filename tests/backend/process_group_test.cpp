// SPDX-License-Identifier: MIT
// Renderers of several processes as one, with threads in their place.

#include "backend/process_group.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/error.h"
#include "tests/film/support/film_in_memory.h"
#include "tests/film/support/random_film.h"
#include "tests/processes/support/thread_processes.h"
#include "tests/support/message_of.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

/// A renderer that takes longer than another one, or fails.
class SlowRenderer : public Renderer {
 public:
  /// @param seconds  added to each sample of all pixels; negative: it fails
  SlowRenderer(std::unique_ptr<Renderer> renderer, double seconds)
      : renderer_(std::move(renderer)), seconds_(seconds) {}

  void render_samples(uint32_t first, uint32_t count, RenderControl& control) override {
    if (seconds_ < 0.0) throw Error("the device is gone");
    renderer_->render_samples(first, count, control);
    const double part = double(chosen_) / (double(settings().width) * settings().height);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds_ * count * part));
  }
  void choose_pixels(const std::vector<uint32_t>& pixels) override {
    chosen_ = pixels.size();
    renderer_->choose_pixels(pixels);
  }
  void read_pixels(size_t field, const FilmTiles& tiles, std::byte* packed) override {
    renderer_->read_pixels(field, tiles, packed);
  }
  void write_pixels(size_t field, const FilmTiles& tiles, const std::byte* packed) override {
    renderer_->write_pixels(field, tiles, packed);
  }
  RenderStats stats() override { return renderer_->stats(); }
  const RenderSettings& settings() const override { return renderer_->settings(); }
  void restart(const RenderSettings& settings) override { renderer_->restart(settings); }
  void set_camera(const CameraDescription& camera) override { renderer_->set_camera(camera); }
  std::vector<AliveMask> alive_masks() override { return {}; }
  std::string device_name() const override { return "slow"; }

 private:
  std::unique_ptr<Renderer> renderer_;
  const double seconds_;
  size_t chosen_ = 0;
};

class ProcessGroups : public testing::Test {
 protected:
  ProcessGroups() {
    settings_.keep_first_hits = settings_.keep_squares = settings_.map_terminations = true;
    settings_.keep_layers = true;
  }

  std::unique_ptr<Renderer> make_one() const { return make_cpu_renderer(scene_, settings_); }

  /// Calls use(process, group) for each of `count` processes, at the same time.
  ///
  /// @param slow_seconds  of the first process, for each sample of all pixels
  template <class Use>
  void on_processes(uint32_t count, Use use, double slow_seconds = 0.0) const {
    ThreadProcesses::run(count, [&](Processes& processes) {
      ProcessGroup group(
          processes, std::vector<std::string>(count, "here"),
          std::make_unique<SlowRenderer>(make_one(), processes.is_first() ? slow_seconds : 0.0));
      use(processes, group);
    });
  }

  static HostFilm rendered(Renderer& renderer) {
    RenderControl control;
    renderer.render_samples(0, 1, control);
    renderer.render_samples(1, 1, control);
    renderer.choose_pixels({20, 21, 22, 5000, 7000, 7001});
    renderer.render_samples(2, 3, control);
    renderer.choose_pixels({});
    renderer.render_samples(5, 1, control);
    EXPECT_EQ(control.paths_done, renderer.stats().paths);
    return renderer.host_film();
  }

  HostScene scene_ = mixed_scene();
  RenderSettings settings_{.width = 150, .height = 90, .max_bounces = 4, .threads = 1};
};

TEST_F(ProcessGroups, RenderTheFilmOfOneProcess) {
  const std::unique_ptr<Renderer> one = make_one();
  const HostFilm expected = rendered(*one);
  RenderStats stats = one->stats();
  for (const uint32_t count : {1u, 2u, 5u})
    on_processes(count, [&](Processes& processes, ProcessGroup& group) {
      const HostFilm film = rendered(group);
      if (processes.is_first())
        EXPECT_TRUE(have_same_bits(film, expected)) << count;
      else
        EXPECT_TRUE(film.sum.empty());
      const RenderStats all = group.stats();
      EXPECT_EQ(all.paths, stats.paths);
      for (size_t bounce = 0; bounce < stats.bounces.size(); ++bounce)
        EXPECT_EQ(all.bounces[bounce].shadow_rays, stats.bounces[bounce].shadow_rays);
      uint64_t paths = 0;
      const std::vector<DeviceStats> of_each = group.device_stats();
      ASSERT_EQ(of_each.size(), count);
      for (const DeviceStats& device : of_each) {
        EXPECT_GT(device.paths, stats.paths / count / 2);
        EXPECT_GT(device.seconds, 0.0);
        EXPECT_EQ(device.host, "here");
        paths += device.paths;
      }
      EXPECT_EQ(paths, stats.paths);
      group.restart(settings_);
      const HostFilm again = rendered(group);
      EXPECT_TRUE(!processes.is_first() || have_same_bits(again, expected)) << count << ", again";
      group.set_camera(scene_.camera);
      const HostFilm seen = rendered(group);
      EXPECT_TRUE(!processes.is_first() || have_same_bits(seen, expected))
          << count << ", seen again";
    });
}

TEST_F(ProcessGroups, ContinueAFilmOfTheFirstProcessAndKnowItsSamples) {
  const std::unique_ptr<Renderer> one = make_one();
  RenderControl control;
  one->render_samples(0, 2, control);
  const HostFilm start = one->host_film();
  one->choose_pixels({0, 1, 9000});
  one->render_samples(2, 2, control);
  const HostFilm expected = one->host_film();
  const FilmTiles some = tiles_of_share(settings_.width, settings_.height, {1, 3});
  std::vector<std::byte> part(some.pixel_count() * sizeof(glm::dvec3));
  one->read_pixels(kSumField, some, part.data());

  on_processes(3, [&](Processes& processes, ProcessGroup& group) {
    group.continue_from(processes.is_first() ? start : HostFilm());
    group.choose_pixels({0, 1, 9000});
    RenderControl own;
    group.render_samples(2, 2, own);
    EXPECT_EQ(group.sample_counts(), expected.samples);
    int calls = 0;
    group.at_film([&] {
      ++calls;
      const RendererFilm film(group);
      EXPECT_EQ(read_arrays(film, {FilmArray::kSamples}).samples, expected.samples);
      const std::vector<TileRows> bands = {{3, 4}, {0, 2}};
      for (const TileRows rows : bands)
        EXPECT_EQ(
            read_rows(film, {FilmArray::kSum}, rows).sum,
            read_rows(HostFilmSource(expected, settings_.film_features()), {FilmArray::kSum}, rows)
                .sum);
    });
    EXPECT_EQ(calls, processes.is_first() ? 1 : 0);
    std::vector<std::byte> same(part.size());
    group.read_pixels(kSumField, some, same.data());
    EXPECT_TRUE(!processes.is_first() || same == part);
    EXPECT_EQ(group.film().pixels.size(), processes.is_first() ? expected.sum.size() : 0);
    // Back again, of a part of the image.
    group.write_pixels(kSumField, some, part.data());
    const HostFilm film = group.host_film();
    EXPECT_TRUE(!processes.is_first() || have_same_bits(film, expected));
  });
}

TEST_F(ProcessGroups, ReadWhatIsExpectedAndWhatIsNotInAnyOrder) {
  const std::unique_ptr<Renderer> one = make_one();
  RenderControl control;
  one->render_samples(0, 2, control);
  const HostFilm expected = one->host_film();
  const FilmTiles all = make_film_tiles(settings_.width, settings_.height, true);
  const FilmTiles top = tiles_in(all, {0, 2}), share = tiles_of_share(150, 90, {2, 3});

  on_processes(3, [&](Processes&, ProcessGroup& group) {
    RenderControl own;
    group.render_samples(0, 2, own);
    auto expect_sums = [&](const FilmTiles& tiles) {
      std::vector<glm::dvec3> sums(tiles.pixel_count());
      group.read_pixels(kSumField, tiles, reinterpret_cast<std::byte*>(sums.data()));
      EXPECT_EQ(sums, pack_pixels(expected, tiles, settings_.film_features()).sum);
    };
    group.at_film([&] {
      group.expect_read(kSumField, top);
      group.expect_read(kSumField, share);
      group.expect_read(kSamplesField, all);
      expect_sums(top);
      expect_sums(share);
      expect_sums(all);  // not the samples
      group.expect_read(kSamplesField, all);
      group.write_pixels(kSumField, all, reinterpret_cast<const std::byte*>(expected.sum.data()));
      expect_sums(share);
      group.expect_read(kSumField, top);
      expect_sums(share);                 // not the top
      group.expect_read(kSumField, top);  // announced, but never read
    });
    const HostFilm film = group.host_film();
    EXPECT_TRUE(film.sum.empty() || have_same_bits(film, expected));
  });
}

TEST_F(ProcessGroups, MoveTilesFromSlowProcessesWithTheirSamples) {
  const std::unique_ptr<Renderer> one = make_one();
  RenderControl control;
  for (uint32_t sample = 0; sample < 16; ++sample) one->render_samples(sample, 1, control);
  const HostFilm expected = one->host_film();
  on_processes(
      3,
      [&](Processes& processes, ProcessGroup& group) {
        RenderControl own;
        for (uint32_t sample = 0; sample < 16; ++sample) group.render_samples(sample, 1, own);
        const std::vector<DeviceStats> of_each = group.device_stats();
        EXPECT_LT(of_each[0].paths, of_each[1].paths * 3 / 4);
        const HostFilm film = group.host_film();
        EXPECT_TRUE(!processes.is_first() || have_same_bits(film, expected));
      },
      0.5);
}

TEST_F(ProcessGroups, EndTheirPassWhenOneOfThemIsStopped) {
  constexpr uint32_t kVeryMany = 1'000'000;
  on_processes(3, [&](Processes& processes, ProcessGroup& group) {
    RenderControl control;
    std::jthread signal([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (processes.index() == 2) control.stop = true;
    });
    group.render_samples(0, kVeryMany, control);
    EXPECT_EQ(control.paths_done, group.stats().paths);
    EXPECT_EQ(control.stop, processes.index() == 2);
  });
}

TEST_F(ProcessGroups, ThrowWhatTheirRendererThrows) {
  const double kFails = -1.0;
  on_processes(
      1,
      [&](Processes&, ProcessGroup& group) {
        RenderControl control;
        EXPECT_EQ(message_of([&] { group.render_samples(0, 1, control); }), "the device is gone");
      },
      kFails);
}

}  // namespace
}  // namespace winnow
