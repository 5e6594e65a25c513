// SPDX-License-Identifier: MIT
#include "load/mitsuba/mitsuba_xml.h"

#include <fmt/format.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "base/limits.h"
#include "image/image_io.h"
#include "scene/optical_constants.h"
#include "scene/scene_bounds.h"
#include "shading/bsdf/conductor.h"
#include "tests/load/mitsuba/support/mitsuba_scenes.h"
#include "tests/support/expect_near.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using MitsubaXml = MitsubaScenes;

const std::string kConstantSky = "<emitter type='constant'/>";

TEST_F(MitsubaXml, ReadsBothDialectsAlike) {
  const std::string kNow = R"(
    <integrator type="path"><integer name="max_depth" value="5"/></integrator>
    <sensor type="thinlens">
      <float name="fov" value="60"/><string name="fov_axis" value="y"/>
      <float name="aperture_radius" value="0.1"/><float name="focus_distance" value="3"/>
      <transform name="to_world"><lookat origin="1, 2, 3" target="1 2 0" up="0,1,0"/></transform>
      <sampler type="independent"><integer name="sample_count" value="7"/></sampler>
      <film type="hdrfilm"><integer name="width" value="30"/><integer name="height" value="20"/></film>
    </sensor>
    <shape type="sphere"><bsdf type="dielectric"><float name="int_ior" value="1.4"/>
      <string name="ext_ior" value="vacuum"/></bsdf></shape>)";
  const std::pair<const char*, const char*> kOldNames[] = {{"max_depth", "maxDepth"},
                                                           {"fov_axis", "fovAxis"},
                                                           {"aperture_radius", "apertureRadius"},
                                                           {"focus_distance", "focusDistance"},
                                                           {"to_world", "toWorld"},
                                                           {"sample_count", "sampleCount"},
                                                           {"int_ior", "intIOR"},
                                                           {"ext_ior", "extIOR"}};
  std::string old = kNow;
  for (const auto& [name, old_name] : kOldNames)
    old.replace(old.find(name), std::string(name).size(), old_name);
  for (const HostScene& scene : {load_objects(old, "0.5.0"), load_objects(kNow)}) {
    EXPECT_EQ(scene.max_bounces, 4u);
    EXPECT_EQ(scene.spp, 7u);
    EXPECT_EQ(scene.width, 30u);
    EXPECT_EQ(scene.height, 20u);
    EXPECT_EQ(scene.camera.position, glm::vec3(1, 2, 3));
    expect_near(glm::normalize(scene.camera.look_at - scene.camera.position), {0, 0, -1});
    expect_near(scene.camera.up, {0, 1, 0});
    EXPECT_NEAR(scene.camera.vertical_fov, 60.0f, 1e-4f);
    EXPECT_EQ(scene.camera.lens_radius, 0.1f);
    EXPECT_EQ(scene.camera.focus_distance, 3.0f);
    EXPECT_EQ(scene.materials[0].type, MaterialType::kDielectric);
    EXPECT_FLOAT_EQ(scene.materials[0].ior, 1.4f);
  }
}

/// An image twice as wide as high, at 1 m: half its height is h, half its width 2 h, half its
/// diagonal sqrt(5) h.
TEST_F(MitsubaXml, MeasuresTheFieldOfViewAlongItsAxis) {
  auto half_height = [&](const std::vector<std::string>& lens, int width, int height) {
    std::string sensor = object("sensor", "perspective", lens);
    sensor.insert(sensor.rfind("</"), object("film", "hdrfilm",
                                             {fmt::format("integer width {}", width),
                                              fmt::format("integer height {}", height)}));
    return std::tan(glm::radians(0.5f * load_objects(sensor + kSphere).camera.vertical_fov));
  };
  auto along = [&](const std::string& axis, int width, int height) {
    return half_height({"float fov 90", "string fov_axis " + axis}, width, height);
  };
  EXPECT_NEAR(half_height({"float fov 90"}, 200, 100), 0.5f, 1e-5f);
  EXPECT_NEAR(along("x", 200, 100), 0.5f, 1e-5f);
  EXPECT_NEAR(along("y", 200, 100), 1.0f, 1e-5f);
  EXPECT_NEAR(along("smaller", 200, 100), 1.0f, 1e-5f);
  EXPECT_NEAR(along("larger", 200, 100), 0.5f, 1e-5f);
  EXPECT_NEAR(along("smaller", 100, 200), 2.0f, 1e-5f);
  EXPECT_NEAR(along("larger", 100, 200), 1.0f, 1e-5f);
  EXPECT_NEAR(along("diagonal", 200, 100), 1.0f / std::sqrt(5.0f), 1e-5f);
  EXPECT_NEAR(half_height({}, 300, 200), 12.0f / 50.0f, 1e-5f);  // 50 mm before 36x24 mm of film
  EXPECT_NEAR(half_height({"string focal_length 12mm"}, 300, 200), 1.0f, 1e-5f);
}

