// SPDX-License-Identifier: MIT
#include "load/winnow/winnow_json.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "image/image_io.h"
#include "load/textures/texels.h"
#include "scene/daylight.h"
#include "tests/image/support/exr_files.h"
#include "tests/support/expect_near.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

using WinnowJson = SceneFiles;

constexpr const char* kWhiteSphere = R"({"type": "sphere", "material": "white", "radius": 1})";

TEST_F(WinnowJson, ReadsEveryKey) {
  HostScene scene = load("s.json", R"({
    "$schema": "winnow.schema.json", "description": "all of it",
    "film": {"width": 320, "height": 200}, "render": {"spp": 7, "max_bounces": 3},
    "camera": {"position": [1, 2, 3], "look_at": [0, 0, 1], "up": [0, 0, 2], "vertical_fov": 50,
               "lens_radius": 0.25, "focus_distance": 4},
    "materials": {
      "d": {"type": "diffuse", "reflectance": 0.25, "emission": [1, 2, 3]},
      "c": {"type": "conductor", "reflectance": [0.1, 0.2, 0.3], "roughness": 0.5},
      "g": {"type": "dielectric", "ior": 1.33}, "m": {"type": "mirror"}},
    "shapes": [{"type": "sphere", "material": "g", "center": [1, 0, 0], "radius": 2}],
    "sky": {"zenith": [1, 2, 3], "horizon": 2, "ground": 1, "up": [0, 0, 3], "scale": 2}})");
  EXPECT_EQ(scene.name, "s");
  EXPECT_EQ(scene.description, "all of it");
  EXPECT_EQ(scene.width, 320u);
  EXPECT_EQ(scene.height, 200u);
  EXPECT_EQ(scene.spp, 7u);
  EXPECT_EQ(scene.max_bounces, 3u);
  EXPECT_EQ(scene.camera.position, glm::vec3(1, 2, 3));
  EXPECT_EQ(scene.camera.look_at, glm::vec3(0, 0, 1));
  EXPECT_EQ(scene.camera.up, glm::vec3(0, 0, 1));
  EXPECT_EQ(scene.camera.vertical_fov, 50.0f);
  EXPECT_EQ(scene.camera.lens_radius, 0.25f);
  EXPECT_EQ(scene.camera.focus_distance, 4.0f);
  EXPECT_EQ(scene.sky.zenith, glm::vec3(2, 4, 6));
  EXPECT_EQ(scene.sky.horizon, glm::vec3(4));
  EXPECT_EQ(scene.sky.ground, glm::vec3(2));
  EXPECT_EQ(scene.sky.up, glm::vec3(0, 0, 1));

  ASSERT_EQ(scene.material_names, (std::vector<std::string>{"c", "d", "g", "m"}));
  EXPECT_EQ(scene.materials[0].type, MaterialType::kConductor);
  EXPECT_EQ(scene.materials[0].reflectance, glm::vec3(0.1f, 0.2f, 0.3f));
  EXPECT_EQ(scene.materials[0].roughness, 0.5f);
  EXPECT_EQ(scene.materials[1].type, MaterialType::kDiffuse);
  EXPECT_EQ(scene.materials[1].reflectance, glm::vec3(0.25f));
  EXPECT_EQ(scene.materials[1].emission, glm::vec3(1, 2, 3));
  EXPECT_EQ(scene.materials[2].type, MaterialType::kDielectric);
  EXPECT_EQ(scene.materials[2].reflectance, glm::vec3(1));
  EXPECT_EQ(scene.materials[2].ior, 1.33f);
  EXPECT_EQ(scene.materials[3].type, MaterialType::kMirror);
  ASSERT_EQ(scene.spheres.size(), 1u);
  EXPECT_EQ(scene.spheres[0].center, glm::vec3(1, 0, 0));
  EXPECT_EQ(scene.spheres[0].radius, 2.0f);
  EXPECT_EQ(scene.spheres[0].material, 2u);
  EXPECT_TRUE(scene.warnings.empty());
}

TEST_F(WinnowJson, ReadsTheFilterOfTheFilm) {
  struct Case {
    const char* film;
    FilterType type;
    float radius;
  };
  for (const auto& [film, type, radius] :
       {Case{"", FilterType::kBox, 0.5f}, Case{R"("filter_radius": 2)", FilterType::kBox, 2.0f},
        Case{R"("filter": "gaussian")", FilterType::kGaussian, 1.5f},
        Case{R"("filter": "tent", "filter_radius": 0.75)", FilterType::kTent, 0.75f}}) {
    const std::string more = std::string(R"(, "film": {)") + film + "}";
    const FilterDescription filter = load("s.json", scene_of(kWhiteSphere, more)).filter;
    EXPECT_EQ(filter.type, type) << film;
    EXPECT_EQ(filter.radius, radius) << film;
  }
}

