// SPDX-License-Identifier: MIT
// Tests the scenes of the project, and the JSON Schema of their format.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>

#include "load/load_scene.h"
#include "load/winnow/scene_keys.h"
#include "scene/scene_bounds.h"
#include "scene/scene_summary.h"
#include "tests/support/stems.h"

namespace winnow {
namespace {

const std::filesystem::path kScenes = WINNOW_SCENES_DIR;

nlohmann::json read_json(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return nlohmann::json::parse(stream);
}

bool is_generated(const char* file) {
  return std::filesystem::exists(kScenes / "generated" / file);
}

TEST(Scenes, AllLoadWithoutAWarning) {
  const std::vector<std::string> names = stems_of(kScenes, ".json");
  EXPECT_GE(names.size(), 7u);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const std::filesystem::path file = kScenes / (name + ".json");
    EXPECT_EQ(read_json(file).at("$schema"), "winnow.schema.json");
    if ((name == "terrain" && !is_generated("terrain.obj")) ||
        (name == "cloud" && !is_generated("cloud.vol")) ||
        (name == "fire" && !is_generated("fire.vol")))
      continue;
    HostScene scene = load_scene(file);
    EXPECT_FALSE(scene.description.empty());
    EXPECT_EQ(scene.warnings, std::vector<std::string>{});
    EXPECT_EQ(scene.normals.size(), scene.positions.size());
    EXPECT_EQ(scene.triangle_materials.size(), scene.triangles.size());
    for (uint32_t material : scene.triangle_materials) ASSERT_LT(material, scene.materials.size());
    for (const Sphere& sphere : scene.spheres) ASSERT_LT(sphere.material, scene.materials.size());
    for (glm::uvec3 triangle : scene.triangles)
      ASSERT_LT(std::max({triangle.x, triangle.y, triangle.z}), scene.positions.size());
    for (const MeshInstance& instance : scene.instances)
      ASSERT_LT(instance.mesh, scene.meshes.size());
  }
}

TEST(Scenes, TerrainHasAMillionTriangles) {
  if (!is_generated("terrain.obj")) GTEST_SKIP() << "scenes/make-terrain has not run";
  EXPECT_GE(load_scene(kScenes / "terrain.json").triangles.size(), 1'000'000u);
}

TEST(Scenes, CloudIsAGridOfAMillionDensities) {
  if (!is_generated("cloud.vol")) GTEST_SKIP() << "scenes/make-cloud has not run";
  const HostScene scene = load_scene(kScenes / "cloud.json");
  ASSERT_EQ(scene.grids.size(), 1u);
  EXPECT_EQ(scene.grids[0].size, glm::uvec3(128, 64, 128));
}

TEST(Scenes, FireHasGridsOfDensitiesAndOfTemperatures) {
  if (!is_generated("fire.vol")) GTEST_SKIP() << "scenes/make-fire has not run";
  const HostScene scene = load_scene(kScenes / "fire.json");
  ASSERT_EQ(scene.grids.size(), 2u);
  for (const DensityGrid& grid : scene.grids) EXPECT_EQ(grid.size, glm::uvec3(64, 128, 64));
  EXPECT_TRUE(summarize(scene).has_emissive_media);
}

TEST(Scenes, ManyLightsHasHundredsOfLights) {
  SceneSummary summary = summarize(load_scene(kScenes / "many-lights.json"));
  EXPECT_GE(summary.emissive_spheres + summary.emissive_triangles, 200u);
}

TEST(Scenes, FurnaceIsOneMaterialAllAround) {
  HostScene scene = load_scene(kScenes / "furnace.json");
  EXPECT_EQ(scene.materials.size(), 1u);
  EXPECT_EQ(scene.materials[0].reflectance, glm::vec3(0.5f));
  EXPECT_EQ(scene.materials[0].emission, glm::vec3(0.25f));
}

/// Each side of the bounds is covered by walls in its plane.
TEST(Scenes, ClosedIsSealed) {
  HostScene scene = load_scene(kScenes / "closed.json");
  Bounds bounds = scene_bounds(scene);
  glm::vec3 size = bounds.size();
  for (int axis = 0; axis < 3; ++axis)
    for (float plane : {bounds.min[axis], bounds.max[axis]}) {
      float covered = 0.0f;
      for (glm::uvec3 triangle : scene.triangles) {
        glm::vec3 a = scene.positions[triangle.x], b = scene.positions[triangle.y],
                  c = scene.positions[triangle.z];
        if (a[axis] == plane && b[axis] == plane && c[axis] == plane)
          covered += 0.5f * std::abs(glm::cross(b - a, c - a)[axis]);
      }
      EXPECT_GE(covered, size[(axis + 1) % 3] * size[(axis + 2) % 3] * 0.9999f);
    }
}

TEST(Schema, HasTheKeysOfTheReader) {
  namespace keys = scene_keys;
  nlohmann::json schema = read_json(kScenes / "winnow.schema.json");
  auto expect_same = [](const nlohmann::json& object, keys::Keys expected) {
    keys::Keys listed;
    for (const auto& [key, value] : object.at("properties").items()) listed.push_back(key);
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(listed, expected);
    EXPECT_EQ(object.at("additionalProperties"), false);
  };
  const nlohmann::json& defs = schema.at("$defs");
  expect_same(schema, keys::kScene);
  expect_same(defs.at("film"), keys::kFilm);
  expect_same(defs.at("render"), keys::kRender);
  expect_same(defs.at("camera"), keys::kCamera);
  expect_same(defs.at("sky"), keys::kSky);
  auto expect_same_material = [&](const std::string& type, keys::Keys expected) {
    expected.insert(expected.end(), keys::kAnyMaterial.begin(), keys::kAnyMaterial.end());
    expect_same(defs.at(type), expected);
  };
  for (size_t type = 0; type < keys::kMaterials.size(); ++type)
    expect_same_material(keys::kMaterialTypes[type], keys::kMaterials[type]);
  expect_same(defs.at("medium"), keys::kMedium);
  expect_same(defs.at("grid"), keys::kDensity);
  expect_same(defs.at("medium_emission"), keys::kEmission);
  expect_same(defs.at("texture"), keys::kTexture);
  expect_same(defs.at("material_textures"), keys::kMaterialTextures);
  for (const auto& [type, expected] : keys::kShapes)
    expect_same(defs.at("shape_" + type), expected);
  for (const auto& [type, expected] : keys::kLights)
    expect_same(defs.at("light_" + type), expected);
  expect_same(defs.at("transform_step"), keys::kTransformSteps);
  expect_same(defs.at("rotate"), keys::kRotate);
}

TEST(Schema, HasTheNamesOfTheReader) {
  using namespace scene_keys;
  const nlohmann::json conductor =
      read_json(kScenes / "winnow.schema.json").at("$defs").at("conductor").at("properties");
  EXPECT_EQ(conductor.at("metal").at("enum"), nlohmann::json(kMetals));
  EXPECT_EQ(conductor.at("masking").at("enum"), nlohmann::json(kMaskings));
  EXPECT_EQ(conductor.at("distribution").at("enum"), nlohmann::json(kDistributions));
  const nlohmann::json grid =
      read_json(kScenes / "winnow.schema.json").at("$defs").at("grid").at("properties");
  EXPECT_EQ(grid.at("border").at("enum"), nlohmann::json(enum_names<GridBorder>()));
}

TEST(Schema, HasTheTypesOfTheReader) {
  using namespace scene_keys;
  nlohmann::json defs = read_json(kScenes / "winnow.schema.json").at("$defs");
  auto expect_types = [&](const std::string& of, const std::string& prefix, const Keys& types) {
    Keys listed;
    for (const nlohmann::json& choice : defs.at(of).at("oneOf")) {
      std::string name =
          choice.at("$ref").get<std::string>().substr(std::string("#/$defs/").size());
      std::string type = defs.at(name).at("properties").at("type").at("const");
      EXPECT_EQ(name, prefix + type);
      listed.push_back(type);
    }
    EXPECT_EQ(listed, types);
  };
  expect_types("material", "", kMaterialTypes);
  expect_types("shape", "shape_", kShapeTypes);
  expect_types("mesh", "shape_", kMeshTypes);
  expect_types("light", "light_", kLightTypes);
}

}  // namespace
}  // namespace winnow
