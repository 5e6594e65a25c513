// SPDX-License-Identifier: MIT
#include "load/pbrt/pbrt.h"

#include <fmt/format.h>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "load/pbrt/convert.h"
#include "scene/camera_motion.h"
#include "scene/scene_bounds.h"
#include "scene/spectra/spectrum.h"
#include "tests/load/pbrt/support/pbrt_scenes.h"
#include "tests/scene/support/placed_at.h"
#include "tests/support/expect_near.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

class Pbrt : public PbrtScenes {};

/// Returns where a camera of pbrt shows a point: its distance right of the centre and above it.
glm::vec2 place_in_view(const CameraDescription& camera, glm::vec3 point) {
  const glm::vec3 forward = glm::normalize(camera.look_at - camera.position),
                  right = glm::normalize(glm::cross(forward, camera.up)),
                  up = glm::cross(right, forward);
  const glm::vec3 to_point = point - camera.position;
  return glm::vec2(glm::dot(to_point, right), glm::dot(to_point, up)) / glm::dot(to_point, forward);
}

TEST_F(Pbrt, ReadsAWholeScene) {
  const HostScene scene = load("s.pbrt", R"(
    LookAt 0 1 -4  0 1 0  0 1 0
    Camera "perspective" "float fov" 60 "float lensradius" [0.1] "float focaldistance" 3
    Film "rgb" "integer xresolution" 30 "integer yresolution" 20 "string filename" "s.exr"
    Sampler "zsobol" "integer pixelsamples" 7
    Integrator "volpath" "integer maxdepth" [ 9 ]
    PixelFilter "triangle" "float xradius" [ 1.25 ] "float yradius" [ 1.25 ]
    WorldBegin
    LightSource "infinite" "rgb L" [ 0.5 0.5 0.5 ]
    Material "diffuse" "rgb reflectance" [ 0.1 0.2 0.3 ]
    Shape "sphere" "float radius" 2 )");
  EXPECT_THAT(scene.warnings, testing::IsEmpty());
  EXPECT_EQ(scene.width, 30u);
  EXPECT_EQ(scene.height, 20u);
  EXPECT_EQ(scene.spp, 7u);
  EXPECT_EQ(scene.max_bounces, 9u);
  EXPECT_EQ(scene.filter.type, FilterType::kTent);
  EXPECT_EQ(scene.filter.radius, 1.25f);
  EXPECT_NEAR(scene.camera.vertical_fov, 60.0f, 1e-4f);
  EXPECT_FLOAT_EQ(scene.camera.lens_radius, 0.1f);
  EXPECT_FLOAT_EQ(scene.camera.focus_distance, 3.0f);
  expect_near(scene.camera.position, {0, 1, -4});
  expect_near(scene.sky.zenith, glm::vec3(0.5f));
  ASSERT_EQ(scene.spheres.size(), 1u);
  EXPECT_EQ(scene.spheres[0].radius, 2.0f);
  expect_near(scene.materials[scene.spheres[0].material].reflectance, {0.1f, 0.2f, 0.3f});
}

// A camera that looks along +z sees +x on the right in pbrt. Here, with +y up, it is on the left.
TEST_F(Pbrt, PicturesAreNotMirrored) {
  const std::string at_right = "Translate 1 0.5 0 Shape \"sphere\" \"float radius\" 0.1";
  const HostScene scene = load_world(at_right, "LookAt 0 0 -4  0 0 0  0 1 0");
  EXPECT_GT(place_in_view(scene.camera, scene.spheres[0].center).x, 0.1f);
  EXPECT_GT(place_in_view(scene.camera, scene.spheres[0].center).y, 0.1f);

  // Scenes from right-handed programs mirror the camera.
  const HostScene mirrored = load_world(at_right, "Scale -1 1 1 LookAt 0 0 -4  0 0 0  0 1 0");
  EXPECT_LT(place_in_view(mirrored.camera, mirrored.spheres[0].center).x, -0.1f);
  EXPECT_GT(place_in_view(mirrored.camera, mirrored.spheres[0].center).y, 0.1f);
  expect_near(mirrored.spheres[0].center, {1, 0.5f, 0});
}

TEST_F(Pbrt, MeasuresTheFieldOfViewAlongTheShorterSide) {
  auto half_height = [&](const std::string& film, const std::string& camera) {
    const HostScene scene = load("s.pbrt", "Film \"rgb\" " + film + " Camera \"perspective\" " +
                                               camera + " WorldBegin Shape \"sphere\"");
    return std::tan(glm::radians(0.5f * scene.camera.vertical_fov));
  };
  const std::string wide = "\"integer xresolution\" 200 \"integer yresolution\" 100",
                    high = "\"integer xresolution\" 100 \"integer yresolution\" 200";
  EXPECT_NEAR(half_height(wide, "\"float fov\" 90"), 1.0f, 1e-5f);
  EXPECT_NEAR(half_height(high, "\"float fov\" 90"), 2.0f, 1e-5f);
  EXPECT_NEAR(half_height(wide, "\"float fov\" 90 \"float screenwindow\" [-1 1 -0.5 0.5]"), 0.5f,
              1e-5f);
}