TEST_F(MitsubaXml, AppliesTheStepsOfATransformInOrder) {
  HostScene scene = load_objects(R"(<shape type="rectangle"><transform name="to_world">
    <scale x="2" y="1"/><rotate z="1" angle="90"/><translate value="5, 0, 1"/>
    <matrix value="1 0 0 0  0 1 0 0  0 0 1 2  0 0 0 1"/></transform></shape>)");
  Bounds bounds = scene_bounds(scene);
  expect_near(bounds.min, {4, -2, 3});
  expect_near(bounds.max, {6, 2, 3});
  EXPECT_GT(area_vector(scene, scene.triangles[0]).z, 0.0f);
}

TEST_F(MitsubaXml, ReadsWhatSomeExportersWriteOtherwise) {
  write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  HostScene scene = load_objects(
      "<background><rgb name='radiance' value='.4, .4, .6'/></background><shape type='obj'><string "
      "name='filename' value='.\\t.obj'/><transform><translate z='3'/></transform></shape>");
  EXPECT_EQ(scene.positions[0].z, 3.0f);
  EXPECT_EQ(scene.sky.zenith, glm::vec3(0.4f, 0.4f, 0.6f));
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
}

TEST_F(MitsubaXml, FillsInParametersAndIncludes) {
  write("part.xml",
        "<scene version='3.0.0'><shape type='sphere'><float name='radius' value='$r'/>"
        "<ref id='$name'/></shape></scene>");
  HostScene scene = load_objects(
      "<default name='r' value='4'/><default name='r' value='9'/><default name='name' value='red'/>"
      "<bsdf type='diffuse' id='red'><rgb name='reflectance' value='#ff0000'/></bsdf>"
      "<include filename='part.xml'/>");
  ASSERT_EQ(scene.spheres.size(), 1u);
  EXPECT_EQ(scene.spheres[0].radius, 4.0f);
  EXPECT_EQ(scene.materials[scene.spheres[0].material].reflectance, glm::vec3(1, 0, 0));
  EXPECT_EQ(scene.material_names[scene.spheres[0].material], "red");
}

TEST_F(MitsubaXml, TakesParametersFromTheCommandLine) {
  const auto file =
      write("s.xml",
            "<scene version='3.0.0'><default name='radius' value='4'/><shape "
            "type='sphere'><float name='radius' value='$radius'/><point name='center' "
            "x='$x'/></shape></scene>");
  const HostScene scene = load_scene(file, {{"radius", "2"}, {"x", "5"}});
  EXPECT_EQ(scene.spheres.at(0).radius, 2.0f);
  EXPECT_EQ(scene.spheres.at(0).center.x, 5.0f);
  EXPECT_TRUE(message_of([&] {
                load_scene(file, {{"x", "5"}, {"raduis", "2"}});
              }).ends_with("-D raduis: the scene has no such parameter; did you mean \"radius\"?"));
  EXPECT_THROW(load_scene(write("t.obj", kObjTriangle), {{"x", "5"}}), UsageError);
}

TEST_F(MitsubaXml, TakesWhatIsMeantWhereOneValueIsWrong) {
  const HostScene scene = load_objects(
      kSphere +
      "<sensor type='perspective'><float name='fov' value='40'/><transform name='to_world'>"
      "<translate z='-9'/></transform><sampler type='independent'>"
      "<integer name='sample_count' value='100000000000'/></sampler><film type='hdrfilm'>"
      "<float name='width' value='30.4'/><integer name='height' value='20'/></film></sensor>"
      "<bsdf type='plastic' id='p'><boolean name='nonlinear' value='maybe'/></bsdf>"
      "<shape type='cube'><ref id='p'/></shape><emitter type='constant'/>");
  EXPECT_EQ(scene.spp, 1u << 24);
  EXPECT_EQ(scene.width, 30u);
  expect_warnings(scene, {"a sample_count of 100000000000 becomes 16777216",
                          "width becomes 30: expected a whole number, found 30.4",
                          "nonlinear stays false: expected true or false, found \"maybe\""});
}

TEST_F(MitsubaXml, DoesNotReportPartsThatOthersReferTo) {
  const HostScene scene = load_objects(
      "<rgb id='red' name='c' value='1 0 0'/><film type='hdrfilm' id='f'/>"
      "<sensor type='perspective'><float name='fov' value='40'/><ref id='f'/>"
      "<transform name='to_world'><translate z='-9'/></transform></sensor>"
      "<shape type='sphere'><bsdf type='diffuse'><ref name='reflectance' id='red'/></bsdf></shape>"
      "<emitter type='constant'/>");
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
  EXPECT_EQ(scene.materials[scene.spheres.at(0).material].reflectance, glm::vec3(1, 0, 0));
}

