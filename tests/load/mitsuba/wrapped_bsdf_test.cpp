// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "load/textures/texels.h"
#include "tests/support/expect_near.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

class MitsubaSurfaces : public SceneFiles {
 protected:
  MitsubaSurfaces() {
    write_texel("t.png", {51, 51, 51, 255});
    Image ramp{.width = 8, .height = 1, .pixels = {}};
    for (int x = 0; x < 8; ++x) ramp.pixels.push_back(glm::vec3(0.25f * float(x)));
    std::ofstream stream(folder_ / "ramp.pfm", std::ios::binary);
    write_pfm(stream, ramp);
  }

  /// Rectangles of 2 m with these objects, under a light.
  HostScene load_rectangles(const std::vector<std::string>& insides) const {
    std::string objects;
    for (const std::string& inside : insides)
      objects += "<shape type='rectangle'>" + inside + "</shape>";
    return load("a.xml",
                "<scene version='3.0.0'>" + objects + "<emitter type='constant'/></scene>");
  }
  static Material first_material(const HostScene& scene) {
    return scene.materials[scene.triangle_materials.at(0)];
  }
  /// Linear texel of a texture of floats.
  static glm::vec4 texel(const HostScene& scene, uint32_t texture, size_t index) {
    glm::vec4 value;
    std::memcpy(&value, &scene.images[scene.textures[texture].image].texels[index * sizeof value],
                sizeof value);
    return value;
  }
};

std::string raw_bitmap(const std::string& name, const std::string& file = "t.png",
                       const std::string& tag = "texture") {
  return "<" + tag + " type='bitmap' name='" + name + "'><string name='filename' value='" + file +
         "'/><boolean name='raw' value='true'/></" + tag + ">";
}

TEST_F(MitsubaSurfaces, HaveATextureOfAlpha) {
  for (const char* type : {"roughconductor", "roughdielectric", "roughplastic"}) {
    const HostScene scene = load_rectangles(
        {std::string("<bsdf type='") + type + "'>" + raw_bitmap("alpha") + "</bsdf>"});
    const Material material = first_material(scene);
    ASSERT_NE(material.textures.roughness_metallic, kNoTexture);
    EXPECT_EQ(material.roughness, 1.0f);
    EXPECT_NEAR(texel(scene, material.textures.roughness_metallic, 0).y, std::sqrt(0.2f), 1e-6f);
    EXPECT_TRUE(scene.warnings.empty()) << testing::PrintToString(scene.warnings);
  }
}

TEST_F(MitsubaSurfaces, HaveTheCoverageOfAllMasksAroundThem) {
  auto mask = [](const std::string& opacity, const std::string& inside) {
    return "<bsdf type='mask'>" + opacity + inside + "</bsdf>";
  };
  const std::string half = "<float name='opacity' value='0.5'/>", map = raw_bitmap("opacity"),
                    diffuse = "<bsdf type='twosided'><bsdf type='diffuse'/></bsdf>",
                    blend =
                        "<bsdf type='blendbsdf'><float name='weight' value='0.25'/>"
                        "<bsdf type='null'/>" +
                        diffuse + "</bsdf>";
  const std::string turned =
      "<texture type='bitmap' name='opacity'><string name='filename' "
      "value='t.png'/><transform name='to_uv'><scale x='2'/></transform>"
      "</texture>";
  const std::pair<std::string, float> kCases[] = {{mask(half, mask(half, diffuse)), 0.25f},
                                                  {mask(half, blend), 0.125f},
                                                  {mask(half, mask(map, diffuse)), 0.1f},
                                                  {mask(map, mask(half, diffuse)), 0.1f},
                                                  {mask(map, mask(map, diffuse)), 0.04f}};
  for (const auto& [bsdf, coverage] : kCases) {
    SCOPED_TRACE(bsdf);
    const HostScene scene = load_rectangles({bsdf});
    const Material material = first_material(scene);
    const uint32_t alpha = material.textures.alpha;
    const float texel =
        alpha == kNoTexture ? 1.0f : linear_texel(scene.images[scene.textures[alpha].image], 0).a;
    EXPECT_NEAR(material.alpha * texel, coverage, 1e-4f);
    EXPECT_EQ(scene.warnings, std::vector<std::string>());
  }
  const HostScene mean = load_rectangles({mask(turned, mask(map, diffuse))});
  expect_warnings(mean, {"two nested masks are large or have different UV transforms"});
}