TEST_F(Pbrt, ShiftsTheLensByAScreenWindowThatIsNotCentred) {
  const HostScene scene = load("s.pbrt",
                               "Film \"rgb\" \"integer xresolution\" 200 \"integer yresolution\" "
                               "100 Camera \"perspective\" \"float screenwindow\" [-0.5 3.5 -2 0] "
                               "WorldBegin Shape \"sphere\" LightSource \"infinite\"");
  EXPECT_EQ(scene.camera.shift, glm::vec2(0.375f, -0.5f));
  EXPECT_TRUE(scene.warnings.empty()) << testing::PrintToString(scene.warnings);
}

TEST_F(Pbrt, AppliesTransformsInTheirOrder) {
  const HostScene scene = load_world(R"(
    AttributeBegin
      Translate 5 0 1  Rotate 90 0 0 1  Scale 2 1 1
      ConcatTransform [1 0 0 0  0 1 0 0  0 0 1 0  0.5 0 0 1]
      Shape "trianglemesh" "point3 P" [0 0 0  1 0 0  0 1 0]
    AttributeEnd
    Shape "sphere")",
                                     "Scale -1 1 1");
  // x, moved by 0.5 and doubled, becomes y.
  expect_near(scene.positions[0], {5, 1, 1});
  expect_near(scene.positions[1], {5, 3, 1});
  expect_near(scene.positions[2], {4, 1, 1});
  expect_near(scene.spheres[0].center, {0, 0, 0});
}

TEST_F(Pbrt, KnowsCoordinateSystems) {
  const HostScene scene = load_world(R"(
    AttributeBegin CoordSysTransform "camera" Translate 0 0 2 Shape "sphere" AttributeEnd
    Translate 3 0 0 CoordinateSystem "here" Identity CoordSysTransform "here" Shape "sphere")",
                                     "Scale -1 1 1 LookAt 0 0 5 0 0 0 0 1 0");
  expect_near(scene.spheres[0].center, {0, 0, 3});
  expect_near(scene.spheres[1].center, {3, 0, 0});
}

TEST_F(Pbrt, InstancesShareTheirObject) {
  const HostScene scene = load_world(R"(
    ObjectBegin "tree" Translate 0 1 0
      Shape "trianglemesh" "point3 P" [0 0 0  1 0 0  0 1 0]
    ObjectEnd
    AttributeBegin Translate 10 0 0 ObjectInstance "tree" AttributeEnd
    AttributeBegin Scale 2 2 2 ObjectInstance "tree" AttributeEnd)",
                                     "Scale -1 1 1");
  ASSERT_EQ(scene.instances.size(), 2u);
  expect_near(scene.shared.positions[0], {0, 1, 0});
  expect_near(scene.instances[0].to_world * glm::vec4(0, 1, 0, 1), {10, 1, 0});
  expect_near(scene.instances[1].to_world * glm::vec4(0, 1, 0, 1), {0, 2, 0});
  EXPECT_TRUE(scene.triangles.empty());
}

TEST_F(Pbrt, InstancesMayComeBeforeTheirObject) {
  const std::string world = R"(
    AttributeBegin Translate 10 0 0 ObjectInstance "tree" AttributeEnd
    ObjectInstance "never"
    ObjectBegin "tree" Shape "trianglemesh" "point3 P" [0 0 0  1 0 0  0 1 0] ObjectEnd
    ObjectInstance "tree" Shape "sphere" LightSource "infinite")";
  const HostScene scene = load_world(world, "Scale -1 1 1");
  ASSERT_EQ(scene.instances.size(), 2u);
  EXPECT_EQ(scene.instances[0].to_world[3].x + scene.instances[1].to_world[3].x, 10.0f);
  expect_warnings(scene, {"the object \"never\" is unknown"});
  EXPECT_TRUE(load_world(world + " WorldEnd").instances.size() < 2u);  // version 3
}

TEST_F(Pbrt, AttributesEndWithTheirBlock) {
  const std::string world = R"(
    Attribute "shape" "float radius" 3
    AttributeBegin
      Attribute "shape" "float radius" 2
      Material "conductor" Translate 9 9 9
      Shape "sphere"
    AttributeEnd
    TransformBegin Translate 1 0 0 Material "dielectric" TransformEnd
    Shape "sphere"
    Shape "sphere" "float radius" 1)";
  const HostScene scene = load_world(world, "Scale -1 1 1");
  ASSERT_EQ(scene.spheres.size(), 3u);
  EXPECT_EQ(scene.spheres[0].radius, 2.0f);
  EXPECT_EQ(scene.spheres[1].radius, 3.0f);
  EXPECT_EQ(scene.spheres[2].radius, 1.0f);
  expect_near(scene.spheres[1].center, {0, 0, 0});
  EXPECT_EQ(scene.materials[scene.spheres[0].material].type, MaterialType::kMirror);
  EXPECT_EQ(scene.materials[scene.spheres[1].material].type, MaterialType::kDiffuse);
  // In version 3, TransformEnd restores only the transform.
  const HostScene old = load_world(world + " WorldEnd", "Scale -1 1 1");
  expect_near(old.spheres.at(1).center, {0, 0, 0});
  EXPECT_EQ(old.materials[old.spheres.at(1).material].type, MaterialType::kDielectric);
}

