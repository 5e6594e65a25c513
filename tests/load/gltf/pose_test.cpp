// SPDX-License-Identifier: MIT
#include "load/gltf/pose.h"

#include <gmock/gmock.h>

#include <cmath>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>
#include <set>
#include <utility>

#include "load/gltf/gltf.h"
#include "load/load_scene.h"
#include "scene/scene_summary.h"
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

/// Adds a channel of KHR_animation_pointer to the first animation of a file.
/// @param type  of the values, such as "VEC3"
void animate_pointer(GltfFile& file, const std::string& pointer, const std::vector<float>& times,
                     const std::vector<float>& values, const std::string& type = "SCALAR",
                     const char* interpolation = "LINEAR") {
  const int input = file.add_floats(times, "SCALAR");
  const int output = file.add_floats(values, type);
  json& target = file.json["animations"][0];
  target["samplers"].push_back(
      {{"input", input}, {"output", output}, {"interpolation", interpolation}});
  json channel = {{"sampler", target["samplers"].size() - 1}, {"target", {{"path", "pointer"}}}};
  channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"] = pointer;
  target["channels"].push_back(channel);
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

/// A quaternion and its negative are the same turn.
TEST_F(GltfPoses, TurnsTheShortWayWhateverTheSignsOfItsKeys) {
  GltfFile file = GltfFile::triangle();
  animate(file, 0, 0, "rotation", {0, 2}, {0, 0, 0, 1, 0, 0, -kRootHalf, -kRootHalf});
  const HostScene middle = load_at(file, 1.0);
  expect_near(middle.positions.at(1), {kRootHalf, kRootHalf, 0});
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

TEST_F(GltfPoses, CountsTimesFromTheZeroOfTheFile) {
  GltfFile file = GltfFile::triangle();
  animate(file, 0, 0, "translation", {4, 6}, {0, 0, 0, 2, 0, 0});
  for (const auto& [time, x] :
       {std::pair(0.0, 0.0f), {1.0, 0.0f}, {4.0, 0.0f}, {5.0, 1.0f}, {6.0, 2.0f}, {9.0, 2.0f}})
    expect_near(load_at(file, time).positions.at(0), {x, 0, 0});
}

TEST_F(GltfPoses, FollowsPointersToNodesAsTheirPaths) {
  GltfFile file = GltfFile::triangle();
  file.json["nodes"][0]["matrix"] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 7, 7, 1};
  animate_pointer(file, "/nodes/0/translation", {1, 3}, {0, 0, 0, 4, 0, 0}, "VEC3");
  animate_pointer(file, "/nodes/0/rotation", {1, 3}, {0, 0, 0, 1, 0, 0, 1, 0}, "VEC4");
  animate_pointer(file, "/nodes/0/scale", {1, 3}, {1, 1, 1, 3, 3, 3}, "VEC3", "STEP");
  const HostScene middle = load_at(file, 2.0);
  EXPECT_EQ(middle.warnings, std::vector<std::string>{});
  expect_near(middle.positions.at(0), {2, 0, 0});
  expect_near(middle.positions.at(1), {2, 1, 0});
  expect_near(load_at(file, 3.0).positions.at(1), {1, 0, 0});
}

TEST_F(GltfPoses, WeighsMorphTargetsByPointers) {
  GltfFile file = GltfFile::triangle();
  const int up = file.add_floats({0, 0, 4, 0, 0, 4, 0, 0, 4}, "VEC3");
  const int right = file.add_floats({2, 0, 0, 2, 0, 0, 2, 0, 0}, "VEC3");
  file.primitive()["targets"] = {{{"POSITION", up}}, {{"POSITION", right}}};
  file.json["meshes"][0]["weights"] = {1, 1};
  auto position = [&](const std::string& pointer, const std::vector<float>& values) {
    GltfFile animated = file;
    animate_pointer(animated, pointer, {0, 1}, values);
    const HostScene scene = load_at(animated, 0.5);
    EXPECT_EQ(scene.warnings, std::vector<std::string>{});
    return scene.positions.at(0);
  };
  expect_near(position("/nodes/0/weights", {0, 0, 1, 0.5f}), {0.5f, 0, 2});
  expect_near(position("/meshes/0/weights", {0, 0, 1, 0.5f}), {0.5f, 0, 2});
  expect_near(position("/nodes/0/weights/1", {0, 1}), {1, 0, 4});
  expect_near(position("/meshes/0/weights/0", {0, 1}), {2, 0, 2});
}

TEST_F(GltfPoses, ShowsAndHidesNodesByPointers) {
  GltfFile file = GltfFile::triangle();
  file.json["nodes"].push_back({{"mesh", 0}, {"translation", {5, 0, 0}}});
  file.json["nodes"][0]["extensions"]["KHR_node_visibility"]["visible"] = true;
  const int input = file.add_floats({0, 1, 2}, "SCALAR");
  const int output = file.add<uint8_t>({1, 0, 1, 0}, "SCALAR", kUnsignedByte);
  file.json["accessors"][size_t(output)]["count"] = 3;
  animate_pointer(file, "/nodes/0/extensions/KHR_node_visibility/visible", {0}, {0});
  json& sampler = file.json["animations"][0]["samplers"][0];
  sampler = {{"input", input}, {"output", output}, {"interpolation", "STEP"}};
  EXPECT_EQ(load_at(file, 0.9).instances.size(), 2u);
  EXPECT_EQ(load_at(file, 1.0).triangles.size(), 1u);
  EXPECT_EQ(load_at(file, 1.9).triangles.size(), 1u);
  EXPECT_EQ(load_at(file, 2.0).instances.size(), 2u);
}

TEST_F(GltfPoses, ChangesCamerasByPointers) {
  GltfFile file = GltfFile::triangle();
  file.json["cameras"] = {{{"type", "perspective"}, {"perspective", {{"yfov", 0.7}}}}};
  file.json["nodes"].push_back({{"camera", 0}});
  animate_pointer(file, "/cameras/0/perspective/yfov", {0, 1}, {0.4f, 0.2f});
  animate_pointer(file, "/cameras/0/perspective/aspectRatio", {0, 1}, {1, 2});
  const HostScene scene = load_at(file, 0.5);
  EXPECT_NEAR(scene.camera.vertical_fov, glm::degrees(0.3f), 1e-4f);
  EXPECT_EQ(scene.width, 1080u);

  file.json["cameras"] = {
      {{"type", "orthographic"}, {"orthographic", {{"xmag", 1.0}, {"ymag", 1.0}}}}};
  file.json["animations"] = json::array();
  animate_pointer(file, "/cameras/0/orthographic/ymag", {0, 1}, {1, 3});
  EXPECT_NEAR(load_at(file, 0.5).camera.view_height, 4.0f, 1e-5f);
}

/// Blender animates the power of lamps, and the radiant flux of suns, which needs no conversion.
TEST_F(GltfPoses, DividesThePowerOfBlendersLamps) {
  constexpr float kDivisor = 4.0f * glm::pi<float>();
  auto intensity_of = [&](const char* generator, const char* type, double intensity) {
    GltfFile file = GltfFile::triangle();
    file.json["asset"]["generator"] = generator;
    file.json["extensions"]["KHR_lights_punctual"]["lights"] = {
        {{"type", type}, {"intensity", intensity}}};
    file.json["nodes"][0]["extensions"]["KHR_lights_punctual"]["light"] = 0;
    animate_pointer(file, "/extensions/KHR_lights_punctual/lights/0/intensity", {0, 1}, {100, 300});
    return load_at(file, 0.5).delta_lights.at(0).intensity.x;
  };
  const char* const kBlender = "Khronos glTF Blender I/O v5.3.43";
  EXPECT_NEAR(intensity_of(kBlender, "point", 100 / kDivisor), 200.0f / kDivisor, 1e-3f);
  EXPECT_NEAR(intensity_of(kBlender, "spot", 250 / kDivisor), 200.0f / kDivisor, 1e-3f);
  EXPECT_NEAR(intensity_of(kBlender, "point", 100), 200.0f, 1e-3f) << "exported as Raw";
  EXPECT_NEAR(intensity_of(kBlender, "directional", 100), 200.0f, 1e-3f);
  EXPECT_NEAR(intensity_of("another program", "point", 100 / kDivisor), 200.0f, 1e-3f);
}

TEST_F(GltfPoses, ChangesLightsByPointers) {
  GltfFile file = GltfFile::triangle();
  const std::string lights = "/extensions/KHR_lights_punctual/lights/0";
  file.json["extensions"]["KHR_lights_punctual"]["lights"] = {
      {{"type", "spot"}, {"spot", {{"outerConeAngle", 0.3}}}}};
  file.json["nodes"][0]["extensions"]["KHR_lights_punctual"]["light"] = 0;
  animate_pointer(file, lights + "/intensity", {0, 1}, {0, 10});
  animate_pointer(file, lights + "/color", {0, 1}, {1, 0, 0, 0, 0, 1}, "VEC3");
  animate_pointer(file, lights + "/spot/outerConeAngle", {0, 1}, {0.4f, 0.6f});
  animate_pointer(file, lights + "/spot/innerConeAngle", {0, 1}, {0.1f, 0.3f});
  const HostScene scene = load_at(file, 0.5);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  ASSERT_EQ(scene.delta_lights.size(), 1u);
  expect_near(scene.delta_lights[0].intensity, {2.5f, 0, 2.5f});
  EXPECT_NEAR(scene.delta_lights[0].cone_angle, glm::degrees(0.5f), 1e-4f);
  EXPECT_NEAR(scene.delta_lights[0].falloff_start, glm::degrees(0.2f), 1e-4f);
  const HostScene dark = load_at(file, 0.0);
  EXPECT_FALSE(summarize(dark).has_light()) << "a light that is off is no reason for a sky";
}

TEST_F(GltfPoses, ChangesMaterialsByPointers) {
  GltfFile file = GltfFile::triangle();
  file.json["materials"] = {{{"pbrMetallicRoughness", json::object()},
                             {"emissiveFactor", {1, 1, 1}},
                             {"extensions",
                              {{"KHR_materials_ior", json::object()},
                               {"KHR_materials_emissive_strength", json::object()},
                               {"KHR_materials_clearcoat", {{"clearcoatFactor", 1}}}}}}};
  file.primitive()["material"] = 0;
  const std::string material = "/materials/0", pbr = material + "/pbrMetallicRoughness",
                    extensions = material + "/extensions";
  animate_pointer(file, pbr + "/baseColorFactor", {0, 1}, {1, 0, 0, 1, 0, 0, 1, 1}, "VEC4");
  animate_pointer(file, pbr + "/metallicFactor", {0, 1}, {0, 1});
  animate_pointer(file, pbr + "/roughnessFactor", {0, 1}, {0.2f, 0.4f});
  animate_pointer(file, material + "/emissiveFactor", {0, 1}, {0, 0, 0, 1, 0, 1}, "VEC3");
  animate_pointer(file, extensions + "/KHR_materials_emissive_strength/emissiveStrength", {0, 1},
                  {2, 6});
  animate_pointer(file, extensions + "/KHR_materials_ior/ior", {0, 1}, {1.2f, 1.6f});
  animate_pointer(file, extensions + "/KHR_materials_clearcoat/clearcoatRoughnessFactor", {0, 1},
                  {0, 1});
  const HostScene scene = load_at(file, 0.5);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  const Material& read = scene.materials.at(scene.triangle_materials.at(0));
  expect_near(read.reflectance, {0.5f, 0, 0.5f});
  EXPECT_NEAR(read.metallic, 0.5f, 1e-5f);
  EXPECT_NEAR(read.roughness, 0.3f, 1e-5f);
  expect_near(read.emission, {2, 0, 2});
  EXPECT_NEAR(read.ior, 1.4f, 1e-5f);
  EXPECT_NEAR(read.coat_roughness, 0.5f, 1e-5f);
}

TEST_F(GltfPoses, MovesTexturesByPointers) {
  write_texel("t.png", {255, 0, 0, 255});
  GltfFile file = GltfFile::triangle();
  file.add_attribute("TEXCOORD_0", {0, 0, 1, 0, 0, 1}, "VEC2");
  file.json["images"] = {{{"uri", "t.png"}}};
  file.json["textures"] = {{{"source", 0}}};
  json texture = {{"index", 0}};
  texture["extensions"]["KHR_texture_transform"] = json::object();
  file.json["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", texture}}}}};
  file.primitive()["material"] = 0;
  const std::string transform =
      "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform";
  animate_pointer(file, transform + "/offset", {0, 1}, {0, 0, 2, 4}, "VEC2");
  animate_pointer(file, transform + "/scale", {0, 1}, {1, 1, 3, 3}, "VEC2");
  const HostScene scene = load_at(file, 0.5);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  const glm::mat3x2& from_uv = scene.textures.at(0).from_uv;
  EXPECT_EQ(from_uv[2], glm::vec2(1, 2));
  EXPECT_EQ(from_uv[0], glm::vec2(2, 0));
}