TEST_F(WinnowJson, ReadsAnOrthographicCameraAndBlades) {
  HostScene scene = load("s.json", scene_of(kWhiteSphere,
                                            R"(, "camera": {"type": "orthographic",
    "position": [0, 0, 5], "look_at": [0, 0, 0], "view_height": 3, "lens_radius": 0.5, "blades": 6,
    "blade_rotation": -15})"));
  EXPECT_EQ(scene.camera.projection, Projection::kOrthographic);
  EXPECT_EQ(scene.camera.view_height, 3.0f);
  EXPECT_EQ(scene.camera.lens_radius, 0.5f);
  EXPECT_EQ(scene.camera.blades, 6u);
  EXPECT_EQ(scene.camera.blade_rotation, -15.0f);

  scene = load("s.json", scene_of(kWhiteSphere,
                                  R"(, "camera": {"type": "perspective", "blades": 0,
    "position": [0, 0, 5], "look_at": [0, 0, 0], "vertical_fov": 30})"));
  EXPECT_EQ(scene.camera.projection, Projection::kPerspective);
  EXPECT_EQ(scene.camera.vertical_fov, 30.0f);
  EXPECT_EQ(scene.camera.blades, 0u);
}

TEST_F(WinnowJson, ReadsTheShiftAndTheClippingPlanesOfACamera) {
  auto camera_with = [&](const std::string& keys) {
    return scene_of(kWhiteSphere,
                    R"(, "camera": {"position": [0, 0, 5], "look_at": [0, 0, 0])" + keys + "}");
  };
  const CameraDescription camera =
      load("s.json", camera_with(R"(, "shift": [0.25, -0.1], "near_clip": 2, "far_clip": 7)"))
          .camera;
  EXPECT_EQ(camera.shift, glm::vec2(0.25f, -0.1f));
  EXPECT_EQ(camera.near_clip, 2.0f);
  EXPECT_EQ(camera.far_clip, 7.0f);
  EXPECT_EQ(load("s.json", camera_with("")).camera.far_clip, INFINITY);
  EXPECT_THAT(error_of("s.json", camera_with(R"(, "near_clip": 2, "far_clip": 2)")),
              testing::HasSubstr("expected a far_clip above near_clip"));
  EXPECT_THAT(error_of("s.json", camera_with(R"(, "shift": [1])")), testing::HasSubstr("/shift"));
}

TEST_F(WinnowJson, ReadsTheMotionOfACamera) {
  auto camera_with = [&](const std::string& keys) {
    return scene_of(kWhiteSphere,
                    R"(, "camera": {"position": [0, 0, 5], "look_at": [0, 0, 0])" + keys + "}");
  };
  const CameraDescription camera = load("s.json", camera_with(R"(, "motion": [
      {"position": [0, 0, 5], "look_at": [0, 0, 0]},
      {"position": [2, 0, 5], "look_at": [2, 5, 5], "up": [0, 0, 1]}])"))
                                       .camera;
  EXPECT_EQ(camera.position, glm::vec3(0, 0, 5));
  ASSERT_GT(camera.motion.size(), 2u);
  expect_near(camera.motion.front().position, {0, 0, 5});
  expect_near(camera.motion[camera.motion.size() / 2].position, {1, 0, 5}, 0.01f);
  expect_near(camera.motion.back().turn * glm::vec3(0, 0, -1), {0, 1, 0});
  const std::pair<const char*, const char*> kFaults[] = {
      {R"(, "motion": [{"position": [0, 0, 5], "look_at": [0, 0, 0]}])",
       "expected 2 to 1025 places"},
      {R"(, "motion": 3)", "/camera/motion"},
      {R"(, "motion": [{"position": [0, 0, 5], "look_at": [0, 0, 5]},
                       {"position": [0, 0, 5], "look_at": [0, 0, 0]}])",
       "/camera/motion/0/look_at"},
      {R"(, "motion": [{"position": [0, 0, 5], "look_at": [0, 0, 0], "fov": 3},
                       {"position": [0, 0, 5], "look_at": [0, 0, 0]}])",
       "fov"},
      {R"(, "far_clip": 9, "motion": [{"position": [0, 0, 5], "look_at": [0, 0, 0]},
                                      {"position": [0, 0, 6], "look_at": [0, 0, 0]}])",
       "has no far clipping plane"},
      {R"(, "motion": [{"position": [0, 0, 5], "turn": [0, 0, 0, 1]},
                       {"position": [0, 0, 5], "turn": [0, 0, 0, 0.9]}])",
       "/camera/motion/1/turn"},
      {R"(, "motion": [{"position": [0, 0, 5], "turn": [0, 0, 0, 1]},
                       {"position": [0, 0, 5], "look_at": [0, 0, 0]}])",
       "look_at"}};
  for (const auto& [keys, message] : kFaults)
    EXPECT_THAT(error_of("s.json", camera_with(keys)), testing::HasSubstr(message));
}