TEST_F(Pbrt, TheLastOfParametersWithTheSameNameCounts) {
  EXPECT_EQ(load_world(R"(Shape "sphere" "float radius" 2 "float radius" 3)").spheres.at(0).radius,
            3.0f);
  EXPECT_EQ(load_world(R"(
      Attribute "shape" "float radius" 2 "float radius" 3
      Attribute "shape" "float radius" 4 "float radius" 5
      Shape "sphere")")
                .spheres.at(0)
                .radius,
            5.0f);
}

TEST_F(Pbrt, TheSensorScalesTheLight) {
  const HostScene scene = load("s.pbrt", R"(
    Film "rgb" "float iso" 200
    Camera "perspective" "float shutteropen" 0 "float shutterclose" 0.25
    WorldBegin
    LightSource "point" "rgb I" [2 4 6] LightSource "infinite" "rgb L" [1 1 1]
    AreaLightSource "diffuse" "rgb L" [8 8 8] Shape "sphere")");
  expect_near(scene.delta_lights.at(0).intensity, {1, 2, 3});
  expect_near(scene.sky.zenith, glm::vec3(0.5f));
  expect_near(scene.materials.at(0).emission, glm::vec3(4.0f));
}

TEST_F(Pbrt, TheExposureTimeOfTheFilmCountsInsteadOfTheShutterWhicheverComesFirst) {
  const std::string film = R"(Film "rgb" "float exposuretime" 0.25 )",
                    camera = R"(Camera "perspective" "float shutterclose" 0.5 )";
  for (const std::string& options : {film + camera, camera + film}) {
    const HostScene scene = load(
        "s.pbrt", options + R"(WorldBegin LightSource "infinite" "rgb L" [8 8 8] Shape "sphere")");
    expect_near(scene.sky.zenith, glm::vec3(2.0f));
  }
  const HostScene last = load("s.pbrt", camera + film + R"(Film "rgb" WorldBegin
    LightSource "infinite" "rgb L" [8 8 8] Shape "sphere")");
  expect_near(last.sky.zenith, glm::vec3(4.0f));
}

TEST_F(Pbrt, ShowsWhatMovesInTheMiddleOfTheShutterOrAtATime) {
  const std::string text = R"(
    TransformTimes 0 2
    Scale -1 1 1
    Camera "perspective" "float shutteropen" 0 "float shutterclose" 1
    WorldBegin
    LightSource "infinite" ActiveTransform EndTime Translate 8 0 0 ActiveTransform All
    Translate 0 1 0 Shape "sphere")";
  const HostScene scene = load("s.pbrt", text);
  expect_warnings(scene, {});
  EXPECT_TRUE(scene.is_animated);
  ASSERT_TRUE(scene.shutter);
  EXPECT_EQ(scene.shutter->close, 1.0);
  expect_near(scene.spheres.at(0).center, {2, 1, 0});
  for (const auto& [time, x] : {std::pair(-1.0, 0.0), {0.0, 0.0}, {1.5, 6.0}, {9.0, 8.0}})
    expect_near(load_scene(folder_ / "s.pbrt", {}, time).spheres.at(0).center, {x, 1, 0});
}

/// Rotation and scale are interpolated by themselves: half way between turns by 0 and 90 degrees is
/// one by 45 degrees, at full size.
TEST_F(Pbrt, TurnsObjectsWithoutShrinkingThem) {
  load("s.pbrt", R"(
    Scale -1 1 1 Camera "perspective" WorldBegin LightSource "infinite"
    ActiveTransform EndTime Rotate 90 0 0 1 ActiveTransform All
    Scale 2 1 1
    Shape "trianglemesh" "integer indices" [0 1 2] "point3 P" [1 0 0  0 1 0  0 0 1])");
  const HostScene scene = load_scene(folder_ / "s.pbrt", {}, 0.5);
  const float diagonal = std::sqrt(0.5f);
  expect_near(scene.positions.at(0), {2.0f * diagonal, 2.0f * diagonal, 0.0f});
  expect_near(scene.positions.at(1), {-diagonal, diagonal, 0.0f});
}

