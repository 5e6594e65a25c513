// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <set>

#include "base/limits.h"
#include "image/image_io.h"
#include "load/textures/texels.h"
#include "tests/image/support/png_file.h"
#include "tests/load/pbrt/support/pbrt_scenes.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

class PbrtTexturesOf : public PbrtScenes {
 protected:
  /// The colour of a texture of a scene where a surface has these coordinates, u and v as in pbrt;
  /// by the nearest texel.
  static glm::vec4 texel_at(const HostScene& scene, uint32_t texture, glm::vec2 uv) {
    const TextureDescription& mapping = scene.textures.at(texture);
    const TextureImage& image = scene.images.at(mapping.image);
    const glm::vec2 st = mapping.from_uv * glm::vec3(uv.x, 1.0f - uv.y, 1.0f);
    const glm::vec2 in = st - glm::floor(st);
    const auto x = size_t(in.x * float(image.width)), y = size_t(in.y * float(image.height));
    return linear_texel(image, y * image.width + x);
  }
};

const std::string kTexturedTriangle =
    "Shape \"trianglemesh\" \"point3 P\" [0 0 0  1 0 0  0 1 0] \"point2 uv\" [0 0 1 0 0 1]";

TEST_F(PbrtTexturesOf, ImagesStandUprightAndAreMapped) {
  // Red below, green above on the left; blue above on the right.
  const std::filesystem::path file = folder_ / "image.pfm";
  write_image(file, Image{2, 2, {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 0, 0}}});
  const HostScene scene = load_lit(R"(
    Texture "plain" "spectrum" "imagemap" "string filename" "image.pfm"
    Texture "twice" "spectrum" "imagemap" "string filename" "image.pfm"
      "float uscale" 2 "float vscale" 4 "float udelta" 0.5 "float vdelta" 0.25 "string wrap" "clamp"
    Material "diffuse" "texture reflectance" "plain" )" +
                                   kTexturedTriangle + R"(
    Material "diffuse" "texture reflectance" "twice" )" +
                                   kTexturedTriangle);
  auto texture = [&](size_t i) {
    return scene.materials[scene.triangle_materials[i]].textures.reflectance;
  };
  expect_near(texel_at(scene, texture(0), {0.1f, 0.1f}), {1, 0, 0});
  expect_near(texel_at(scene, texture(0), {0.1f, 0.9f}), {0, 1, 0});
  expect_near(texel_at(scene, texture(0), {0.9f, 0.9f}), {0, 0, 1});
  // s = 2 u + 0.5, t = 4 v + 0.25.
  expect_near(texel_at(scene, texture(1), {0.3f, 0.0f}), {1, 0, 0});
  expect_near(texel_at(scene, texture(1), {0.1f, 0.1f}), {0, 0, 1});
  EXPECT_EQ(scene.textures[texture(1)].wrap_u, TextureWrap::kClamp);
  expect_near(scene.materials[scene.triangle_materials[0]].reflectance, glm::vec3(1.0f));
}

TEST_F(PbrtTexturesOf, ImagesAreScaledBeforeTheyAreInverted) {
  write_image(folder_ / "image.pfm", Image{1, 1, {{0.25f, 0.5f, 1.0f}}});
  const std::pair<const char*, glm::vec3> kScales[] = {
      {"", {0.75f, 0.5f, 0}},
      {"\"float scale\" 0.5", {0.875f, 0.75f, 0.5f}},
      {"\"float scale\" 2", {0.5f, 0, 0}}};
  for (const auto& [scale, expected] : kScales) {
    const HostScene scene =
        load_lit(std::string(R"(Texture "t" "spectrum" "imagemap" "string filename" "image.pfm")") +
                 R"( "bool invert" true )" + scale +
                 R"( Material "diffuse" "texture reflectance" "t" )" + kTexturedTriangle);
    const Material& inverted = scene.materials[scene.triangle_materials.at(0)];
    expect_near(inverted.reflectance *
                    glm::vec3(texel_at(scene, inverted.textures.reflectance, glm::vec2(0.5f))),
                expected, 1e-3f);
  }
}

/// The texels of the image of a scene's only texture.
std::vector<glm::vec3> texels_of(const HostScene& scene) {
  const TextureImage& image = scene.images.at(scene.textures.back().image);
  std::vector<glm::vec3> texels;
  for (size_t i = 0; i < texel_count(image); ++i) texels.emplace_back(linear_texel(image, i));
  return texels;
}

