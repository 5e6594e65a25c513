// SPDX-License-Identifier: MIT
// A file that Blender 3.4 has exported: blender/make_scene.py --gltf scene.glb --segments 8.

#include <cmath>
#include <glm/trigonometric.hpp>
#include <numbers>
#include <string>

#include "load/gltf/gltf.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

const std::string kBlenderFile = WINNOW_SOURCE_DIR "/tests/load/gltf/blender/scene.glb";

class BlenderExport : public testing::Test {
 protected:
  const Material& material(const std::string& name) const {
    for (size_t i = 0; i < scene_.material_names.size(); ++i)
      if (scene_.material_names[i] == name) return scene_.materials[i];
    ADD_FAILURE() << "no material " << name;
    return scene_.materials.at(0);
  }

  const HostScene scene_ = load_gltf(kBlenderFile);
};

/// A point light of 60 W emits 60 / (4 pi) W sr^-1; a spot of 300 W emits along its axis as much as
/// a point light of 300 W.
TEST_F(BlenderExport, HasLightsWithTheirPowerInWatts) {
  ASSERT_EQ(scene_.delta_lights.size(), 3u);  // the area light is not in the file
  const DeltaLight &sun = scene_.delta_lights[0], &point = scene_.delta_lights[1],
                   &spot = scene_.delta_lights[2];
  EXPECT_EQ(sun.type, DeltaLightType::kDirectional);
  expect_near(sun.intensity, glm::vec3(1.0f));
  EXPECT_EQ(point.type, DeltaLightType::kPoint);
  expect_near(point.intensity, glm::vec3(60.0f / (4.0f * std::numbers::pi_v<float>)));
  expect_near(point.position, {0.5f, 2, 2});  // (0.5, -2, 2) where z is up
  EXPECT_EQ(spot.type, DeltaLightType::kSpot);
  expect_near(spot.intensity, glm::vec3(300.0f / (4.0f * std::numbers::pi_v<float>)));
  EXPECT_NEAR(spot.cone_angle, 25.0f, 1e-4f);
  // The blend of 0.3 is a share of 1 - cos(25 degrees).
  const float half = std::sin(glm::radians(12.5f));
  EXPECT_NEAR(spot.falloff_start, glm::degrees(2.0f * std::asin(half * std::sqrt(0.7f))), 1e-3f);
  EXPECT_EQ(spot.falloff, SpotFalloff::kSmooth);
}

TEST_F(BlenderExport, EmitsWithTheStrengthOfItsShader) {
  expect_near(material("panel").emission, 6.0f * glm::vec3(1.0f, 0.8f, 0.6f));
}

TEST_F(BlenderExport, HasPrincipledMaterials) {
  EXPECT_EQ(material("gold").metallic, 1.0f);
  EXPECT_NEAR(material("gold").roughness, 0.3f, 1e-6f);
  EXPECT_EQ(material("lacquer").coat, 1.0f);
  EXPECT_EQ(material("stone").metallic, 0.0f);
  const uint32_t texture = material("floor").textures.reflectance;
  ASSERT_NE(texture, kNoTexture);
  EXPECT_EQ(scene_.images.size(), 1u);
}

/// The material has the node group from which the exporter writes a thickness.
TEST_F(BlenderExport, HasGlassThatRefracts) {
  EXPECT_EQ(material("glass").type, MaterialType::kPrincipled);
  EXPECT_EQ(material("glass").transmission, 1.0f);
  EXPECT_EQ(material("glass").ior, 1.5f);
}

TEST_F(BlenderExport, SharesTheMeshesOfInstancedCollections) {
  EXPECT_EQ(scene_.meshes.size(), 2u);
  ASSERT_EQ(scene_.instances.size(), 4u);
  expect_near(scene_.instances[0].to_world[3], {-0.8f, 0.7f, -2});
}

TEST_F(BlenderExport, IsSeenByItsCameraWhichMovesInBlendersFrames) {
  const float horizontal = 2.0f * std::atan(36.0f / 2 / 35);  // 35 mm, of a sensor 36 mm wide
  const float vertical = 2.0f * std::atan(std::tan(horizontal / 2) * 9 / 16);
  EXPECT_NEAR(scene_.camera.vertical_fov, glm::degrees(vertical), 1e-3f);
  EXPECT_EQ(scene_.width, 1280u);
  EXPECT_EQ(scene_.height, 720u);
  const double fps = 24;
  const auto cameras = load_gltf_cameras(kBlenderFile, {1 / fps, 24 / fps}, scene_.camera).cameras;
  expect_near(cameras.at(0).position, {0, 2.1f, 6.2f});
  expect_near(cameras.at(1).position, {1, 2.1f, 6.2f});
}

TEST_F(BlenderExport, WarnsThatItMovesAndThatItsBallsAreCoarse) {
  ASSERT_EQ(scene_.warnings.size(), 2u);
  EXPECT_NE(scene_.warnings[0].find("animations"), std::string::npos) << scene_.warnings[0];
  EXPECT_NE(scene_.warnings[1].find("coarse smooth shading is up to 5 % darker"), std::string::npos)
      << scene_.warnings[1];
}

TEST_F(BlenderExport, HasANoteOfWhatBlenderDoesNotWrite) {
  ASSERT_EQ(scene_.notes.size(), 1u);
  EXPECT_NE(scene_.notes[0].find("scene.glb: written by Blender"), std::string::npos);
  EXPECT_NE(scene_.notes[0].find("area lamps (of 1 node, only names are left), lens shift"),
            std::string::npos)
      << scene_.notes[0];
}

}  // namespace
}  // namespace winnow
