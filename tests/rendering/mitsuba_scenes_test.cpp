// SPDX-License-Identifier: MIT
// Radiances that Mitsuba 3.9.1 gives to scenes in its format.

#include "tests/load/mitsuba/support/mitsuba_scenes.h"

#include <gmock/gmock.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "backend/renderer.h"
#include "image/image_io.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

class MitsubaPictures : public MitsubaScenes {
 protected:
  static Image render(const HostScene& scene, uint32_t spp) {
    const RenderSettings settings{
        .width = scene.width, .height = scene.height, .max_bounces = scene.max_bounces};
    const std::unique_ptr<Renderer> renderer = make_cpu_renderer(scene, settings);
    RenderControl control;
    renderer->render_samples(0, spp, control);
    return renderer->film();
  }

  static glm::vec3 mean(const Image& image) {
    glm::dvec3 sum(0.0);
    for (const glm::vec3& pixel : image.pixels) sum += glm::dvec3(pixel);
    return glm::vec3(sum / double(image.pixels.size()));
  }
};

/// A camera at z = 5 that looks at the origin, with 32x32 pixels.
std::string camera_with(const std::string& properties, const std::string& type = "perspective",
                        const std::string& film = "") {
  return "<sensor type='" + type + "'><float name='fov' value='60'/>" + properties +
         "<transform name='to_world'><lookat origin='0,0,5' target='0,0,0' "
         "up='0,1,0'/></transform><film type='hdrfilm'><integer name='width' value='32'/>"
         "<integer name='height' value='32'/>" +
         film + "<rfilter type='box'/></film></sensor>";
}

std::string glowing_square(const std::string& color, const std::string& steps) {
  return "<shape type='rectangle'><transform name='to_world'>" + steps +
         "</transform><emitter type='area'><rgb name='radiance' value='" + color +
         "'/></emitter></shape>";
}

/// Centre of the red light of an image, pixels.
glm::dvec2 centre_of(const Image& image) {
  glm::dvec2 sum(0.0);
  double total = 0.0;
  for (uint32_t y = 0; y < image.height; ++y)
    for (uint32_t x = 0; x < image.width; ++x) {
      const double red = double(image.pixels[size_t{y} * image.width + x].x);
      sum += red * glm::dvec2(x + 0.5, y + 0.5);
      total += red;
    }
  return sum / total;
}

TEST_F(MitsubaPictures, MoveByTheOffsetOfThePrincipalPoint) {
  const std::string kSquare = glowing_square("1,0,0", "<scale value='0.5'/>");
  auto centre = [&](const std::string& x, const std::string& y, const std::string& film = "") {
    return centre_of(render(
        load_objects(kSquare + camera_with("<float name='principal_point_offset_x' value='" + x +
                                               "'/><float name='principal_point_offset_y' value='" +
                                               y + "'/>",
                                           "perspective", film)),
        16));
  };
  // A quarter of 32 columns to the left, a tenth of 32 rows upwards.
  expect_near(glm::vec3(centre("0.25", "0.1"), 0.0f), {8.0f, 12.8f, 0.0f}, 0.1f);
  expect_near(glm::vec3(centre("-0.2", "-0.3"), 0.0f), {22.4f, 25.6f, 0.0f}, 0.1f);
  const std::string kCrop =
      "<integer name='crop_offset_x' value='4'/><integer name='crop_offset_y' value='6'/>"
      "<integer name='crop_width' value='20'/><integer name='crop_height' value='24'/>";
  expect_near(glm::vec3(centre("0", "0", kCrop), 0.0f), {12.0f, 10.0f, 0.0f}, 0.1f);
  expect_near(glm::vec3(centre("0.125", "0", kCrop), 0.0f), {8.0f, 10.0f, 0.0f}, 0.1f);
}