TEST_F(MitsubaSurfaces, HaveTexturesOfRoughnessAndMetallic) {
  const HostScene scene = load_rectangles({"<bsdf type='principled'>" + raw_bitmap("roughness") +
                                           raw_bitmap("metallic", "ramp.pfm") + "</bsdf>"});
  const uint32_t texture = first_material(scene).textures.roughness_metallic;
  ASSERT_NE(texture, kNoTexture);
  EXPECT_NEAR(texel(scene, texture, 3).y, 0.2f, 1e-6f);
  EXPECT_NEAR(texel(scene, texture, 3).z, 0.75f, 1e-6f);
}

TEST_F(MitsubaSurfaces, HaveTexturesOfTransmissionAndCoat) {
  const HostScene scene = load_rectangles({"<bsdf type='principled'>" + raw_bitmap("spec_trans") +
                                           raw_bitmap("clearcoat", "ramp.pfm") + "</bsdf>"});
  const Material material = first_material(scene);
  ASSERT_NE(material.textures.transmission, kNoTexture);
  ASSERT_NE(material.textures.coat, kNoTexture);
  EXPECT_EQ(material.transmission, 1.0f);
  const TextureImage& bytes = scene.images[scene.textures[material.textures.transmission].image];
  EXPECT_NEAR(linear_texel(bytes, 0).x, 0.2f, 1e-6f);
  EXPECT_NEAR(texel(scene, material.textures.coat, 3).x, 0.75f, 1e-6f);
  EXPECT_EQ(texel(scene, material.textures.coat, 3).y, 1.0f) << "the roughness has no texture";
}

TEST_F(MitsubaSurfaces, TakeTheMeanOfATextureWhereANumberIsExpected) {
  const HostScene scene =
      load_rectangles({"<bsdf type='principled'>" + raw_bitmap("sheen", "t.png") + "</bsdf>"});
  EXPECT_NEAR(first_material(scene).sheen.x, 0.2f, 1e-6f);
  expect_warnings(scene, {"becomes its mean"});
}

TEST_F(MitsubaSurfaces, HaveTheTintOfTheMeanOfATexture) {
  auto load_tinted = [&](const std::string& numbers) {
    return load_rectangles(
        {"<bsdf type='principled'>" + raw_bitmap("base_color") + numbers + "</bsdf>"});
  };
  const std::string sheen = "<float name='sheen' value='0.5'/>",
                    sheen_tint = "<float name='sheen_tint' value='1'/>";
  for (const std::string& tint :
       {sheen + sheen_tint, std::string("<float name='spec_tint' value='1'/>")})
    expect_warnings(load_tinted(tint), {"the tint of a textured base_color is that of its mean"});
  for (const std::string& plain : {sheen, sheen_tint})
    EXPECT_EQ(load_tinted(plain).warnings, std::vector<std::string>());
}

TEST_F(MitsubaSurfaces, HaveNoWarningOfASteepMeanOfATextureOfRoughness) {
  const HostScene scene = load_rectangles({"<bsdf type='principled'>" + raw_bitmap("roughness") +
                                           "<float name='anisotropic' value='0.9'/></bsdf>"});
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
}

TEST_F(MitsubaSurfaces, HaveABitmapGivenAsASpectrum) {
  const HostScene scene = load_rectangles(
      {"<bsdf type='diffuse'>" + raw_bitmap("reflectance", "t.png", "spectrum") + "</bsdf>"});
  EXPECT_NE(first_material(scene).textures.reflectance, kNoTexture);
  EXPECT_TRUE(scene.warnings.empty());
}

TEST_F(MitsubaSurfaces, HaveANormalMapWhoseFileIsNamedDirectly) {
  for (const std::string& map :
       {std::string("<string name='filename' value='t.png'/>"), raw_bitmap("anything")}) {
    const HostScene scene =
        load_rectangles({"<bsdf type='normalmap'>" + map + "<bsdf type='diffuse'/></bsdf>"});
    EXPECT_NE(first_material(scene).textures.normal, kNoTexture) << map;
    EXPECT_TRUE(scene.warnings.empty());
  }
}

