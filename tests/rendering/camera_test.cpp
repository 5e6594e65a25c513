// SPDX-License-Identifier: MIT
// Cameras in whole renders.

#include "scene/camera_motion.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

using CamerasOnDevice = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, CamerasOnDevice, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, CamerasOnDevice, testing::Values(Device::kCuda), device_name);

/// Glowing walls across the view at 1, 2 and 3 m, of radiance 1, 2 and 4, before a sky of 8. The
/// camera is in `medium`; the walls let the share 1 - `alpha` of the light through.
HostScene walls(float alpha, const Medium* medium) {
  HostScene scene;
  for (int i = 1; i <= 3; ++i) {
    const uint32_t material = add_material(scene, {.reflectance = glm::vec3(0.0f),
                                                   .emission = glm::vec3(float(1 << (i - 1))),
                                                   .alpha = alpha});
    add_rectangle(scene, {-50, -50, -float(i)}, {100, 0, 0}, {0, 100, 0}, material);
  }
  scene.sky.zenith = scene.sky.horizon = scene.sky.ground = glm::vec3(8.0f);
  scene.camera = {.position = {0, 0, 0}, .look_at = {0, 0, -1}, .vertical_fov = 60.0f};
  if (medium) {
    scene.media = {*medium};
    scene.camera_medium = 0;
  }
  return scene;
}

double seen_between(HostScene scene, float near_clip, float far_clip) {
  scene.camera.near_clip = near_clip;
  scene.camera.far_clip = far_clip;
  const RenderSettings settings{.width = 8, .height = 8, .max_bounces = 1};
  const std::unique_ptr<Renderer> renderer = make_cpu_renderer(scene, settings);
  RenderControl control;
  renderer->render_samples(0, 256, control);
  return mean_red(renderer->film());
}

TEST(ClippedView, ShowsTheNearestSurfaceBetweenThePlanesOrElseTheSky) {
  const HostScene scene = walls(1.0f, nullptr);
  EXPECT_NEAR(seen_between(scene, 0.0f, INFINITY), 1.0, 1e-6);
  EXPECT_NEAR(seen_between(scene, 1.5f, INFINITY), 2.0, 1e-6);
  EXPECT_NEAR(seen_between(scene, 2.5f, 3.5f), 4.0, 1e-6);
  EXPECT_NEAR(seen_between(scene, 2.5f, 2.8f), 8.0, 1e-6);
  EXPECT_NEAR(seen_between(scene, 0.0f, 0.5f), 8.0, 1e-6);
}

/// As in Blender: behind cutouts, too, the camera sees the sky in place of what is farther.
TEST(ClippedView, ShowsWhatIsBehindACutoutUpToTheFarPlane) {
  const Medium clear;
  for (const Medium* medium : {static_cast<const Medium*>(nullptr), &clear}) {
    const HostScene scene = walls(0.5f, medium);
    EXPECT_NEAR(seen_between(scene, 0.0f, INFINITY), 0.5 + 0.25 * 2 + 0.125 * (4 + 8), 0.06);
    EXPECT_NEAR(seen_between(scene, 0.0f, 2.5f), 0.5 + 0.25 * (2 + 8), 0.06);
    EXPECT_NEAR(seen_between(scene, 0.0f, 1.5f), 0.5 * (1 + 8), 0.06);
    EXPECT_NEAR(seen_between(scene, 1.5f, 2.5f), 0.5 * (2 + 8), 0.08);
    EXPECT_NEAR(seen_between(scene, 0.0f, 0.5f), 8.0, 1e-6);
  }
}

/// The medium begins at the near plane and ends at the far one.
TEST(ClippedView, ShowsAMediumBetweenThePlanes) {
  const Medium fog{.absorption = glm::vec3(0.1f)};
  HostScene scene = walls(1.0f, &fog);
  scene.camera.vertical_fov = 0.1f;
  EXPECT_NEAR(seen_between(scene, 1.5f, 2.5f), 2.0 * std::exp(-0.05), 1e-4);
  EXPECT_NEAR(seen_between(scene, 3.5f, 8.5f), 8.0 * std::exp(-0.5), 1e-4);
  EXPECT_EQ(seen_between(scene, 3.5f, INFINITY), 0.0) << "the sky is infinitely far away";
}

