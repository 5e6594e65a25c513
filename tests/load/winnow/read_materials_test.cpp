// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "load/textures/texels.h"
#include "load/winnow/read_parts.h"
#include "load/winnow/winnow_json.h"
#include "scene/optical_constants.h"
#include "shading/bsdf/fresnel.h"
#include "tests/load/support/same_material.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

class ReadMaterials : public SceneFiles {
 protected:
  HostScene load_material(const std::string& material) const {
    return load("s.json",
                R"({"materials": {"a": )" + material +
                    R"(}, "shapes": [{"type": "sphere", "material": "a", "radius": 1}]})");
  }
};

// Writes and reads every key of every type, with a value that is not its default.
TEST_F(ReadMaterials, WritesWhatReadsAsTheSameMaterial) {
  struct Case {
    const char* base;
    std::vector<const char*> keys;
  };
  const Case kCases[] = {
      {R"("type": "mirror")",
       {R"("reflectance": [0.1, 0.7, 0.3])", R"("metal": "copper")",
        R"("n": 1.3, "k": [7, 3.3, 2])", R"("emission": 0.3)", R"("two_sided": false)",
        R"("black_back": true)"}},
      {R"("type": "conductor")",
       {R"("reflectance": 0.7)", R"("metal": "gold")", R"("n": [0.1, 1.3, 2], "k": 3.7)",
        R"("roughness": 0.37)", R"("anisotropy": -0.3)", R"("anisotropy_rotation": 33)",
        R"("masking": "separable")", R"("distribution": "beckmann")"}},
      {R"("type": "dielectric")",
       {R"("reflectance": [0.1, 0.7, 0.3])", R"("ior": 1.33)", R"("specular": [0.3, 0.7, 0.1])",
        R"("dispersion": 0.7)"}},
      {R"("type": "rough-dielectric")",
       {R"("dispersion": 0.7)", R"("anisotropy_rotation": -123.4)", R"("reflectance": 0.7)",
        R"("ior": 1.33)", R"("specular": 0.3)", R"("roughness": 0.37)", R"("anisotropy": 0.3)",
        R"("masking": "separable")", R"("distribution": "beckmann")", R"("emission": [1, 2, 3])"}},
      {R"("type": "plastic")",
       {R"("reflectance": [0.1, 0.7, 0.3])", R"("ior": 1.33)", R"("specular": 0.3)",
        R"("roughness": 0.37)", R"("nonlinear": true)", R"("distribution": "beckmann")",
        R"("emission": 2)"}},
      {R"("type": "principled")",
       {R"("reflectance": [0.1, 0.7, 0.3])",
        R"("ior": 1.33)",
        R"("specular": [0.3, 0.7, 0.1])",
        R"("roughness": 0.37)",
        R"("anisotropy": -0.3)",
        R"("metallic": 0.7)",
        R"("transmission": 0.7)",
        R"("coat": 0.7)",
        R"("coat_roughness": 0.7)",
        R"("sheen": [0.3, 0.7, 0.1])",
        R"("sheen_roughness": 0.7)",
        R"("emission": 2)",
        R"("anisotropy_rotation": 12.345678)",
        R"("iridescence": 0.7)",
        R"("iridescence_ior": 1.7)",
        R"("film_thickness": 300)",
        R"("film_thickness": [0, 700.5])",
        R"("dispersion": 0.7)",
        R"("thin": true)",
        R"("specular_tint": [0.3, 2.5, 100])",
        R"("masking": "separable")",
        R"("ior": 10000)",
        R"("diffuse_transmission": 0.7)",
        R"("diffuse_transmission_color": [0.3, 0.7, 0.1])"}},
      {R"("type": "thin-dielectric")",
       {R"("reflectance": 0.7)", R"("ior": 1.33)", R"("specular": 0.3)"}},
  };
  for (const Case& tried : kCases) {
    const Material plain = load_material(std::string("{") + tried.base + "}").materials[0];
    for (const char* key : tried.keys) {
      SCOPED_TRACE(testing::Message() << tried.base << ", " << key);
      const HostScene scene = load_material(std::string("{") + tried.base + ", " + key + "}");
      EXPECT_FALSE(are_same(scene.materials[0], plain));
      write_winnow_json(folder_ / "b.json", scene);
      EXPECT_TRUE(are_same(load_scene(folder_ / "b.json").materials[0], scene.materials[0]));
    }
  }
}

