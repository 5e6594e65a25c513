// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "image/image_io.h"
#include "load/pbrt/convert.h"
#include "math/sampling.h"
#include "tests/load/pbrt/support/pbrt_scenes.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

class PbrtLights : public PbrtScenes {
 protected:
  DeltaLight load_light(const std::string& light) const {
    return load_world(light + " Shape \"sphere\"", "Scale -1 1 1").delta_lights.at(0);
  }

  /// Radiance of an environment map in a direction of the world, by the nearest pixel.
  static glm::vec3 radiance_toward(const EnvironmentMap& map, glm::vec3 direction) {
    const glm::vec3 own = glm::transpose(map.to_world) * glm::normalize(direction);
    const double kPiHere = 3.14159265358979;
    // The left edge is -z, a quarter from it is +x.
    double s = std::atan2(own.x, -own.z) / (2.0 * kPiHere);
    if (s < 0.0) s += 1.0;
    const double t = std::acos(std::clamp(own.y, -1.0f, 1.0f)) / kPiHere;
    const auto x = std::min(uint32_t(s * map.image.width), map.image.width - 1),
               y = std::min(uint32_t(t * map.image.height), map.image.height - 1);
    return map.scale * map.image.pixels[size_t{y} * map.image.width + x];
  }
};

constexpr float kPiOfLights = 3.14159265f;

TEST_F(PbrtLights, AWhiteLightHasRadianceOne) {
  for (const char* light :
       {"rgb L\" [1 1 1]", "spectrum L\" \"stdillum-D65\"", "float scale\" 1"}) {
    const Material material = load_material(fmt::format("AreaLightSource \"diffuse\" \"{}", light));
    expect_near(material.emission, glm::vec3(1.0f), 2e-3f);
    EXPECT_FALSE(material.two_sided_emission);
  }
}

TEST_F(PbrtLights, SpectraAndBlackBodiesOfVersion4HaveLuminanceOne) {
  for (const char* light : {"blackbody L\" 2700", "spectrum L\" [400 7 700 7]",
                            "spectrum L\" \"stdillum-F11\"", "spectrum L\" \"stdillum-A\""}) {
    const Material material =
        load_material(fmt::format("AreaLightSource \"diffuse\" \"float scale\" 3 \"{}", light));
    EXPECT_NEAR(luminance(material.emission), 3.0f, 0.01f) << light;
  }
  // In version 3 a black body is 1 at the wavelength of its maximum, which is infrared here.
  const HostScene old = load("s.pbrt", R"(Camera "perspective" WorldBegin
    AreaLightSource "diffuse" "blackbody L" [2700 10] Shape "sphere" WorldEnd)");
  EXPECT_LT(luminance(old.materials[0].emission), 5.0f);
  EXPECT_GT(luminance(old.materials[0].emission), 0.5f);
}

/// As in pbrt, which makes a light of each triangle.
TEST_F(PbrtLights, PowerIsThatOfEachTriangleOrPatchOfAMesh) {
  const auto emission = [&](const std::string& shape) {
    const HostScene scene =
        load_lit("AreaLightSource \"diffuse\" \"float power\" 10 Shape " + shape);
    EXPECT_EQ(scene.warnings, std::vector<std::string>());
    return scene.materials[scene.triangle_materials.at(0)].emission.x;
  };
  const std::string corners = "\"point3 P\" [0 0 0  2 0 0  0 3 0  2 3 0]";
  EXPECT_NEAR(emission("\"trianglemesh\" \"integer indices\" [0 1 2 1 3 2] " + corners),
              10.0f / (3.0f * kPiOfLights), 1e-4f);
  EXPECT_NEAR(emission("\"bilinearmesh\" " + corners), 10.0f / (6.0f * kPiOfLights), 1e-4f);
  EXPECT_NEAR(emission("\"bilinearmesh\" \"integer indices\" [0 1 2 3  0 1 4 5] \"point3 P\" "
                       "[0 0 0  2 0 0  0 3 0  2 3 0  0 0 3  2 0 3]"),
              10.0f / (6.0f * kPiOfLights), 1e-4f);
  write("lamp.ply",
        "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\n"
        "property float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n2 0 0\n2 3 0\n0 3 0\n4 0 0\n4 0 1 2 3\n3 1 4 2\n");
  EXPECT_NEAR(emission("\"plymesh\" \"string filename\" \"lamp.ply\""),
              10.0f / (4.5f * kPiOfLights), 1e-4f);  // a patch and a triangle
  expect_warnings(
      load_lit("AreaLightSource \"diffuse\" \"float power\" 10 Shape \"trianglemesh\" "
               "\"integer indices\" [0 1 2 1 3 2] \"point3 P\" [0 0 0  2 0 0  0 3 0  2 9 0]"),
      {"the triangles of a light with \"power\" have the same radiance"});
}