TEST_F(PbrtTexturesOf, CornersOfABilerpAreThoseOfTheUnitSquare) {
  const HostScene scene = load_lit(R"(Texture "t" "spectrum" "bilerp" "rgb v00" [1 0 0]
    "rgb v10" [0 1 0] "rgb v01" [0 0 1] "float uscale" 2 "float vdelta" 0.25
    Material "diffuse" "texture reflectance" "t" )" +
                                   kTexturedTriangle);
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
  // v is up in pbrt. The middles of the texels, at a quarter of the image, are the corners.
  EXPECT_EQ(texels_of(scene), (std::vector<glm::vec3>{{0, 0, 1}, {1, 1, 1}, {1, 0, 0}, {0, 1, 0}}));
  const TextureDescription& mapping = scene.textures.back();
  EXPECT_EQ(mapping.filter, TextureFilter::kBilinear);
  EXPECT_EQ(mapping.wrap_u, TextureWrap::kClamp);
  const auto place = [&](float u, float v) { return mapping.from_uv * glm::vec3(u, 1.0f - v, 1); };
  EXPECT_EQ(place(0.0f, -0.25f), glm::vec2(0.25f, 0.75f));
  EXPECT_EQ(place(0.5f, 0.75f), glm::vec2(0.75f, 0.25f));
}

TEST_F(PbrtTexturesOf, ImagesMayBeBlackOutside) {
  write_image(folder_ / "image.pfm", Image{2, 1, {glm::vec3(0.5f), glm::vec3(0.25f)}});
  const HostScene scene = load_lit(R"(Texture "t" "spectrum" "imagemap" "string filename"
    "image.pfm" "string wrap" "black" Material "diffuse" "texture reflectance" "t" )" +
                                   kTexturedTriangle);
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
  const glm::vec3 black(0.0f), left(0.5f), right(0.25f);
  EXPECT_EQ(texels_of(scene), (std::vector<glm::vec3>{black, black, black, black,  //
                                                      black, left, right, black,   //
                                                      black, black, black, black}));
  const TextureDescription& mapping = scene.textures.back();
  EXPECT_EQ(mapping.wrap_v, TextureWrap::kClamp);
  // The image has the middle half of the width and the middle third of the height.
  expect_near(glm::vec3(mapping.from_uv * glm::vec3(0, 0, 1), 0), {0.25f, 1 / 3.0f, 0}, 1e-6f);
  expect_near(glm::vec3(mapping.from_uv * glm::vec3(1, 1, 1), 0), {0.75f, 2 / 3.0f, 0}, 1e-6f);
}

TEST_F(PbrtTexturesOf, OnlyPngFilesHaveAnEncoding) {
  const Image grey{1, 1, {glm::vec3(0.25f)}};
  write_image(folder_ / "image.png", grey);
  write_image(folder_ / "image.jpg", grey);
  const auto texel = [&](const std::string& parameters) {
    const HostScene scene =
        load_lit(R"(Texture "t" "spectrum" "imagemap" "string filename" )" + parameters +
                 R"( Material "diffuse" "texture reflectance" "t" )" + kTexturedTriangle);
    EXPECT_EQ(scene.warnings, std::vector<std::string>());
    return texels_of(scene).at(0).g;
  };
  // Linear light of 0.25 is stored as 137 of 255.
  const float byte = 137.0f / 255.0f;
  EXPECT_NEAR(texel("\"image.png\""), 0.25f, 2e-3f);
  EXPECT_NEAR(texel(R"("image.png" "string encoding" "linear")"), byte, 1e-5f);
  EXPECT_NEAR(texel(R"("image.png" "string encoding" "gamma 1.5")"), byte * std::sqrt(byte), 1e-5f);
  EXPECT_NEAR(texel(R"("image.jpg" "string encoding" "linear")"), 0.25f, 0.01f);
  for (const char* wrong : {"gamma", "gamma 0", "gamma -1", "gamma x", "P3"})
    expect_warnings(load_lit(R"(Texture "t" "spectrum" "imagemap" "string filename" "image.png"
      "string encoding" ")" + std::string(wrong) +
                             R"(" Material "diffuse" "texture reflectance" "t" )" +
                             kTexturedTriangle),
                    {"is taken as sRGB"});
}

