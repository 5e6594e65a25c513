// SPDX-License-Identifier: MIT
// A scene that moves, as one renderer: the film of the renderers of its time slices.

#include "backend/moving_renderer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <set>
#include <vector>

#include "image/compare.h"
#include "tests/support/message_of.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

TEST(TimeSlices, HaveEqualSharesOfTheSamples) {
  for (const uint32_t spp : {1u, 2u, 7u, 64u, 100u, 128u, 200u, 300u, 1000u, 5000u}) {
    const TimeSlices slices = TimeSlices::for_samples(spp);
    EXPECT_LE(slices.count, TimeSlices::kMost);
    EXPECT_GE(slices.count, std::min(spp, TimeSlices::kMost / 2));
    std::vector<uint32_t> samples(slices.count);
    for (uint32_t sample = 0; sample < spp; ++sample) ++samples.at(slices.of(sample));
    const auto [least, most] = std::ranges::minmax(samples);
    EXPECT_EQ(least, most) << spp;
  }
}

/// The samples that remain of a prime number are a part of one slice.
TEST(TimeSlices, HaveNearlyEqualSharesOfAPrimeNumberOfSamples) {
  constexpr uint32_t kPrime = 1009;
  const TimeSlices slices = TimeSlices::for_samples(kPrime);
  std::vector<uint32_t> samples(slices.count);
  for (uint32_t sample = 0; sample < kPrime; ++sample) ++samples.at(slices.of(sample));
  EXPECT_EQ(std::ranges::count(samples, slices.samples), slices.count - 1);
  EXPECT_LT(std::ranges::max(samples), 2 * slices.samples);
}

TEST(TimeSlices, AreSpreadOverTheTimeFromTheFirstSampleOn) {
  const TimeSlices slices = TimeSlices::for_samples(0);
  std::set<uint32_t> quarters;
  for (uint32_t turn = 0; turn < 4; ++turn)
    quarters.insert(slices.of(turn * slices.samples) / (slices.count / 4));
  EXPECT_EQ(quarters.size(), 4u);
  EXPECT_EQ(slices.of(0), slices.of(slices.samples - 1));
  EXPECT_EQ(slices.of(0), slices.of(slices.samples * slices.count)) << "begins again";
}

/// A glowing square that moves to the right.
HostScene moving_square(double moment) {
  HostScene scene;
  const uint32_t material =
      add_material(scene, {.reflectance = glm::vec3(0.0f), .emission = glm::vec3(2.0f)});
  add_rectangle(scene, {float(moment) - 1.0f, -0.5f, -3.0f}, {1, 0, 0}, {0, 1, 0}, material);
  scene.sky.zenith = scene.sky.horizon = scene.sky.ground = glm::vec3(0.25f);
  scene.camera = {.position = {0, 0, 0}, .look_at = {0, 0, -1}, .vertical_fov = 60.0f};
  return scene;
}

constexpr uint32_t kMovingSpp = 24;

std::unique_ptr<Renderer> make_moving(Device device, const RenderSettings& settings) {
  return std::make_unique<MovingRenderer>(
      moving_square, moving_square(0.5).camera,
      [device](const HostScene& scene, const RenderSettings& given) {
        return make_renderer(device, scene, given);
      },
      TimeSlices::for_samples(settings.sobol_spp), settings);
}

