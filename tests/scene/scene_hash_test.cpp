// SPDX-License-Identifier: MIT
#include "scene/scene_hash.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/scene/volumes/support/grids.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

HostScene scene_of_all_parts() {
  HostScene scene = mixed_scene_with_instances();
  scene.images.push_back({"a.png", 1, 1, TexelFormat::kLinear8, std::vector<std::byte>(4)});
  scene.textures.push_back({});
  scene.delta_lights.push_back({});
  scene.media.push_back({});
  scene.grids = {random_grid({2, 3, 4}, GridBorder::kFade, 1)};
  scene.grid_placements = {{.grid = 0}};
  scene.environment.image = {1, 1, {glm::vec3(1.0f)}};
  return scene;
}

TEST(SceneHash, IsThatOfTheContentAndNotOfNames) {
  const HostScene scene = scene_of_all_parts();
  HostScene other = scene;
  other.name = "other";
  other.description = "another";
  other.warnings = {"a warning"};
  other.material_names.assign(scene.materials.size(), "a name");
  other.images[0].name = "b.png";
  other.width = 7, other.height = 9, other.spp = 3, other.max_bounces = 2;
  EXPECT_EQ(scene_hash(scene), scene_hash(other));
}

TEST(SceneHash, NamesThePartThatDiffers) {
  const std::pair<ScenePart, std::function<void(HostScene&)>> kChanges[] = {
      {ScenePart::kGeometry, [](HostScene& s) { s.positions.back().z += 1e-6f; }},
      {ScenePart::kGeometry, [](HostScene& s) { s.triangles.pop_back(); }},
      {ScenePart::kGeometry, [](HostScene& s) { s.triangle_materials.back() ^= 1; }},
      {ScenePart::kGeometry, [](HostScene& s) { s.instances.back().to_world[3].x += 1.0f; }},
      {ScenePart::kGeometry, [](HostScene& s) { s.shared.positions.back().x += 1.0f; }},
      {ScenePart::kGeometry, [](HostScene& s) { s.spheres.push_back({}); }},
      {ScenePart::kMaterials, [](HostScene& s) { s.materials[0].roughness += 0.125f; }},
      {ScenePart::kMaterials, [](HostScene& s) { s.materials[0].two_sided_emission = false; }},
      {ScenePart::kMaterials, [](HostScene& s) { s.materials[0].black_back = true; }},
      {ScenePart::kMaterials, [](HostScene& s) { s.materials[0].textures.sheen = 0; }},
      {ScenePart::kMaterials, [](HostScene& s) { s.media[0].asymmetry = 0.5f; }},
      {ScenePart::kMaterials, [](HostScene& s) { s.grid_placements[0].to_world[3].x = 1.0f; }},
      {ScenePart::kMaterials, [](HostScene& s) { s.grids[0].values[7] += 1.0f; }},
      {ScenePart::kTextures, [](HostScene& s) { s.images[0].texels[3] = std::byte(1); }},
      {ScenePart::kTextures, [](HostScene& s) { s.textures[0].wrap_v = TextureWrap::kClamp; }},
      {ScenePart::kLights, [](HostScene& s) { s.sky.zenith.y += 1.0f; }},
      {ScenePart::kLights, [](HostScene& s) { s.environment.scale = 2.0f; }},
      {ScenePart::kLights, [](HostScene& s) { s.environment.image.pixels[0].x = 2.0f; }},
      {ScenePart::kLights, [](HostScene& s) { s.delta_lights[0].disk_angle = 1.0f; }},
      {ScenePart::kCamera, [](HostScene& s) { s.camera.blades = 5; }},
      {ScenePart::kCamera, [](HostScene& s) { s.camera.motion.resize(2); }},
      {ScenePart::kCamera, [](HostScene& s) { s.camera.shift.y = 0.5f; }},
      {ScenePart::kCamera, [](HostScene& s) { s.camera.far_clip = 5.0f; }},
      {ScenePart::kCamera, [](HostScene& s) { s.camera.pixel_aspect = 1.5f; }},
      {ScenePart::kFilter, [](HostScene& s) { s.filter.radius = 1.0f; }},
  };
  const HostScene scene = scene_of_all_parts();
  const SceneHash hash = scene_hash(scene);
  for (const auto& [part, change] : kChanges) {
    HostScene changed = scene;
    change(changed);
    const SceneHash other = scene_hash(changed);
    for (size_t i = 0; i < kScenePartCount; ++i)
      EXPECT_EQ(hash[i] != other[i], i == size_t(part))
          << enum_names<ScenePart>()[i] << ", change of the " << enum_name(part);
  }
}

/// Film files name scenes by their hashes.
TEST(SceneHash, OfAHomogeneousMediumIsWhatItWasBeforeThereWereGrids) {
  HostScene scene;
  scene.media = {{.scattering = {1, 2, 3}, .asymmetry = 0.25f}};
  EXPECT_EQ(scene_hash(scene)[size_t(ScenePart::kMaterials)], 10325175026281694673u);
}

TEST(SceneHash, DoesNotTakeAnItemOfOneArrayForOneOfTheNext) {
  HostScene a, b;
  a.uvs = {{1, 2}};
  b.second_uvs = {{1, 2}};
  EXPECT_NE(scene_hash(a), scene_hash(b));
}

}  // namespace
}  // namespace winnow
