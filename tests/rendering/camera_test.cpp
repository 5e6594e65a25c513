// SPDX-License-Identifier: MIT
// Cameras in whole renders.

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

/// As in Mitsuba, the far plane hides a view whose first surface is behind it, and nothing else.
TEST(ClippedView, ShowsAllThatIsBehindACutoutWithinThePlanes) {
  const HostScene scene = walls(0.5f, nullptr);
  const double all = 0.5 + 0.25 * 2 + 0.125 * 4 + 0.125 * 8;
  EXPECT_NEAR(seen_between(scene, 0.0f, INFINITY), all, 0.06);
  EXPECT_NEAR(seen_between(scene, 0.0f, 2.5f), all, 0.06);
  EXPECT_NEAR(seen_between(scene, 1.5f, 2.5f), 0.5 * 2 + 0.25 * 4 + 0.25 * 8, 0.08);
  EXPECT_NEAR(seen_between(scene, 0.0f, 0.5f), 8.0, 1e-6);
}

/// The medium begins at the near plane.
TEST(ClippedView, BeginsInAMedium) {
  const Medium fog{.absorption = glm::vec3(0.1f)};
  HostScene scene = walls(1.0f, &fog);
  scene.camera.vertical_fov = 0.1f;
  EXPECT_NEAR(seen_between(scene, 1.5f, 2.5f), 2.0 * std::exp(-0.05), 1e-4);
  EXPECT_EQ(seen_between(scene, 3.5f, 8.5f), 0.0) << "the sky is infinitely far away";
}

TEST_P(CamerasOnDevice, ClippedViewsHaveTheSameBitsInEveryWay) {
  const Medium fog{.absorption = glm::vec3(0.1f), .scattering = glm::vec3(0.1f)};
  for (HostScene scene : {walls(1.0f, nullptr), walls(0.5f, &fog)}) {
    scene.camera.shift = {0.2f, -0.1f};
    scene.camera.near_clip = 1.5f;
    scene.camera.far_clip = 2.8f;
    expect_same_bits_in_every_way(scene);
  }
}

}  // namespace
}  // namespace winnow