TEST_F(PbrtLights, InterfacesAndShapesOfObjectsDoNotEmit) {
  const HostScene interface = load_lit(R"(Material "interface" AreaLightSource "diffuse"
    Shape "sphere" Material "diffuse" Shape "sphere")");
  EXPECT_EQ(interface.spheres.size(), 1u);
  expect_warnings(interface, {"a light whose material is an interface is left out"});
  const HostScene object = load_lit(R"(ObjectBegin "lamp" AreaLightSource "diffuse"
    Shape "sphere" ObjectEnd ObjectInstance "lamp")");
  for (const Material& material : object.materials) EXPECT_EQ(material.emission, glm::vec3(0.0f));
  expect_warnings(object, {"an area light in an object is left out"});
}

/// In pbrt, such lights are sampled as any others, and rays pass them.
TEST_F(PbrtLights, ALightOfAlphaZeroShines) {
  const std::string alpha = "\"float alpha\" 0 ";
  const HostScene scene =
      load_lit("AreaLightSource \"diffuse\" \"float scale\" 3 Shape \"sphere\" " + alpha);
  const Material& lamp = scene.materials[scene.spheres.at(0).material];
  EXPECT_EQ(lamp.alpha, 1.0f);
  expect_near(lamp.emission, glm::vec3(3.0f));
  expect_warnings(scene, {"a light of alpha 0 is visible"});
  const HostScene dark = load_lit("Shape \"sphere\" " + alpha);
  EXPECT_EQ(dark.materials[dark.spheres.at(0).material].alpha, 0.0f);
  EXPECT_EQ(dark.warnings, std::vector<std::string>());
}

TEST_F(PbrtLights, PowerIsThatOfTheWholeShape) {
  // 0.5 m^2 within a triangle, doubled along x.
  const std::string triangle = "Shape \"trianglemesh\" \"point3 P\" [0 0 0  1 0 0  0 1 0]";
  auto emission = [&](const std::string& more) {
    const HostScene scene =
        load_lit("Scale 2 1 1 AreaLightSource \"diffuse\" \"float power\" 10 " + more + triangle);
    return scene.materials[scene.triangle_materials.at(0)].emission.x;
  };
  EXPECT_NEAR(emission(""), 10.0f / kPiOfLights, 1e-4f);
  EXPECT_NEAR(emission("\"bool twosided\" true "), 5.0f / kPiOfLights, 1e-4f);
  EXPECT_NEAR(load_light("LightSource \"point\" \"float power\" 10").intensity.x,
              10.0f / (4.0f * kPiOfLights), 1e-4f);
}

TEST_F(PbrtLights, DeltaLightsStandWhereTheyAre) {
  const DeltaLight point = load_light(
      "Translate 1 0 0 LightSource \"point\" \"point3 from\" [0 2 0] \"rgb I\" [1 2 3] \"float "
      "scale\" 2");
  EXPECT_EQ(point.type, DeltaLightType::kPoint);
  expect_near(point.position, {1, 2, 0});
  expect_near(point.intensity, {2, 4, 6});
  const DeltaLight spot = load_light(
      "LightSource \"spot\" \"point3 from\" [0 2 0] \"point3 to\" [0 0 0] \"float coneangle\" 40 "
      "\"float conedeltaangle\" 10");
  expect_near(spot.direction, {0, -1, 0});
  EXPECT_EQ(spot.cone_angle, 40.0f);
  EXPECT_EQ(spot.falloff_start, 30.0f);
  EXPECT_EQ(spot.falloff, SpotFalloff::kSmooth);
  const DeltaLight sun = load_light(
      "Rotate 90 0 1 0 LightSource \"distant\" \"point3 from\" [0 0 1] \"point3 to\" [0 0 0] \"rgb "
      "L\" [3 3 3]");
  EXPECT_EQ(sun.type, DeltaLightType::kDirectional);
  expect_near(sun.direction, {-1, 0, 0});
  expect_near(sun.intensity, glm::vec3(3.0f));
  EXPECT_NEAR(load_light("LightSource \"distant\" \"float illuminance\" 7").intensity.y, 7.0f,
              1e-5f);
}