TEST_F(MitsubaPictures, ShowOnlyWhatIsBetweenTheClippingPlanes) {
  const std::string kRed = glowing_square("1,0,0", "<scale value='0.5'/>"),
                    kWall = glowing_square("0,1,0", "<scale value='9'/><translate z='2'/>");
  auto mean_with = [&](const std::string& objects, const std::string& planes,
                       const std::string& type = "perspective") {
    return mean(render(load_objects(objects + camera_with(planes, type)), 16));
  };
  const std::string kNear = "<float name='near_clip' value='4'/>",
                    kFar = "<float name='far_clip' value='4'/>";
  for (const char* type : {"perspective", "thinlens"}) {
    const std::string lens =
        type == std::string("thinlens") ? "<float name='aperture_radius' value='0.01'/>" : "";
    expect_near(mean_with(kRed + kWall, lens, type), {0, 1, 0}, 1e-6f);
    expect_near(mean_with(kRed + kWall, lens + kNear, type), {0.030f, 0, 0}, 1e-3f);
    expect_near(mean_with(kRed, lens + kFar, type), {0, 0, 0}, 1e-9f);
    expect_near(mean_with(kRed, lens + "<float name='far_clip' value='5.1'/>", type),
                {0.030f, 0, 0}, 1e-3f);
  }
  // The height of the view is 2 m.
  expect_near(mean_with(kRed + kWall, kNear, "orthographic"), {0.25f, 0, 0}, 0.01f);
  expect_near(mean_with(kRed, kFar, "orthographic"), {0, 0, 0}, 1e-9f);
  EXPECT_EQ(load_objects(kRed + camera_with("")).camera.far_clip, 1e4f);
}

/// In Mitsuba, the wall behind the mask is seen.
TEST_F(MitsubaPictures, HideWhatIsBehindAMaskAndTheFarPlaneWithAWarning) {
  const std::string kMask = R"(<shape type="rectangle"><bsdf type="mask">
      <float name="opacity" value="0"/><bsdf type="diffuse"/></bsdf></shape>)",
                    kWall = glowing_square("0,1,0", "<scale value='9'/><translate z='-4'/>"),
                    kFar = "<float name='far_clip' value='7'/>";
  const auto is_warning = testing::HasSubstr("far_clip hides all that is behind it");
  const HostScene scene = load_objects(kMask + kWall + camera_with(kFar));
  EXPECT_THAT(scene.warnings, testing::Contains(is_warning));
  EXPECT_EQ(mean(render(scene, 1)), glm::vec3(0.0f));
  for (const std::string& other : {kWall + camera_with(kFar), kMask + kWall + camera_with("")})
    EXPECT_THAT(load_objects(other).warnings, testing::Not(testing::Contains(is_warning)));
}

/// Light reaches a floor from geometry in front of the near plane and behind the far one.
TEST_F(MitsubaPictures, AreLitByWhatTheirClippingPlanesHide) {
  const std::string kScene =
      "<shape type='rectangle'/>" + glowing_square("0,1,0",
                                                   "<rotate x='1' angle='180'/>"
                                                   "<scale value='9'/><translate z='4.5'/>");
  const HostScene scene = load_objects(kScene + camera_with("<float name='near_clip' value='1'/>"));
  EXPECT_GT(mean(render(scene, 64)).y, 0.03f);
}

/// The back of a card, from the camera and in a mirror, under a sky of 1.
TEST_F(MitsubaPictures, HaveBlackBacks) {
  const std::string kSky = "<emitter type='constant'/>",
                    kMirror =
                        "<shape type='rectangle'><transform name='to_world'><scale value='9'/>"
                        "<translate z='-2'/></transform><bsdf type='twosided'><bsdf "
                        "type='conductor'><string name='material' value='none'/></bsdf></bsdf>"
                        "</shape>";
  auto centre = [&](const std::string& bsdf, float angle) {
    const Image image = render(
        load_objects("<shape type='rectangle'><transform name='to_world'><scale value='0.5'/>"
                     "<rotate y='1' angle='" +
                     std::to_string(angle) + "'/></transform>" + bsdf + "</shape>" + kSky +
                     camera_with("")),
        4);
    return image.pixels[16 * 32 + 16];
  };
  for (const char* type :
       {"diffuse", "conductor", "roughconductor", "plastic", "roughplastic", "principled"}) {
    SCOPED_TRACE(type);
    const std::string bsdf = std::string("<bsdf type='") + type + "'/>";
    EXPECT_GT(centre(bsdf, 10).x, 0.02f);
    EXPECT_EQ(centre(bsdf, 170), glm::vec3(0.0f));
    EXPECT_GT(centre("<bsdf type='twosided'>" + bsdf + "</bsdf>", 170).x, 0.02f);
  }
  EXPECT_EQ(centre("", 170), glm::vec3(0.0f));
  EXPECT_GT(centre("<bsdf type='dielectric'/>", 170).x, 0.5f);

  // A card that is seen in a mirror behind it, above its edge.
  auto mirrored = [&](const std::string& bsdf) {
    const Image image = render(
        load_objects("<shape type='rectangle'><transform name='to_world'><translate y='-2.2'/>"
                     "</transform>" +
                     bsdf + "</shape>" + kSky + camera_with("") + kMirror),
        4);
    float darkest = 1.0f;
    for (const glm::vec3& pixel : image.pixels) darkest = std::min(darkest, pixel.x);
    return darkest;
  };
  const std::string kWhite = "<bsdf type='diffuse'><rgb name='reflectance' value='1'/></bsdf>";
  EXPECT_EQ(mirrored(kWhite), 0.0f);
  EXPECT_GT(mirrored("<bsdf type='twosided'>" + kWhite + "</bsdf>"), 0.5f);
}