TEST_F(MitsubaXml, NamesTheShapesThatAreLeftOutOfASceneWithoutGeometry) {
  EXPECT_EQ(
      error_of("s.xml", "<scene><shape type='hair'/><shape type='hair'/></scene>"),
      "s.xml: has no geometry; s.xml:1:8: a shape of the type \"hair\" is left out: curves are "
      "not supported (2 times)");
}

TEST_F(MitsubaXml, ReadsEveryShape) {
  write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write("t.ply",
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
        "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
        "end_header\n0 0 0 1 0 0 0 1 0 3 0 1 2\n");
  for (const char* mesh : {"obj", "ply"}) {
    HostScene scene = load_objects(std::string("<shape type='") + mesh +
                                   "'><string name='filename' value='t." + mesh + "'/></shape>");
    EXPECT_EQ(scene.triangles.size(), 1u);
    EXPECT_EQ(scene.normals[0], glm::vec3(0, 0, 1));  // smooth where the file has none
  }
  auto bounds_of = [&](const std::string& shape) {
    return scene_bounds(load_objects("<shape type=" + shape + "</shape>"));
  };
  expect_near(bounds_of("'merge'><shape type='cube'/>").min, glm::vec3(-1));
  expect_near(bounds_of("'cube'>").min, glm::vec3(-1));
  expect_near(bounds_of("'cube'>").max, glm::vec3(1));
  expect_near(bounds_of("'disk'>").min, {-1, -1, 0});
  expect_near(bounds_of("'cylinder'><point name='p0' x='1'/><point name='p1' x='3'/>"
                        "<float name='radius' value='0.5'/>")
                  .min,
              {1, -0.5f, -0.5f});
  expect_near(
      bounds_of("'sphere'><point name='center' x='1'/><float name='radius' value='2'/>").max,
      {3, 2, 2});
  expect_near(bounds_of("'sphere'><transform name='to_world'><scale x='3'/></transform>").max,
              {3, 1, 1});
}

/// Each triangle, and its normals, faces away from the axis or the centre.
TEST_F(MitsubaXml, TurnsRoundShapesOutwards) {
  for (const std::string type : {"cylinder", "sphere"}) {
    HostScene scene = load_objects(
        "<shape type='" + type + "'><transform name='to_world'><scale z='2'/></transform></shape>");
    ASSERT_GT(scene.triangles.size(), 200u);
    // The light is missing, and a sphere that is scaled so is a ball in Mitsuba.
    EXPECT_EQ(scene.warnings.size(), type == "sphere" ? 2u : 1u);
    for (glm::uvec3 t : scene.triangles) {
      glm::vec3 out = scene.positions[t.x] + scene.positions[t.y] + scene.positions[t.z];
      if (type == "cylinder") out.z = 0.0f;
      EXPECT_GT(glm::dot(area_vector(scene, t), out), 0.0f);
      EXPECT_GT(glm::dot(scene.normals[t.x], out), 0.0f);
    }
  }
}

TEST_F(MitsubaXml, SharesTheMeshOfAGroup) {
  HostScene scene = load_objects(R"(
    <shape type="shapegroup" id="g"><shape type="cube"/><shape type="sphere"/></shape>
    <shape type="instance"><ref id="g"/></shape>
    <shape type="instance"><ref id="g"/>
      <transform name="to_world"><translate x="5"/></transform></shape>)");
  EXPECT_EQ(scene.instances.size(), 2u);
  ASSERT_EQ(scene.meshes.size(), 1u);
  expect_near(scene_bounds(scene).max, {6, 1, 1});
}