/// Instances, lights and media move as shapes do. Blocks restore which transform is active.
TEST_F(Pbrt, MovesInstancesLightsAndMedia) {
  load("s.pbrt", R"(
    Scale -1 1 1 Camera "perspective" WorldBegin
    ObjectBegin "o" Shape "trianglemesh" "integer indices" [0 1 2] "point3 P" [1 0 0  0 1 0  0 0 1] ObjectEnd
    AttributeBegin
      ActiveTransform StartTime Translate 0 2 0
      AttributeBegin ActiveTransform EndTime Translate 4 0 0 CoordinateSystem "moving"
        ObjectInstance "o" LightSource "point" "rgb I" [1 1 1] AttributeEnd
      Translate 0 4 0
      ObjectInstance "o"
    AttributeEnd
    CoordSysTransform "moving"
    LightSource "spot" "rgb I" [1 1 1] "point3 from" [0 0 1] "point3 to" [0 0 2]
    MakeNamedMedium "m" "string type" "uniformgrid" "integer nx" 1 "integer ny" 1 "integer nz" 1
      "float density" [1] "point3 p0" [0 0 0] "point3 p1" [1 1 1])");
  for (const double time : {0.0, 0.25, 1.0}) {
    SCOPED_TRACE(time);
    const HostScene scene = load_scene(folder_ / "s.pbrt", {}, time);
    expect_warnings(scene, {});
    EXPECT_TRUE(scene.is_animated);
    const glm::vec3 place(4.0 * time, 2.0 * (1.0 - time), 0.0);
    ASSERT_EQ(scene.instances.size(), 2u);
    expect_near(scene.instances[0].to_world[3], place);
    expect_near(scene.instances[1].to_world[3], {0, 6.0 * (1.0 - time), 0});
    expect_near(scene.delta_lights.at(0).position, place);
    expect_near(scene.delta_lights.at(1).position, place + glm::vec3(0, 0, 1));
    expect_near(scene.grid_placements.at(0).to_world[3], place);
  }
}

TEST_F(Pbrt, RefusesTimesThatAreNotInOrderAndSaysWhichMotionIsNotDefined) {
  auto message = [&](const std::string& text) {
    return message_of<Error>(
        [&] { load("s.pbrt", text + " WorldBegin LightSource \"infinite\" Shape \"sphere\""); });
  };
  EXPECT_THAT(message(R"(Camera "perspective" "float shutteropen" 2 "float shutterclose" 1)"),
              testing::HasSubstr("expected shutteropen up to shutterclose, found 2 and 1"));
  EXPECT_THAT(message(R"(TransformTimes 2 1 Camera "perspective")"),
              testing::HasSubstr("expected TransformTimes in order, found 2 and 1"));
  for (const char* number : {"nan", "1e999"}) {
    EXPECT_NE(message(std::string(R"(Camera "perspective" "float shutterclose" )") + number), "");
    EXPECT_NE(message(std::string("TransformTimes 0 ") + number + R"( Camera "perspective")"), "");
  }
  expect_warnings(load("s.pbrt", R"(Camera "perspective" WorldBegin LightSource "infinite"
      ActiveTransform EndTime Rotate 180 0 0 1 Shape "sphere")"),
                  {"turns by half a circle or mirrors between its two transforms"});
}

/// The camera moves by 8 m in 4 s and turns by 90 degrees to its right, towards +x. The shutter is
/// open from 1 s to 2 s.
TEST_F(Pbrt, BlursTheMotionOfTheCamera) {
  const HostScene scene = load("s.pbrt", R"(
    TransformTimes 0 4
    Scale -1 1 1
    ActiveTransform StartTime LookAt 0 0 0  0 0 1  0 1 0
    ActiveTransform EndTime LookAt 8 0 0  9 0 0  0 1 0
    ActiveTransform All
    Camera "perspective" "float shutteropen" 1 "float shutterclose" 2
    WorldBegin LightSource "infinite" Shape "sphere")");
  expect_warnings(scene, {});
  const std::vector<CameraPose>& motion = scene.camera.motion;
  ASSERT_GT(motion.size(), 2u);
  expect_near(scene.camera.position, {3, 0, 0});
  expect_near(motion.front().position, {2, 0, 0});
  expect_near(motion.back().position, {4, 0, 0});
  const ViewAxes first = view_axes(placed_at(motion.front(), scene.camera)),
                 last = view_axes(placed_at(motion.back(), scene.camera));
  expect_near(first.forward, {std::sin(M_PI / 8), 0, std::cos(M_PI / 8)});
  expect_near(last.forward, {std::sin(M_PI / 4), 0, std::cos(M_PI / 4)});
}

TEST_F(Pbrt, HoldsACameraBeforeAndAfterItsTimes) {
  const HostScene scene = load("s.pbrt", R"(
    TransformTimes 1 2
    ActiveTransform EndTime Translate -3 0 0 ActiveTransform All
    Camera "perspective" "float shutteropen" 0 "float shutterclose" 4
    WorldBegin LightSource "infinite" Shape "sphere")");
  const std::vector<CameraPose>& motion = scene.camera.motion;
  ASSERT_GT(motion.size(), 4u);
  EXPECT_EQ(motion[0].position, motion[motion.size() / 4 - 1].position);
  EXPECT_EQ(motion[motion.size() / 2 + 1].position, motion.back().position);
  EXPECT_NEAR(glm::distance(motion[0].position, motion.back().position), 3.0f, 1e-5f);
}

TEST_F(Pbrt, SaysWhatItLeavesOut) {
  const HostScene scene = load_world(R"(
    Shape "sphere"
    Shape "nurbs" "point3 P" [0 0 0 1 0 0 2 0 0 3 0 0]
    Shape "nurbs" "point3 P" [0 0 0 1 0 0 2 0 0 3 0 0]
    LightSource "laser" Material "velvet" Shape "sphere"
    Material "diffuse" "float shine" 1 Shape "sphere" "bool wobbly" true)");
  expect_warnings(
      scene,
      {"a shape of the type \"nurbs\" is left out (2 times)",
       "a light of the type \"laser\" is left out", "a material of the unknown type \"velvet\"",
       "the parameter \"shine\" of a material of the type \"diffuse\" is not used",
       "the parameter \"wobbly\" of a shape of the type \"sphere\" is not used",
       "has no light; a soft sky"});
}