/// A glass ball that glows, and a ball behind a mask that glows.
TEST_F(MitsubaPictures, EmitFromTheFrontThroughGlassAndMasks) {
  auto centre = [&](const std::string& bsdf) {
    const Image image = render(load_objects("<shape type='sphere'>" + bsdf +
                                            "<emitter type='area'/></shape>" + camera_with("")),
                               64);
    return image.pixels[16 * 32 + 16].x;
  };
  EXPECT_NEAR(centre("<bsdf type='dielectric'/>"), 1.0f, 1e-5f) << "not from inside, too";
  EXPECT_NEAR(centre("<bsdf type='mask'><float name='opacity' value='0.25'/>"
                     "<bsdf type='diffuse'><rgb name='reflectance' value='0'/></bsdf></bsdf>"),
              1.0f, 0.2f)
      << "the mask does not dim it";
}

/// A camera whose transform has another scale in x than in y.
TEST_F(MitsubaPictures, ParallelRaysMayBeStretched) {
  const std::string kSquare = glowing_square("1,0,0", "<scale value='0.5'/>");
  auto share = [&](const std::string& scale) {
    return mean(render(load_objects(kSquare +
                                    "<sensor type='orthographic'><transform "
                                    "name='to_world'><scale " +
                                    scale +
                                    "/><lookat origin='0,0,5' target='0,0,0' up='0,1,0'/>"
                                    "</transform><film type='hdrfilm'><integer name='width' "
                                    "value='32'/><integer name='height' value='16'/>"
                                    "<rfilter type='box'/></film></sensor>"),
                       16))
        .x;
  };
  // The view is 2 m wide and 1 m high at a scale of 1.
  EXPECT_NEAR(share("value='2'"), 1.0f / 8.0f, 0.002f);
  EXPECT_NEAR(share("x='2' y='4'"), 1.0f / 16.0f, 0.002f);
  EXPECT_NEAR(share("x='4' y='2'"), 1.0f / 16.0f, 0.002f);
}

/// A wall far behind a small lamp.
TEST_F(MitsubaPictures, FlatLampsEmitNothingBehindThem) {
  std::string camera = camera_with("");
  const std::string kTarget = "target='0,0,0'";
  camera.replace(camera.find(kTarget), kTarget.size(), "target='9,0,-40'");
  for (const char* type : {"rectangle", "disk"}) {
    const HostScene scene = load_objects(
        "<shape type='rectangle'><transform name='to_world'><scale value='90'/><translate "
        "z='-40'/></transform></shape><shape type='" +
        std::string(type) +
        "'><transform name='to_world'><scale value='0.1'/><translate x='-9'/></transform>"
        "<emitter type='area'><rgb name='radiance' value='9999'/></emitter></shape>" +
        camera);
    EXPECT_EQ(mean(render(scene, 4)), glm::vec3(0.0f)) << type;
  }
}

/// A quad without normals, seen counter-clockwise from +z.
constexpr const char* kObjQuad = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n";
constexpr const char* kPlyQuad =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
    "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
    "-1 -1 0\n1 -1 0\n1 1 0\n-1 1 0\n4 0 1 2 3\n";