TEST_F(PbrtTexturesOf, CheckerboardsStartWithTheFirstColour) {
  const HostScene scene = load_lit(R"(
    Texture "squares" "spectrum" "checkerboard" "rgb tex1" [1 0 0] "rgb tex2" [0 0 1]
      "float uscale" 4 "float vscale" 2
    Material "diffuse" "texture reflectance" "squares" )" +
                                   kTexturedTriangle);
  const uint32_t texture = scene.materials[scene.triangle_materials[0]].textures.reflectance;
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 2; ++row) {
      const glm::vec2 uv((float(column) + 0.4f) / 4.0f, (float(row) + 0.3f) / 2.0f);
      const glm::vec3 expected = (column + row) % 2 ? glm::vec3(0, 0, 1) : glm::vec3(1, 0, 0);
      expect_near(texel_at(scene, texture, uv), expected);
    }
}

TEST_F(PbrtTexturesOf, ConstantsAreScaledAndMixedExactly) {
  auto reflectance = [&](const std::string& textures) {
    const Material material =
        load_material(textures + " Material \"diffuse\" \"texture reflectance\" \"t\"");
    EXPECT_EQ(material.textures.reflectance, kNoTexture);
    return material.reflectance;
  };
  expect_near(reflectance(R"(Texture "t" "spectrum" "constant" "rgb value" [.1 .2 .3])"),
              {0.1f, 0.2f, 0.3f});
  expect_near(reflectance(R"(Texture "c" "spectrum" "constant" "rgb value" [.1 .2 .3]
    Texture "t" "spectrum" "scale" "texture tex" "c" "float scale" 2)"),
              {0.2f, 0.4f, 0.6f});
  expect_near(reflectance(R"(Texture "c" "color" "constant" "rgb value" [.1 .2 .3]
    Texture "t" "color" "scale" "texture tex1" "c" "color tex2" [2 2 2])"),
              {0.2f, 0.4f, 0.6f});
  expect_near(reflectance(R"(Texture "t" "spectrum" "mix" "rgb tex1" [1 0 0] "rgb tex2" [0 0 1]
    "float amount" 0.25)"),
              {0.75f, 0.0f, 0.25f});
  // A texture may have the name of the one inside of it.
  expect_near(reflectance(R"(Texture "t" "spectrum" "constant" "rgb value" [.1 .2 .3]
    Texture "t" "spectrum" "scale" "texture tex" "t" "float scale" 2)"),
              {0.2f, 0.4f, 0.6f});
}

TEST_F(PbrtTexturesOf, ProductsAndMixesOfImagesAreMadeTexelByTexel) {
  write_image(folder_ / "a.pfm", Image{2, 1, {{0.5f, 0.5f, 0.5f}, {1, 1, 1}}});
  write_image(folder_ / "b.pfm", Image{1, 2, {{1, 0, 0}, {0, 0.5f, 1}}});
  auto texel = [&](const std::string& combined, glm::vec2 uv) {
    const HostScene scene =
        load_lit(R"(
      Texture "a" "spectrum" "imagemap" "string filename" "a.pfm"
      Texture "b" "spectrum" "imagemap" "string filename" "b.pfm"
      Texture "t" "spectrum" )" +
                 combined + R"(Material "diffuse" "texture reflectance" "t" )" + kTexturedTriangle);
    // Reflectances end at 1, and a warning says so.
    EXPECT_EQ(scene.warnings.size(), combined.find("1.5") == combined.npos ? 0u : 1u);
    const Material& material = scene.materials[scene.triangle_materials[0]];
    return material.reflectance * glm::vec3(texel_at(scene, material.textures.reflectance, uv));
  };
  const std::string kScale = R"("scale" "texture tex" "a" "texture scale" "b" )",
                    kMix = R"("mix" "texture tex1" "a" "texture tex2" "b" "float amount" 0.25 )",
                    kBright = R"("scale" "texture tex" "a" "float scale" 1.5 )";
  expect_near(texel(kScale, {0.2f, 0.4f}), {0, 0.25f, 0.5f});
  expect_near(texel(kMix, {0.7f, 0.4f}), {0.75f, 0.875f, 1});
  expect_near(texel(kBright, {0.2f, 0.4f}), glm::vec3(0.75f));
  expect_near(texel(kBright, {0.7f, 0.4f}), glm::vec3(1.0f));
}

