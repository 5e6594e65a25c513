// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "image/image_io.h"
#include "load/load_scene.h"
#include "load/textures/texels.h"
#include "load/textures/texture_library.h"
#include "tests/support/expect_near.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

/// A scene of one material with a texture of two texels in each of `uses`.
HostScene scene_with(const std::vector<uint32_t MaterialTextures::*>& uses, glm::vec4 first,
                     glm::vec4 second) {
  HostScene scene;
  scene.materials.resize(1);
  Material& material = scene.materials[0];
  material.reflectance = material.emission = material.sheen = glm::vec3(1.0f);
  material.roughness = material.metallic = material.transmission = material.coat =
      material.coat_roughness = material.sheen_roughness = material.iridescence =
          material.anisotropy = 1.0f;
  TextureImage image{.name = "t.exr", .width = 2, .height = 1, .format = TexelFormat::kFloat};
  fill_texels(image, [&](uint32_t x, uint32_t) { return x == 0 ? first : second; });
  scene.images.push_back(image);
  scene.textures.push_back({});
  for (const auto use : uses) material.textures.*use = 0;
  return scene;
}

glm::vec4 texel_of(const HostScene& scene, uint32_t MaterialTextures::*use, size_t index) {
  const uint32_t texture = scene.materials[0].textures.*use;
  return linear_texel(scene.images[scene.textures[texture].image], index);
}

constexpr float kBelow = -0.5f, kAbove = 100.0f, kFarAbove = 7e28f;

TEST(LimitTexels, LimitsEachChannelThatIsUsed) {
  using T = MaterialTextures;
  const struct {
    uint32_t T::*use;
    const char* name;
    glm::vec4 limited;
  } kUses[] = {{&T::reflectance, "reflectance", {0, 1, 0.25f, kFarAbove}},
               {&T::specular, "specular", {0, 1, 0.25f, kFarAbove}},
               {&T::sheen, "sheen", {0, 1, 0.25f, 1}},
               {&T::roughness_metallic, "roughness_metallic", {kBelow, 1, 0.25f, kFarAbove}},
               {&T::transmission, "transmission", {0, kAbove, 0.25f, kFarAbove}},
               {&T::coat, "coat", {0, 1, 0.25f, kFarAbove}},
               {&T::iridescence, "iridescence", {0, 1, 0.25f, kFarAbove}},
               {&T::anisotropy, "anisotropy", {0, 1, 0.25f, kFarAbove}},
               {&T::alpha, "alpha", {kBelow, kAbove, 0.25f, 1}}};
  for (const auto& [use, name, limited] : kUses) {
    HostScene scene = scene_with({use}, {kBelow, kAbove, 0.25f, kFarAbove}, glm::vec4(0.5f));
    limit_texels(scene);
    EXPECT_EQ(texel_of(scene, use, 0), limited) << name;
    EXPECT_EQ(texel_of(scene, use, 1), glm::vec4(0.5f)) << name;
    EXPECT_EQ(scene.warnings,
              std::vector<std::string>{"t.exr: as " + std::string(name) +
                                       ", 1 texel is outside of [0, 1], and limited"});
  }
}

TEST(LimitTexels, LetsLightBeBright) {
  HostScene scene =
      scene_with({&MaterialTextures::emission}, {kBelow, kAbove, 3e9f, 1}, glm::vec4(2.0f));
  scene.materials[0].emission = glm::vec3(1.0f, 2.0f, 3.0f);
  limit_texels(scene);
  EXPECT_EQ(texel_of(scene, &MaterialTextures::emission, 0), glm::vec4(0, kAbove, 1e9f / 3.0f, 1));
  EXPECT_EQ(scene.warnings,
            std::vector<std::string>{
                "t.exr: as emission, 1 texel is negative or above 1e9, and limited"});
}

TEST(LimitTexels, LetsNormalsPointAnywhere) {
  HostScene scene =
      scene_with({&MaterialTextures::normal}, {kBelow, kAbove, 2, 1}, glm::vec4(2.0f));
  limit_texels(scene);
  EXPECT_EQ(texel_of(scene, &MaterialTextures::normal, 0), glm::vec4(kBelow, kAbove, 2, 1));
  EXPECT_TRUE(scene.warnings.empty());
}