TEST_F(WinnowJson, ReadsEveryShape) {
  HostScene scene = load("s.json", scene_of(R"(
    {"type": "rectangle", "material": "white", "corner": [0, 0, 0], "edge_u": [1, 0, 0], "edge_v": [0, 1, 0]},
    {"type": "box", "material": "wood", "min": [0, 0, 0], "max": [1, 1, 1]},
    {"type": "disk", "material": "wood", "center": [0, 0, 0], "normal": [0, 0, 1], "radius": 1},
    {"type": "mesh", "material": "white", "vertices": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]],
     "normals": [[0, 0, 2], [0, 0, 1], [0, 1, 0], [0, 0, 1]], "faces": [[0, 1, 2, 3]]})"));
  ASSERT_EQ(scene.triangles.size(), 2u + 12u + 128u + 2u);
  EXPECT_EQ(scene.triangle_materials.front(), 0u);
  EXPECT_EQ(scene.triangle_materials[2], 1u);
  EXPECT_EQ(scene.normals.size(), scene.positions.size());
  EXPECT_EQ(scene.normals.front(), glm::vec3(0));
  EXPECT_EQ(scene.normals[scene.normals.size() - 4], glm::vec3(0, 0, 1));
  EXPECT_EQ(scene.normals[scene.normals.size() - 2], glm::vec3(0, 1, 0));
}

TEST_F(WinnowJson, ReadsAnObjShape) {
  write("t.mtl", "newmtl glow\nKd 0.1 0.2 0.3\nKe 1 1 1\n");
  write("t.obj", "mtllib t.mtl\nusemtl glow\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  HostScene own = load("s.json", scene_of(R"({"type": "obj", "file": "t.obj"})"));
  ASSERT_EQ(own.triangles.size(), 1u);
  EXPECT_EQ(own.materials[own.triangle_materials[0]].emission, glm::vec3(1));

  HostScene given = load("s.json", scene_of(R"({"type": "obj", "file": "t.obj", "material": "wood",
                                                "transform": [{"translate": [0, 0, 5]}]})"));
  EXPECT_EQ(given.triangle_materials[0], 1u);
  EXPECT_EQ(given.positions[0], glm::vec3(0, 0, 5));
}

TEST_F(WinnowJson, TurnsPowerIntoRadiance) {
  HostScene scene = load("s.json", R"({"lights": [
    {"type": "sphere", "radius": 0.5, "power": 10},
    {"type": "rectangle", "corner": [0, 0, 0], "edge_u": [2, 0, 0], "edge_v": [0, 3, 0], "power": [6, 12, 0]},
    {"type": "sphere", "radius": 1, "transform": [{"scale": 0.5}], "power": 10},
    {"type": "sphere", "radius": 1, "radiance": [3, 2, 1]}]})");
  const float kPi = 3.14159265f;
  EXPECT_NEAR(scene.materials[0].emission.x, 10.0f / (4.0f * kPi * kPi * 0.25f), 1e-5f);
  EXPECT_NEAR(scene.materials[1].emission.x, 6.0f / (2.0f * kPi * 6.0f), 1e-6f);
  EXPECT_NEAR(scene.materials[1].emission.y, 12.0f / (2.0f * kPi * 6.0f), 1e-6f);
  EXPECT_NEAR(scene.materials[2].emission.x, scene.materials[0].emission.x, 1e-5f);
  EXPECT_EQ(scene.materials[3].emission, glm::vec3(3, 2, 1));
  for (const Material& material : scene.materials) EXPECT_EQ(material.reflectance, glm::vec3(0));
}