/// Half of a floor below a quad that emits to one side.
TEST_F(MitsubaPictures, MirroredMeshesWithoutNormalsTurnTheirLight) {
  write("quad.obj", kObjQuad);
  auto mean_with = [&](const std::string& scale) {
    const std::string kObjects =
        "<integrator type='path'><integer name='max_depth' value='6'/></integrator>"
        "<sensor type='perspective'><float name='fov' value='40'/><transform name='to_world'>"
        "<lookat origin='4,0,3' target='0,0,0' up='0,0,1'/></transform><film type='hdrfilm'>"
        "<integer name='width' value='32'/><integer name='height' value='32'/>"
        "<rfilter type='box'/></film></sensor><shape type='rectangle'><transform "
        "name='to_world'><scale value='5'/></transform><bsdf type='diffuse'><rgb "
        "name='reflectance' value='0.5'/></bsdf></shape><shape type='obj'><string "
        "name='filename' value='quad.obj'/><transform name='to_world'><scale " +
        scale +
        " y='0.5' z='1'/><translate z='2'/></transform><emitter type='area'><rgb "
        "name='radiance' value='5'/></emitter></shape>";
    return mean(render(load_objects(kObjects), 64)).x;
  };
  EXPECT_NEAR(mean_with("x='-0.5'"), 0.0688f, 0.001f);
  EXPECT_EQ(mean_with("x='0.5'"), 0.0f);
}

/// 1 if a mesh faces +z in the world, -1 if it faces -z.
TEST_F(MitsubaPictures, MeshesFaceTheSideOfTheirWindingInTheWorldOrOfTheirNormals) {
  write("quad.obj", kObjQuad);
  write("quad.ply", kPlyQuad);
  write("normals.obj", std::string("vn 0 0 1\n") +
                           "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1//1 2//1 3//1 4//1\n");
  write("against.obj", std::string("vn 0 0 1\n") +
                           "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 4//1 3//1 2//1 1//1\n");
  auto side = [&](const std::string& file, const std::string& scale,
                  const std::string& switches = "") {
    const HostScene scene = load_objects("<shape type='" + file.substr(file.size() - 3) +
                                         "'><string name='filename' value='" + file + "'/>" +
                                         switches + "<transform name='to_world'><scale " + scale +
                                         "/></transform><emitter type='area'/></shape>");
    EXPECT_FALSE(scene.materials[scene.triangle_materials.at(0)].two_sided_emission);
    const glm::uvec3 t = scene.triangles.at(0);
    const glm::vec3 p = scene.positions[t.x];
    return glm::cross(scene.positions[t.y] - p, scene.positions[t.z] - p).z > 0.0f ? 1 : -1;
  };
  const std::string kFlip = "<boolean name='flip_normals' value='true'/>",
                    kFlat = "<boolean name='face_normals' value='true'/>";
  for (const char* file : {"quad.obj", "quad.ply"})
    for (const std::string& flat : {std::string(), kFlat}) {
      SCOPED_TRACE(file + flat);
      EXPECT_EQ(side(file, "x='1'", flat), 1);
      EXPECT_EQ(side(file, "x='-1'", flat), -1);
      EXPECT_EQ(side(file, "y='-2'", flat), -1);
      EXPECT_EQ(side(file, "z='-1'", flat), 1);
      EXPECT_EQ(side(file, "x='-1' y='-1'", flat), 1);
      EXPECT_EQ(side(file, "x='1'", flat + kFlip), -1);
      EXPECT_EQ(side(file, "x='-1'", flat + kFlip), 1);
    }
  for (const char* file : {"normals.obj", "against.obj"}) {
    SCOPED_TRACE(file);
    EXPECT_EQ(side(file, "x='1'"), 1);
    EXPECT_EQ(side(file, "x='-1'"), 1);
    EXPECT_EQ(side(file, "z='-1'"), -1);
    EXPECT_EQ(side(file, "x='1'", kFlip), -1);
  }
}