TEST_F(Pbrt, AFileOfPartsIsFramed) {
  const HostScene scene = load("part.pbrt", "Shape \"sphere\"");
  expect_warnings(scene, {"has no Camera; the view shows all of it", "no light"});
  EXPECT_LT(glm::length(place_in_view(scene.camera, glm::vec3(0.0f))), 0.5f);
}

TEST_F(Pbrt, MediaHaveTheCoefficientsOfTheirPreset) {
  const HostScene scene = load_lit(R"(
    MakeNamedMedium "stone" "string type" "homogeneous" "string preset" "Marble" "float scale" 10
    MakeNamedMedium "plain" "string type" "homogeneous"
    MakeNamedMedium "jam" "string type" "homogeneous" "string preset" "Strawberry"
    MakeNamedMedium "cup" "string type" "homogeneous" "string preset" "Mint Mocha Coffee"
    Shape "sphere")");
  ASSERT_EQ(scene.media.size(), 4u);
  expect_near(scene.media[3].scattering, {0.31602f, 0.38538f, 0.48131f});
  expect_near(scene.media[3].absorption, {3.772f, 5.8228f, 7.82f});
  expect_near(scene.media[0].scattering, {21.9f, 26.2f, 30});
  expect_near(scene.media[0].absorption, {0.021f, 0.041f, 0.071f});
  expect_near(scene.media[1].absorption, glm::vec3(1.0f));
  expect_warnings(scene, {"the preset \"Strawberry\" of a medium is unknown"});
}

/// In version 4, a preset replaces both coefficients.
TEST_F(Pbrt, APresetOfAMediumComesBeforeItsCoefficients) {
  const HostScene scene = load_lit(R"(
    MakeNamedMedium "stone" "string type" "homogeneous" "string preset" "Marble"
      "rgb sigma_a" [1 2 3] "rgb sigma_s" [4 5 6]
    Shape "sphere")");
  expect_near(scene.media.at(0).scattering, {2.19f, 2.62f, 3});
  expect_near(scene.media.at(0).absorption, {0.0021f, 0.0041f, 0.0071f});
}

TEST_F(Pbrt, ShapesMayNameMediaBeforeTheirDefinition) {
  const std::string world = R"(
    AttributeBegin Material "interface"
      MediumInterface "late" "" Shape "sphere"
      MediumInterface "" "never" Shape "sphere"
    AttributeEnd
    MakeNamedMedium "early" "string type" "homogeneous"
    MakeNamedMedium "late" "string type" "homogeneous" "rgb sigma_a" [1 2 3]
    AttributeBegin Material "interface"
      MediumInterface "late" "early" Shape "sphere"
    AttributeEnd
    Shape "sphere")";
  const HostScene scene = load_lit(world);
  ASSERT_EQ(scene.spheres.size(), 3u);
  ASSERT_EQ(scene.media.size(), 2u);
  const Material &first = scene.materials[scene.spheres[0].material],
                 &second = scene.materials[scene.spheres[1].material];
  expect_near(scene.media.at(first.interior).absorption, {1, 2, 3});
  EXPECT_EQ(first.exterior, kNoMedium);
  EXPECT_EQ(second.interior, first.interior);
  expect_near(scene.media.at(second.exterior).absorption, {1, 1, 1});
  expect_warnings(scene, {"the medium \"never\" is unknown"});
  // Another medium of the same name has its own place.
  const HostScene twice =
      load_lit(world + R"( MakeNamedMedium "late" "string type" "homogeneous")");
  ASSERT_EQ(twice.media.size(), 3u);
  expect_near(twice.media.at(twice.materials[twice.spheres[0].material].interior).absorption,
              {1, 2, 3});
}

TEST_F(Pbrt, AnEarlyMediumThatIsLeftOutLaterIsNone) {
  for (const char* medium : {R"("string type" "plasma")", R"("string type" "nanovdb")"}) {
    const HostScene scene = load_lit(std::string(R"(
      AttributeBegin Material "dielectric" MediumInterface "late" "" Shape "sphere" AttributeEnd
      MediumInterface "" "also late" Shape "sphere"
      MakeNamedMedium "also late" "string type" "homogeneous"
      MakeNamedMedium "late" )") + medium);
    ASSERT_EQ(scene.spheres.size(), 2u);
    EXPECT_EQ(scene.materials[scene.spheres[0].material].interior, kNoMedium) << medium;
    EXPECT_EQ(scene.media.size(), 1u);
  }
}

TEST_F(Pbrt, MediaHaveAWarningIfTheIntegratorHasNone) {
  const auto warnings = [&](const std::string& integrator, const std::string& use) {
    return load_world(R"(MakeNamedMedium "fog" "string type" "homogeneous"
                         LightSource "infinite" )" +
                          use + R"( Material "dielectric" Shape "sphere")",
                      integrator)
        .warnings.size();
  };
  const std::string inside = R"(MediumInterface "fog" "")";
  EXPECT_EQ(warnings("", inside), 0u);
  EXPECT_EQ(warnings("Integrator \"bdpt\"", inside), 0u);
  EXPECT_EQ(warnings("Integrator \"path\"", inside), 1u);
  EXPECT_EQ(warnings("Integrator \"path\"", ""), 0u);
  const std::string old = R"(Camera "perspective" WorldBegin LightSource "infinite"
    MakeNamedMedium "fog" "string type" "homogeneous" MediumInterface "fog" "" )";
  expect_warnings(load("s.pbrt", old + R"(Material "glass" Shape "sphere" WorldEnd)"),
                  {R"(media are rendered; in pbrt, the integrator "path" leaves them out)"});
}

