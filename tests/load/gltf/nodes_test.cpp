// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "load/gltf/gltf.h"
#include "tests/load/gltf/support/gltf_files.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json hidden(json node) {
  node["extensions"]["KHR_node_visibility"]["visible"] = false;
  return node;
}

class GltfVisibility : public GltfTest {
 protected:
  /// Two triangles, of which the second is at x = 5.
  GltfFile file_ = [] {
    GltfFile file = GltfFile::triangle();
    file.json["nodes"] = {{{"mesh", 0}}, {{"mesh", 0}, {"translation", {5, 0, 0}}}};
    return file;
  }();
};

TEST_F(GltfVisibility, LeavesOutHiddenMeshes) {
  file_.json["nodes"][0] = hidden(file_.json["nodes"][0]);
  const HostScene scene = load_file(file_);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  ASSERT_EQ(scene.triangles.size(), 1u);
  expect_near(scene.positions.at(0), {5, 0, 0});
}

TEST_F(GltfVisibility, HidesAllBelowANodeWhateverTheySay) {
  file_.json["nodes"] = {{{"mesh", 0}, {"translation", {5, 0, 0}}},
                         hidden({{"children", {2}}}),
                         {{"children", {3}}},
                         {{"mesh", 0}}};
  file_.json["nodes"][3]["extensions"]["KHR_node_visibility"]["visible"] = true;
  const HostScene scene = load_file(file_);
  EXPECT_EQ(scene.triangles.size(), 1u);
  EXPECT_EQ(scene.instances.size(), 0u);
}

TEST_F(GltfVisibility, HidesSkinsAndCopies) {
  file_.add_attribute<uint8_t>("JOINTS_0", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4",
                               kUnsignedByte);
  file_.add_attribute<uint8_t>("WEIGHTS_0", {255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0}, "VEC4",
                               kUnsignedByte, true);
  file_.json["skins"] = {{{"joints", {2}}}};
  const int places = file_.add_floats({0, 0, 1, 0, 0, 2}, "VEC3");
  json copies = {{"mesh", 0}};
  copies["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["TRANSLATION"] = places;
  file_.json["nodes"] = {{{"mesh", 0}, {"skin", 0}},
                         hidden(copies),
                         hidden({{"name", "joint"}}),
                         hidden({{"mesh", 0}, {"skin", 0}})};
  const HostScene scene = load_file(file_);
  EXPECT_EQ(scene.triangles.size(), 1u) << "a hidden joint moves its skin all the same";
  EXPECT_EQ(scene.instances.size(), 0u);
}

TEST_F(GltfVisibility, LeavesOutHiddenLights) {
  file_.json["extensions"]["KHR_lights_punctual"]["lights"] = {
      {{"type", "point"}, {"color", {1, 0, 0}}}, {{"type", "point"}, {"color", {0, 1, 0}}}};
  auto lamp = [](int light) {
    json node;
    node["extensions"]["KHR_lights_punctual"]["light"] = light;
    return node;
  };
  file_.json["nodes"].push_back(hidden(lamp(0)));
  file_.json["nodes"].push_back(lamp(1));
  const HostScene scene = load_file(file_);
  ASSERT_EQ(scene.delta_lights.size(), 1u);
  expect_near(scene.delta_lights[0].intensity, {0, 1, 0});
}

TEST_F(GltfVisibility, DoesNotAffectCameras) {
  file_.json["cameras"] = {{{"type", "perspective"}, {"perspective", {{"yfov", 0.7}}}}};
  file_.json["nodes"].push_back(hidden({{"camera", 0}, {"translation", {0, 0, 9}}}));
  expect_near(load_file(file_).camera.position, {0, 0, 9});
}

TEST_F(GltfVisibility, SaysThatNothingIsLeftIfAllIsHidden) {
  for (json& node : file_.json["nodes"]) node = hidden(node);
  EXPECT_THAT(error_of_gltf(file_), HasSubstr("has no geometry: KHR_node_visibility hides its"));
}

TEST_F(GltfVisibility, IsTrueIfItIsNoFlag) {
  file_.json["nodes"][0]["extensions"]["KHR_node_visibility"]["visible"] = "no";
  file_.json["nodes"][1]["extensions"]["KHR_node_visibility"] = json::object();
  const HostScene scene = load_file(file_);
  EXPECT_EQ(scene.instances.size(), 2u);
  expect_warnings(scene, {"visible: expected true or false, found \"no\"; the node is visible"});
}

}  // namespace
}  // namespace winnow
