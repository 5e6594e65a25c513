// SPDX-License-Identifier: MIT
#include "app/dataset/camera_files.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <glm/geometric.hpp>

#include "base/error.h"
#include "shading/camera.h"
#include "tests/support/folder_test.h"

namespace winnow {
namespace {

constexpr Size kFileSize{64, 48};

CameraList parse_cameras(const std::string& text, std::optional<Size> size = {}) {
  return parse_json_cameras(text, "cameras.json", size, kFileSize, 40.0);
}

const std::string kPlacedMatrix = "[[1,0,0,1],[0,1,0,2],[0,0,1,3],[0,0,0,1]]";

void expect_cameras_refused(const std::string& text, const std::string& part) {
  try {
    parse_cameras(text);
    FAIL() << text;
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("cameras.json: "));
    EXPECT_THAT(error.what(), testing::HasSubstr(part));
  }
}

TEST(CameraFiles, ReadNerfWithTheAngleOfTheWidth) {
  const CameraList list = parse_cameras(
      R"({"camera_angle_x": 1.0, "frames": [{"transform_matrix": )" + kPlacedMatrix + "}]}");
  ASSERT_EQ(list.cameras.size(), 1u);
  const DataCamera& camera = list.cameras[0];
  EXPECT_EQ(camera.position, glm::dvec3(1, 2, 3));
  EXPECT_EQ(camera.axes, glm::dmat3(1.0));
  EXPECT_NEAR(camera.fl_x, 32.0 / std::tan(0.5), 1e-9);
  EXPECT_EQ(camera.fl_y, camera.fl_x);
  EXPECT_EQ(glm::dvec2(camera.cx, camera.cy), glm::dvec2(32, 24));
}

TEST(CameraFiles, ReadAnglesOfInstantNgpInDegreesBeforeOtherIntrinsics) {
  const DataCamera camera = parse_cameras(R"({"x_fov": 90, "fl_x": 5, "fl_y": 20,
    "frames": [{"transform_matrix": )" + kPlacedMatrix +
                                          "}]}")
                                .cameras[0];
  EXPECT_NEAR(camera.fl_x, 32.0, 1e-9);
  EXPECT_EQ(camera.fl_y, 20.0);
  EXPECT_NEAR(parse_cameras(R"([{"y_fov": 90, "transform_matrix": )" + kPlacedMatrix + "}]")
                  .cameras[0]
                  .fl_x,
              24.0, 1e-9);
  EXPECT_EQ(parse_cameras(R"({"x_fov": 90, "frames": [{"fl_x": 5, "transform_matrix": )" +
                          kPlacedMatrix + "}]}")
                .cameras[0]
                .fl_x,
            5.0);
}

TEST(CameraFiles, TakeIntrinsicsOfAFrameBeforeThoseOfTheFileAndScaleThemToTheSize) {
  const std::string text = R"({"w": 640, "h": 480, "fl_x": 500, "cx": 300, "cy": 200, "k1": 0,
    "frames": [{"transform_matrix": )" +
                           kPlacedMatrix + R"(},
               {"fl_x": 600, "fl_y": 610, "transform_matrix": )" +
                           kPlacedMatrix + "}]}";
  const CameraList own = parse_cameras(text);
  EXPECT_EQ(own.size.width, 640u);
  EXPECT_EQ(own.cameras[0].fl_y, 500.0);
  EXPECT_EQ(own.cameras[1].fl_y, 610.0);
  const CameraList half = parse_cameras(text, Size{320, 240});
  EXPECT_EQ(half.cameras[1].fl_x, 300.0);
  EXPECT_EQ(glm::dvec2(half.cameras[0].cx, half.cameras[0].cy), glm::dvec2(150, 100));
}

TEST(CameraFiles, SendEachPixelsRayWhereTheIntrinsicsSay) {
  const CameraList list =
      parse_cameras(R"({"w": 64, "h": 48, "fl_x": 50, "fl_y": 40, "cx": 20, "cy": 30,
    "frames": [{"transform_matrix": )" +
                    kPlacedMatrix + "}]}");
  const Placement placement{.center = {5, 0, 0}, .scale = 2.0};
  const CameraDescription description = camera_of(list.cameras[0], placement, kFileSize);
  const Camera camera = make_camera(description, kFileSize.width, kFileSize.height);
  EXPECT_NEAR(glm::distance(description.position, glm::vec3(5.5f, 1.0f, 1.5f)), 0.0f, 1e-6f);
  for (const auto& [x, y] : {std::pair(0.5, 0.5), std::pair(20.0, 30.0), std::pair(60.5, 7.5)}) {
    const glm::vec3 ray = camera.top_left + float(x) * camera.pixel_x + float(y) * camera.pixel_y;
    EXPECT_NEAR(ray.x, (x - 20) / 50, 1e-5) << x;
    EXPECT_NEAR(ray.y, (30 - y) / 40, 1e-5) << y;
    EXPECT_NEAR(ray.z, -1.0, 1e-5);
  }
}

TEST(CameraFiles, ReadMatricesOfBlenderWithItsLensShift) {
  EXPECT_EQ(parse_cameras("[" + kPlacedMatrix + "," + kPlacedMatrix + "]").cameras.size(), 2u);
  const DataCamera camera = parse_cameras(R"([{"angle_x": 1.0, "shift_x": 0.25, "shift_y": -0.125,
                                      "matrix_world": )" +
                                          kPlacedMatrix + "}]")
                                .cameras[0];
  EXPECT_NEAR(camera.fl_x, 32.0 / std::tan(0.5), 1e-9);
  EXPECT_EQ(glm::dvec2(camera.cx, camera.cy), glm::dvec2(32 - 16, 24 - 8));
}

TEST(CameraFiles, DropTheScaleOfAMatrix) {
  const DataCamera camera = parse_cameras("[[[0,-2,0,1],[2,0,0,2],[0,0,2,3]]]").cameras[0];
  EXPECT_NEAR(glm::distance(camera.axes[0], glm::dvec3(0, 1, 0)), 0.0, 1e-12);
  EXPECT_NEAR(glm::distance(camera.axes[1], glm::dvec3(-1, 0, 0)), 0.0, 1e-12);
}

TEST(CameraFiles, OfPinholesMayNameTheirModel) {
  for (const std::string model : {"PINHOLE", "SIMPLE_PINHOLE", "OPENCV", "RADIAL"})
    EXPECT_EQ(parse_cameras(R"({"camera_model": ")" + model +
                            R"(", "k1": 0, "is_fisheye": false, "frames": [{"transform_matrix": )" +
                            kPlacedMatrix + "}]}")
                  .cameras.size(),
              1u);
}

TEST(CameraFiles, AreRefusedInOneLineThatNamesThePlace) {
  expect_cameras_refused(R"({"frames": []})", "/frames: expected at least one camera");
  expect_cameras_refused(R"({"frames": [{}]})", "/frames/0");
  expect_cameras_refused(R"({"k1": 0.1, "frames": [{"transform_matrix": )" + kPlacedMatrix + "}]}",
                         "k1 is not 0");
  for (const std::string lens :
       {R"("camera_model": "OPENCV_FISHEYE")", R"("camera_model": "EQUIRECTANGULAR")",
        R"("is_fisheye": true)", R"("latlong": true)", R"("equirectangular": true)",
        R"("ftheta_p0": 0.1)", R"("distortion_params": [0, 0.1])"}) {
    expect_cameras_refused(
        "{" + lens + R"(, "frames": [{"transform_matrix": )" + kPlacedMatrix + "}]}", "supported");
    expect_cameras_refused(
        R"({"frames": [{"transform_matrix": )" + kPlacedMatrix + ", " + lens + "}]}", "/frames/0");
  }
  expect_cameras_refused("[[[1,0,0,0],[1,1,0,0],[0,0,1,0]]]", "right angles");
  expect_cameras_refused("[[[-1,0,0,0],[0,1,0,0],[0,0,1,0]]]", "mirrored");
  expect_cameras_refused("[[[0,0,0,0],[0,1,0,0],[0,0,1,0]]]", "not a rotation");
  expect_cameras_refused("[[[1,0,0],[0,1,0],[0,0,1]]]", "4 numbers");
  expect_cameras_refused("[[[1,0,0,0],[0,1,0,0],[0,0,1,0],[1,2,3,1]]]", "transposed");
  expect_cameras_refused(R"([{"shift_x": 1e300, "matrix_world": )" + kPlacedMatrix + "}]",
                         "/0/shift_x");
  expect_cameras_refused(R"([{"w": 64, "h": 48, "transform_matrix": )" + kPlacedMatrix +
                             R"(}, {"w": 32, "h": 48, "transform_matrix": )" + kPlacedMatrix + "}]",
                         "--size");
}

TEST(CameraFiles, ReadColmapsTextModel) {
  const std::string cameras =
      "# comment\n1 PINHOLE 64 48 50 40 20 30\n7 SIMPLE_RADIAL 64 48 50 32 24 0\n";
  // A turn of 180 degrees about x: COLMAP's axes become those of the world.
  const std::string images =
      "# comment\n2 0 1 0 0 1 2 3 1 a b.png\n\n1 1 0 0 0 0 0 4 7 b.png\n10 20 -1\n";
  const CameraList list = parse_colmap_cameras(cameras, images, "folder", {});
  ASSERT_EQ(list.cameras.size(), 2u);
  EXPECT_NEAR(glm::distance(list.cameras[0].position, glm::dvec3(-1, 2, 3)), 0.0, 1e-12);
  EXPECT_NEAR(glm::distance(list.cameras[0].axes[2], glm::dvec3(0, 0, 1)), 0.0, 1e-12);
  EXPECT_EQ(list.cameras[0].cy, 30.0);
  EXPECT_NEAR(glm::distance(list.cameras[1].position, glm::dvec3(0, 0, -4)), 0.0, 1e-12);
  EXPECT_NEAR(glm::distance(list.cameras[1].axes[2], glm::dvec3(0, 0, -1)), 0.0, 1e-12);
  auto refused = [&](const std::string& of_cameras, const std::string& of_images) {
    EXPECT_THROW(parse_colmap_cameras(of_cameras, of_images, "folder", {}), Error) << of_cameras;
  };
  refused("1 OPENCV 64 48 50 50 32 24 0.1 0 0 0\n", images);
  refused("1 FISHEYE 64 48 50 50 32 24\n", images);
  refused("1 PINHOLE 64 48 50\n", images);
  refused("3 PINHOLE 64 48 50 50 32 24\n", images);
  refused("1 PINHOLE 64 48 1e300 50 32 24\n", images);
  refused("1 PINHOLE 64 48 50 50 32 1e300\n", images);
  refused(cameras, "# none\n");
  refused(cameras, "1 0 0 0 0 1 2 3 1 a.png\n");
  refused(cameras, "1 1e200 0 0 0 1 2 3 1 a.png\n");
  refused(cameras, "1 1 0 0 0 1 2 1e300 1 a.png\n");
  // Images without lines of points: each second one would be taken for points.
  refused(cameras, "1 1 0 0 0 1 2 3 1 a.png\n2 1 0 0 0 1 2 3 1 b.png\n");
}

class CameraFolder : public FolderTest {};

TEST_F(CameraFolder, OfColmapIsFoundByItsFiles) {
  EXPECT_THROW(load_cameras(folder_, {}, kFileSize, 40.0), Error);
  std::ofstream(folder_ / "cameras.txt") << "1 PINHOLE 64 48 50 40 20 30\n";
  std::ofstream(folder_ / "images.txt") << "1 1 0 0 0 0 0 4 1 b.png\n\n";
  for (const auto& file : {folder_, folder_ / "cameras.txt", folder_ / "images.txt"})
    EXPECT_EQ(load_cameras(file, {}, kFileSize, 40.0).cameras.size(), 1u) << file;
}

TEST_F(CameraFolder, OfColmapsBinaryModelIsRefusedWithTheCommandThatConvertsIt) {
  for (const char* name : {"cameras.bin", "images.bin"})
    std::ofstream(folder_ / name) << std::string(8, '\0');
  for (const auto& file : {folder_, folder_ / "cameras.bin"}) try {
      load_cameras(file, {}, kFileSize, 40.0);
      FAIL() << file;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("colmap model_converter"));
    }
}

}  // namespace
}  // namespace winnow