TEST_F(ReadMaterials, KnowsMetalsByName) {
  for (const char* name : {"aluminium", "brass", "chromium", "copper", "gold", "mercury", "nickel",
                           "silver", "tungsten"}) {
    const Material metal =
        load_material(std::string(R"({"type": "conductor", "metal": ")") + name + "\"}")
            .materials[0];
    EXPECT_EQ(metal.metal_n, find_metal(name)->n);
    EXPECT_EQ(metal.metal_k, find_metal(name)->k);
    EXPECT_EQ(metal.reflectance, glm::vec3(1.0f));
  }
}

TEST_F(ReadMaterials, AChannelWithoutAnIndexReflectsAll) {
  const Material metal =
      load_material(R"({"type": "mirror", "n": [0, 1.5, 2], "k": [0, 2, 0]})").materials[0];
  EXPECT_NEAR(metal_fresnel(1.0f, metal.metal_n.r, metal.metal_k.r), 1.0f, 1e-5f);
  EXPECT_EQ(metal.metal_n.g, 1.5f);
  EXPECT_EQ(metal.metal_k, glm::vec3(0, 2, 0));
}

TEST_F(ReadMaterials, SaysWhatIsWrong) {
  const std::pair<std::string, std::string> kMistakes[] = {
      {R"("mirror", "metal": "gould")", "/materials/a/metal"},
      {R"("mirror", "metal": "gold", "n": 1)", R"(expected either "metal", or "n" and "k")"},
      {R"("mirror", "n": 1)", R"("k")"},
      {R"("conductor", "anisotropy": 1.5)", "[-1, 1]"},
      {R"("principled", "film_thickness": [1, 2, 3])", "where green is 0 and 1"},
      {R"("principled", "film_thickness": -1)", "/materials/a/film_thickness"},
      {R"("conductor", "anisotropy_rotation": 1e9)", "36000"},
      {R"("principled", "thin": 1)", "/materials/a/thin"},
      {R"("principled", "specular_tint": -1)", "/materials/a/specular_tint"},
      {R"("principled", "ior": 10001)", "10000"},
      {R"("plastic", "thin": true)", "thin"},
      {R"("rough-dielectric", "ior": 0.00001)", "ior"}};
  for (const auto& [material, message] : kMistakes)
    EXPECT_THAT(error_of("s.json", R"({"materials": {"a": {"type": )" + material + "}}}"),
                testing::HasSubstr(message));
}

class ReadTextures : public SceneFiles {
 protected:
  /// A scene with these textures, and one material.
  static std::string scene_of(const std::string& textures, const std::string& material) {
    return R"({"textures": {)" + textures + R"(}, "materials": {"m": {"type": "diffuse", )" +
           material + R"(}}, "shapes": [{"type": "rectangle", "material": "m",
           "corner": [0, 0, 0], "edge_u": [1, 0, 0], "edge_v": [0, 1, 0]}], "sky": {"radiance": 1}})";
  }
};

TEST_F(ReadTextures, ReadEveryKey) {
  write_texel("t.png", {10, 20, 30, 40});
  const HostScene scene =
      load("s.json", scene_of(R"("t": {"file": "t.png", "wrap": ["mirror", "clamp"],
                                 "filter": "nearest", "uv_transform": [[1, 2, 3], [4, 5, 6]]})",
                              R"("alpha": 0.5, "alpha_cutoff": 0.25, "textures": {
                                 "reflectance": "t", "normal": "t", "normal_scale": 2})"));
  const Material& material = scene.materials[0];
  EXPECT_EQ(material.alpha, 0.5f);
  EXPECT_EQ(material.alpha_cutoff, 0.25f);
  EXPECT_EQ(material.normal_scale, 2.0f);
  ASSERT_EQ(scene.textures.size(), 2u);  // one with colours, one with data
  const TextureDescription& color = scene.textures[material.textures.reflectance];
  const TextureDescription& normal = scene.textures[material.textures.normal];
  EXPECT_EQ(scene.images[color.image].format, TexelFormat::kSrgb8);
  EXPECT_EQ(scene.images[normal.image].format, TexelFormat::kLinear8);
  EXPECT_EQ(scene.images[color.image].texels[2], std::byte(30));
  EXPECT_EQ(color.wrap_u, TextureWrap::kMirror);
  EXPECT_EQ(color.wrap_v, TextureWrap::kClamp);
  EXPECT_EQ(color.filter, TextureFilter::kNearest);
  EXPECT_EQ(color.from_uv * glm::vec3(1, 0, 0), glm::vec2(1, 4));
  EXPECT_EQ(color.from_uv * glm::vec3(0, 1, 0), glm::vec2(2, 5));
  EXPECT_EQ(color.from_uv * glm::vec3(0, 0, 1), glm::vec2(3, 6));
  EXPECT_EQ(material.textures.emission, kNoTexture);
  EXPECT_EQ(scene.uvs.size(), scene.positions.size());
}