TEST(LimitTexels, ChangesOnlyTheUseThatNeedsIt) {
  using T = MaterialTextures;
  HostScene scene = scene_with({&T::reflectance, &T::emission}, glm::vec4(kAbove), glm::vec4(1.0f));
  limit_texels(scene);
  EXPECT_EQ(texel_of(scene, &T::reflectance, 0), glm::vec4(1, 1, 1, kAbove));
  EXPECT_EQ(texel_of(scene, &T::emission, 0), glm::vec4(kAbove));
  EXPECT_EQ(scene.warnings.size(), 1u);
}

TEST(LimitTexels, LimitsTheProductOfFactorAndTexel) {
  HostScene scene = scene_with({&MaterialTextures::reflectance}, glm::vec4(1.5f), glm::vec4(0.3f));
  scene.materials[0].reflectance = {0.5f, 2.0f, 1.0f};
  limit_texels(scene);
  for (size_t i = 0; i < 2; ++i) {
    const float texel = i == 0 ? 1.5f : 0.3f;
    expect_near(scene.materials[0].reflectance *
                    glm::vec3(texel_of(scene, &MaterialTextures::reflectance, i)),
                {0.5f * texel, i == 0 ? 1.0f : 0.6f, i == 0 ? 1.0f : 0.3f});
  }
  expect_near(scene.materials[0].reflectance, {0.5f, 1.0f, 1.0f});  // as scene files may state it
}

TEST(LimitTexels, LeavesAllOthersAsTheyAre) {
  HostScene scene = scene_with({&MaterialTextures::reflectance}, glm::vec4(0.0f), glm::vec4(1.0f));
  limit_texels(scene);
  EXPECT_EQ(scene.images.size(), 1u);
  EXPECT_EQ(scene.textures.size(), 1u);
  EXPECT_TRUE(scene.warnings.empty());
}

class LimitedFiles : public SceneFiles {};

TEST_F(LimitedFiles, AreLimitedInEveryFormatOfScenes) {
  write_image(folder_ / "large.pfm", Image{1, 1, {{-5.0f, 100.0f, 0.5f}}});
  write("s.json", R"({"textures": {"t": {"file": "large.pfm"}},
    "materials": {"m": {"type": "diffuse", "reflectance": 1, "textures": {"reflectance": "t"}}},
    "shapes": [{"type": "sphere", "material": "m", "radius": 1}], "sky": {"radiance": 1}})");
  write("s.xml", R"(<scene version="3.0.0"><shape type="sphere"><bsdf type="diffuse">
    <texture type="bitmap" name="reflectance"><string name="filename" value="large.pfm"/></texture>
    </bsdf></shape><emitter type="constant"/></scene>)");
  write("s.pbrt", R"(Camera "perspective" WorldBegin LightSource "infinite"
    Texture "t" "spectrum" "imagemap" "string filename" "large.pfm"
    Material "diffuse" "texture reflectance" "t" Shape "sphere")");
  write("s.mtl", "newmtl m\nKd 1 1 1\nmap_Kd large.pfm\n");
  write("s.obj", "mtllib s.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n");
  for (const char* name : {"s.json", "s.xml", "s.pbrt", "s.obj"}) {
    const HostScene scene = load_scene(folder_ / name);
    size_t count = 0;
    for (const Material& material : scene.materials) {
      if (material.textures.reflectance == kNoTexture) continue;
      const TextureDescription& texture = scene.textures[material.textures.reflectance];
      EXPECT_EQ(glm::vec3(linear_texel(scene.images[texture.image], 0)), glm::vec3(0, 1, 0.5f))
          << name;
      ++count;
    }
    EXPECT_EQ(count, 1u) << name;
    expect_warnings(scene,
                    {"large.pfm: as reflectance, 1 texel is outside of [0, 1], and limited"});
  }
}

}  // namespace
}  // namespace winnow