/// Rows of an image and columns of another one ask for more texels than both have.
TEST_F(PbrtTexturesOf, AProductOfMoreTexelsThanMemoryShouldHoldIsNotMade) {
  constexpr uint32_t kLong = 1 << 15, kWide = kMaxCombinedTexels / kLong + 1;
  write_image(folder_ / "a.pfm", Image{kLong, 1, std::vector<glm::vec3>(kLong, glm::vec3(1))});
  write_image(folder_ / "b.pfm", Image{1, kWide, std::vector<glm::vec3>(kWide, glm::vec3(1))});
  const HostScene scene = load_lit(R"(
    Texture "a" "spectrum" "imagemap" "string filename" "a.pfm"
    Texture "b" "spectrum" "imagemap" "string filename" "b.pfm"
    Texture "t" "spectrum" "scale" "texture tex" "a" "texture scale" "b"
    Material "diffuse" "texture reflectance" "t" )" +
                                   kTexturedTriangle);
  for (const TextureImage& image : scene.images)
    EXPECT_LT(size_t{image.width} * image.height, kMaxCombinedTexels);
  EXPECT_THAT(scene.warnings, testing::Not(testing::IsEmpty()));
}

TEST_F(PbrtTexturesOf, AreNotNestedWithoutEnd) {
  std::string textures = "Texture \"t\" \"float\" \"constant\" \"float value\" 1\n";
  for (int i = 0; i <= kMaxPbrtTextureDepth; ++i)
    textures += "Texture \"t\" \"float\" \"scale\" \"texture tex\" \"t\"\n";
  EXPECT_THAT(error_of("s.pbrt", "WorldBegin\n" + textures + "Shape \"sphere\""),
              testing::HasSubstr("textures are nested too deeply"));
}

TEST_F(PbrtTexturesOf, DoNotNameThemselves) {
  const HostScene scene = load_lit(R"(
    Texture "a" "spectrum" "scale" "texture tex" "a" "float scale" 0.25
    Material "diffuse" "texture reflectance" "a" )" +
                                   kTexturedTriangle);
  expect_near(scene.materials[scene.triangle_materials[0]].reflectance, glm::vec3(0.25f));
  EXPECT_THAT(scene.warnings,
              testing::ElementsAre(testing::HasSubstr("the texture \"a\" is unknown")));
}

TEST_F(PbrtTexturesOf, DoNotNameEachOther) {
  const HostScene scene = load_lit(R"(
    Texture "a" "spectrum" "scale" "texture tex" "b" "float scale" 0.5
    Texture "b" "spectrum" "scale" "texture tex" "a" "float scale" 0.25
    Material "diffuse" "texture reflectance" "b" )" +
                                   kTexturedTriangle);
  expect_near(scene.materials[scene.triangle_materials[0]].reflectance, glm::vec3(0.125f));
  EXPECT_THAT(scene.warnings,
              testing::ElementsAre(testing::HasSubstr("the texture \"b\" is unknown")));
}

/// Each texture of a long chain names the one that follows it.
TEST_F(PbrtTexturesOf, DoNotNameLaterOnes) {
  constexpr int kLength = 30'000;
  std::string chain;
  for (int i = kLength; i > 0; --i)
    chain +=
        fmt::format("Texture \"t{}\" \"spectrum\" \"scale\" \"texture tex\" \"t{}\"\n", i, i - 1);
  const HostScene scene = load_lit(chain +
                                   fmt::format(R"(
    Material "diffuse" "texture reflectance" "t{}" )",
                                               kLength) +
                                   kTexturedTriangle);
  EXPECT_FALSE(scene.warnings.empty());
}