TEST_F(ReadTextures, ReadEveryFilter) {
  write_texel("t.png", {10, 20, 30, 40});
  for (const auto& [name, filter] :
       {std::pair("nearest", TextureFilter::kNearest), std::pair("linear", TextureFilter::kLinear),
        std::pair("bilinear", TextureFilter::kBilinear),
        std::pair("bilinear-encoded", TextureFilter::kBilinearEncoded)}) {
    const HostScene scene =
        load("s.json", scene_of(R"("t": {"file": "t.png", "filter": ")" + std::string(name) + "\"}",
                                R"("textures": {"reflectance": "t"})"));
    EXPECT_EQ(scene.textures[0].filter, filter) << name;
  }
}

TEST_F(ReadTextures, ReadAFileOnceForEachMeaning) {
  write_texel("t.png", {10, 20, 30, 40});
  const HostScene scene =
      load("s.json", scene_of(R"("a": {"file": "t.png"}, "b": {"file": "t.png", "scale": 2})",
                              R"("textures": {"reflectance": "a", "emission": "b"})"));
  EXPECT_EQ(scene.images.size(), 1u);
  EXPECT_EQ(scene.textures.size(), 2u);
}

TEST_F(ReadTextures, TakeCoverageFromAlphaOrElseFromRed) {
  for (uint8_t alpha : {uint8_t(40), uint8_t(255)}) {
    write_texel("t.png", {10, 20, 30, alpha});
    const HostScene scene =
        load("s.json", scene_of(R"("t": {"file": "t.png"})", R"("textures": {"alpha": "t"})"));
    const uint8_t expected = alpha == 255 ? 10 : alpha;
    for (std::byte channel : scene.images[0].texels) EXPECT_EQ(channel, std::byte(expected));
  }
}

TEST_F(ReadTextures, TakeCoverageFromRedOfACheckerboard) {
  const HostScene scene =
      load("s.json", scene_of(R"("t": {"checkerboard": [[0.25, 1, 1], [0.5, 0, 0]]})",
                              R"("textures": {"alpha": "t", "reflectance": "t"})"));
  const auto texel_of = [&](uint32_t texture, int x) {
    return linear_texel(scene.images[scene.textures[texture].image], size_t(x));
  };
  const MaterialTextures& textures = scene.materials[0].textures;
  EXPECT_EQ(texel_of(textures.alpha, 0).a, 0.25f);
  EXPECT_EQ(texel_of(textures.alpha, 1).a, 0.5f);
  EXPECT_EQ(texel_of(textures.reflectance, 0), glm::vec4(0.25f, 1.0f, 1.0f, 1.0f));
}

TEST_F(ReadTextures, NameAMissingFileOnce) {
  const HostScene scene =
      load("s.json", scene_of(R"("a": {"file": "no.png"}, "b": {"file": "no.png", "scale": 2})",
                              R"("textures": {"reflectance": "a", "emission": "b"})"));
  expect_warnings(scene, {"no.png: the texture does not exist"});
  EXPECT_EQ(scene.materials[0].textures.reflectance, kNoTexture);
}

TEST_F(ReadTextures, NameABrokenFile) {
  write("t.png", "no image");
  const HostScene scene =
      load("s.json", scene_of(R"("t": {"file": "t.png"})", R"("textures": {"reflectance": "t"})"));
  expect_warnings(scene, {"t.png: not a readable"});
}

TEST_F(ReadTextures, SayWhatIsWrong) {
  const std::pair<std::string, std::string> cases[] = {
      {R"("t": {})", R"(expected either "file" or "checkerboard")"},
      {R"("t": {"file": "a", "checkerboard": [0, 1]})", "expected either"},
      {R"("t": {"checkerboard": [0]})", "expected two colours"},
      {R"("t": {"file": "a", "wrap": ["clamp"]})", "expected one word, or two"},
      {R"("t": {"file": "a", "wrap": "tile"})", "/textures/t/wrap"},
      {R"("t": {"file": "a", "scale": [1, 2, 3]})", "expected a number, or two"},
      {R"("t": {"file": "a", "uv_transform": [[1, 2, 3]]})", "two rows of three"},
      {R"("t": {"file": "a", "scale": 1, "uv_transform": [[1, 2, 3], [1, 2, 3]]})", "found both"},
      {R"("u": {"file": "a"})", R"(unknown texture "t")"}};
  for (const auto& [textures, expected] : cases)
    EXPECT_THAT(error_of("s.json", scene_of(textures, R"("textures": {"reflectance": "t"})")),
                testing::HasSubstr(expected));
}

}  // namespace

}  // namespace winnow
