// SPDX-License-Identifier: MIT
#include "load/gltf/gltf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "scene/scene_bounds.h"
#include "scene/scene_summary.h"
#include "tests/load/gltf/support/gltf_files.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

using nlohmann::json;
using Gltf = GltfTest;

TEST_F(Gltf, ReadsTextWithFilesAndDataAndBinaryAlike) {
  GltfFile file = GltfFile::triangle();
  write("my data.bin", file.buffer + "more than is needed");
  json beside = file.json;
  beside["buffers"] = {{{"byteLength", file.buffer.size()}, {"uri", "my%20data.bin"}}};
  for (const HostScene& scene : {load("a.gltf", file.text()), load("b.glb", file.glb()),
                                 load("c.gltf", beside.dump()), load("d.gltf", file.glb())}) {
    ASSERT_EQ(scene.triangles.size(), 1u);
    EXPECT_EQ(scene.positions[scene.triangles[0].y], glm::vec3(1, 0, 0));
    EXPECT_EQ(scene.normals[0], glm::vec3(0)) << "a mesh without normals is flat";
    EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  }
}

TEST_F(Gltf, PlacesNodesBelowNodes) {
  GltfFile file = GltfFile::triangle();
  const float half = std::sqrt(0.5f);
  file.json["nodes"] = {
      {{"mesh", 0}, {"scale", {2, 3, 4}}},
      // A quarter turn about z takes x to y.
      {{"children", {0}}, {"rotation", {0, 0, half, half}}, {"translation", {10, 0, 0}}},
      {{"children", {1}}, {"matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1}}}};
  const HostScene scene = load_file(file);
  expect_near(scene.positions[0], {10, 0, 5});
  expect_near(scene.positions[1], {10, 2, 5});
  expect_near(scene.positions[2], {7, 0, 5});
}

TEST_F(Gltf, ShowsTheDefaultSceneOrTheFirstOrAll) {
  GltfFile file = GltfFile::triangle();
  auto at = [](float x) { return json{{"mesh", 0}, {"translation", {x, 0, 0}}}; };
  file.json["nodes"] = {at(1), at(2), at(3)};
  auto place = [&] { return load_file(file).positions.at(0).x; };
  EXPECT_EQ(load_file(file).instances.size(), 3u);
  file.json["scenes"] = {{{"nodes", {1}}}, {{"nodes", {2}}}};
  EXPECT_EQ(place(), 2.0f);
  file.json["scene"] = 1;
  EXPECT_EQ(place(), 3.0f);
}

TEST_F(Gltf, SharesMeshesOfSeveralPlacesUnlessTheyEmit) {
  GltfFile file = GltfFile::triangle();
  file.json["materials"] = {{{"name", "paint"}}};
  file.primitive()["material"] = 0;
  file.json["nodes"] = {{{"mesh", 0}}, {{"mesh", 0}, {"translation", {0, 0, 7}}}};
  const HostScene shared = load_file(file);
  EXPECT_EQ(shared.triangles.size(), 0u);
  ASSERT_EQ(shared.instances.size(), 2u);
  EXPECT_EQ(shared.meshes.size(), 1u);
  EXPECT_EQ(shared.instances[1].to_world[3], glm::vec3(0, 0, 7));
  EXPECT_EQ(shared.material_names, std::vector<std::string>{"paint"});

  file.json["materials"][0]["emissiveFactor"] = {1, 1, 1};
  const HostScene emissive = load_file(file);
  EXPECT_EQ(emissive.instances.size(), 0u);
  EXPECT_EQ(emissive.triangles.size(), 2u);
}

TEST_F(Gltf, LeavesOutPlacementsThatHaveNoAreaOrAreTooFarAway) {
  GltfFile file = GltfFile::triangle();
  file.json["nodes"] = {{{"mesh", 0}},
                        {{"mesh", 0}, {"scale", {1, 0, 0}}},
                        {{"mesh", 0}, {"translation", {2e9, 0, 0}}}};
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.triangles.size(), 1u);
  expect_warnings(
      scene, {"/nodes/1: a mesh without area or farther away than 1e9 m is left out (2 times)"});
}

/// Only a scale of 0 on all axes may hide a mesh: glTF 2.0, section 3.5.3.
TEST_F(Gltf, PlacesMeshesThatTheirNodeFlattens) {
  GltfFile file = GltfFile::triangle();
  file.add_attribute("POSITION", {0, 0, 5, 1, 0, 6, 0, 1, 7}, "VEC3");
  file.add_attribute("NORMAL", {0, 0, 1, 0.6f, 0, 0.8f, 0, 0, 1}, "VEC3");
  const double half = std::sqrt(0.5);
  struct Case {
    json node;
    std::vector<glm::vec3> corners;
    glm::vec3 normal;
  };
  const Case cases[] = {
      {{{"scale", {2, 3, 0}}}, {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}}, {0, 0, 1}},
      {{{"scale", {2e-3, 3e-3, 0}}}, {{0, 0, 0}, {2e-3f, 0, 0}, {0, 3e-3f, 0}}, {0, 0, 1}},
      {{{"scale", {0, 1, 1}}}, {{0, 0, 5}, {0, 0, 6}, {0, 1, 7}}, {1, 0, 0}},
      {{{"scale", {2, 3, 0}}, {"rotation", {half, 0, 0, half}}, {"translation", {0, 9, 0}}},
       {{0, 9, 0}, {2, 9, 0}, {0, 9, 3}},
       {0, -1, 0}}};
  for (const Case& each : cases)
    for (const size_t copies : {1, 2}) {
      file.json["nodes"] = std::vector<json>(copies, each.node);
      for (json& node : file.json["nodes"]) node["mesh"] = 0;
      const HostScene scene = load_file(file);
      EXPECT_EQ(scene.warnings, std::vector<std::string>{});
      if (copies == 2) {
        ASSERT_EQ(scene.instances.size(), 2u);
        continue;
      }
      ASSERT_EQ(scene.triangles.size(), 1u);
      for (int k = 0; k < 3; ++k) {
        const uint32_t vertex = scene.triangles[0][k];
        EXPECT_LT(glm::distance(scene.positions[vertex], each.corners[size_t(k)]), 3e-5f);
        if (each.normal.x == 0.0f) {
          EXPECT_LT(glm::distance(scene.normals[vertex], each.normal), 1e-4f) << k;
        }
      }
    }
}

TEST_F(Gltf, KeepsTheOrientationOfMirroredMeshes) {
  GltfFile file = GltfFile::triangle();
  file.add_attribute("NORMAL", {0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
  file.json["nodes"][0]["scale"] = {-1, 1, 1};
  const HostScene scene = load_file(file);
  EXPECT_GT(area_vector(scene, scene.triangles.at(0)).z, 0.0f);
  EXPECT_EQ(scene.normals[0], glm::vec3(0, 0, 1));
}

TEST_F(Gltf, MakesTrianglesOfStripsAndFansAndLists) {
  const std::vector<float> square = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  auto area = [&](int mode, const std::vector<uint8_t>& indices, size_t triangle_count) {
    GltfFile file = GltfFile::triangle();
    file.add_attribute("POSITION", square, "VEC3");
    file.primitive()["mode"] = mode;
    if (!indices.empty()) {
      const int accessor = file.add(indices, "SCALAR", kUnsignedByte);
      file.primitive()["indices"] = accessor;
    }
    const HostScene scene = load_file(file);
    EXPECT_EQ(scene.triangles.size(), triangle_count);
    float z = 0.0f;
    for (glm::uvec3 t : scene.triangles) z += area_vector(scene, t).z;
    return z;
  };
  EXPECT_EQ(area(kTriangles, {0, 1, 2, 2, 1, 3}, 2), 1.0f);
  EXPECT_EQ(area(kTriangleStrip, {}, 2), 1.0f);
  EXPECT_EQ(area(kTriangleFan, {0, 1, 3, 2}, 2), 1.0f);
  EXPECT_EQ(area(kTriangles, {}, 1), 0.5f);
}

TEST_F(Gltf, ReadsEveryTypeOfIndex) {
  auto corner = [&](auto index, int type) {
    using Index = decltype(index);
    GltfFile file = GltfFile::triangle();
    const int accessor = file.add(std::vector<Index>{2, 0, 1}, "SCALAR", type);
    file.primitive()["indices"] = accessor;
    const HostScene scene = load_file(file);
    return scene.positions[scene.triangles.at(0).x];
  };
  EXPECT_EQ(corner(uint8_t{}, kUnsignedByte), glm::vec3(0, 1, 0));
  EXPECT_EQ(corner(uint16_t{}, kUnsignedShort), glm::vec3(0, 1, 0));
  EXPECT_EQ(corner(uint32_t{}, kUnsignedInt), glm::vec3(0, 1, 0));
}

TEST_F(Gltf, ReadsNormalisedAndPlainIntegers) {
  GltfFile file = GltfFile::triangle();
  file.add_attribute<int16_t>("POSITION", {0, 0, 0, 300, 0, 0, 0, -300, 0}, "VEC3", kShort);
  file.add_attribute<int8_t>("NORMAL", {0, 0, 127, 0, 0, 127, 0, 0, -128}, "VEC3", kByte, true);
  file.add_attribute<uint16_t>("TEXCOORD_0", {0, 65535, 0, 0, 13107, 0}, "VEC2", kUnsignedShort,
                               true);
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.positions[1], glm::vec3(300, 0, 0));
  EXPECT_EQ(scene.positions[2], glm::vec3(0, -300, 0));
  EXPECT_EQ(scene.normals[0], glm::vec3(0, 0, 1));
  EXPECT_EQ(scene.normals[2], glm::vec3(0, 0, -1));
  ASSERT_EQ(scene.uvs.size(), 3u);
  EXPECT_EQ(scene.uvs[0], glm::vec2(0, 1));
  EXPECT_FLOAT_EQ(scene.uvs[2].x, 0.2f);
}

TEST_F(Gltf, ReadsInterleavedVertices) {
  GltfFile file = GltfFile::triangle();
  const int view = file.add_view(std::vector<float>{0, 0, 0, 9, 2, 0, 0, 9, 0, 2, 0, 9});
  file.json["bufferViews"][size_t(view)]["byteStride"] = 16;
  file.json["accessors"][0]["bufferView"] = view;
  EXPECT_EQ(load_file(file).positions[2], glm::vec3(0, 2, 0));
}

TEST_F(Gltf, FillsInSparseAccessors) {
  GltfFile file = GltfFile::triangle();
  const int indices = file.add_view(std::vector<uint16_t>{1, 2});
  const int values = file.add_view(std::vector<float>{5, 0, 0, 0, 6, 0});
  json& accessor = file.json["accessors"][0];
  accessor["sparse"] = {{"count", 2},
                        {"indices", {{"bufferView", indices}, {"componentType", kUnsignedShort}}},
                        {"values", {{"bufferView", values}}}};
  EXPECT_EQ(load_file(file).positions[0], glm::vec3(0, 0, 0));
  EXPECT_EQ(load_file(file).positions[2], glm::vec3(0, 6, 0));
  accessor.erase("bufferView");  // zeros, where nothing else is said
  EXPECT_EQ(load_file(file).positions[1], glm::vec3(5, 0, 0));

  const int outside = file.add_view(std::vector<uint16_t>{1, 3});
  file.json["accessors"][0]["sparse"]["indices"]["bufferView"] = outside;
  EXPECT_EQ(error_of_gltf(file),
            "s.gltf: has no geometry: /accessors/0: found the sparse item 3; expected one below 3");
}

TEST_F(Gltf, GivesEachPrimitiveItsMaterialAndSharesVertices) {
  GltfFile file = GltfFile::triangle();
  file.json["materials"] = {{{"name", "a"}}, {{"name", "b"}}};
  const json first = file.primitive();
  json second = first;
  second["material"] = 1;
  const int indices = file.add(std::vector<uint8_t>{0, 2, 1}, "SCALAR", kUnsignedByte);
  second["indices"] = indices;
  file.json["meshes"][0]["primitives"].push_back(second);
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.positions.size(), 3u);
  ASSERT_EQ(scene.triangle_materials.size(), 2u);
  EXPECT_EQ(scene.material_names[scene.triangle_materials[0]], "(none)");
  EXPECT_EQ(scene.material_names[scene.triangle_materials[1]], "b");
}

TEST_F(Gltf, WarnsOnceOfEachKindThatItIgnores) {
  GltfFile file = GltfFile::triangle();
  json points = file.primitive();
  points["mode"] = kPoints;
  for (int i = 0; i < 2; ++i) file.json["meshes"][0]["primitives"].push_back(points);
  json moving = file.primitive();
  moving["targets"] = {{{"POSITION", 0}}};
  file.json["meshes"][0]["primitives"].push_back(moving);
  file.json["animations"] = {{{"channels", json::array()}}, {{"channels", json::array()}}};
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.triangles.size(), 2u);
  expect_warnings(scene, {"points and lines are left out (2 times)", "animations"});
}