/// A texel of normals in the middle of the upper row, between the middle ones of 8 heights.
constexpr size_t kMiddle = 60;

/// Heights from 0 to 1.75 over the 2 m of a rectangle: in the middle, 1 / 4 m per texel of 1 / 4 m.
TEST_F(MitsubaSurfaces, HaveTheSlopesOfABumpMap) {
  const std::string kBumps = "<bsdf type='bumpmap'><float name='scale' value='0.5'/>" +
                             raw_bitmap("height", "ramp.pfm") + "<bsdf type='diffuse'/></bsdf>";
  const std::string kTwice = "<transform name='to_world'><scale value='2'/></transform>";
  const HostScene scene = load_rectangles({kBumps, kTwice + kBumps});
  EXPECT_TRUE(scene.warnings.empty());
  float size = 1.0f;
  for (size_t triangle : {size_t{0}, size_t{2}}) {
    const Material material = scene.materials[scene.triangle_materials.at(triangle)];
    ASSERT_NE(material.textures.normal, kNoTexture);
    const glm::vec4 normal = texel(scene, material.textures.normal, kMiddle);
    EXPECT_NEAR(material.normal_scale * (2.0f * normal.x - 1.0f), -0.5f / size, 1e-5f);
    EXPECT_NEAR(2.0f * normal.y - 1.0f, 0.0f, 1e-6f);
    EXPECT_EQ(normal.z, 1.0f);
    size *= 2.0f;
  }
  EXPECT_EQ(scene.images.size(), 2u);  // heights and normals, which both share
}

TEST_F(MitsubaSurfaces, HaveTheSlopesOfABumpMapBetweenTexels) {
  std::ofstream stream(folder_ / "edge.pfm", std::ios::binary);
  write_pfm(stream, Image{2, 1, {glm::vec3(0.0f), glm::vec3(0.25f)}});
  stream.close();
  const HostScene scene =
      load_rectangles({"<bsdf type='bumpmap'>" + raw_bitmap("height", "edge.pfm") +
                       "<bsdf type='diffuse'/></bsdf>"});
  const Material& material = first_material(scene);
  // 16 texels of normals in each of heights; the heights repeat.
  for (size_t column : {0, 4, 7, 24, 31})
    EXPECT_EQ(texel(scene, material.textures.normal, column).x, 0.75f) << column;
  for (size_t column : {8, 15, 16, 23})
    EXPECT_EQ(texel(scene, material.textures.normal, column).x, 0.25f) << column;
}

TEST_F(MitsubaSurfaces, TurnABumpMapWithItsImage) {
  std::string ramp = raw_bitmap("height", "ramp.pfm");
  ramp.insert(ramp.rfind("</"), "<transform name='to_uv'><rotate z='1' angle='90'/></transform>");
  const HostScene scene =
      load_rectangles({"<bsdf type='bumpmap'><float name='scale' value='0.5'/>" + ramp +
                       "<bsdf type='diffuse'/></bsdf>"});
  const Material& material = first_material(scene);
  ASSERT_NE(material.textures.normal, kNoTexture);
  const glm::vec4 normal = texel(scene, material.textures.normal, kMiddle);
  EXPECT_NEAR(2.0f * normal.x - 1.0f, 0.0f, 1e-6f);
  EXPECT_NEAR(material.normal_scale * (2.0f * normal.y - 1.0f), -0.5f, 1e-5f);
}

TEST_F(MitsubaSurfaces, TakeTheMeanOfAColourForANumber) {
  const auto opacity = [&](const std::string& version) {
    const HostScene scene = load("s.xml", "<scene version='" + version + R"('>
      <shape type="rectangle"><bsdf type="mask"><rgb name="opacity" value="0.6, 0, 0"/>
      <bsdf type="diffuse"/></bsdf></shape><emitter type="constant"/></scene>)");
    return first_material(scene).alpha;
  };
  EXPECT_NEAR(opacity("3.0.0"), 0.2f, 1e-6f);
  EXPECT_NEAR(opacity("0.6.0"), 0.6f * 0.2126f, 1e-3f);
}

