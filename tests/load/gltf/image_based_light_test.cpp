// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <glm/geometric.hpp>
#include <numbers>
#include <vector>

#include "image/image_formats.h"
#include "image/srgb.h"
#include "scene/soft_sky.h"
#include "tests/load/gltf/support/gltf_files.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

using nlohmann::json;

/// Returns the texel of an environment map that a viewer sees in direction `w` of the world.
glm::vec3 radiance_from(const EnvironmentMap& map, glm::vec3 w) {
  const glm::vec3 local = glm::normalize(glm::transpose(map.to_world) * w);
  const double pi = std::numbers::pi;
  const double u = std::atan2(double(local.x), -double(local.z)) / (2.0 * pi);
  const double v = std::acos(double(local.y)) / pi;
  const auto x = uint32_t((u < 0.0 ? u + 1.0 : u) * map.image.width) % map.image.width;
  const uint32_t y = std::min(uint32_t(v * map.image.height), map.image.height - 1);
  return map.scale * map.image.pixels[size_t{y} * map.image.width + x];
}

class GltfImageBasedLight : public GltfTest {
 protected:
  /// Writes a face of 2x2 texels.
  void write_face(const std::string& name, std::vector<uint8_t> rgba) const {
    std::ofstream stream(folder_ / name, std::ios::binary);
    write_rgba_png(stream, {2, 2, std::move(rgba)});
  }
  void write_plain_face(const std::string& name, std::vector<uint8_t> texel) const {
    std::vector<uint8_t> rgba;
    for (int i = 0; i < 4; ++i) rgba.insert(rgba.end(), texel.begin(), texel.end());
    write_face(name, rgba);
  }

  /// A triangle in a cube map of the images 0.png to 5.png.
  static GltfFile lit_triangle() {
    GltfFile file = GltfFile::triangle();
    for (int i = 0; i < 6; ++i)
      file.json["images"].push_back({{"uri", std::to_string(i) + ".png"}});
    file.json["scenes"] = {{{"nodes", {0}}}};
    file.json["scenes"][0]["extensions"]["EXT_lights_image_based"]["light"] = 0;
    json levels = json::array();
    levels.push_back({0, 1, 2, 3, 4, 5});
    levels.push_back({0, 0, 0, 0, 0, 0});  // a smaller level
    file.json["extensions"]["EXT_lights_image_based"]["lights"] = {
        {{"specularImages", levels}, {"specularImageSize", 2}}};
    return file;
  }
  static json& light_of(GltfFile& file) {
    return file.json["extensions"]["EXT_lights_image_based"]["lights"][0];
  }
};