TEST_F(PbrtTexturesOf, NumbersOfImagesAreDecodedUnlessTheyAreLinear) {
  write_texel("grey.png", {128, 128, 128, 255});
  auto green = [&](const std::string& more) {
    const HostScene scene = load_lit(R"(
      Texture "r" "float" "imagemap" "string filename" "grey.png" )" +
                                     more + R"(
      Material "conductor" "texture roughness" "r" )" +
                                     kTexturedTriangle);
    const Material& material = scene.materials[scene.triangle_materials[0]];
    EXPECT_EQ(material.type, MaterialType::kConductor);
    EXPECT_NEAR(material.roughness, 1.0f, 1e-6f);
    return texel_at(scene, material.textures.roughness_metallic, {0.5f, 0.5f}).g;
  };
  // alpha is the square root of the roughness, and the square of that of Winnow.
  EXPECT_NEAR(green(""), std::pow(0.2158605f, 0.25f), 0.003f);
  EXPECT_NEAR(green("\"string encoding\" \"linear\""), std::pow(128.0f / 255.0f, 0.25f), 0.003f);
  EXPECT_NEAR(green("\"bool invert\" true \"string encoding\" \"linear\""),
              std::pow(127.0f / 255.0f, 0.25f), 0.003f);
}

/// src/pbrt/util/mipmap.cpp of pbrt 4: MIPMap::Bilerp<Float> and MIPMap::Texel<Float>.
TEST_F(PbrtTexturesOf, NumbersOfImagesAreTheirAlphaOrTheMeanOfTheirChannels) {
  write_texel("red.png", {255, 0, 0, 255});
  write_texel("clear.png", {255, 255, 0, 128});
  const std::string wide("\0\xff\xff\xff\xff\0\0\x80\x80", 9);  // yellow of alpha 128 / 255
  write("wide.png", png_file(1, 1, 16, 6, wide));
  write_image(folder_ / "clear.exr", Image{1, 1, {{1, 0.5f, 0}}}, {},
              {{"A", std::vector<float>{0.25f}}});
  auto number = [&](const std::string& parameters, const std::string& version = "") {
    const HostScene scene = load_lit(R"(Texture "a" "float" "imagemap" "string filename" )" +
                                     parameters + R"( Material "diffuse" )" + kTexturedTriangle +
                                     R"( "texture alpha" "a" )" + version);
    EXPECT_EQ(scene.warnings, std::vector<std::string>());
    return texel_at(scene, scene.materials[scene.triangle_materials[0]].textures.alpha,
                    {0.5f, 0.5f})
        .a;
  };
  constexpr float kLastDigit = 1e-4f, kAlpha = 128.0f / 255.0f;
  EXPECT_NEAR(number("\"red.png\""), 1.0f / 3.0f, kLastDigit);
  EXPECT_NEAR(number(R"("red.png" "string filter" "trilinear")"), 1.0f / 3.0f, kLastDigit);
  EXPECT_NEAR(number(R"("red.png" "string filter" "point")"), 1.0f, kLastDigit);
  EXPECT_NEAR(number(R"("red.png" "string filter" "ewa")"), 1.0f, kLastDigit);
  EXPECT_NEAR(number("\"red.png\"", "WorldEnd"), 0.2126f, kLastDigit);  // version 3
  for (const std::string file : {"\"clear.png\" ", "\"wide.png\" "}) {  // of 8 and 16 bits
    SCOPED_TRACE(file);
    EXPECT_NEAR(number(file), 0.2158605f, kLastDigit);  // alpha is decoded, too
    EXPECT_NEAR(number(file + R"("string encoding" "linear")"), kAlpha, kLastDigit);
    EXPECT_NEAR(number(file + R"("string encoding" "gamma 2")"), kAlpha * kAlpha, kLastDigit);
    EXPECT_NEAR(number(file + R"("string encoding" "linear" "bool invert" true)"), 1.0f - kAlpha,
                kLastDigit);
    EXPECT_NEAR(number(file + R"("string filter" "point")"), 1.0f, kLastDigit);
  }
  EXPECT_NEAR(number("\"clear.exr\""), 0.25f, kLastDigit);
}

/// pbrt reads the images before all other textures.
TEST_F(PbrtTexturesOf, MayNameLaterImages) {
  write_image(folder_ / "image.pfm", Image{1, 1, {{0.25f, 0.5f, 1.0f}}});
  const HostScene scene = load_lit(R"(
    Material "diffuse" "texture reflectance" "half" )" +
                                   kTexturedTriangle + R"(
    Texture "half" "spectrum" "scale" "texture tex" "late" "float scale" 0.5
    Texture "late" "spectrum" "imagemap" "string filename" "image.pfm")");
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
  const Material& material = scene.materials[scene.triangle_materials[0]];
  expect_near(material.reflectance, glm::vec3(0.5f));
  EXPECT_NE(material.textures.reflectance, kNoTexture);
}