TEST_F(MitsubaXml, ReadsTheSurfacesThatWinnowHas) {
  EXPECT_EQ(load_bsdf("").reflectance, glm::vec3(0.5f));
  Material red = load_bsdf("<bsdf type='twosided'>" +
                           bsdf("diffuse", {"rgb reflectance 0.5, .1 0"}) + "</bsdf>");
  EXPECT_EQ(red.type, MaterialType::kDiffuse);
  EXPECT_EQ(red.reflectance, glm::vec3(0.5f, 0.1f, 0.0f));

  const std::string kGgx = "string distribution ggx";
  Material gold =
      load_bsdf(bsdf("roughconductor", {"string material Au", "float alpha 0.25", kGgx}));
  EXPECT_EQ(gold.type, MaterialType::kConductor);
  EXPECT_FLOAT_EQ(gold.roughness, 0.5f);
  EXPECT_EQ(gold.metal_n, find_metal("gold")->n);
  EXPECT_EQ(gold.metal_k, find_metal("gold")->k);
  EXPECT_EQ(gold.masking, Masking::kSeparable);
  EXPECT_EQ(gold.distribution, MicrofacetDistribution::kGgx);
  for (const char* type : {"roughconductor", "roughdielectric", "roughplastic"})
    for (const char* version : {"0.5.0", "3.0.0"})
      EXPECT_EQ(load_bsdf(bsdf(type), version).distribution, MicrofacetDistribution::kBeckmann);
  Material brushed =
      load_bsdf(bsdf("roughconductor", {"float alpha_u 0.4", "float alpha_v 0.1", kGgx}));
  EXPECT_NEAR(make_ggx(brushed).alpha_x, 0.4f, 1e-6f);
  EXPECT_NEAR(make_ggx(brushed).alpha_y, 0.1f, 1e-6f);
  expect_warnings(
      load_objects("<bsdf type='roughconductor' id='b'><float name='alpha' value='1.5'/>"
                   "</bsdf><shape type='sphere'><ref id='b'/></shape><emitter type='constant'/>"),
      {"microfacets with an alpha above 1 get an alpha of 1"});
  Material given = load_bsdf(bsdf("conductor", {"float eta 2", "float k 1", "string ext_eta vacuum",
                                                "float specular_reflectance 0.5"}));
  EXPECT_EQ(given.type, MaterialType::kMirror);
  expect_near(given.reflectance, glm::vec3(0.5f));
  expect_near(given.metal_n, glm::vec3(2.0f));
  expect_near(given.metal_k, glm::vec3(1.0f));
  EXPECT_EQ(conductor_fresnel<kExtended>(load_bsdf(bsdf("conductor")), 0.3f), glm::vec3(1.0f));
  EXPECT_EQ(load_bsdf(bsdf("conductor"), "0.6.0").metal_k, find_metal("copper")->k);

  EXPECT_NEAR(load_bsdf(bsdf("dielectric")).ior, 1.5046f / 1.000277f, 1e-6f);
  Material frosted = load_bsdf(
      bsdf("roughdielectric", {"float alpha 0.25", kGgx, "float specular_reflectance 0.5"}));
  EXPECT_EQ(frosted.type, MaterialType::kRoughDielectric);
  EXPECT_FLOAT_EQ(frosted.roughness, 0.5f);
  EXPECT_EQ(frosted.specular, glm::vec3(0.5f));
  Material pane = load_bsdf(bsdf("thindielectric", {"float int_ior 2"}));
  EXPECT_EQ(pane.type, MaterialType::kThinDielectric);
  EXPECT_NEAR(pane.ior, 2.0f / 1.000277f, 1e-6f);
  Material plastic =
      load_bsdf(bsdf("roughplastic", {"float diffuse_reflectance 0.25", "float alpha 0.09", kGgx,
                                      "boolean nonlinear true"}));
  EXPECT_EQ(plastic.type, MaterialType::kPlastic);
  EXPECT_EQ(plastic.reflectance, glm::vec3(0.25f));
  EXPECT_FLOAT_EQ(plastic.roughness, 0.3f);
  EXPECT_NEAR(plastic.ior, 1.49f / 1.000277f, 1e-6f);
  EXPECT_TRUE(plastic.nonlinear);
  EXPECT_EQ(load_bsdf(bsdf("plastic")).roughness, 0.0f);
}

TEST_F(MitsubaXml, ReadsSheets) {
  const Material frosted = load_bsdf(bsdf(
      "principledthin", {"rgb base_color 0.25,0.5,0.75", "float spec_trans 0.5", "float eta 1.3"}));
  EXPECT_TRUE(frosted.thin);
  EXPECT_EQ(frosted.transmission, 0.5f);
  expect_near(frosted.reflectance, {0.25f, 0.5f, 0.75f});
  EXPECT_FLOAT_EQ(frosted.ior, 1.3f);
  EXPECT_EQ(frosted.diffuse_transmission, 0.0f);
  const Material leaf =
      load_bsdf(bsdf("principledthin", {"rgb base_color 0.2,0.4,0.1", "float diff_trans 0.6"}));
  EXPECT_TRUE(leaf.thin);
  EXPECT_FLOAT_EQ(leaf.diffuse_transmission, 0.3f);
  expect_near(leaf.diffuse_transmission_color, {0.2f, 0.4f, 0.1f});
  EXPECT_EQ(leaf.masking, Masking::kSeparable);
  const HostScene sheet = load_objects(
      "<shape type='sphere'><bsdf type='principledthin'><float name='diff_trans' value='1'/></bsdf>"
      "</shape><emitter type='constant'/>");
  expect_warnings(sheet, {});
}