TEST_F(Pbrt, MediaBoundShapesAndHoldTheCamera) {
  const HostScene scene = load("s.pbrt", R"(
    MakeNamedMedium "fog" "string type" "homogeneous" "rgb sigma_a" [1 2 3]
      "rgb sigma_s" [4 5 6] "float scale" 0.5 "float g" 0.25
    MakeNamedMedium "cloud" "string type" "nanovdb" "string filename" "cloud.nvdb"
    MediumInterface "" "fog"
    Camera "perspective"
    WorldBegin
    LightSource "infinite"
    AttributeBegin
      Material "interface"
      MediumInterface "fog" "" Shape "sphere"
      MediumInterface "cloud" "" Shape "sphere"
      MediumInterface "" "" Shape "sphere"
    AttributeEnd
    AttributeBegin MediumInterface "fog" "" Material "dielectric" Shape "sphere" AttributeEnd)");
  ASSERT_EQ(scene.media.size(), 1u);
  expect_near(scene.media[0].absorption, {0.5f, 1, 1.5f});
  expect_near(scene.media[0].scattering, {2, 2.5f, 3});
  EXPECT_EQ(scene.media[0].asymmetry, 0.25f);
  EXPECT_EQ(scene.camera_medium, 0u);
  ASSERT_EQ(scene.spheres.size(), 2u);
  const Material &boundary = scene.materials[scene.spheres[0].material],
                 &glass = scene.materials[scene.spheres[1].material];
  EXPECT_EQ(boundary.type, MaterialType::kNull);
  EXPECT_EQ(glass.type, MaterialType::kDielectric);
  for (const Material& material : {boundary, glass}) {
    EXPECT_TRUE(material.bounds_media);
    EXPECT_EQ(material.interior, 0u);
    EXPECT_EQ(material.exterior, kNoMedium);
  }
  expect_warnings(scene, {"the file cloud.nvdb does not exist; the medium is left out"});
}

TEST_F(Pbrt, MediaHaveGridsWithXFastestInTheBoxFromP0ToP1) {
  for (const std::string type : {"uniformgrid", "heterogeneous"}) {
    const HostScene scene = load("s.pbrt", R"(
      Camera "perspective"
      WorldBegin
      LightSource "infinite"
      AttributeBegin
        Translate 0 0 10
        MakeNamedMedium "smoke" "string type" ")" +
                                               type + R"(" "integer nx" 2 "integer ny" 3
          "integer nz" 1 "float density" [1 2 3 4 5 6] "point3 p0" [-1 0 2] "point3 p1" [3 8 4]
          "rgb sigma_a" [1 2 3] "rgb sigma_s" [4 5 6] "float scale" 2 "float g" 0.5
        MediumInterface "smoke" "" Material "interface" Shape "sphere"
      AttributeEnd)");
    EXPECT_EQ(scene.warnings, std::vector<std::string>());
    expect_near(scene.media.at(0).absorption, {2, 4, 6});
    expect_near(scene.media.at(0).scattering, {8, 10, 12});
    ASSERT_EQ(scene.grids.size(), 1u);
    EXPECT_EQ(scene.grids[0].size, glm::uvec3(2, 3, 1));
    EXPECT_EQ(scene.grids[0].border, GridBorder::kCut);
    EXPECT_EQ(scene.grids[0].sample({1, 0, 0}), 2.0f);
    EXPECT_EQ(scene.grids[0].sample({0, 1, 0}), 3.0f);
    // The world is mirrored, as pbrt is left-handed.
    const glm::mat4x3 placed = scene.grid_placements.at(0).to_world;
    expect_near(placed * glm::vec4(0, 0, 0, 1), {1, 0, 12});
    expect_near(placed * glm::vec4(1, 1, 1, 1), {-3, 8, 14});
  }
}