TEST_F(PbrtLights, SpotsOfVersion3FadeByTheFourthPower) {
  const HostScene scene = load(
      "s.pbrt", "Camera \"perspective\" WorldBegin LightSource \"spot\" Shape \"sphere\" WorldEnd");
  EXPECT_EQ(scene.delta_lights.at(0).falloff, SpotFalloff::kFourth);
}

/// A direction in the square of pbrt-v4, as the book gives it.
glm::vec3 direction_of_square(float x, float y) {
  const float u = 2 * x - 1, v = 2 * y - 1, distance = 1 - (std::abs(u) + std::abs(v));
  const float r = 1 - std::abs(distance);
  const float phi = (r == 0 ? 1 : (std::abs(v) - std::abs(u)) / r + 1) * kPiOfLights / 4;
  const float z = std::copysign(1 - r * r, distance), side = r * std::sqrt(2 - r * r);
  return {std::copysign(std::cos(phi), u) * side, std::copysign(std::sin(phi), v) * side, z};
}

TEST_F(PbrtLights, SquareMapsShineFromWherePbrtHasThem) {
  constexpr uint32_t kSize = 64;
  const std::string world =
      "Rotate 90 1 0 0 LightSource \"infinite\" \"string filename\" "
      "\"sky.pfm\" \"float scale\" 2 Shape \"sphere\"";
  for (glm::uvec2 bright : {glm::uvec2(20, 25), glm::uvec2(40, 30), glm::uvec2(32, 33),
                            glm::uvec2(5, 9), glm::uvec2(60, 50), glm::uvec2(12, 61)}) {
    Image square{kSize, kSize, std::vector<glm::vec3>(kSize * kSize, glm::vec3(0.25f))};
    for (uint32_t y = bright.y - 1; y <= bright.y + 1; ++y)
      for (uint32_t x = bright.x - 1; x <= bright.x + 1; ++x)
        square.pixels[y * kSize + x] = {1, 2, 3};
    write_image(folder_ / "sky.pfm", square);
    const glm::vec3 toward = direction_of_square((float(bright.x) + 0.5f) / float(kSize),
                                                 (float(bright.y) + 0.5f) / float(kSize));
    const glm::vec3 turned(toward.x, -toward.z, toward.y);  // by 90 degrees about x
    const HostScene scene = load_world(world, "Scale -1 1 1");
    expect_near(radiance_toward(scene.environment, turned), {2, 4, 6}, 1e-3f);
    expect_near(radiance_toward(scene.environment, -turned), glm::vec3(0.5f), 1e-3f);
    // Without the mirroring of the camera the world is mirrored.
    const HostScene mirrored = load_world(world);
    expect_near(radiance_toward(mirrored.environment, turned * glm::vec3(-1, 1, 1)), {2, 4, 6},
                1e-3f);
  }
}

TEST_F(PbrtLights, SquareMapsKeepTheirEnergy) {
  constexpr uint32_t kSize = 32;
  Image square{kSize, kSize, {}};
  double sum = 0.0;
  ByteNoise noise;
  for (uint32_t i = 0; i < kSize * kSize; ++i) {
    square.pixels.emplace_back(float(noise() % 100));
    sum += square.pixels.back().x / double(kSize * kSize);
  }
  const Image map = equirectangular_of_equal_area(square);
  double mean = 0.0, weights = 0.0;
  for (uint32_t y = 0; y < map.height; ++y)
    for (uint32_t x = 0; x < map.width; ++x) {
      const double weight = std::sin(kPiOfLights * (y + 0.5) / map.height);
      mean += weight * map.pixels[y * map.width + x].x;
      weights += weight;
    }
  EXPECT_NEAR(mean / weights, sum, 0.01 * sum);
}

TEST_F(PbrtLights, OldMapsAreEquirectangularAroundZ) {
  Image image{8, 4, std::vector<glm::vec3>(32, glm::vec3(0.0f))};
  image.pixels[1 * 8 + 1] = {1, 2, 3};  // phi at 3/16 of a turn, theta at 3/8 of a half turn
  write_image(folder_ / "sky.pfm", image);
  const float phi = 2.0f * kPiOfLights * 3.0f / 16.0f, theta = kPiOfLights * 3.0f / 8.0f;
  const HostScene scene = load_world(
      "LightSource \"infinite\" \"string mapname\" \"sky.pfm\" \"rgb L\" [2 2 1] Shape \"sphere\"",
      "Scale -1 1 1");
  const glm::vec3 toward(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi),
                         std::cos(theta));
  expect_near(radiance_toward(scene.environment, toward), {2, 4, 3}, 1e-4f);
}