TEST_P(CamerasOnDevice, ClippedViewsHaveTheSameBitsInEveryWay) {
  const Medium fog{.absorption = glm::vec3(0.1f), .scattering = glm::vec3(0.1f)};
  for (HostScene scene : {walls(1.0f, nullptr), walls(0.5f, nullptr), walls(0.5f, &fog)}) {
    scene.camera.shift = {0.2f, -0.1f};
    scene.camera.near_clip = 1.5f;
    scene.camera.far_clip = 2.8f;
    expect_same_bits_in_every_way(scene);
  }
}

/// Glowing squares of three colours at several depths, of which a camera that moves sees a blur.
HostScene squares() {
  HostScene scene;
  for (int i = 0; i < 3; ++i) {
    const uint32_t material =
        add_material(scene, {.reflectance = glm::vec3(0.0f), .emission = glm::vec3(1 + i, 2, i)});
    add_rectangle(scene, {float(i) - 1.5f, -0.5f, -3.0f - float(i)}, {0.7f, 0, 0}, {0, 0.9f, 0},
                  material);
  }
  scene.camera = {.position = {0, 0, 0}, .look_at = {0, 0, -1}, .vertical_fov = 60.0f};
  return scene;
}

CameraDescription turned_and_moved(const CameraDescription& camera) {
  CameraDescription other = camera;
  other.position = {0.5f, 0.2f, -0.4f};
  other.look_at = other.position + glm::vec3(0.3f, 0.1f, -1.0f);
  other.up = {0.2f, 1.0f, 0.0f};
  return other;
}

Image seen(const HostScene& scene, uint32_t spp) {
  const RenderSettings settings{.width = 24, .height = 16, .max_bounces = 0, .seed = 3};
  const std::unique_ptr<Renderer> renderer = make_cpu_renderer(scene, settings);
  RenderControl control;
  renderer->render_samples(0, spp, control);
  return renderer->film();
}

TEST(MovingCamera, SeesTheMeanOfWhatItSeesAtAllMoments) {
  HostScene scene = squares();
  const CameraDescription from = scene.camera, to = turned_and_moved(from);
  constexpr int kMoments = 128;
  Image mean;
  for (int i = 0; i < kMoments; ++i) {
    scene.camera = camera_between(from, to, (i + 0.5) / kMoments);
    const Image still = seen(scene, 128);
    if (i == 0) mean = {still.width, still.height, std::vector<glm::vec3>(still.pixels.size())};
    for (size_t p = 0; p < mean.pixels.size(); ++p)
      mean.pixels[p] += still.pixels[p] / float(kMoments);
  }
  scene.camera = from;
  set_motion(scene.camera, shutter_steps(std::vector{from, to}));
  const Image blurred = seen(scene, 8192);
  for (size_t p = 0; p < mean.pixels.size(); ++p)
    for (int c = 0; c < 3; ++c)
      // Five deviations of a mean of 8,192 samples between 0 and 3, and the steps of the moments.
      ASSERT_NEAR(blurred.pixels[p][c], mean.pixels[p][c], 0.09) << p << " " << c;
}

TEST_P(CamerasOnDevice, MovingCamerasHaveTheSameBitsInEveryWay) {
  HostScene scene = squares();
  scene.sky.zenith = glm::vec3(0.5f);
  const CameraDescription to = turned_and_moved(scene.camera);
  for (const float lens_radius : {0.0f, 0.1f}) {
    scene.camera.lens_radius = lens_radius;
    set_motion(scene.camera, shutter_steps(std::vector{scene.camera, to}));
    expect_same_bits_in_every_way(scene);
  }
}

}  // namespace
}  // namespace winnow