TEST_F(WinnowJson, ReadsLightsWithoutASize) {
  HostScene scene =
      load("s.json", scene_of(R"({"type": "sphere", "material": "wood", "radius": 1})",
                              R"(, "lights": [
    {"type": "point", "position": [1, 2, 3], "intensity": [4, 5, 6]},
    {"type": "spot", "position": [0, 3, 0], "look_at": [0, 1, 0], "intensity": 2, "cone_angle": 40},
    {"type": "spot", "position": [0, 3, 0], "direction": [2, 0, 0], "intensity": 2, "falloff_start": 9, "falloff": "smooth"},
    {"type": "directional", "direction": [0, 0, -2], "irradiance": 3, "angle": 0.53}])"));
  ASSERT_EQ(scene.delta_lights.size(), 4u);
  EXPECT_EQ(scene.delta_lights[0].type, DeltaLightType::kPoint);
  EXPECT_EQ(scene.delta_lights[0].position, glm::vec3(1, 2, 3));
  EXPECT_EQ(scene.delta_lights[0].intensity, glm::vec3(4, 5, 6));
  EXPECT_EQ(scene.delta_lights[1].type, DeltaLightType::kSpot);
  EXPECT_EQ(scene.delta_lights[1].direction, glm::vec3(0, -1, 0));
  EXPECT_EQ(scene.delta_lights[1].cone_angle, 40.0f);
  EXPECT_EQ(scene.delta_lights[1].falloff_start, 30.0f);
  EXPECT_EQ(scene.delta_lights[2].direction, glm::vec3(1, 0, 0));
  EXPECT_EQ(scene.delta_lights[2].cone_angle, 45.0f);
  EXPECT_EQ(scene.delta_lights[2].falloff_start, 9.0f);
  EXPECT_EQ(scene.delta_lights[1].falloff, SpotFalloff::kLinear);
  EXPECT_EQ(scene.delta_lights[2].falloff, SpotFalloff::kSmooth);
  EXPECT_EQ(scene.delta_lights[3].type, DeltaLightType::kDirectional);
  EXPECT_EQ(scene.delta_lights[3].direction, glm::vec3(0, 0, -1));
  EXPECT_EQ(scene.delta_lights[3].disk_angle, 0.53f);
  EXPECT_TRUE(scene.spheres.size() == 1 && scene.materials.size() == 2);
}

TEST_F(WinnowJson, ReadsAnEnvironmentMap) {
  const char* kText = R"({"shapes": [{"type": "sphere", "material": "m", "radius": 1}],
    "materials": {"m": {"type": "diffuse"}}, "sky": {"file": "sky.pfm", "scale": 2, "rotation": 90}})";
  const float kBad = -1.0f;
  write_image(folder_ / "sky.pfm", {2, 1, {{1, 2, 3}, {4, kBad, 6}}});
  HostScene scene = load("s.json", kText);
  EXPECT_EQ(scene.environment.image.width, 2u);
  EXPECT_EQ(scene.environment.image.pixels[0], glm::vec3(1, 2, 3));
  EXPECT_EQ(scene.environment.image.pixels[1], glm::vec3(4, 0, 6));
  EXPECT_EQ(scene.environment.scale, 2.0f);
  const glm::vec3 turned = scene.environment.to_world * glm::vec3(0, 0, 1);
  EXPECT_NEAR(turned.x, 1.0f, 1e-6f);
  EXPECT_EQ(scene.sky.zenith, glm::vec3(0));
  expect_warnings(scene, {"1 pixels are negative"});
}

TEST_F(WinnowJson, ReadsExrImagesInTheirColorsAndDisplayWindow) {
  ExrPart image = exr_part(2, 1, {{"R", 1}, {"G", 1}, {"B", 1}});
  image.display = {0, 0, 3, 0};
  image.chromaticities = {0.708f, 0.292f, 0.17f, 0.797f, 0.131f, 0.046f, 0.3127f, 0.329f};
  image.channels["G"].values = image.channels["B"].values = {0, 0};
  image.strings["planted"] = "x";
  write("i.exr", exr_bytes({image}));
  const HostScene scene = load("s.json", R"({
    "textures": {"t": {"file": "i.exr"}}, "sky": {"file": "i.exr"},
    "materials": {"m": {"type": "principled", "metallic": 1, "roughness": 1, "textures": {
      "reflectance": "t", "roughness_metallic": "t"}}},
    "shapes": [{"type": "sphere", "material": "m", "radius": 1}]})");
  const glm::vec3 red(1.6605f, -0.1246f, -0.0182f);
  const Image& sky = scene.environment.image;
  ASSERT_EQ(sky.width, 4u);
  EXPECT_EQ(sky.pixels[2], glm::vec3(0.0f));
  const MaterialTextures& used = scene.materials.at(scene.spheres.at(0).material).textures;
  const auto texel = [&](uint32_t texture, size_t index) {
    return glm::vec3(linear_texel(scene.images.at(scene.textures.at(texture).image), index));
  };
  EXPECT_EQ(texel(used.reflectance, 3), glm::vec3(0.0f));
  EXPECT_NEAR(texel(used.reflectance, 0).r, red.r, 1e-3f);
  EXPECT_EQ(texel(used.roughness_metallic, 0), glm::vec3(1, 0, 0));  // numbers
  EXPECT_THAT(
      scene.warnings,
      testing::Contains(testing::HasSubstr("i.exr: its attributes \"planted\" are not known")));
}