/// A plane whose normals are tilted by `tilt` degrees towards +x, seen from `view` degrees on that
/// side, under light from `light` degrees on the other one. Returns radiance times pi.
TEST_F(MitsubaPictures, NormalMapsShadowGrazingLight) {
  auto radiance = [&](double tilt, double view, double light, const std::string& switches = "",
                      const std::string& version = "3.0.0") {
    const double turn = M_PI / 180.0;
    const glm::vec3 texel(0.5 + 0.5 * std::sin(tilt * turn), 0.5,
                          0.5 + 0.5 * std::cos(tilt * turn));
    write_image(folder_ / "n.pfm", {1, 1, {texel}});
    const std::string kObjects = fmt::format(
        "<integrator type='path'><integer name='max_depth' value='2'/></integrator>"
        "<sensor type='perspective'><float name='fov' value='1'/><transform name='to_world'>"
        "<lookat origin='{},0,{}' target='0,0,0' up='0,1,0'/></transform><film type='hdrfilm'>"
        "<integer name='width' value='4'/><integer name='height' value='4'/></film></sensor>"
        "<shape type='rectangle'><bsdf type='twosided'><bsdf type='normalmap'>{}<texture "
        "name='normalmap' type='bitmap'><boolean name='raw' value='true'/><string "
        "name='filename' value='n.pfm'/></texture><bsdf type='diffuse'><rgb name='reflectance' "
        "value='1'/></bsdf></bsdf></bsdf></shape><emitter type='directional'><vector "
        "name='direction' x='{}' y='0' z='{}'/><rgb name='irradiance' value='1'/></emitter>",
        5 * std::sin(view * turn), 5 * std::cos(view * turn), switches, -std::sin(light * turn),
        -std::cos(light * turn));
    return M_PI * double(mean(render(load_objects(kObjects, version), 4)).x);
  };
  const std::string kOff = "<boolean name='use_shadowing_function' value='false'/>";
  EXPECT_NEAR(radiance(45, 45, 80), 0.161 * M_PI, 0.003);
  EXPECT_NEAR(radiance(45, 45, 80, kOff), 0.261 * M_PI, 0.003);
  EXPECT_NEAR(radiance(45, 45, 80, "", "0.6.0"), 0.261 * M_PI, 0.003);
  EXPECT_NEAR(radiance(45, 45, 45), 0.971, 0.001);
  EXPECT_NEAR(radiance(45, 45, 60), 0.889, 0.001);
  EXPECT_NEAR(radiance(45, 45, 85), 0.297, 0.001);
  EXPECT_NEAR(radiance(0, 45, 80), std::cos(80 * M_PI / 180.0), 0.001) << "there are no bumps";
}

/// The rows of a map run from pole to pole: the texel of row 1 of 8 is at 25.7 degrees.
TEST_F(MitsubaPictures, RowsOfAnEnvironmentMapRunFromPoleToPole) {
  auto radiance_of_floor = [&](uint32_t row, const std::string& version = "3.0.0") {
    Image map{16, 8, std::vector<glm::vec3>(16 * 8, glm::vec3(0.0f))};
    map.pixels[16 * row + 3] = glm::vec3(1.0f);
    write_image(folder_ / "sky.pfm", map);
    return mean(render(load_objects("<integrator type='path'><integer name='max_depth' value='2'/>"
                                    "</integrator><sensor type='orthographic'><transform "
                                    "name='to_world'><scale x='0.1' y='0.1'/><lookat "
                                    "origin='0,5,0' target='0,0,0' up='0,0,1'/></transform><film "
                                    "type='hdrfilm'><integer name='width' value='4'/><integer "
                                    "name='height' value='4'/></film></sensor><shape "
                                    "type='rectangle'><transform name='to_world'><rotate x='1' "
                                    "angle='-90'/></transform><bsdf type='diffuse'><rgb "
                                    "name='reflectance' value='1'/></bsdf></shape><emitter "
                                    "type='envmap'><string name='filename' "
                                    "value='sky.pfm'/></emitter>",
                                    version),
                       512))
        .x;
  };
  EXPECT_NEAR(radiance_of_floor(1), 0.02050f, 0.0001f);
  // The integral of the texel's weight and both sines of the polar angle, in closed form.
  EXPECT_NEAR(radiance_of_floor(0), 0.00403f, 0.00003f);
  EXPECT_NEAR(radiance_of_floor(1, "0.6.0"), 0.02153f, 0.0001f) << "rows were bands before";
}

}  // namespace
}  // namespace winnow