TEST_F(GltfImageBasedLight, HasTheFacesOfItsCubeAroundIt) {
  const glm::vec3 axes[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (uint8_t i = 0; i < 6; ++i)
    write_plain_face(std::to_string(i) + ".png", {uint8_t(40 * i + 55), 128, 0, 255});
  const HostScene scene = load_file(lit_triangle());
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  EXPECT_EQ(scene.sky.zenith, glm::vec3(0.0f));
  for (int i = 0; i < 6; ++i)
    expect_near(
        radiance_from(scene.environment, axes[i]),
        {linear_from_srgb(float(40 * i + 55) / 255.0f), linear_from_srgb(128.0f / 255.0f), 0.0f});
}

/// The images of OpenGL's cube maps, mirrored about their vertical axes, are seen unmirrored from
/// inside: their first texel is at the upper left.
TEST_F(GltfImageBasedLight, ShowsEachFaceUnmirrored) {
  const std::vector<uint8_t> dark = {0, 0, 0, 255}, lit = {255, 255, 255, 255};
  std::vector<uint8_t> face = lit;  // upper left
  for (int i = 0; i < 3; ++i) face.insert(face.end(), dark.begin(), dark.end());
  // Seen from the centre: the direction of a face, of its right edge and of its upper edge.
  const glm::vec3 views[][3] = {
      {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},   {{-1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
      {{0, 1, 0}, {-1, 0, 0}, {0, 0, -1}}, {{0, -1, 0}, {-1, 0, 0}, {0, 0, 1}},
      {{0, 0, 1}, {-1, 0, 0}, {0, 1, 0}},  {{0, 0, -1}, {1, 0, 0}, {0, 1, 0}}};
  for (int lit_face = 0; lit_face < 6; ++lit_face) {
    for (int i = 0; i < 6; ++i) write_plain_face(std::to_string(i) + ".png", dark);
    write_face(std::to_string(lit_face) + ".png", face);
    const HostScene scene = load_file(lit_triangle());
    const auto& [ahead, right, up] = views[lit_face];
    auto seen = [&](float x, float y) {
      return radiance_from(scene.environment, ahead + x * right + y * up).x;
    };
    EXPECT_GT(seen(-0.7f, 0.7f), 0.95f) << lit_face;
    EXPECT_LT(seen(0.7f, 0.7f), 0.05f) << lit_face;
    EXPECT_LT(seen(-0.7f, -0.7f), 0.05f) << lit_face;
    EXPECT_LT(seen(0.7f, -0.7f), 0.05f) << lit_face;
  }
}

TEST_F(GltfImageBasedLight, DividesColorsByAlpha) {
  for (int i = 0; i < 6; ++i) write_plain_face(std::to_string(i) + ".png", {255, 128, 0, 51});
  const HostScene scene = load_file(lit_triangle());
  expect_near(radiance_from(scene.environment, {1, 0, 0}),
              {5.0f, 5.0f * linear_from_srgb(128.0f / 255.0f), 0.0f}, 1e-4f);
}

TEST_F(GltfImageBasedLight, IsRotatedAndScaled) {
  for (int i = 0; i < 6; ++i) write_plain_face(std::to_string(i) + ".png", {0, 0, 0, 255});
  write_plain_face("0.png", {255, 255, 255, 255});  // at +x
  GltfFile file = lit_triangle();
  light_of(file)["intensity"] = 3.0;
  const double half = std::sqrt(0.5);
  light_of(file)["rotation"] = {0, half, 0, half};  // a quarter turn about +y: +x to -z
  HostScene scene = load_file(file);
  expect_near(radiance_from(scene.environment, {0, 0, -1}), glm::vec3(3.0f), 1e-4f);
  expect_near(radiance_from(scene.environment, {1, 0, 0}), glm::vec3(0.0f), 1e-4f);
  light_of(file)["rotation"] = {0, 0, half, half};  // about +z: +x to +y
  scene = load_file(file);
  expect_near(radiance_from(scene.environment, {0, 1, 0}), glm::vec3(3.0f), 1e-4f);
}

TEST_F(GltfImageBasedLight, ShinesBesideOtherLights) {
  for (int i = 0; i < 6; ++i) write_plain_face(std::to_string(i) + ".png", {255, 255, 255, 255});
  GltfFile file = lit_triangle();
  file.json["extensions"]["KHR_lights_punctual"]["lights"] = {{{"type", "point"}}};
  file.json["nodes"][0]["extensions"]["KHR_lights_punctual"]["light"] = 0;
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.delta_lights.size(), 1u);
  EXPECT_FALSE(scene.environment.image.pixels.empty());
}

TEST_F(GltfImageBasedLight, IsThatOfTheSceneThatIsShown) {
  for (int i = 0; i < 6; ++i) write_plain_face(std::to_string(i) + ".png", {0, 0, 0, 255});
  GltfFile file = lit_triangle();
  file.json["scenes"].push_back({{"nodes", {0}}});
  file.json["scene"] = 1;
  EXPECT_EQ(load_file(file).environment.image.pixels, studio_sky().image.pixels);
}

TEST_F(GltfImageBasedLight, IsLeftOutIfBroken) {
  for (int i = 0; i < 6; ++i) write_plain_face(std::to_string(i) + ".png", {0, 0, 0, 255});
  write_texel("small.png", {0, 0, 0, 255});
  auto expect_studio = [&](const char* warning, auto change) {
    GltfFile file = lit_triangle();
    change(file);
    const HostScene scene = load_file(file);
    EXPECT_EQ(scene.environment.image.pixels, studio_sky().image.pixels);
    expect_warnings(scene, {warning});
  };
  expect_studio("expected an index below 1, found 7", [](GltfFile& file) {
    file.json["scenes"][0]["extensions"]["EXT_lights_image_based"]["light"] = 7;
  });
  expect_studio("expected 6 images, found 5",
                [](GltfFile& file) { light_of(file)["specularImages"][0].erase(5); });
  expect_studio("expected an index below 6, found 6",
                [](GltfFile& file) { light_of(file)["specularImages"][0][2] = 6; });
  expect_studio("expected the six images",
                [](GltfFile& file) { light_of(file)["specularImages"] = json::array(); });
  expect_studio("expected square images of one size, found 1x1",
                [](GltfFile& file) { file.json["images"][3]["uri"] = "small.png"; });
  expect_studio("missing.png",
                [](GltfFile& file) { file.json["images"][3]["uri"] = "missing.png"; });
}

}  // namespace
}  // namespace winnow
