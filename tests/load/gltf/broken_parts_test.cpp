// SPDX-License-Identifier: MIT
// Parts of a glTF file that are broken: they are left out with a warning, and the rest is shown.

#include <gtest/gtest.h>

#include <cmath>

#include "load/gltf/gltf.h"
#include "tests/load/gltf/support/gltf_files.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

using nlohmann::json;

class GltfBrokenParts : public GltfTest {
 protected:
  /// A triangle, and a second primitive of the same vertices.
  static GltfFile pair() {
    GltfFile file = GltfFile::triangle();
    const json copy = file.primitive();
    file.json["meshes"][0]["primitives"].push_back(copy);
    return file;
  }
  static json& second(GltfFile& file) { return file.json["meshes"][0]["primitives"][1]; }

  /// A triangle with a skin of two joints, nodes 1 and 2.
  static GltfFile skinned() {
    GltfFile file = GltfFile::triangle();
    file.add_attribute<uint8_t>("JOINTS_0", {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, "VEC4",
                                kUnsignedByte);
    file.add_attribute<uint8_t>("WEIGHTS_0", {255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0}, "VEC4",
                                kUnsignedByte, true);
    file.json["skins"] = {{{"joints", {1, 2}}}};
    file.json["nodes"] = {{{"mesh", 0}, {"skin", 0}, {"translation", {100, 0, 0}}},
                          {{"translation", {0, 0, 5}}},
                          {{"translation", {0, 7, 0}}}};
    return file;
  }
};

TEST_F(GltfBrokenParts, LeavesOutAPrimitiveAndShowsTheOthers) {
  GltfFile without_positions = pair(), of_another_type = pair(), out_of_range = pair();
  second(without_positions)["attributes"].erase("POSITION");
  const int flat = of_another_type.add_floats({0, 0, 1, 0, 0, 1}, "VEC2");
  second(of_another_type)["attributes"]["POSITION"] = flat;
  const int indices = out_of_range.add(std::vector<uint8_t>{0, 1, 3}, "SCALAR", kUnsignedByte);
  second(out_of_range)["indices"] = indices;
  const std::pair<GltfFile, std::string> kFiles[] = {
      {without_positions, "/meshes/0/primitives/1: triangles without a POSITION are left out"},
      {of_another_type,
       "/accessors/1: expected VEC3, as /meshes/0/primitives/1/attributes/POSITION needs, found "
       "VEC2; the triangles are left out"},
      {out_of_range,
       "/meshes/0/primitives/1/indices: found the vertex 3; expected one below 3; the triangles "
       "are left out"}};
  for (const auto& [file, warning] : kFiles) {
    const HostScene scene = load_file(file);
    EXPECT_EQ(scene.triangles.size(), 1u);
    expect_warnings(scene, {warning});
  }
}

TEST_F(GltfBrokenParts, LeavesOutAnAttributeOfAnotherType) {
  GltfFile file = GltfFile::triangle();
  file.add_attribute("NORMAL", {0, 0, 1, 0, 0, 1}, "VEC2");
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.triangles.size(), 1u);
  EXPECT_EQ(scene.normals.at(0), glm::vec3(0));
  expect_warnings(scene, {"NORMAL needs, found VEC2; the attribute is left out"});
}

TEST_F(GltfBrokenParts, SaysThatASkinLeavesNoTriangleAnArea) {
  GltfFile file = skinned();
  for (const int joint : {1, 2}) file.json["nodes"][joint]["scale"] = {0, 0, 0};
  EXPECT_EQ(error_of_gltf(file),
            "s.gltf: has no geometry: no triangle of its meshes has an area where it is placed");
}

TEST_F(GltfBrokenParts, PlacesAJointOutsideOfTheSceneWhereTheFileHasIt) {
  GltfFile file = skinned();
  file.json["scenes"] = {{{"nodes", {0, 1}}}};
  const HostScene scene = load_file(file);
  expect_near(scene.positions.at(0), {0, 0, 5});
  expect_near(scene.positions.at(1), {1, 7, 0});
  expect_warnings(scene, {"/skins/0/joints/1: a joint outside of the scene"});
}