TEST_F(GltfPoses, NamesPointersThatItDoesNotFollow) {
  auto warning_of = [&](const std::string& pointer) {
    GltfFile file = GltfFile::triangle();
    file.json["materials"] = {{{"occlusionTexture", {{"index", 0}}}, {"extras", {{"age", 1}}}}};
    animate_pointer(file, pointer, {0, 1}, {0, 1});
    const std::vector<std::string> warnings = load_at(file, 0.5).warnings;
    EXPECT_LE(warnings.size(), 1u) << testing::PrintToString(warnings);
    return warnings.empty() ? "" : warnings.front();
  };
  using testing::HasSubstr;
  EXPECT_THAT(warning_of("/materials/0/sparkle"),
              HasSubstr("the animation of \"sparkle\" is ignored"));
  EXPECT_THAT(warning_of("/materials/0/extensions/ACME_fur/length"),
              HasSubstr("the file has no \"extensions\" in \"/materials/0\"; the animation is"));
  EXPECT_THAT(warning_of("/materials/4/alphaCutoff"), HasSubstr("the file has no \"4\" in"));
  EXPECT_THAT(warning_of("/nodes/0/weights/3"), HasSubstr("expected one of 0 morph targets"));
  EXPECT_THAT(warning_of("/nodes/0/translation"), HasSubstr("expected VEC3"));
  EXPECT_THAT(warning_of("nodes"), HasSubstr("expected a JSON pointer, found \"nodes\""));
  // They do not change the picture.
  EXPECT_EQ(warning_of("/materials/0/occlusionTexture/strength"), "");
  EXPECT_EQ(warning_of("/materials/0/extras/age"), "");
}