/// The film has 100 x 50 pixels, and the camera sees 90 degrees along its shorter side.
TEST_F(Pbrt, APartOfTheFilmIsRendered) {
  const auto load_film = [&](const std::string& film) {
    return load("s.pbrt", R"(Film "rgb" "integer xresolution" 100 "integer yresolution" 50 )" +
                              film + R"( Camera "perspective" "float fov" 90 WorldBegin
                              LightSource "infinite" Shape "sphere")");
  };
  const HostScene quarter = load_film(R"("float cropwindow" [1 0.5 0 0.5])");
  EXPECT_EQ(quarter.warnings, std::vector<std::string>());
  EXPECT_EQ(quarter.width, 50u);
  EXPECT_EQ(quarter.height, 25u);
  EXPECT_NEAR(quarter.camera.vertical_fov, 53.1301f, 1e-3f);
  EXPECT_EQ(quarter.camera.shift, glm::vec2(0.5f));
  const HostScene part = load_film(R"("integer pixelbounds" [10 20 30 80])");
  EXPECT_EQ(part.width, 10u);
  EXPECT_EQ(part.height, 20u);
  EXPECT_NEAR(part.camera.vertical_fov, 43.6028f, 1e-3f);
  // From the middle of the film, 35 pixels to the left and 15 down.
  expect_near(glm::vec3(part.camera.shift, 0), {-3.5f, -0.75f, 0}, 1e-5f);
  EXPECT_EQ(load_film(R"("float cropwindow" [0 1 0 1])").camera.shift, glm::vec2(0.0f));
  EXPECT_THAT(error_of("s.pbrt", R"(Film "rgb" "integer pixelbounds" [3 3 0 9])"),
              testing::HasSubstr("the crop window has no pixel"));
  EXPECT_THAT(error_of("s.pbrt", R"(Film "rgb" "float cropwindow" [0 1])"),
              testing::HasSubstr("expected four numbers"));
}

TEST_F(Pbrt, TheBoxOfAMediumHasAnyTwoOppositeCorners) {
  const HostScene scene = load_lit(R"(MakeNamedMedium "m" "string type" "uniformgrid"
    "integer nx" 2 "float density" [1 2] "point3 p0" [3 0 4] "point3 p1" [-1 8 2]
    Shape "sphere")");
  const glm::mat4x3 placed = scene.grid_placements.at(0).to_world;
  expect_near(placed * glm::vec4(0, 0, 0, 1), {-1, 0, 2});
  expect_near(placed * glm::vec4(1, 1, 1, 1), {3, 8, 4});
}

TEST_F(Pbrt, MediaWithGridsSayWhatIsWrong) {
  const auto smoke = [](const std::string& parameters) {
    return R"(LightSource "infinite" MakeNamedMedium "smoke" "string type" "uniformgrid" )" +
           parameters + R"( Shape "sphere")";
  };
  const std::pair<const char*, const char*> kMistakes[] = {
      {R"("integer nx" 2 "float density" [1 2 3])",
       "expected 2 numbers for the parameter \"density\""},
      {"", "expected 1 numbers"},
      {R"("integer nz" 0 "float density" [1])", "expected a nz from 1 to 65536, found 0"},
      {R"("integer nx" 10000 "integer ny" 10000 "integer nz" 10000 "float density" [1])",
       "expected 1000000000000 numbers"},
      {R"("float density" [-1])", "found -1 at (0, 0, 0)"},
      {R"("float density" [1] "float temperature" [1 2])",
       "expected 1 numbers for the parameter \"temperature\""},
      {R"("float density" [1] "float temperature" [-5])", "found -5 at (0, 0, 0)"},
      {R"("float density" [1] "rgb Le" 1 "float Lescale" [-2])", "found -2 at (0, 0, 0)"},
      {R"("float density" [1] "point3 p1" [0 1 1])", "is flat"}};
  for (const auto& [parameters, message] : kMistakes)
    EXPECT_THAT(error_of("s.pbrt", "WorldBegin " + smoke(parameters)), testing::HasSubstr(message));
}

/// Per metre, a medium emits its absorption times Le.
TEST_F(Pbrt, MediaEmitLeEverywhereOrByAGridOfScales) {
  const auto load_emitter = [&](const std::string& parameters) {
    HostScene scene = load_lit("MakeNamedMedium \"m\" " + parameters +
                               R"( MediumInterface "m" "" Shape "sphere")");
    EXPECT_EQ(scene.warnings, std::vector<std::string>());
    EXPECT_EQ(scene.emission.size(), 1u);
    return scene;
  };
  const EmissionPart even =
      load_emitter(R"("string type" "homogeneous" "rgb Le" [1 2 3] "float Lescale" 2)")
          .emission.at(0);
  EXPECT_EQ(even.placement.grid, GridPlacement::kNone);
  expect_near(even.radiances.back(), {2, 4, 6});
  const std::string kGrid =
      R"("string type" "uniformgrid" "integer nx" 2 "float density" [1 2] "rgb Le" [1 2 3] )";
  const HostScene scaled = load_emitter(kGrid + R"("float Lescale" [0 4])");
  EXPECT_EQ(scaled.grids.at(scaled.emission[0].placement.grid).size, glm::uvec3(2, 1, 1));
  EXPECT_EQ(scaled.emission[0].step, 4.0f);
  expect_near(scaled.emission[0].radiances.back(), {4, 8, 12});
  // In pbrt, missing scales are a grid of one sample, which fades towards the faces of the box.
  const HostScene unscaled = load_emitter(kGrid);
  const DensityGrid& one = unscaled.grids.at(unscaled.emission[0].placement.grid);
  EXPECT_EQ(one.size, glm::uvec3(1));
  EXPECT_EQ(one.border, GridBorder::kCut);
  EXPECT_EQ(one.sample({0, 0, 0}), 1.0f);
  expect_near(unscaled.emission[0].radiances.back(), {1, 2, 3});
  EXPECT_EQ(load_lit(R"(MakeNamedMedium "m" "string type" "uniformgrid" "float density" 1
                        Shape "sphere")")
                .emission.size(),
            0u);
}