TEST_F(PbrtLights, AMissingMapIsASoftSky) {
  const HostScene scene =
      load_world("LightSource \"infinite\" \"string filename\" \"absent.exr\" Shape \"sphere\"");
  expect_warnings(scene, {"the file absent.exr does not exist; a soft sky is used"});
  EXPECT_GT(scene.sky.zenith.x, 0.0f);
}

/// A reflectance of 1 is white in all colour spaces, but the white of a light is that of its space.
TEST_F(PbrtLights, LightsHaveTheWhiteOfTheirColorSpace) {
  const glm::vec3 kWhiteOfAces(1.0471f, 0.9945f, 0.9153f);  // (0.32168, 0.33767), luminance 1
  for (const char* color : {"", "\"rgb I\" [1 1 1]"}) {
    const std::string light = fmt::format("LightSource \"point\" {}", color);
    expect_near(load_light("ColorSpace \"aces2065-1\" " + light).intensity, kWhiteOfAces, 1e-3f);
    expect_near(load_light("ColorSpace \"rec2020\" " + light).intensity, glm::vec3(1.0f), 1e-4f);
  }
  expect_near(load_material("ColorSpace \"aces2065-1\" AreaLightSource \"diffuse\"").emission,
              kWhiteOfAces, 1e-3f);
  expect_near(load_material("ColorSpace \"aces2065-1\" Material \"diffuse\" "
                            "\"rgb reflectance\" [1 1 1]")
                  .reflectance,
              glm::vec3(1.0f), 1e-3f);
}

/// Images shape the light of a power, and do not scale it.
TEST_F(PbrtLights, PowerIsThatOfLightsWithTheirImages) {
  write_image(folder_ / "grey.pfm", Image{2, 2, std::vector<glm::vec3>(4, glm::vec3(0.25f))});
  auto intensity = [&](const std::string& light) {
    return load_light("LightSource " + light + " \"string filename\" \"grey.pfm\"").intensity.x;
  };
  EXPECT_NEAR(intensity("\"goniometric\" \"float scale\" 8"), 2.0f, 1e-5f);
  EXPECT_NEAR(intensity("\"goniometric\" \"float power\" 10"), 10.0f / (4.0f * kPiOfLights), 1e-4f);
  EXPECT_NEAR(intensity("\"projection\" \"float scale\" 8"), 2.0f, 1e-5f);
  // The screen has the area 4 tan^2(30 degrees). Its pixels are at +-1/2 of its half, which have
  // the solid angle cos^3 over their area.
  const float area = 4.0f / 3.0f, cosine = 1.0f / std::sqrt(1.0f + 0.5f / 3.0f);
  EXPECT_NEAR(intensity("\"projection\" \"float fov\" 60 \"float power\" 10"),
              10.0f / (area * cosine * cosine * cosine), 1e-3f);
}

/// pbrt gives each pixel of a square map half of its solid angle.
TEST_F(PbrtLights, MapsHaveTwiceTheirIlluminance) {
  write_image(folder_ / "sky.pfm", Image{8, 8, std::vector<glm::vec3>(64, glm::vec3(0.25f))});
  const HostScene scene = load_world(
      "LightSource \"infinite\" \"string filename\" \"sky.pfm\" \"float illuminance\" 10 "
      "Shape \"sphere\"");
  EXPECT_NEAR(radiance_toward(scene.environment, {1, 2, 3}).x, 20.0f / kPiOfLights, 0.2f);
}

TEST_F(PbrtLights, ImagesOfLightsDoNotRepeat) {
  write_texel("screen.png", {255, 0, 0, 255});
  const HostScene scene = load_lit(R"(
    AreaLightSource "diffuse" "string filename" "screen.png"
    Shape "bilinearmesh" "point3 P" [0 0 0 1 0 0 0 1 0 1 1 0])");
  const Material& screen = scene.materials.at(scene.triangle_materials.at(0));
  const TextureDescription& texture = scene.textures.at(screen.textures.emission);
  EXPECT_EQ(texture.wrap_u, TextureWrap::kClamp);
  EXPECT_EQ(texture.wrap_v, TextureWrap::kClamp);
  EXPECT_EQ(texture.filter, TextureFilter::kBilinear);
}

TEST_F(PbrtLights, TexturedLightsEmitTheirImage) {
  write_texel("screen.png", {255, 0, 0, 255});
  const Material screen = load_material(
      "AreaLightSource \"diffuse\" \"string filename\" \"screen.png\" \"float scale\" 5");
  EXPECT_NE(screen.textures.emission, kNoTexture);
  expect_near(screen.emission, glm::vec3(5.0f));
}

}  // namespace
}  // namespace winnow