TEST_F(MitsubaXml, ReadsPrincipledSurfaces) {
  const Material read = load_bsdf(
      bsdf("principled", {"rgb base_color 0.25,0.5,0.75", "float spec_trans 0.5", "float eta 1.3",
                          "float sheen 0.5", "float sheen_tint 1", "float spec_tint 0.5"}));
  EXPECT_EQ(read.masking, Masking::kSeparable);
  EXPECT_FALSE(read.thin);
  EXPECT_EQ(read.transmission, 0.5f);
  expect_near(read.reflectance, {0.25f, 0.5f, 0.75f});
  EXPECT_FLOAT_EQ(read.ior, 1.3f);
  const float brightness = luminance(read.reflectance);
  expect_near(read.sheen, 0.5f * read.reflectance / brightness);
  expect_near(read.specular_tint, 0.5f + 0.5f * read.reflectance / brightness);
}

TEST_F(MitsubaXml, TheIndexMayBeLowerInside) {
  auto ior_of = [&](const std::string& type, const std::vector<std::string>& properties) {
    const HostScene scene =
        load_objects("<shape type='sphere'>" + bsdf(type, properties) + "</shape>" + kConstantSky);
    EXPECT_EQ(scene.warnings, std::vector<std::string>());
    return scene.materials.at(0).ior;
  };
  for (const char* type :
       {"dielectric", "roughdielectric", "thindielectric", "plastic", "roughplastic"}) {
    EXPECT_FLOAT_EQ(ior_of(type, {"float int_ior 1", "float ext_ior 1.5"}), 1.0f / 1.5f);
    EXPECT_FLOAT_EQ(ior_of(type, {"string int_ior water", "string ext_ior bk7"}), 1.333f / 1.5046f);
    EXPECT_FLOAT_EQ(ior_of(type, {"float int_ior 1.2", "string ext_ior diamond"}), 1.2f / 2.419f);
  }
  EXPECT_EQ(ior_of("dielectric", {"float int_ior 1.3", "float ext_ior 1.3"}), 1.0f);
}

TEST_F(MitsubaXml, SpheresMayFaceInwards) {
  const std::string kGlass = bsdf("dielectric", {"float int_ior 1.5", "float ext_ior 1"}),
                    kFlip = "<boolean name='flip_normals' value='true'/>",
                    kMirror = "<transform name='to_world'><scale x='-1' y='1' z='1'/></transform>";
  auto ior_of = [&](const std::string& parts, const std::string& version = "3.0.0") {
    const HostScene scene =
        load_objects("<shape type='sphere'>" + kGlass + parts + "</shape>" + kConstantSky, version);
    EXPECT_EQ(scene.warnings, std::vector<std::string>());
    return scene.materials.at(scene.spheres.at(0).material).ior;
  };
  EXPECT_EQ(ior_of(""), 1.5f);
  EXPECT_EQ(ior_of(kFlip), 1.0f / 1.5f);
  EXPECT_EQ(ior_of(kMirror), 1.0f / 1.5f);
  EXPECT_EQ(ior_of("<float name='radius' value='-2'/>"), 1.0f / 1.5f);
  EXPECT_EQ(ior_of(kMirror + kFlip), 1.5f);
  EXPECT_EQ(ior_of(kMirror, "0.6.0"), 1.5f);
}

TEST_F(MitsubaXml, WhatIsInsideOfAFlippedSphereIsOutside) {
  const std::string kFlip = "<boolean name='flip_normals' value='true'/>";
  const HostScene scene =
      load_objects("<shape type='sphere'>" + bsdf("dielectric") + kFlip +
                   "<medium type='homogeneous' name='interior'/></shape>" +
                   "<shape type='sphere'><emitter type='area'/>" + kFlip + "</shape>");
  const Material& glass = scene.materials.at(scene.spheres.at(0).material);
  EXPECT_EQ(glass.exterior, 0u);
  EXPECT_EQ(glass.interior, kNoMedium);
  // The light is a mesh that shines inwards.
  ASSERT_FALSE(scene.triangles.empty());
  const glm::uvec3 triangle = scene.triangles.at(scene.triangles.size() / 2);
  EXPECT_LT(glm::dot(area_vector(scene, triangle), scene.positions[triangle.x]), 0.0f);
  EXPECT_LT(glm::dot(scene.normals[triangle.x], scene.positions[triangle.x]), 0.0f);
  EXPECT_FALSE(scene.materials.at(scene.triangle_materials.at(0)).two_sided_emission);
}