/// The weights of both sets count together.
TEST_F(Gltf, MovesVerticesToMoreThanFourJoints) {
  GltfFile file = GltfFile::triangle();
  for (const char* name : {"JOINTS_0", "JOINTS_1"})
    file.add_attribute<uint8_t>(name, std::vector<uint8_t>(12, name[7] - '0'), "VEC4",
                                kUnsignedByte);
  file.add_attribute("WEIGHTS_0", {1, 0, 0, 0, 0.25f, 0, 0, 0, 0, 0, 0, 0}, "VEC4");
  file.add_attribute("WEIGHTS_1", {0, 0, 0, 0, 0.5f, 0, 0, 0.25f, 0, 1, 0, 0}, "VEC4");
  file.json["skins"] = {{{"joints", {1, 2}}}};
  file.json["nodes"] = {{{"mesh", 0}, {"skin", 0}}, json::object(), {{"translation", {0, 0, 4}}}};
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  expect_near(scene.positions.at(0), {0, 0, 0});
  expect_near(scene.positions.at(1), {1, 0, 3});
  expect_near(scene.positions.at(2), {0, 1, 4});
}

/// The second vertex follows one joint, the third both of them equally. The transform of the node
/// has no effect.
TEST_F(Gltf, MovesVerticesToTheJointsOfTheirSkin) {
  GltfFile file = GltfFile::triangle();
  file.add_attribute("NORMAL", {0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
  file.add_attribute<uint8_t>("JOINTS_0", {0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}, "VEC4",
                              kUnsignedByte);
  file.add_attribute<uint8_t>("WEIGHTS_0", {255, 0, 0, 0, 255, 0, 0, 0, 100, 100, 0, 0}, "VEC4",
                              kUnsignedByte, true);
  std::vector<float> matrices(32, 0.0f);
  for (int i : {0, 5, 10, 15, 16, 21, 26, 31}) matrices[size_t(i)] = 1.0f;
  matrices[16 + 13] = -1.0f;  // the second joint is at y = 1 when nothing is moved
  const int binds = file.add_floats(matrices, "VEC4");
  file.json["accessors"][size_t(binds)]["type"] = "MAT4";
  file.json["accessors"][size_t(binds)]["count"] = 2;
  file.json["skins"] = {{{"joints", {1, 2}}, {"inverseBindMatrices", binds}}};
  const float half = std::sqrt(0.5f);
  file.json["nodes"] = {{{"mesh", 0}, {"skin", 0}, {"translation", {100, 0, 0}}},
                        {{"children", {2}}, {"translation", {0, 0, 5}}},
                        {{"translation", {0, 1, 0}}, {"rotation", {half, 0, 0, half}}}};
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  expect_near(scene.positions.at(0), {0, 0, 5});
  expect_near(scene.positions[1], {1, 1, 4});  // (1, -1, 0) turned about x
  expect_near(scene.positions[2], {0, 1, 5});
  expect_near(scene.normals[0], {0, 0, 1});
  expect_near(scene.normals[1], {0, -1, 0});
}

TEST_F(Gltf, SpreadsATriangleThatHasNoAreaWithoutItsSkin) {
  GltfFile file = GltfFile::triangle();
  file.add_attribute("POSITION", std::vector<float>(9, 0.0f), "VEC3");
  file.add_attribute<uint8_t>("JOINTS_0", {0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}, "VEC4",
                              kUnsignedByte);
  file.add_attribute("WEIGHTS_0", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
  file.json["skins"] = {{{"joints", {1, 2, 3}}}};
  file.json["nodes"] = {{{"mesh", 0}, {"skin", 0}},
                        {{"translation", {0, 0, 5}}},
                        {{"translation", {2, 0, 5}}},
                        {{"translation", {0, 3, 5}}}};
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  ASSERT_EQ(scene.triangles.size(), 1u);
  expect_near(scene.positions.at(1), {2, 0, 5});

  file.json["nodes"][2]["translation"] = {0, 0, 5};
  EXPECT_THAT(error_of_gltf(file), testing::HasSubstr("has no geometry"));
}

TEST_F(Gltf, LeavesOutTrianglesOfASkinThatAreTooFarAway) {
  GltfFile file = GltfFile::triangle();
  file.add_attribute("POSITION", {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1e30f, 0, 0},
                     "VEC3");
  file.add_attribute<uint8_t>("JOINTS_0", std::vector<uint8_t>(24, 0), "VEC4", kUnsignedByte);
  std::vector<float> weights(24, 0.0f);
  for (size_t vertex = 0; vertex < 6; ++vertex) weights[4 * vertex] = 1.0f;
  file.add_attribute("WEIGHTS_0", weights, "VEC4");
  file.json["skins"] = {{{"joints", {1}}}};
  file.json["nodes"] = {{{"mesh", 0}, {"skin", 0}}, {{"translation", {0, 0, 5}}}};
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.triangles.size(), 1u);
  EXPECT_THAT(scene.warnings, testing::Contains(testing::HasSubstr("too far away")));
}

TEST_F(Gltf, LooksThroughItsFirstCamera) {
  GltfFile file = GltfFile::triangle();
  const float half = std::sqrt(0.5f);
  // A quarter turn about y takes the view from -z to -x.
  file.json["nodes"].push_back(
      {{"camera", 0}, {"rotation", {0, half, 0, half}}, {"translation", {4, 0, 1}}});
  file.json["cameras"] = {
      {{"type", "perspective"}, {"perspective", {{"yfov", 1.0}, {"znear", 0.1}}}}};
  HostScene scene = load_file(file);
  expect_near(scene.camera.position, {4, 0, 1});
  expect_near(glm::normalize(scene.camera.look_at - scene.camera.position), {-1, 0, 0});
  expect_near(scene.camera.up, {0, 1, 0});
  EXPECT_FLOAT_EQ(scene.camera.vertical_fov, 57.29578f);
  EXPECT_EQ(scene.width, 1280u);
  EXPECT_EQ(scene.height, 720u);

  file.json["cameras"][0]["perspective"]["aspectRatio"] = 0.5;
  EXPECT_EQ(load_file(file).width, 360u);
  file.json["cameras"] = {
      {{"type", "orthographic"},
       {"orthographic", {{"xmag", 3}, {"ymag", 1.5}, {"znear", 0}, {"zfar", 1}}}}};
  scene = load_file(file);
  EXPECT_EQ(scene.camera.projection, Projection::kOrthographic);
  EXPECT_EQ(scene.camera.view_height, 3.0f);
  EXPECT_EQ(scene.width, 1440u);
}

TEST_F(Gltf, FramesAndLightsScenesWithoutCameraAndLight) {
  GltfFile file = GltfFile::triangle();
  HostScene scene = load_file(file);
  EXPECT_EQ(scene.name, "s");
  EXPECT_EQ(scene.width, 768u);
  EXPECT_FALSE(scene.environment.image.pixels.empty());  // the default material is a metal
  EXPECT_NE(scene.camera.position, scene.camera.look_at);
}

/// DamagedHelmet, a helmet with a glowing visor, was black.
TEST_F(Gltf, IsNotBlackWhereSomethingGlows) {
  GltfFile file = GltfFile::triangle();
  file.primitive()["material"] = 0;
  const json unlit = {{"KHR_materials_unlit", json::object()}};
  for (const json& material : {json{{"emissiveFactor", {1, 1, 1}}}, json{{"extensions", unlit}}}) {
    file.json["materials"] = {material};
    const HostScene scene = load_file(file);
    EXPECT_TRUE(emits(scene.materials.at(0)));
    EXPECT_TRUE(summarize(scene).has_sky) << material;
  }
}

/// A lamp of 1 cd was 683 times dimmer than a surface of 1 cd m^-2 beside it.
TEST_F(Gltf, HasOneScaleForItsLampsAndForWhatGlows) {
  GltfFile file = GltfFile::triangle();
  file.json["materials"] = {{{"emissiveFactor", {1, 1, 1}}}};
  file.primitive()["material"] = 0;
  file.json["nodes"].push_back({{"extensions", {{"KHR_lights_punctual", {{"light", 0}}}}}});
  file.json["extensions"]["KHR_lights_punctual"]["lights"] = {{{"type", "point"}}};
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.materials.at(0).emission, glm::vec3(1));
  EXPECT_EQ(scene.delta_lights.at(0).intensity, glm::vec3(1));
  EXPECT_FALSE(summarize(scene).has_sky) << "a file with lights of its own has no other";
}

TEST_F(Gltf, ReadsPunctualLights) {
  GltfFile file = GltfFile::triangle();
  auto at = [](int light) {
    return json{{"extensions", {{"KHR_lights_punctual", {{"light", light}}}}},
                {"translation", {1, 2, 3}}};
  };
  for (int light : {0, 1, 2}) file.json["nodes"].push_back(at(light));
  file.json["extensions"]["KHR_lights_punctual"]["lights"] = {
      {{"type", "point"}, {"intensity", 1}, {"color", {1, 0.5, 0}}},
      {{"type", "directional"}, {"intensity", 2}},
      {{"type", "spot"}, {"spot", {{"innerConeAngle", 0.2}, {"outerConeAngle", 0.4}}}}};
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.sky.zenith, glm::vec3(0));
  ASSERT_EQ(scene.delta_lights.size(), 3u);
  EXPECT_EQ(scene.delta_lights[0].type, DeltaLightType::kPoint);
  EXPECT_EQ(scene.delta_lights[0].position, glm::vec3(1, 2, 3));
  expect_near(scene.delta_lights[0].intensity, {1, 0.5f, 0});
  EXPECT_EQ(scene.delta_lights[1].type, DeltaLightType::kDirectional);
  EXPECT_EQ(scene.delta_lights[1].direction, glm::vec3(0, 0, -1));
  expect_near(scene.delta_lights[1].intensity, glm::vec3(2));
  EXPECT_EQ(scene.delta_lights[2].type, DeltaLightType::kSpot);
  EXPECT_NEAR(scene.delta_lights[2].cone_angle, 22.9183f, 1e-3f);
  EXPECT_NEAR(scene.delta_lights[2].falloff_start, 11.4592f, 1e-3f);
  EXPECT_EQ(scene.delta_lights[2].falloff, SpotFalloff::kSquared);
  expect_near(scene.delta_lights[2].intensity, glm::vec3(1));
}