TEST_F(PbrtTexturesOf, MaterialsMayBeDefinedBeforeThem) {
  const std::string later = R"(Material "diffuse" "texture reflectance" "t" )" + kTexturedTriangle +
                            R"( Texture "t" "spectrum" "constant" "rgb value" [0.25 0.5 0.75] )";
  const HostScene scene = load_lit(later);
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
  expect_near(scene.materials[scene.triangle_materials[0]].reflectance, {0.25f, 0.5f, 0.75f});
  expect_warnings(load_lit(later + "WorldEnd"), {"the texture \"t\" is unknown"});  // version 3
}

TEST_F(PbrtTexturesOf, AlphaCutsHolesIntoAShape) {
  write_texel("white.png", {255, 255, 255, 255});
  const HostScene scene = load_lit(R"(
    Texture "mask" "float" "imagemap" "string filename" "white.png"
    Texture "half" "float" "scale" "texture tex" "mask" "float scale" 0.5 )" +
                                   kTexturedTriangle + "\"texture alpha\" \"half\"" +
                                   kTexturedTriangle + "\"float alpha\" 0.25");
  const Material &textured = scene.materials[scene.triangle_materials[0]],
                 &constant = scene.materials[scene.triangle_materials[1]];
  EXPECT_NE(textured.textures.alpha, kNoTexture);
  EXPECT_EQ(textured.alpha, 0.5f);
  EXPECT_EQ(constant.textures.alpha, kNoTexture);
  EXPECT_EQ(constant.alpha, 0.25f);
}

TEST_F(PbrtTexturesOf, OthersBecomeTheirMeans) {
  const HostScene scene = load_lit(R"(
    Texture "fractal" "spectrum" "fbm" "integer octaves" 3
    Material "diffuse" "texture reflectance" "fractal" Shape "sphere"
    Material "diffuse" "texture reflectance" "absent" Shape "sphere"
    Texture "lost" "spectrum" "imagemap" "string filename" "lost.png"
    Material "diffuse" "texture reflectance" "lost" Shape "sphere")");
  for (const Sphere& sphere : scene.spheres) {
    EXPECT_EQ(scene.materials[sphere.material].textures.reflectance, kNoTexture);
    expect_near(scene.materials[sphere.material].reflectance, glm::vec3(0.5f));
  }
  expect_warnings(
      scene, {"\"fbm\" becomes its mean", "the texture \"absent\" is unknown; the default is used",
              "the file lost.png does not exist; grey 0.5 is used"});
}

TEST_F(PbrtTexturesOf, MarbleIsAsBrightAsItsVeins) {
  const HostScene scene = load_lit(R"(
    Texture "stone" "spectrum" "marble"
    Material "diffuse" "texture reflectance" "stone" Shape "sphere")");
  // Mean of the spline of pbrt over the phases of its sine.
  expect_near(scene.materials[scene.spheres.at(0).material].reflectance, {0.805f, 0.803f, 0.840f},
              1e-3f);
}

TEST_F(PbrtTexturesOf, DisplacedSurfacesLookBent) {
  // A ramp of 1 m along u, seen on 2 m of the surface: it rises by half.
  write_image(
      folder_ / "ramp.pfm",
      Image{4, 1, {glm::vec3(0.125f), glm::vec3(0.375f), glm::vec3(0.625f), glm::vec3(0.875f)}});
  const std::string define = R"(
    Texture "ramp" "float" "imagemap" "string filename" "ramp.pfm" "string wrap" "clamp"
    MakeNamedMaterial "bent" "string type" "diffuse" "texture displacement" "ramp" )",
                    use = "NamedMaterial \"bent\" ", shape = R"(
    Shape "trianglemesh" "point3 P" [0 0 0  2 0 0  0 2 0] "point2 uv" [0 0 1 0 0 1] )";
  for (const std::string& world :
       {define + use + shape, use + define + shape, use + shape + define}) {
    SCOPED_TRACE(world);
    const HostScene scene = load_lit(world);
    expect_warnings(scene, {"a displacement or bump map becomes a normal map"});
    const Material& material = scene.materials[scene.triangle_materials[0]];
    ASSERT_NE(material.textures.normal, kNoTexture);
    const glm::vec3 texel(texel_at(scene, material.textures.normal, {0.6f, 0.5f}));
    const glm::vec3 normal =
        (2.0f * texel - 1.0f) * glm::vec3(material.normal_scale, material.normal_scale, 1.0f);
    expect_near(normal, {-0.5f, 0.0f, 1.0f}, 1e-4f);
  }
}