TEST_F(MitsubaXml, ApproximatesUnsupportedMaterialsAndWarnsOnce) {
  struct Case {
    std::string bsdf;
    MaterialType type;
    const char* warning;
  };
  const Case kCases[] = {
      {bsdf("roughconductor", {"string distribution phong"}), MaterialType::kConductor,
       "\"phong\" becomes Beckmann"},
      {bsdf("phong"), MaterialType::kDiffuse, "specular reflection"},
      {bsdf("principled", {"float roughness 0.9", "float anisotropic 0.6"}),
       MaterialType::kPrincipled, "an alpha above 1"},
      {bsdf("principledthin", {"float spec_trans 1"}), MaterialType::kPrincipled,
       "blurred more than in Mitsuba"},
      {"<bsdf type='bumpmap'>" + bsdf("dielectric") + "</bsdf>", MaterialType::kDielectric,
       "bumpmap"},
      {bsdf("velvet"), MaterialType::kDiffuse, "velvet"},
      {bsdf("diffuse", {"rgb reflectance 2"}), MaterialType::kDiffuse, "above 1"},
      {"<bsdf type='diffuse'><texture name='reflectance' type='bitmap'><string name='filename' "
       "value='gone.png'/></texture></bsdf>",
       MaterialType::kDiffuse, "\"gone.png\" is missing"}};
  for (const Case& tried : kCases) {
    SCOPED_TRACE(tried.bsdf);
    const std::string shape = "<shape type='sphere'>" + tried.bsdf + "</shape>";
    HostScene scene = load_objects(shape + shape + "<emitter type='constant'/>");
    ASSERT_EQ(scene.spheres.size(), 2u);
    EXPECT_EQ(scene.materials[scene.spheres[0].material].type, tried.type);
    expect_warnings(scene, {tried.warning});
    EXPECT_TRUE(scene.warnings.at(0).ends_with("(2 times)"));
  }
}

TEST_F(MitsubaXml, SaysThatImagesAreRgb) {
  auto load = [&](const std::string& format) {
    const std::string film = object("film", "hdrfilm", {"string pixel_format " + format});
    return load_objects("<sensor type='perspective'>" + film + "</sensor>" + kSphere +
                        "<emitter type='constant'/>");
  };
  for (const char* format : {"luminance", "luminance_alpha", "xyz", "xyza"})
    expect_warnings(load(format), {"images are RGB; the pixel_format \"" + std::string(format)});
  for (const char* format : {"rgb", "rgba"}) expect_warnings(load(format), {});
}

TEST_F(MitsubaXml, IgnoresUnknownObjects) {
  HostScene scene = load_objects(kSphere + "<shape type='hair'/><emitter type='constant'/>" +
                                 "<medium type='homogeneous'/>" +
                                 "<shape type='cube'><bsdf type='null'/></shape>");
  EXPECT_EQ(scene.spheres.size(), 1u);
  EXPECT_EQ(scene.triangles.size(), 0u);
  expect_warnings(scene, {"\"hair\" is left out", "<medium> is ignored"});
}

TEST_F(MitsubaXml, UsesTheMeanOfATextureWhereTexturesAreNotSupported) {
  Image image{.width = 2, .height = 1, .pixels = {}};
  image.pixels = {glm::vec3(1, 0, 0), glm::vec3(0, 0, 0.5f)};
  write_image(folder_ / "t.pfm", image);
  expect_near(load_bsdf("<bsdf type='dielectric'><texture type='bitmap' "
                        "name='specular_reflectance'><string name='filename' "
                        "value='t.pfm'/></texture></bsdf>")
                  .specular,
              {0.5f, 0.0f, 0.25f});
  expect_near(load_bsdf("<texture type='checkerboard' id='c'/><bsdf type='dielectric'><ref "
                        "name='specular_reflectance' id='c'/></bsdf>")
                  .specular,
              glm::vec3(0.3f));
}

TEST_F(MitsubaXml, LosesOnlyTheShapesWhoseMeshFilesAreMissingOrBroken) {
  write("broken.ply", "ply\nformat ascii 1.0\nend_header\n");
  const HostScene scene =
      load_objects(kSphere + object("shape", "obj", {"string filename no.obj"}) +
                   object("shape", "ply", {"string filename broken.ply"}));
  EXPECT_EQ(scene.spheres.size(), 1u);
  EXPECT_TRUE(scene.triangles.empty());
  expect_warnings(scene, {"is left out; the first: there is no file \"no.obj\" (2 times)",
                          "the scene has no light"});
}

