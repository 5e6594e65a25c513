// SPDX-License-Identifier: MIT
#include "load/gltf/pose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "load/gltf/gltf.h"
#include "load/load_scene.h"
#include "tests/load/gltf/support/gltf_files.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

using nlohmann::json;

class GltfPoses : public GltfTest {
 protected:
  HostScene load_at(const GltfFile& file, double time) const {
    return load_scene(write("s.gltf", file.text()), {}, time);
  }
};

/// Adds a channel to an animation of a file.
void animate(GltfFile& file, size_t animation, int node, const std::string& path,
             const std::vector<float>& times, const std::vector<float>& values,
             const char* interpolation = "LINEAR") {
  const int input = file.add_floats(times, "SCALAR");
  const int output = file.add_floats(values, path == "rotation"  ? "VEC4"
                                             : path == "weights" ? "SCALAR"
                                                                 : "VEC3");
  json& target = file.json["animations"][animation];
  target["samplers"].push_back(
      {{"input", input}, {"output", output}, {"interpolation", interpolation}});
  target["channels"].push_back(
      {{"sampler", target["samplers"].size() - 1}, {"target", {{"node", node}, {"path", path}}}});
}

const float kRootHalf = std::sqrt(0.5f);

TEST_F(GltfPoses, MovesTurnsAndScalesANode) {
  GltfFile file = GltfFile::triangle();
  animate(file, 0, 0, "translation", {1, 3}, {0, 0, 0, 4, 0, 0});
  animate(file, 0, 0, "rotation", {1, 3}, {0, 0, 0, 1, 0, 0, 1, 0});  // half a turn about z
  animate(file, 0, 0, "scale", {1, 3}, {1, 1, 1, 3, 3, 3}, "STEP");
  const HostScene middle = load_at(file, 2.0);
  EXPECT_EQ(middle.warnings, std::vector<std::string>{});
  expect_near(middle.positions.at(0), {2, 0, 0});
  expect_near(middle.positions.at(1), {2, 1, 0});
  expect_near(load_at(file, 3.0).positions.at(1), {1, 0, 0});
  // Beyond the range of the keys.
  expect_near(load_at(file, -9.0).positions.at(1), {1, 0, 0});
  expect_near(load_at(file, 99.0).positions.at(2), {4, -3, 0});
}

TEST_F(GltfPoses, FollowsCubicSplines) {
  GltfFile file = GltfFile::triangle();
  // Out-tangent 6 m s^-1 and in-tangent 0, two seconds apart: Hermite's cubic has
  // 0.5 p + 0.5 q + 0.125 (2 * 6) m at the middle.
  animate(file, 0, 0, "translation", {0, 2}, {0, 0, 0, 1, 0, 0, 6, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0},
          "CUBICSPLINE");
  expect_near(load_at(file, 0.0).positions.at(0), {1, 0, 0});
  expect_near(load_at(file, 1.0).positions.at(0), {4.5f, 0, 0});
  expect_near(load_at(file, 2.0).positions.at(0), {5, 0, 0});
}