/// A spot without the key was left out.
TEST_F(Gltf, GivesASpotItsDefaultCone) {
  GltfFile file = GltfFile::triangle();
  file.json["nodes"].push_back({{"extensions", {{"KHR_lights_punctual", {{"light", 0}}}}}});
  file.json["extensions"]["KHR_lights_punctual"]["lights"] = {{{"type", "spot"}}};
  const HostScene scene = load_file(file);
  ASSERT_EQ(scene.delta_lights.size(), 1u);
  EXPECT_NEAR(scene.delta_lights[0].cone_angle, 45.0f, 1e-4f);
  EXPECT_EQ(scene.delta_lights[0].falloff_start, 0.0f);
}

/// A forest of one tree showed a single tree.
TEST_F(Gltf, ShowsEveryInstanceOfAnInstancedMesh) {
  GltfFile file = GltfFile::triangle();
  const float half = std::sqrt(0.5f);
  const int translations = file.add_floats({0, 0, 1, 0, 0, 2}, "VEC3");
  const int rotations = file.add_floats({0, 0, 0, 1, 0, 0, half, half}, "VEC4");
  const int scales = file.add_floats({1, 1, 1, 2, 2, 2}, "VEC3");
  file.json["nodes"][0]["translation"] = {10, 0, 0};
  json& attributes = file.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
  attributes = {{"TRANSLATION", translations}, {"ROTATION", rotations}, {"SCALE", scales}};
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  ASSERT_EQ(scene.instances.size(), 2u);
  expect_near(scene.instances[0].to_world * glm::vec4(1, 0, 0, 1), {11, 0, 1});
  expect_near(scene.instances[1].to_world * glm::vec4(1, 0, 0, 1), {10, 2, 2});

  const int one = file.add_floats({1, 1, 1}, "VEC3");
  file.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["SCALE"] = one;
  const HostScene single = load_file(file);
  EXPECT_EQ(single.triangles.size(), 1u);
  expect_warnings(single, {"expected as many translations as rotations and scales"});
}