TEST_F(MitsubaXml, NamesThePositionOfAMistake) {
  EXPECT_EQ(error_of("s.xml", "<scene><shape></scene>").rfind("s.xml:1:", 0), 0u);
  EXPECT_EQ(error_of("s.xml", "<html/>"),
            "s.xml:1:1: expected a Mitsuba scene, <scene>, found <html>");
  write("again.xml", "<scene><include filename='again.xml'/></scene>");
  const std::pair<std::string, std::string> kMistakes[] = {
      {"", "s.xml: has no geometry; expected at least one shape of a supported type"},
      {"<shape type='sphere'>\n<ref id='red'/></shape><bsdf type='diffuse' id='reed'/>",
       "s.xml:3:1: unknown object \"red\"; did you mean \"reed\"?"},
      {"<shape type='$kind'/>",
       "s.xml:2:1: the parameter \"$kind\" has no <default>; give it a value by -D kind=..."},
      {object("shape", "sphere", {"float radius big"}),
       "s.xml:2:22: expected a number, found \"big\""},
      {object("shape", "obj", {"string filename no.obj"}),
       "s.xml: has no geometry; s.xml:2:1: a shape whose mesh file cannot be read is left out; the "
       "first: there is no file \"no.obj\""},
      {"<shape type='cube'><transform name='to_world'><matrix value='1 2'/></transform></shape>",
       "s.xml:2:47: expected 9 or 16 numbers, found 2"},
      {kSphere + object("sensor", "perspective", {"float fov 180"}),
       "s.xml:2:23: expected a field of view in (0, 180) degrees, found 180"},
      {"<include filename='again.xml'/>", "again.xml:1:8: the file \"again.xml\" includes itself"},
      {"<bsdf type='mask' id='m'><ref id='m'/></bsdf><shape type='cube'><ref id='m'/></shape>",
       "s.xml:2:1: surfaces are nested too deeply"}};
  for (const auto& [objects, message] : kMistakes)
    EXPECT_EQ(error_of("s.xml", "<scene version='3.0.0'>\n" + objects + "\n</scene>"), message);
}

TEST_F(MitsubaXml, RefusesObjectsThatContainThemselves) {
  auto error = [&](const std::string& objects) {
    return error_of("s.xml", "<scene>" + objects + kSphere + "</scene>");
  };
  // First one that ends: without the limit, the others are followed without end.
  auto nested = [](int count) {
    std::string open, close;
    for (int i = 0; i < count; ++i)
      open += "<texture type='scale' name='reflectance'>", close += "</texture>";
    return "<shape type='cube'><bsdf type='diffuse'>" + open +
           "<texture type='checkerboard' name='t'/>" + close + "</bsdf></shape>";
  };
  EXPECT_EQ(error(nested(kMaxTextureDepth)), "");
  ASSERT_NE(error(nested(kMaxTextureDepth + 1)).find("textures are nested too deeply"),
            std::string::npos);
  EXPECT_EQ(
      error("<texture type='checkerboard' id='t'><ref name='color0' id='t'/></texture><shape "
            "type='cube'><bsdf type='diffuse'><ref name='reflectance' id='t'/></bsdf></shape>"),
      "s.xml:1:8: textures are nested too deeply");
  EXPECT_EQ(error("<texture type='scale' id='t'><ref id='t'/></texture><shape type='cube'>"
                  "<bsdf type='diffuse'><ref name='reflectance' id='t'/></bsdf></shape>"),
            "s.xml:1:8: textures are nested too deeply");
  auto integrators = [](int inner) {
    std::string open, close;
    for (int i = 0; i < inner; ++i) open += "<integrator type='aov'>", close += "</integrator>";
    return open + "<integrator type='path'/>" + close;
  };
  EXPECT_EQ(error(integrators(kMaxIntegratorDepth)), "");
  EXPECT_EQ(error(integrators(kMaxIntegratorDepth + 1)),
            "s.xml:1:8: integrators are nested too deeply");
  EXPECT_EQ(error("<integrator type='aov' id='i'><ref id='i'/></integrator>"),
            "s.xml:1:8: integrators are nested too deeply");
  EXPECT_EQ(error("<shape type='shapegroup' id='g'><shape type='instance'><ref id='g'/></shape>"
                  "</shape><shape type='instance'><ref id='g'/></shape>"),
            "");
  // Recursion of this depth would overflow the stack.
  constexpr int kDeep = 300'000;
  std::string open, close;
  for (int i = 0; i < kDeep; ++i) open += "<bsdf type='twosided'>", close += "</bsdf>";
  EXPECT_NE(error("<shape type='cube'>" + open + close + "</shape>").find("nested too deeply"),
            std::string::npos);
}

TEST_F(MitsubaXml, RefusesAFileThatIsCutOffAnywhere) {
  const std::string text =
      "<scene version='3.0.0'><!-- a --><shape type='sphere'><bsdf type='diffuse'><rgb "
      "name='reflectance' value='1 2 3'/></bsdf></shape></scene>";
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_NE(error_of("s.xml", text.substr(0, size)), "") << size;
}