TEST_F(GltfPoses, BendsASkin) {
  GltfFile file = GltfFile::triangle();
  file.add_attribute<uint8_t>("JOINTS_0", {0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4",
                              kUnsignedByte);
  file.add_attribute<uint8_t>("WEIGHTS_0", {255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0}, "VEC4",
                              kUnsignedByte, true);
  file.json["skins"] = {{{"joints", {1, 2}}}};
  file.json["nodes"] = {{{"mesh", 0}, {"skin", 0}}, {{"children", {2}}}, json::object()};
  animate(file, 0, 2, "rotation", {0, 1}, {0, 0, 0, 1, kRootHalf, 0, 0, kRootHalf});
  animate(file, 0, 1, "translation", {0, 1}, {0, 0, 0, 0, 0, 2});
  const HostScene scene = load_at(file, 1.0);
  expect_near(scene.positions.at(0), {0, 0, 2});
  expect_near(scene.positions.at(1), {1, 0, 2});
  expect_near(scene.positions.at(2), {0, 0, 3});  // (0, 1, 0) turned about x
  expect_near(load_at(file, 0.0).positions.at(2), {0, 1, 0});
}

TEST_F(GltfPoses, WeighsMorphTargets) {
  GltfFile file = GltfFile::triangle();
  const int up = file.add_floats({0, 0, 4, 0, 0, 4, 0, 0, 4}, "VEC3");
  const int right = file.add_floats({2, 0, 0, 2, 0, 0, 2, 0, 0}, "VEC3");
  file.primitive()["targets"] = {{{"POSITION", up}}, {{"POSITION", right}}};
  file.json["meshes"][0]["weights"] = {1, 1};
  animate(file, 0, 0, "weights", {0, 1}, {0, 0, 1, 0.5f});
  expect_near(load_at(file, 0.5).positions.at(0), {0.5f, 0, 2});
  expect_near(load_file(file).positions.at(0), {2, 0, 4});  // the default weights
}

TEST_F(GltfPoses, ShowsTheRestPoseWithoutATimeAndSaysSo) {
  GltfFile file = GltfFile::triangle();
  animate(file, 0, 0, "translation", {0, 1}, {5, 0, 0, 5, 0, 0});
  const HostScene scene = load_file(file);
  expect_near(scene.positions.at(0), {0, 0, 0});
  expect_warnings(scene, {"animations are ignored: the scene is shown in its rest pose; --time"});
}

TEST_F(GltfPoses, PlaysAnimationsTogetherThatMoveDifferentNodes) {
  GltfFile file = GltfFile::triangle();
  file.json["nodes"] = {{{"mesh", 0}, {"translation", {0, 0, 9}}}, {{"children", {0}}}};
  animate(file, 0, 1, "translation", {0}, {1, 0, 0});
  animate(file, 1, 0, "translation", {0}, {0, 1, 0});
  animate(file, 2, 1, "translation", {0}, {7, 7, 7});
  const HostScene scene = load_at(file, 0.0);
  expect_near(scene.positions.at(0), {1, 1, 0});
  expect_warnings(scene, {"/animations/2: an animation is ignored: an earlier one moves the same"});
}

TEST_F(GltfPoses, IgnoresWhatIsBroken) {
  auto rest_with = [&](const std::string& pointer, const json& value, const std::string& warning) {
    GltfFile file = GltfFile::triangle();
    animate(file, 0, 0, "rotation", {0, 1}, {0, 0, 0, 1, 0, 0, 0, 1});
    animate(file, 0, 0, "translation", {0, 1}, {0, 0, 5, 0, 0, 5});
    file.json[json::json_pointer("/animations/0" + pointer)] = value;
    const HostScene scene = load_at(file, 0.5);
    expect_near(scene.positions.at(0), {0, 0, 5});
    expect_warnings(scene, {warning});
  };
  rest_with("/channels/0/sampler", 7, "expected an index below 2, found 7; the animation of the");
  rest_with("/channels/0/target/node", 3, "expected an index below 1, found 3; the animation is");
  rest_with("/channels/0/target/path", "pointer", "the animation of \"pointer\" is ignored");
  rest_with("/samplers/0/output", 1, "expected VEC4, as /animations/0/samplers/0/output needs");
  rest_with("/samplers/0/input", 99, "/input: expected an index below");
  rest_with("/samplers/0/interpolation", "EASE", "expected one of LINEAR, STEP, CUBICSPLINE");
  rest_with("/samplers/0/interpolation", "CUBICSPLINE", "found 8 numbers, which do not suit 2");

  GltfFile file = GltfFile::triangle();
  animate(file, 0, 0, "rotation", {0, 1}, {0, 0, 0, 0, 0, 0, 0, 0});
  animate(file, 0, 0, "translation", {1, 0}, {0, 0, 5, 0, 0, 5});
  expect_warnings(load_at(file, 0.5), {"expected finite numbers", "expected ascending times"});
}

/// Each value of an animation replaced by values of other types: nothing but warnings.
TEST_F(GltfPoses, SurvivesValuesOfAnotherKind) {
  GltfFile file = GltfFile::triangle();
  animate(file, 0, 0, "rotation", {0, 1}, {0, 0, 0, 1, 0, 0, 0, 1});
  animate(file, 0, 0, "weights", {0, 1}, {0, 1}, "CUBICSPLINE");
  const json others[] = {nullptr, -1, 1e300, "text", json::array(), json::object()};
  std::set<std::string> paths;
  const json flat = json{{"animations", file.json["animations"]}}.flatten();
  for (const auto& [pointer, value] : flat.items())
    for (std::string path = pointer; path.find('/', 1) != path.npos; path.resize(path.rfind('/')))
      paths.insert(path);
  for (const std::string& path : paths)
    for (const json& other : others) {
      GltfFile changed = file;
      changed.json[json::json_pointer(path)] = other;
      EXPECT_EQ(load_at(changed, 0.5).triangles.size(), 1u) << path << " " << other;
    }
}

TEST_F(GltfPoses, SaysThatThereIsNoAnimation) {
  expect_warnings(load_at(GltfFile::triangle(), 1.0),
                  {"the file has no animation; --time changes nothing"});
  expect_warnings(load_scene(write("a.obj", kObjTriangle), {}, 1.0),
                  {"a.obj: files of its type have no animation; --time changes nothing"});
}

}  // namespace
}  // namespace winnow