TEST_F(GltfBrokenParts, IgnoresJointsThatASkinDoesNotKnow) {
  GltfFile file = skinned();
  file.json["skins"][0]["joints"] = {1};
  const HostScene scene = load_file(file);
  expect_near(scene.positions.at(0), {0, 0, 5});
  expect_near(scene.positions.at(1), {101, 0, 0});
  expect_warnings(scene, {"/nodes/0: its mesh uses joints beyond the 1 of its skin"});
}

TEST_F(GltfBrokenParts, ShowsAMeshWithoutItsSkin) {
  GltfFile few_matrices = skinned(), no_node = skinned();
  const int matrix = few_matrices.add_floats(std::vector<float>(16, 0.0f), "VEC4");
  few_matrices.json["accessors"][size_t(matrix)]["type"] = "MAT4";
  few_matrices.json["accessors"][size_t(matrix)]["count"] = 1;
  few_matrices.json["skins"][0]["inverseBindMatrices"] = matrix;
  no_node.json["skins"][0]["joints"] = {1, 9};
  const std::pair<GltfFile, std::string> kFiles[] = {
      {few_matrices,
       "/skins/0/inverseBindMatrices: expected 2 matrices, found 1; the mesh is shown "
       "without its skin"},
      {no_node,
       "/skins/0/joints/1: expected an index below 3, found 9; the mesh is shown without "
       "its skin"}};
  for (const auto& [file, warning] : kFiles) {
    const HostScene scene = load_file(file);
    expect_near(scene.positions.at(1), {101, 0, 0});
    expect_warnings(scene, {warning});
  }
}

/// One index that the file lacks refused the whole file.
TEST_F(GltfBrokenParts, LosesThePartThatAnIndexDoesNotFind) {
  const struct {
    const char* pointer;
    json value;
    std::string warning;
  } kCases[] = {
      {"/nodes/0/camera", 3,
       "/nodes/0/camera: found 3, but the file has none of these; the camera "},
      {"/nodes/0/extensions/KHR_lights_punctual/light", 2,
       "/light: found 2, but the file has none of these; the light is left out"},
      {"/nodes/0/children",
       {7},
       "/children/0: expected an index below 2, found 7; the node is left"},
      {"/nodes/1/mesh", 4,
       "/nodes/1/mesh: expected an index below 1, found 4; the mesh is left out"},
      {"/meshes/0/primitives/0/material", 2,
       "/material: found 2, but the file has none of these; glTF's default material is used"},
      {"/nodes/0/skin", 9, "/nodes/0/skin: found 9, but the file has none of these; the mesh is "},
      {"/scene", 5, "/scene: expected an index below 1, found 5; the first scene is shown"}};
  for (const auto& broken : kCases) {
    GltfFile file = GltfFile::triangle();
    file.json["nodes"].push_back({{"translation", {1, 0, 0}}});
    file.json["scenes"] = {{{"nodes", {0, 1}}}};
    file.json[json::json_pointer(broken.pointer)] = broken.value;
    const HostScene scene = load_file(file);
    EXPECT_EQ(scene.triangles.size(), 1u) << broken.pointer;
    expect_warnings(scene, {broken.warning});
  }
}

TEST_F(GltfBrokenParts, FramesTheSceneWhereItsCameraIsBroken) {
  GltfFile file = GltfFile::triangle();
  file.json["nodes"][0]["camera"] = 0;
  file.json["cameras"] = {{{"type", "fisheye"}}};
  expect_warnings(load_file(file), {"/cameras/0/type: expected one of perspective, orthographic"});
  file.json["cameras"] = {{{"type", "perspective"}, {"perspective", {{"yfov", "wide"}}}}};
  const HostScene scene = load_file(file);
  expect_warnings(scene, {"/cameras/0/perspective/yfov: expected a number, found \"wide\"; the "
                          "camera is left out"});
  EXPECT_EQ(scene.width, 768u);
}

TEST_F(GltfBrokenParts, ReadsEmptyNames) {
  GltfFile file = GltfFile::triangle();
  file.json["materials"] = {{{"name", ""}}};
  file.primitive()["material"] = 0;
  for (const char* array : {"nodes", "meshes", "accessors"}) file.json[array][0]["name"] = "";
  file.json["nodes"][0]["extras"] = {{"", ""}};
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.material_names.at(0), "material 0");
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
}

}  // namespace
}  // namespace winnow
