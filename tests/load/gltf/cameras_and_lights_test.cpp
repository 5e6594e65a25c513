// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "load/gltf/gltf.h"
#include "load/load_scene.h"
#include "tests/load/gltf/support/animated_camera.h"
#include "tests/support/expect_near.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using testing::HasSubstr;

class GltfCameraFrames : public GltfTest {};

TEST_F(GltfCameraFrames, AreTheCamerasOfTheSceneAtTheirTimes) {
  for (const char* interpolation : {"LINEAR", "STEP", "CUBICSPLINE"}) {
    SCOPED_TRACE(interpolation);
    const std::filesystem::path file =
        write("s.gltf", gltf_with_moving_camera(interpolation).text());
    const std::vector<double> times = {-1.0, 0.0, 0.3, 1.0, 1.9, 7.0};
    const std::vector<CameraDescription> cameras = load_gltf_cameras(file, times, {});
    ASSERT_EQ(cameras.size(), times.size());
    for (size_t i = 0; i < times.size(); ++i) {
      const CameraDescription expected = load_scene(file, {}, times[i]).camera;
      EXPECT_EQ(cameras[i].position, expected.position) << times[i];
      EXPECT_EQ(cameras[i].look_at, expected.look_at) << times[i];
      EXPECT_EQ(cameras[i].up, expected.up) << times[i];
      EXPECT_EQ(cameras[i].vertical_fov, expected.vertical_fov) << times[i];
    }
    EXPECT_NE(cameras[1].position, cameras[5].position);
  }
}

TEST_F(GltfCameraFrames, KeepTheLensThatGltfLacks) {
  CameraDescription like;
  like.lens_radius = 0.25f;
  const std::filesystem::path file = write("s.gltf", gltf_with_moving_camera("LINEAR").text());
  EXPECT_EQ(load_gltf_cameras(file, {0.5}, like).front().lens_radius, 0.25f);
}

TEST_F(GltfCameraFrames, NeedACameraAndAnAnimation) {
  GltfFile still = gltf_with_moving_camera("LINEAR");
  still.json.erase("animations");
  const std::filesystem::path file = write("s.gltf", still.text());
  EXPECT_THAT(message_of<Error>([&] { load_gltf_cameras(file, {0.0}, {}); }),
              HasSubstr("s.gltf: has no animation that --frames could follow"));
  GltfFile blind = gltf_with_moving_camera("LINEAR");
  blind.json["nodes"][1].erase("camera");
  write("s.gltf", blind.text());
  EXPECT_THAT(message_of<Error>([&] { load_gltf_cameras(file, {0.0}, {}); }),
              HasSubstr("s.gltf: has no camera that --frames could follow"));
}

}  // namespace
}  // namespace winnow