TEST_F(MitsubaSurfaces, AreBlendedWhereWinnowCan) {
  const std::string kRed = "<bsdf type='diffuse'><rgb name='reflectance' value='1 0 0'/></bsdf>",
                    kGrey = "<bsdf type='diffuse'/>", kMetal = "<bsdf type='roughconductor'/>",
                    kGlass = "<bsdf type='dielectric'/>", kNone = "<bsdf type='null'/>";
  auto blend = [&](const std::string& inside, const std::string& type = "blendbsdf") {
    return load_rectangles({"<bsdf type='" + type + "'>" + inside + "</bsdf>"});
  };
  const std::string kWeight = "<float name='weight' value='0.25'/>";
  const HostScene diffuse = blend(kWeight + kRed + kGrey);
  expect_near(first_material(diffuse).reflectance, {0.875f, 0.125f, 0.125f});
  EXPECT_TRUE(diffuse.warnings.empty());
  const HostScene half = blend(kWeight + kNone + kRed);
  EXPECT_EQ(first_material(half).alpha, 0.25f);
  EXPECT_TRUE(half.warnings.empty());
  const HostScene rusty = blend(kWeight + kMetal + kRed);
  EXPECT_EQ(first_material(rusty).metallic, 0.75f);
  expect_warnings(rusty, {"a principled one"});
  const HostScene glazed = blend(kWeight + kGlass + kRed);
  EXPECT_EQ(first_material(glazed).type, MaterialType::kDielectric);
  expect_warnings(glazed, {"a blendbsdf becomes its heaviest surface, of the type \"dielectric\""});
  const HostScene three =
      blend("<string name='weights' value='0.2 0.1 0.7'/>" + kRed + kGrey + kGlass, "mixturebsdf");
  EXPECT_EQ(first_material(three).type, MaterialType::kDielectric);
}

TEST_F(MitsubaSurfaces, AreNotReadForEverWhereBlendsContainThemselves) {
  EXPECT_EQ(
      error_of("s.xml",
               "<scene><bsdf type='blendbsdf' id='b'><float name='weight' value='0.5'/>"
               "<ref id='b'/><ref id='b'/></bsdf><shape type='cube'><ref id='b'/></shape></scene>"),
      "s.xml:1:8: blends of surfaces are nested too deeply");
}

TEST_F(MitsubaSurfaces, ArePlasticWithoutPolarisation) {
  const HostScene scene = load_rectangles(
      {"<bsdf type='pplastic'/>", "<bsdf type='retarder'/>", "<bsdf type='polarizer'/>"});
  EXPECT_EQ(first_material(scene).type, MaterialType::kPlastic);
  EXPECT_EQ(scene.triangles.size(), 4u);
  EXPECT_EQ(scene.materials[scene.triangle_materials[2]].alpha, 0.5f);
  expect_warnings(scene,
                  {"a pplastic becomes a roughplastic", "a polarizer becomes a grey filter"});
}

/// Mitsuba 3.9.1 exchanges the colours of a checkerboard where it needs a number.
TEST_F(MitsubaSurfaces, ExchangeTheColorsOfACheckerboardOfNumbers) {
  const std::string inside =
      "<float name='color0' value='0.25'/><float name='color1' value='0.81'/></texture>";
  auto first_texel = [&](const std::string& version, const std::string& bsdf, auto texture) {
    const HostScene scene =
        load("a.xml", "<scene version='" + version + "'><shape type='rectangle'>" + bsdf +
                          "</shape><emitter type='constant'/></scene>");
    return texel(scene, texture(first_material(scene).textures), 0);
  };
  const std::string colors =
      "<bsdf type='diffuse'><texture type='checkerboard' name='reflectance'>" + inside + "</bsdf>";
  const std::string opacity = "<bsdf type='mask'><texture type='checkerboard' name='opacity'>" +
                              inside + "<bsdf type='diffuse'/></bsdf>";
  const std::string alpha =
      "<bsdf type='roughconductor'><texture type='checkerboard' name='alpha'>" + inside + "</bsdf>";
  auto reflectance = [](const MaterialTextures& of) { return of.reflectance; };
  auto coverage = [](const MaterialTextures& of) { return of.alpha; };
  auto roughness = [](const MaterialTextures& of) { return of.roughness_metallic; };
  EXPECT_NEAR(first_texel("3.0.0", colors, reflectance).x, 0.25f, 1e-6f);
  EXPECT_NEAR(first_texel("3.0.0", opacity, coverage).x, 0.81f, 1e-6f);
  EXPECT_NEAR(first_texel("3.0.0", alpha, roughness).y, 0.9f, 1e-6f);
  EXPECT_NEAR(first_texel("0.6.0", alpha, roughness).y, 0.5f, 1e-6f);
}