class MovingScene : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override { skip_without(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Cpu, MovingScene, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, MovingScene, testing::Values(Device::kCuda), device_name);

TEST_P(MovingScene, IsTheMeanOfTheScenesOfItsSlices) {
  RenderSettings settings = kSmall;
  settings.sobol_spp = kMovingSpp;
  RenderControl control;
  const std::unique_ptr<Renderer> moving = make_moving(GetParam(), settings);
  moving->render_samples(0, kMovingSpp, control);

  const TimeSlices slices = TimeSlices::for_samples(kMovingSpp);
  std::vector<glm::dvec3> sum(size_t(settings.width) * settings.height);
  for (uint32_t slice = 0; slice < slices.count; ++slice) {
    const HostScene scene = moving_square(slices.middle(slice));
    const std::unique_ptr<Renderer> still = make_renderer(GetParam(), scene, settings);
    for (uint32_t sample = 0; sample < kMovingSpp; ++sample) {
      if (slices.of(sample) != slice) continue;
      still->restart(settings);
      still->render_samples(sample, 1, control);
      const Image image = still->film();
      for (size_t p = 0; p < sum.size(); ++p) sum[p] += glm::dvec3(image.pixels[p]);
    }
  }
  const Image film = moving->film();
  for (size_t p = 0; p < sum.size(); ++p)
    for (int c = 0; c < 3; ++c) ASSERT_NEAR(film.pixels[p][c], sum[p][c] / kMovingSpp, 1e-5) << p;
  EXPECT_EQ(moving->stats().paths, uint64_t(kMovingSpp) * sum.size());
}

TEST_P(MovingScene, HasTheSameBitsHoweverItsSamplesAreDivided) {
  RenderSettings settings = kSmall;
  settings.sobol_spp = kMovingSpp;
  RenderControl control;
  const std::unique_ptr<Renderer> whole = make_moving(GetParam(), settings);
  whole->render_samples(0, kMovingSpp, control);
  const std::unique_ptr<Renderer> parts = make_moving(GetParam(), settings);
  for (uint32_t first = 0, count = 1; first < kMovingSpp; first += count, count = 5)
    parts->render_samples(first, std::min(count, kMovingSpp - first), control);
  EXPECT_EQ(whole->film().pixels, parts->film().pixels);
  EXPECT_EQ(whole->sample_counts(), parts->sample_counts());

  // And if some pixels come first, and the film comes from another renderer.
  const uint32_t pixels = settings.width * settings.height;
  std::vector<uint32_t> even, odd;
  for (uint32_t pixel = 0; pixel < pixels; ++pixel) (pixel % 2 ? odd : even).push_back(pixel);
  const std::unique_ptr<Renderer> first = make_moving(GetParam(), settings);
  first->choose_pixels(even);
  first->render_samples(0, kMovingSpp, control);
  const std::unique_ptr<Renderer> second = make_moving(GetParam(), settings);
  second->continue_from(first->host_film());
  second->choose_pixels(odd);
  second->render_samples(0, kMovingSpp, control);
  EXPECT_EQ(whole->film().pixels, second->film().pixels);
}

TEST_P(MovingScene, BeginsAgainAfterARestart) {
  RenderSettings settings = kSmall;
  settings.sobol_spp = kMovingSpp;
  RenderControl control;
  const std::unique_ptr<Renderer> moving = make_moving(GetParam(), settings);
  moving->render_samples(0, 3, control);
  const Image film = moving->film();
  moving->render_samples(3, 9, control);
  moving->restart(settings);
  EXPECT_EQ(moving->stats().paths, 0u);
  moving->render_samples(0, 3, control);
  EXPECT_EQ(moving->film().pixels, film.pixels);
}

TEST_P(MovingScene, KeepsItsFilmIfASliceCannotBeMade) {
  RenderSettings settings = kSmall;
  settings.sobol_spp = kMovingSpp;
  RenderControl control;
  const std::unique_ptr<Renderer> whole = make_moving(GetParam(), settings);
  whole->render_samples(0, 2, control);
  // A renderer that takes another scene is not made anew.
  const HostScene scene = moving_square(0.5);
  const bool is_made_anew = !make_renderer(GetParam(), scene, settings)->prepare_scene(scene);
  for (const bool fails_in_scene : {true, false})
    for (const bool is_memory : {true, false}) {
      if (!fails_in_scene && !is_made_anew) continue;
      int read = 0, made = 0;
      const auto fail_after_two = [&](int& calls) {
        if (++calls <= 2) return;
        if (is_memory) throw std::bad_alloc();
        throw Error("it is full");
      };
      MovingRenderer moving(
          [&](double moment) {
            if (fails_in_scene) fail_after_two(read);
            return moving_square(moment);
          },
          scene.camera,
          [&](const HostScene& at, const RenderSettings& given) {
            if (!fails_in_scene) fail_after_two(made);
            return make_renderer(GetParam(), at, given);
          },
          TimeSlices::for_samples(kMovingSpp), settings);
      EXPECT_EQ(message_of<SliceError>([&] { moving.render_samples(0, kMovingSpp, control); }),
                is_memory ? "the scene of a time slice does not fit into memory" : "it is full");
      EXPECT_EQ(moving.film().pixels, whole->film().pixels);
      EXPECT_EQ(moving.stats().paths, whole->stats().paths);
      EXPECT_EQ(moving.device_name(), whole->device_name());
    }
}

TEST_P(MovingScene, MovesItsCameraOnlyWhileASliceLasts) {
  CameraDescription camera = moving_square(0.5).camera;
  for (int i = 0; i <= 4; ++i) camera.motion.push_back({.position = glm::vec3(float(i), 0, 0)});
  const TimeSlices slices{.count = 8, .samples = 1};
  for (uint32_t slice = 0; slice < slices.count; ++slice) {
    const std::vector<CameraPose> part = camera_during(camera, slices, slice).motion;
    EXPECT_EQ(part.front().position.x, 4.0f * float(slice) / 8.0f);
    EXPECT_EQ(part.back().position.x, 4.0f * float(slice + 1) / 8.0f);
  }
  EXPECT_EQ(camera_during(camera, TimeSlices::of_moment(), 0).motion.size(), camera.motion.size());

  // The square moves with the camera, so that it rests in the picture, but for the width of a
  // slice.
  RenderSettings settings = kSmall;
  settings.sobol_spp = 128;
  auto make = [this](const HostScene& scene, const RenderSettings& given) {
    return make_renderer(GetParam(), scene, given);
  };
  CameraDescription along = moving_square(0.5).camera;
  along.motion = {{.position = {0, 0, 0}}, {.position = {1, 0, 0}}};
  RenderControl control;
  MovingRenderer moving(moving_square, moving_square(0.5).camera, make,
                        TimeSlices::for_samples(128), settings);
  moving.set_camera(along);
  moving.render_samples(0, 128, control);
  const HostScene start = moving_square(0.0);
  const std::unique_ptr<Renderer> still = make_renderer(GetParam(), start, settings);
  still->render_samples(0, 128, control);
  EXPECT_LT(compare(moving.film(), still->film()).mse, 1e-3);
}

TEST_P(MovingScene, ShowsOtherScenesFromTheNextFilmOn) {
  RenderSettings settings = kSmall;
  settings.sobol_spp = kMovingSpp;
  RenderControl control;
  auto make = [this](const HostScene& scene, const RenderSettings& given) {
    return make_renderer(GetParam(), scene, given);
  };
  auto later = [](double moment) { return moving_square(moment + 0.5); };
  const CameraDescription camera = moving_square(0.5).camera;
  for (const TimeSlices& slices : {TimeSlices::of_moment(), TimeSlices::for_samples(kMovingSpp)}) {
    MovingRenderer expected(later, camera, make, slices, settings);
    expected.render_samples(0, kMovingSpp, control);
    MovingRenderer moving(moving_square, camera, make, slices, settings);
    moving.render_samples(0, kMovingSpp, control);
    moving.set_scenes(later);
    moving.set_camera(camera);
    moving.render_samples(0, kMovingSpp, control);
    EXPECT_EQ(moving.film().pixels, expected.film().pixels);
    EXPECT_EQ(moving.stats().paths, expected.stats().paths);
  }
}

}  // namespace
}  // namespace winnow