TEST_F(PbrtTexturesOf, BumpsAreMirroredWithTheirImage) {
  write_image(
      folder_ / "ramp.pfm",
      Image{4, 1, {glm::vec3(0.125f), glm::vec3(0.375f), glm::vec3(0.625f), glm::vec3(0.875f)}});
  const HostScene scene = load_lit(R"(
    Texture "ramp" "float" "imagemap" "string filename" "ramp.pfm" "string wrap" "repeat"
      "float uscale" -2
    Material "diffuse" "texture displacement" "ramp"
    Shape "trianglemesh" "point3 P" [0 0 0  2 0 0  0 2 0] "point2 uv" [0 0 1 0 0 1])");
  const Material& material = scene.materials[scene.triangle_materials[0]];
  ASSERT_NE(material.textures.normal, kNoTexture);
  const float red = texel_at(scene, material.textures.normal, {-0.3f, 0.5f}).r;
  EXPECT_NEAR((2.0f * red - 1.0f) * material.normal_scale, 1.0f, 1e-4f);
}

// Green points to the left of u in pbrt, whatever v is.
TEST_F(PbrtTexturesOf, NormalMapsOfMirroredCoordinatesAreTurned) {
  write_texel("normal.png", {128, 200, 255, 255});
  const std::string define =
      R"( MakeNamedMaterial "mapped" "string type" "diffuse" "string normalmap" "normal.png" )";
  auto green = [&](const std::string& before, const std::string& uv,
                   const std::string& after = "") {
    const HostScene scene = load_lit(before + R"( NamedMaterial "mapped"
      Shape "trianglemesh" "point3 P" [0 0 0  1 0 0  0 1 0] )" +
                                     (uv.empty() ? "" : "\"point2 uv\" " + uv) + after);
    const Material& material = scene.materials[scene.triangle_materials[0]];
    return texel_at(scene, material.textures.normal, {0.5f, 0.5f}).g;
  };
  EXPECT_NEAR(green(define, "[0 0 1 0 0 1]"), 200.0f / 255.0f, 0.003f);
  EXPECT_NEAR(green(define, "[0 0 1 0 0 -1]"), 55.0f / 255.0f, 0.003f);
  EXPECT_NEAR(green("", "[0 0 1 0 0 -1]", define), 55.0f / 255.0f, 0.003f);
  EXPECT_NEAR(green(define + "Scale -1 1 1", "[0 0 1 0 0 1]"), 55.0f / 255.0f, 0.003f);
  EXPECT_NEAR(green(define + "ReverseOrientation", "[0 0 1 0 0 1]"), 55.0f / 255.0f, 0.003f);
  const std::string kDefault;  // [0 0 1 0 1 1]
  EXPECT_NEAR(green(define, kDefault), 200.0f / 255.0f, 0.003f);
  EXPECT_NEAR(green(define + "Scale -1 1 1", kDefault), 55.0f / 255.0f, 0.003f);
  EXPECT_NEAR(green(define + "ReverseOrientation", kDefault), 55.0f / 255.0f, 0.003f);
}