TEST_F(MitsubaSurfaces, HaveBlackBacksWherePathsReachThem) {
  auto has_black_back = [&](float z, const std::string& shape) {
    const HostScene scene =
        load("a.xml",
             "<scene version='3.0.0'><sensor type='perspective'><transform name='to_world'>"
             "<lookat origin='0.1,0.2," +
                 std::to_string(z) + "' target='0,0,0'/></transform></sensor>" + shape +
                 "<emitter type='constant'/></scene>");
    return scene.materials
        .at(scene.spheres.empty() ? scene.triangle_materials.at(0) : scene.spheres[0].material)
        .black_back;
  };
  auto card = [](const std::string& bsdf) {
    return "<shape type='rectangle'>" + bsdf + "</shape>";
  };
  EXPECT_FALSE(has_black_back(5, card("<bsdf type='diffuse'/>")));
  for (const char* type : {"diffuse", "conductor", "roughconductor", "plastic", "roughplastic",
                           "principled", "pplastic", "some other"})
    EXPECT_TRUE(has_black_back(-5, card(std::string("<bsdf type='") + type + "'/>"))) << type;
  for (const char* type : {"dielectric", "thindielectric", "roughdielectric", "principledthin"})
    EXPECT_FALSE(has_black_back(-5, card(std::string("<bsdf type='") + type + "'/>"))) << type;
  EXPECT_TRUE(has_black_back(-5, card(""))) << "Mitsuba's default is diffuse";
  for (const char* wrapper : {"mask", "normalmap", "bumpmap", "coating"}) {
    const std::string open = std::string("<bsdf type='") + wrapper + "'>";
    EXPECT_TRUE(has_black_back(-5, card(open + "<bsdf type='diffuse'/></bsdf>"))) << wrapper;
    EXPECT_FALSE(has_black_back(
        -5, card("<bsdf type='twosided'>" + open + "<bsdf type='diffuse'/></bsdf></bsdf>")))
        << wrapper;
  }
  EXPECT_FALSE(has_black_back(
      -5, card("<bsdf type='principled'><float name='spec_trans' value='1'/></bsdf>")));
  for (const char* type : {"cube", "sphere"}) {
    auto solid = [type](const std::string& inside) {
      return std::string("<shape type='") + type + "'>" + inside + "</shape>";
    };
    const std::string flipped = "<boolean name='flip_normals' value='true'/>",
                      plastic = "<bsdf type='roughplastic'/>";
    EXPECT_FALSE(has_black_back(5, solid(plastic))) << type;
    EXPECT_TRUE(has_black_back(0.3f, solid(plastic))) << type << ": the camera is inside";
    EXPECT_FALSE(has_black_back(0.3f, solid(flipped + plastic))) << type;
    EXPECT_TRUE(has_black_back(5, solid(flipped + plastic))) << type;
    EXPECT_TRUE(has_black_back(5, solid("<bsdf type='mask'><bsdf type='diffuse'/></bsdf>")))
        << type << ": the inside is seen through the mask";
  }
  EXPECT_FALSE(
      has_black_back(5,
                     "<shape type='cube'><transform name='to_world'><scale x='-1'/></transform>"
                     "<bsdf type='diffuse'/></shape>"))
      << "meshes with normals do not turn";
}