TEST_F(WinnowJson, ReadsAClearDay) {
  for (const auto& [model, key] :
       {std::pair(SkyModel::kPreetham, ""),
        std::pair(SkyModel::kPreetham, R"("model": "preetham",)"),
        std::pair(SkyModel::kHosekWilkie, R"("model": "hosek-wilkie",)")}) {
    const HostScene scene = load(
        "s.json", fmt::format(R"({{"shapes": [{{"type": "sphere", "material": "m", "radius": 1}}],
    "materials": {{"m": {{"type": "diffuse"}}}},
    "sky": {{"sun": [3, 0, 4], "up": [0, 0, 1], {} "turbidity": 4, "scale": 0.5}}}})",
                              key));
    const Daylight day{.model = model,
                       .to_sun = {0.6f, 0.0f, 0.8f},
                       .up = {0, 0, 1},
                       .turbidity = 4.0f,
                       .sky_scale = 0.5f,
                       .sun_scale = 0.5f};
    ASSERT_EQ(scene.delta_lights.size(), 1u);
    EXPECT_LT(glm::length(scene.delta_lights[0].intensity - sun_irradiance(day)), 1e-3f);
    EXPECT_LT(glm::length(scene.environment.image.pixels[0] - make_sky(day)({0, 0, 1})), 0.05f);
  }
}

TEST_F(WinnowJson, StandsUnderASoftSkyWithoutItsEnvironmentMap) {
  HostScene scene = load("s.json", R"({"shapes": [{"type": "sphere", "material": "m", "radius": 1}],
    "materials": {"m": {"type": "diffuse"}}, "sky": {"file": "sky.hdr"}})");
  EXPECT_TRUE(scene.environment.image.pixels.empty());
  EXPECT_NE(scene.sky.zenith, glm::vec3(0));
  expect_warnings(scene, {"sky.hdr: the environment map does not exist"});
}

TEST_F(WinnowJson, WarnsThatTheImageWillBeBlack) {
  std::string dark =
      R"({"materials": {"a": {"type": "diffuse"}, "unused": {"type": "diffuse", "emission": 1}},
                         "shapes": [{"type": "sphere", "material": "a", "radius": 1}])";
  for (const char* sky : {"}", R"(, "sky": {"radiance": 1, "scale": 0}})"}) {
    HostScene scene = load("s.json", dark + sky);
    expect_warnings(scene, {"the image will be black"});
  }
  EXPECT_TRUE(load("s.json", dark + R"(, "sky": {"radiance": 1}})").warnings.empty());
}

TEST_F(WinnowJson, WarnsOfTrianglesWithoutArea) {
  HostScene scene = load("s.json", scene_of(R"(
    {"type": "mesh", "material": "white", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
     "faces": [[0, 1, 2], [0, 1, 1]]})"));
  EXPECT_EQ(scene.triangles.size(), 1u);
  expect_warnings(scene, {"/shapes/0: 1 of 2 triangles"});
}

TEST_F(WinnowJson, WarnsOfFacesThatCrossThemselves) {
  const HostScene scene = load("s.json", R"({"materials": {"a": {"type": "diffuse"}},
    "sky": {"radiance": 1}, "shapes": [{"type": "mesh", "material": "a", "vertices":
      [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0]],
      "faces": [[0, 2, 1, 3], [0, 1, 2, 3], [1, 4, 2]]}]})");
  expect_warnings(scene, {"/shapes/0: the outline of a face crosses itself"});
}

TEST_F(WinnowJson, RefusesASceneWithoutGeometry) {
  for (const char* text : {"{}", R"({"shapes": [], "lights": []})", R"({"sky": {"radiance": 1}})"})
    EXPECT_EQ(error_of("s.json", text),
              "s.json: top level: the scene has no geometry; expected at least one item in "
              "\"shapes\" or \"lights\"");
  EXPECT_EQ(error_of("s.json", "[]"), "s.json: top level: expected an object, found an array of 0");
}

}  // namespace
}  // namespace winnow