/// Faces with default weights were shown without their expression.
TEST_F(Gltf, AppliesMorphTargetsByTheirDefaultWeights) {
  GltfFile file = GltfFile::triangle();
  file.add_attribute("NORMAL", {0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
  const int up = file.add_floats({0, 0, 4, 0, 0, 4, 0, 0, 4}, "VEC3");
  const int right = file.add_floats({2, 0, 0, 2, 0, 0, 2, 0, 0}, "VEC3");
  file.primitive()["targets"] = {{{"POSITION", up}, {"NORMAL", right}}, {{"POSITION", right}}};
  file.json["meshes"][0]["weights"] = {0.5, 0};
  HostScene scene = load_file(file);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  expect_near(scene.positions.at(1), {1, 0, 2});
  expect_near(scene.normals.at(1), glm::normalize(glm::vec3(1, 0, 1)));

  // A node may have weights of its own.
  file.json["nodes"] = {{{"mesh", 0}, {"weights", {0, 1}}}, {{"mesh", 0}}};
  scene = load_file(file);
  ASSERT_EQ(scene.positions.size(), 6u);
  float right_most = 0.0f;
  for (const glm::vec3& position : scene.positions) right_most = std::max(right_most, position.x);
  EXPECT_EQ(right_most, 3.0f);
}

TEST_F(Gltf, FollowsAChainOfNodesOfAnyLength) {
  constexpr int kLength = 20'000;
  GltfFile file = GltfFile::triangle();
  for (int i = 1; i < kLength; ++i) file.json["nodes"].push_back({{"children", {i - 1}}});
  file.json["scenes"] = {{{"nodes", {kLength - 1}}}};
  EXPECT_EQ(load_file(file).triangles.size(), 1u);
}

}  // namespace
}  // namespace winnow