TEST_F(MitsubaSurfaces, EmitToTheFrontAloneWhereTheirBacksAreSeen) {
  auto emits_behind = [&](float z, const std::string& type, const std::string& bsdf = "") {
    const HostScene scene =
        load("a.xml",
             "<scene version='3.0.0'><sensor type='perspective'><transform name='to_world'>"
             "<lookat origin='0.1,0.2," +
                 std::to_string(z) + "' target='0,0,0'/></transform></sensor><shape type='" + type +
                 "'>" + bsdf + "<emitter type='area'/></shape></scene>");
    return scene.materials
        .at(scene.spheres.empty() ? scene.triangle_materials.at(0) : scene.spheres[0].material)
        .two_sided_emission;
  };
  for (const char* type : {"cube", "sphere"}) {
    EXPECT_TRUE(emits_behind(5, type)) << type << ": fewer features, and the same picture";
    EXPECT_FALSE(emits_behind(0.3f, type)) << type;
    EXPECT_FALSE(emits_behind(5, type, "<bsdf type='mask'><bsdf type='diffuse'/></bsdf>")) << type;
  }
  EXPECT_FALSE(emits_behind(5, "cylinder")) << "it is open";
}

TEST_F(MitsubaSurfaces, WarnOfBlendsWithOneSidedSurfaces) {
  const HostScene scene =
      load("a.xml",
           "<scene version='3.0.0'><shape type='sphere'><bsdf type='blendbsdf'>"
           "<bsdf type='diffuse'/><bsdf type='twosided'><bsdf type='diffuse'/></bsdf>"
           "</bsdf></shape><emitter type='constant'/></scene>");
  EXPECT_THAT(scene.warnings, testing::Contains(testing::HasSubstr("one of two sides")));
}

TEST_F(MitsubaSurfaces, WarnOfMasksThatCountInMitsuba) {
  auto count = [&](const std::string& depth, const std::string& bsdf) {
    const HostScene scene =
        load("a.xml",
             "<scene version='3.0.0'><integrator type='path'><integer name='max_depth' "
             "value='" +
                 depth + "'/></integrator><shape type='rectangle'>" + bsdf +
                 "</shape><emitter type='constant'/></scene>");
    return std::ranges::count_if(scene.warnings, [](const std::string& warning) {
      return warning.find("does not count for max_depth") != warning.npos;
    });
  };
  const std::string mask = "<bsdf type='mask'><bsdf type='diffuse'/></bsdf>";
  EXPECT_EQ(count("8", mask), 1);
  EXPECT_EQ(count("65", mask), 0);
  EXPECT_EQ(count("-1", mask), 0);
  EXPECT_EQ(count("8", "<bsdf type='diffuse'/>"), 0);
}

TEST_F(MitsubaSurfaces, WarnOfInternalReflectionsOfHighIndices) {
  auto is_warned = [&](const std::string& type, const std::string& values) {
    const HostScene scene =
        load("a.xml", "<scene version='3.0.0'><shape type='sphere'><bsdf type='" + type + "'>" +
                          values + "</bsdf></shape><emitter type='constant'/></scene>");
    return std::ranges::any_of(scene.warnings, [](const std::string& warning) {
      return warning.find("internal reflections is short by 1/64") != warning.npos;
    });
  };
  const std::string high = "<float name='int_ior' value='1.9'/>";
  EXPECT_TRUE(is_warned("roughplastic", high));
  EXPECT_FALSE(is_warned("plastic", high));
  EXPECT_FALSE(is_warned("roughplastic", ""));
  EXPECT_FALSE(is_warned("roughplastic", high + "<boolean name='nonlinear' value='true'/>"));
  EXPECT_FALSE(is_warned("roughplastic", high + "<float name='alpha' value='0.5'/>"));
}