TEST_F(MitsubaXml, SurvivesChangedBytes) {
  const std::string text = R"(<scene version="0.6.0"><default name="r" value="2"/>
    <sensor type="thinlens"><float name="fov" value="40"/><film type="hdrfilm"/><transform
    name="toWorld"><lookat origin="0,0,5" target="0,0,0" up="0,1,0"/></transform></sensor>
    <bsdf type="twosided" id="a"><bsdf type="conductor"/></bsdf><shape type="sphere"><float
    name="radius" value="$r"/><ref id="a"/></shape><emitter type="point"/></scene>)";
  ByteNoise next;
  size_t refused = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char kWith[] = {char(next()), '-', '9', '$'};
    std::string changed = text;
    changed[at] = kWith[next() % 4];
    refused += !error_of("s.xml", changed).empty();  // in one line, and nothing else
  }
  EXPECT_GT(refused, 0u);
}

TEST(OpticalConstants, GiveTheReflectanceOfKnownMetals) {
  // A perfect mirror; a clear material of index 1.5, 4 %.
  expect_near(normal_reflectance(*find_metal("none")), glm::vec3(1.0f));
  expect_near(normal_reflectance({.n = glm::vec3(1.5f)}), glm::vec3(0.04f));
  // The colours of Mitsuba 3.9.1, from its spectra.
  constexpr float kLastDigit = 2e-4f;
  expect_near(normal_reflectance(*find_metal("Ag")), {0.9748f, 0.9575f, 0.9063f}, kLastDigit);
  expect_near(normal_reflectance(*find_metal("Al")), {0.9280f, 0.9178f, 0.9189f}, kLastDigit);
  expect_near(normal_reflectance(*find_metal("Au")), {0.9667f, 0.8020f, 0.3241f}, kLastDigit);
  expect_near(normal_reflectance(*find_metal("Cr")), {0.6876f, 0.6491f, 0.6870f}, kLastDigit);
  expect_near(normal_reflectance(*find_metal("Cu")), {0.9520f, 0.6198f, 0.5106f}, kLastDigit);
  expect_near(normal_reflectance(*find_metal("a-C")), {0.2794f, 0.1940f, 0.1691f}, kLastDigit);
  expect_near(normal_reflectance(*find_metal("TiO2")), {0.3038f, 0.2246f, 0.2380f}, kLastDigit);
  EXPECT_EQ(find_metal("Mo_palik")->n, find_metal("Mo")->n);
  EXPECT_NE(find_metal("Cu_palik")->n, find_metal("Cu")->n);
  EXPECT_FALSE(find_metal("unobtainium").has_value());
  EXPECT_FALSE(find_metal("_palik").has_value());
}

/// Mitsuba 3.9.1 does not normalize the axis of a rotation; Mitsuba 0.6 does.
TEST_F(MitsubaXml, RotatesAboutAnAxisOfAnyLengthAsMitsubaDoes) {
  auto corner = [&](const std::string& version) {
    return load_objects(
        "<shape type='rectangle'><transform name='to_world'><rotate x='1' y='1' "
        "angle='40'/></transform></shape><emitter type='constant'/>",
        version);
  };
  const HostScene skewed = corner("3.0.0"), rotated = corner("0.6.0");
  // Columns of Mitsuba's matrix: (1, 0.233956, -0.642788), (0.233956, 1, 0.642788).
  expect_near(skewed.positions.at(0), {-1.233956f, -1.233956f, 0.0f}, 1e-5f);
  EXPECT_NEAR(glm::length(rotated.positions.at(0)), std::sqrt(2.0f), 1e-5f);
  ASSERT_EQ(skewed.warnings.size(), 1u);
  EXPECT_NE(skewed.warnings[0].find("not of unit length"), std::string::npos);
  EXPECT_TRUE(rotated.warnings.empty());
}

/// Without "up", Mitsuba takes the first vector of a basis around the view.
TEST_F(MitsubaXml, ChoosesADirectionUpAsMitsubaDoes) {
  auto up = [&](const std::string& lookat, const std::string& version = "3.0.0") {
    return load_objects("<sensor type='perspective'><transform name='to_world'><lookat " + lookat +
                            "/></transform></sensor>" + kSphere + "<emitter type='constant'/>",
                        version)
        .camera.up;
  };
  expect_near(up("origin='0,0,5' target='0,0,0'"), {1, 0, 0});
  expect_near(up("origin='0,0,5' target='0,0,0' up='0,1,0'"), {0, 1, 0});
  expect_near(up("origin='5,0,0' target='0,0,0'"), {0, 0, 1});
  expect_near(up("origin='0,0,5' target='0,0,0'", "0.6.0"), {1, 0, 0});
}

TEST_F(MitsubaXml, WarnsOfAScaledSphere) {
  auto sphere = [](const char* scale) {
    return std::string("<shape type='sphere'><transform name='to_world'><scale ") + scale +
           "/></transform></shape><emitter type='constant'/>";
  };
  expect_warnings(load_objects(sphere("x='2' y='1' z='1'")), {"in Mitsuba it is a ball"});
  expect_warnings(load_objects(sphere("value='2'")), {});
}

}  // namespace
}  // namespace winnow