/// Halves of a model often share their texture, so that one of them has mirrored coordinates.
TEST_F(PbrtTexturesOf, NormalMapsAreTurnedWhereCoordinatesAreMirrored) {
  write_texel("normal.png", {128, 200, 255, 255});
  const std::string materials = R"(
    MakeNamedMaterial "mapped" "string type" "diffuse" "string normalmap" "normal.png"
    MakeNamedMaterial "clear" "string type" "interface"
    MakeNamedMaterial "glass" "string type" "dielectric"
    MakeNamedMaterial "half" "string type" "mix" "string materials" ["mapped" "clear"])";
  for (const char* material :
       {R"(NamedMaterial "mapped")", R"(NamedMaterial "half")",
        R"(Material "mix" "string materials" ["mapped" "glass"] "float amount" 0.2)",
        R"(Material "mix" "string materials" ["glass" "half"] "float amount" 1)"}) {
    SCOPED_TRACE(material);
    const HostScene scene = load_lit(materials + material + R"(
      Shape "trianglemesh" "integer indices" [0 1 2  0 3 1  0 2 4]
        "point3 P" [0 0 0  1 0 0  0 1 0  0 -1 0  -1 0 0] "point2 uv" [0 0  1 0  0 1  0 -1  1 0])");
    ASSERT_EQ(scene.triangles.size(), 3u);
    for (size_t i = 0; i < 3; ++i) {
      const Material& of_triangle = scene.materials[scene.triangle_materials[i]];
      float left = 0.0f;
      for (int corner = 0; corner < 3; ++corner)
        left = std::min(left, scene.positions[scene.triangles[i][corner]].x);
      const float green = left < 0.0f ? 55.0f : 200.0f;
      EXPECT_NEAR(texel_at(scene, of_triangle.textures.normal, {0.5f, 0.5f}).g, green / 255.0f,
                  0.003f);
    }
  }
}

TEST_F(PbrtTexturesOf, ABumpMapStaysWithTheMaterialThatAMixBecomes) {
  write_texel("height.png", {128, 128, 128, 255});
  const auto load_mix = [&](const std::string& mix) {
    return load_lit(R"(Texture "heights" "float" "imagemap" "string filename" "height.png"
      MakeNamedMaterial "bumpy" "string type" "diffuse" "texture displacement" "heights"
      MakeNamedMaterial "flat" "string type" "diffuse"
      MakeNamedMaterial "glass" "string type" "dielectric"
      Material "mix" )" +
                    mix + " Shape \"bilinearmesh\" \"point3 P\" [0 0 0  2 0 0  0 3 0  2 3 0]");
  };
  const HostScene one = load_mix(R"("string materials" ["glass" "bumpy"] "float amount" 0.9)");
  EXPECT_NE(one.materials[one.triangle_materials[0]].textures.normal, kNoTexture);
  const HostScene both = load_mix(R"("string materials" ["flat" "bumpy"])");
  EXPECT_EQ(both.materials[both.triangle_materials[0]].textures.normal, kNoTexture);
  expect_warnings(both, {"the bumps of the materials of a mix are left out"});
  const auto load_without = [&](const std::string& bumps) {
    return load_lit("MakeNamedMaterial \"none\" \"string type\" \"diffuse\" " + bumps + R"(
      MakeNamedMaterial "flat" "string type" "diffuse"
      Material "mix" "string materials" ["none" "flat"] Shape "sphere")");
  };
  expect_warnings(load_without(R"("float displacement" 0)"), {});
  expect_warnings(load_without(R"("string normalmap" "")"), {});
  expect_warnings(load_without(R"("string normalmap" "no.png")"),
                  {"the file no.png does not exist; the normal map is left out"});
}

TEST_F(PbrtTexturesOf, ASphereWithoutBumpsStaysASphere) {
  const auto spheres_of = [&](const char* height) {
    return load_lit(std::string("Material \"diffuse\" \"float displacement\" ") + height +
                    " Shape \"sphere\"")
        .spheres.size();
  };
  EXPECT_EQ(spheres_of("0"), 1u);
  EXPECT_EQ(spheres_of("0.5"), 1u);
}

TEST_F(PbrtTexturesOf, ALampWithMirroredCoordinatesIsOneLamp) {
  write_texel("normal.png", {128, 200, 255, 255});
  for (const char* corner : {"-1 0 0", "0 -1 0"}) {  // with an area of its own, and without
    const HostScene scene = load_lit(std::string(R"(
      Material "diffuse" "string normalmap" "normal.png"
      AreaLightSource "diffuse" "float power" 10
      Shape "trianglemesh" "integer indices" [0 1 2  0 3 4]
        "point3 P" [0 0 0  2 0 0  0 1 0  0 1 0 )") +
                                     corner + R"(] "point2 uv" [0 0  1 0  0 1  0 1  1 0])");
    std::set<float> radiances;
    for (const uint32_t material : scene.triangle_materials)
      radiances.insert(scene.materials[material].emission.x);
    EXPECT_EQ(radiances.size(), 1u) << corner;
    EXPECT_THAT(scene.warnings, testing::Not(testing::Contains(testing::HasSubstr("area, or"))));
  }
}

}  // namespace
}  // namespace winnow