/// Mitsuba's path integrator supports neither media nor lights behind masks.
TEST_F(MitsubaSurfaces, WarnOfWhatOnlyVolumetricIntegratorsShow) {
  auto warnings = [&](const std::string& integrator, const std::string& inside,
                      const std::string& light) {
    const HostScene scene =
        load("a.xml", "<scene version='3.0.0'>" + integrator + "<shape type='sphere'>" + inside +
                          "</shape><shape type='rectangle'/>" + light + "</scene>");
    std::string all;
    for (const std::string& warning : scene.warnings) all += warning + "\n";
    return all;
  };
  const std::string path = "<integrator type='path'/>", volpath = "<integrator type='volpath'/>";
  const std::string mask = "<bsdf type='mask'><bsdf type='dielectric'/></bsdf>";
  const std::string null = "<bsdf type='null'/>";
  const std::string medium = "<medium type='homogeneous' name='interior'/>";
  const std::string point = "<emitter type='point'/>", sky = "<emitter type='constant'/>";
  const auto loses = testing::HasSubstr("this integrator loses some or all of it");
  for (const std::string& surface : {mask, null}) {
    EXPECT_THAT(warnings(path, surface, point), loses);
    EXPECT_THAT(warnings("", surface, point), loses) << "path is Mitsuba's default";
    EXPECT_THAT(warnings(volpath, surface, point), testing::Not(loses));
    EXPECT_THAT(warnings(path, surface, sky), testing::Not(loses));
  }
  const std::string area = "<shape type='disk'><emitter type='area'/></shape>";
  EXPECT_THAT(warnings(path, mask, area), loses);
  EXPECT_THAT(warnings(path, null, area), testing::Not(loses));
  EXPECT_THAT(warnings(path, "<bsdf type='dielectric'/>", point), testing::Not(loses));
  const auto lets = testing::HasSubstr("this integrator lets it");
  const std::string pane = "<bsdf type='thindielectric'/>";
  EXPECT_THAT(warnings(volpath, pane, point), lets);
  EXPECT_THAT(warnings(volpath, pane, area), testing::Not(lets));
  EXPECT_THAT(warnings(path, pane, point), testing::Not(lets));
  const auto counts = testing::HasSubstr("passing a thindielectric counts");
  const std::string short_paths =
      "<integrator type='volpath'><integer name='max_depth' value='4'/></integrator>";
  EXPECT_THAT(warnings(short_paths, pane, area), counts);
  EXPECT_THAT(warnings(volpath, pane, area), testing::Not(counts));
  const auto leaves_out = testing::HasSubstr("this integrator leaves them out");
  EXPECT_THAT(warnings(path, null + medium, sky), leaves_out);
  EXPECT_THAT(warnings(volpath, null + medium, sky), testing::Not(leaves_out));
}

/// Warns where light from behind faces counts in Mitsuba: on balls of few faces.
TEST_F(MitsubaSurfaces, WarnOfCoarseMeshesWithSmoothNormals) {
  auto is_coarse = [&](int around) {
    std::string vertices, faces;
    const int rows = around / 2;
    for (int row = 0; row <= rows; ++row)
      for (int i = 0; i < around; ++i) {
        const double theta = M_PI * row / rows, phi = 2 * M_PI * i / around;
        const std::string point = std::to_string(std::sin(theta) * std::cos(phi)) + " " +
                                  std::to_string(std::cos(theta)) + " " +
                                  std::to_string(std::sin(theta) * std::sin(phi));
        vertices += "v " + point + "\nvn " + point + "\n";
        const int a = row * around + i + 1, b = row * around + (i + 1) % around + 1;
        auto face = [&](int p, int q, int r) {
          for (int corner : {p, q, r})
            faces +=
                (corner == p ? "f " : " ") + std::to_string(corner) + "//" + std::to_string(corner);
          faces += "\n";
        };
        if (row > 0 && row < rows) face(a, b, a + around);
        if (row < rows - 1) face(b, b + around, a + around);
      }
    write("ball.obj", vertices + faces);
    const HostScene scene = load("a.xml",
                                 "<scene version='3.0.0'><shape type='obj'><string name='filename' "
                                 "value='ball.obj'/></shape><emitter type='constant'/></scene>");
    return std::ranges::any_of(scene.warnings, [](const std::string& warning) {
      return warning.find("a coarse mesh with smooth normals") != warning.npos;
    });
  };
  EXPECT_TRUE(is_coarse(8));
  EXPECT_TRUE(is_coarse(12));
  EXPECT_FALSE(is_coarse(16));
  EXPECT_FALSE(is_coarse(48));
}

}  // namespace
}  // namespace winnow