TEST_F(GltfPoses, TakesThePathOfANodeAndItsPointerAsTheSame) {
  GltfFile file = GltfFile::triangle();
  animate_pointer(file, "/nodes/0/translation", {0}, {1, 0, 0}, "VEC3");
  animate(file, 1, 0, "translation", {0}, {7, 7, 7});
  const HostScene scene = load_at(file, 0.0);
  expect_near(scene.positions.at(0), {1, 0, 0});
  expect_warnings(scene, {"/animations/1: an animation is ignored: an earlier one moves the same"});
}

TEST_F(GltfPoses, MorphsColorsAndTextureCoordinates) {
  GltfFile file = GltfFile::triangle();
  file.add_attribute("COLOR_0", {1, 0, 0, 1, 0, 0, 0.5f, 0, 0}, "VEC3");
  const int colors = file.add_floats({-1, 0, 1, 0, 0, 1, 1, 0, 1}, "VEC3");
  const int alphas = file.add_floats({0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1}, "VEC4");
  file.primitive()["targets"] = {{{"COLOR_0", colors}}, {{"COLOR_0", alphas}}};
  file.primitive()["material"] = 0;
  file.json["materials"] = {{{"alphaMode", "BLEND"}}};
  file.json["meshes"][0]["weights"] = {1, 0.5};
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  EXPECT_EQ(scene.colors.at(0), glm::vec4(0, 0, 1, 0.5f));
  EXPECT_EQ(scene.colors.at(1), glm::vec4(1, 0, 1, 0.5f));
  EXPECT_EQ(scene.colors.at(2), glm::vec4(1, 0, 1, 0.5f)) << "clamped to 1";
}

TEST_F(GltfPoses, MorphsColorsOfWhiteSurfaces) {
  GltfFile file = GltfFile::triangle();
  const int colors = file.add_floats({0, -1, -1, 0, -1, -1, 0, -1, -1}, "VEC3");
  file.primitive()["targets"] = {{{"COLOR_0", colors}}};
  file.json["meshes"][0]["weights"] = {0.5};
  EXPECT_EQ(load_file(file).colors.at(1), glm::vec4(1, 0.5f, 0.5f, 1));
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
  expect_warnings(load_at(file, 0.5),
                  {"expected quaternions, found zero", "expected ascending times"});
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
                  {"a.obj: nothing in it moves; --time changes nothing"});
}

}  // namespace
}  // namespace winnow