TEST_F(Pbrt, MediaEmitByTemperaturesTimesScales) {
  const std::string kHot = R"(MakeNamedMedium "m" "string type" "uniformgrid" "integer nx" 2
    "float density" [1 2] "float temperature" [1 3] "float temperaturescale" 2000
    "float temperatureoffset" 0.5 )";
  const std::pair<const char*, glm::uvec3> kScales[] = {
      {"", {1, 1, 1}}, {R"("float Lescale" [0.2 0.6])", {2, 1, 1}}};
  for (const auto& [scales, size] : kScales) {
    const HostScene scene = load_lit(kHot + scales + R"( Shape "sphere")");
    EXPECT_EQ(scene.warnings, std::vector<std::string>());
    ASSERT_EQ(scene.emission.size(), 1u);
    const EmissionPart& part = scene.emission[0];
    EXPECT_EQ(scene.grids.at(part.placement.grid).sample({1, 0, 0}), 3.0f);
    const DensityGrid& factors = scene.grids.at(part.factors.grid);
    EXPECT_EQ(factors.size, size);
    EXPECT_EQ(factors.sample(size - 1u), size.x == 1 ? 1.0f : 0.6f);
    EXPECT_EQ(part.factors.to_world, part.placement.to_world);
    for (const uint32_t grid : {part.placement.grid, part.factors.grid})
      EXPECT_EQ(scene.grids[grid].border, GridBorder::kCut);
    // A spectrum of 1 has the luminance 106.86, as these black bodies are not normalised.
    const glm::vec3 body = 106.8569f * rgb_of_black_body_over_maximum((3.0f - 0.5f) * 2000.0f);
    expect_near(part.radiances.back(), body, 1e-4f * body.x);
  }
}

/// The grid of colours has one colour, three times as dense in its second sample.
TEST_F(Pbrt, GridsOfColorsAreADensityWhereTheyHaveOneColor) {
  const std::string kColors = R"(MakeNamedMedium "m" "string type" "rgbgrid"
    "integer nx" 2 "rgb sigma_a" [1 2 3  3 6 9] "rgb Le" [0 0 1  5 0 0] "float Lescale" 2
    "float scale" 10 "rgb sigma_s" )";
  const HostScene scene = load_lit(kColors + R"([3 2 1  9 6 3] Shape "sphere")");
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
  const DensityGrid& density = scene.grids.at(scene.grid_placements.at(0).grid);
  EXPECT_EQ(density.sample({0, 0, 0}), 4.0f);
  EXPECT_EQ(density.sample({1, 0, 0}), 12.0f);
  expect_near(4.0f * scene.media.at(0).absorption, {10, 20, 30});
  expect_near(4.0f * scene.media.at(0).scattering, {30, 20, 10});
  ASSERT_EQ(scene.emission.size(), 3u);
  // Unlike the lights of pbrt, these colours are not normalised: a white of 1 is 106.86.
  EXPECT_EQ(scene.grids[scene.emission[0].placement.grid].sample({1, 0, 0}), 5.0f);
  expect_near(scene.emission[0].radiances.back(), {1068.569f, 0, 0}, 0.01f);
  expect_near(scene.emission[2].radiances.back(), {0, 0, 213.714f}, 0.01f);
  expect_warnings(load_lit(kColors + R"([1 2 1  9 6 3] Shape "sphere")"),
                  {"colours that vary in a medium become their mean"});
}

TEST_F(Pbrt, CloudsBecomeGridsInTheirBox) {
  const HostScene scene = load_lit(R"(Translate 0 0 7
    MakeNamedMedium "m" "string type" "cloud" "point3 p0" [0 0.4 0] "point3 p1" [0.5 0.9 1]
      "float frequency" 2 "float wispiness" 0 "float density" 3 "float g" 0.5
      "rgb sigma_s" [4 5 6] "rgb sigma_a" [1 2 3] Shape "sphere")");
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
  expect_near(scene.media.at(0).scattering, {4, 5, 6});
  EXPECT_EQ(scene.media[0].asymmetry, 0.5f);
  const DensityGrid& grid = scene.grids.at(scene.grid_placements.at(0).grid);
  EXPECT_EQ(grid.size, glm::uvec3(32, 32, 64));
  EXPECT_EQ(grid.border, GridBorder::kClamp);
  const PbrtCloud cloud{.density = 3.0, .wispiness = 0.0, .frequency = 2.0};
  EXPECT_NEAR(grid.sample({3, 5, 40}),
              cloud_density({3.5 / 64.0, 0.4 + 5.5 / 64.0, 40.5 / 64.0}, cloud), 1e-4);
}

}  // namespace
}  // namespace winnow
