// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <cmath>

#include "image/srgb.h"
#include "load/mitsuba/mitsuba_xml.h"
#include "load/textures/texels.h"
#include "math/sampling.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

using testing::HasSubstr;

class MitsubaTextures : public SceneFiles {
 protected:
  MitsubaTextures() { write_texel("t.png", {10, 20, 30, 40}); }

  /// A rectangle of this <bsdf> under a light.
  HostScene load_bsdf(const std::string& bsdf) const {
    return load("a.xml", R"(<scene version="3.0.0"><shape type="rectangle">)" + bsdf +
                             R"(</shape><emitter type="constant"/></scene>)");
  }
};

TEST_F(MitsubaTextures, AreBitmapsOfColor) {
  const HostScene scene = load_bsdf(R"(<bsdf type="diffuse">
    <texture type="bitmap" name="reflectance">
      <string name="filename" value="t.png"/><string name="filter_type" value="nearest"/>
      <string name="wrap_mode" value="mirror"/>
      <transform name="to_uv"><scale x="2" y="3"/><translate x="0.5" y="0.25"/></transform>
    </texture></bsdf>)");
  const Material& material = scene.materials[0];
  EXPECT_EQ(material.reflectance, glm::vec3(1));
  ASSERT_EQ(material.textures.reflectance, 0u);
  EXPECT_EQ(scene.images[0].format, TexelFormat::kSrgb8);
  EXPECT_EQ(scene.textures[0].filter, TextureFilter::kNearest);
  EXPECT_EQ(scene.textures[0].wrap_u, TextureWrap::kMirror);
  EXPECT_EQ(scene.textures[0].from_uv * glm::vec3(1, 1, 1), glm::vec2(2.5f, 3.25f));
  EXPECT_TRUE(scene.warnings.empty());
}

TEST_F(MitsubaTextures, AreDataWhereTheyAreRaw) {
  const HostScene scene = load_bsdf(R"(<bsdf type="plastic">
    <texture type="bitmap" name="diffuse_reflectance">
      <string name="filename" value="t.png"/><boolean name="raw" value="true"/>
    </texture></bsdf>)");
  EXPECT_NE(scene.materials[0].textures.reflectance, kNoTexture);
  EXPECT_EQ(scene.images[0].format, TexelFormat::kLinear8);
}

TEST_F(MitsubaTextures, AreCheckerboards) {
  const HostScene scene = load_bsdf(R"(<bsdf type="twosided"><bsdf type="diffuse">
    <texture type="checkerboard" name="reflectance">
      <rgb name="color0" value="0.5, 0.25, 0"/><transform name="to_uv"><scale value="4"/></transform>
    </texture></bsdf></bsdf>)");
  ASSERT_NE(scene.materials[0].textures.reflectance, kNoTexture);
  EXPECT_EQ(scene.images[0].width, 2u);
  EXPECT_EQ(scene.textures[0].from_uv[0].x, 4.0f);
}

TEST_F(MitsubaTextures, AreWhatALightShows) {
  const HostScene scene = load_bsdf(R"(<emitter type="area"><texture type="scale" name="radiance">
      <float name="scale" value="7"/>
      <texture type="bitmap"><string name="filename" value="t.png"/></texture>
    </texture></emitter>)");
  const Material& light = scene.materials[scene.triangle_materials[0]];
  EXPECT_EQ(light.emission, glm::vec3(7));
  EXPECT_EQ(light.textures.emission, 0u);
  EXPECT_EQ(scene.materials[scene.triangle_materials[2]].textures.emission, kNoTexture);
  EXPECT_TRUE(scene.warnings.empty());
}

// The green of a normal map points to the left of u in Mitsuba, and against v in Winnow; on a
// rectangle these directions are opposite.
TEST_F(MitsubaTextures, PointAsInMitsubaIfTheyAreNormalMaps) {
  const HostScene scene = load("a.xml", R"(<scene version="3.0.0">
    <bsdf type="normalmap" id="bumps">
      <texture type="bitmap" name="normalmap"><string name="filename" value="t.png"/>
        <boolean name="raw" value="true"/></texture>
      <bsdf type="diffuse"/></bsdf>
    <shape type="sphere"><ref id="bumps"/></shape>
    <shape type="rectangle"><ref id="bumps"/></shape>
    <shape type="rectangle"><transform name="to_world"><scale x="-1"/></transform>
      <ref id="bumps"/></shape>
    <emitter type="constant"/></scene>)");
  auto green = [&](uint32_t material) {
    const uint32_t texture = scene.materials[material].textures.normal;
    return int(scene.images[scene.textures[texture].image].texels[1]);
  };
  EXPECT_EQ(green(scene.spheres[0].material), 20);
  EXPECT_EQ(green(scene.triangle_materials[0]), 255 - 20);
  EXPECT_EQ(green(scene.triangle_materials[2]), 20);
  EXPECT_EQ(scene.materials.size(), 2u);
}

/// Halves of a model often share their texture, so that one of them has mirrored coordinates.
TEST_F(MitsubaTextures, AreTurnedWhereCoordinatesAreMirroredIfTheyAreNormalMaps) {
  write("halves.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv -1 0 0\nv 0 -1 0\nvt 0 0\nvt 1 0\nvt 0 1\nvt 0 -1\n"
        "f 1/1 2/2 3/3\nf 1/1 3/3 4/2\nf 1/1 5/4 2/2\n");
  const std::string mapped = R"(<bsdf type="normalmap"><texture type="bitmap" name="normalmap">
    <string name="filename" value="t.png"/><boolean name="raw" value="true"/></texture>
    <bsdf type="diffuse"/></bsdf>)";
  for (const std::string& bsdf :
       {mapped, R"(<bsdf type="blendbsdf"><float name="weight" value="0.9"/>
                     <bsdf type="dielectric"/>)" +
                    mapped + "</bsdf>"}) {
    SCOPED_TRACE(bsdf);
    const HostScene scene =
        load("a.xml", R"(<scene version="3.0.0"><shape type="obj">
      <string name="filename" value="halves.obj"/>)" +
                          bsdf + R"(</shape><emitter type="constant"/></scene>)");
    ASSERT_EQ(scene.triangles.size(), 3u);
    for (size_t i = 0; i < 3; ++i) {
      float left = 0.0f;
      for (int corner = 0; corner < 3; ++corner)
        left = std::min(left, scene.positions[scene.triangles[i][corner]].x);
      const uint32_t texture = scene.materials[scene.triangle_materials[i]].textures.normal;
      EXPECT_EQ(int(scene.images[scene.textures[texture].image].texels[1]),
                left < 0.0f ? 255 - 20 : 20);
    }
  }
  const HostScene unmapped =
      load("a.xml", R"(<scene version="3.0.0"><shape type="obj">
        <string name="filename" value="halves.obj"/>
        <bsdf type="blendbsdf"><float name="weight" value="0.1"/><bsdf type="dielectric"/>)" +
                        mapped + R"(</bsdf></shape><emitter type="constant"/></scene>)");
  EXPECT_EQ(unmapped.positions.size(), 5u);
  EXPECT_EQ(unmapped.object_starts.size(), 1u);
}

TEST_F(MitsubaTextures, AreGreyWhereTheyAreMissing) {
  const HostScene scene = load_bsdf(R"(<bsdf type="diffuse">
    <texture type="bitmap" name="reflectance"><string name="filename" value="no.png"/></texture>
    </bsdf>)");
  EXPECT_EQ(scene.materials[0].reflectance, glm::vec3(0.5f));
  EXPECT_EQ(scene.materials[0].textures.reflectance, kNoTexture);
  expect_warnings(scene, {R"(the image "no.png" is missing; grey 0.5 is used)"});
}

TEST_F(MitsubaTextures, AreMasksAndNormalMaps) {
  const HostScene masked = load_bsdf(R"(<bsdf type="mask"><float name="opacity" value="0.3"/>
    <bsdf type="diffuse"/></bsdf>)");
  EXPECT_FLOAT_EQ(masked.materials[0].alpha, 0.3f);
  const HostScene holes = load_bsdf(R"(<bsdf type="mask">
    <texture type="bitmap" name="opacity"><string name="filename" value="t.png"/></texture>
    <bsdf type="diffuse"/></bsdf>)");
  const uint32_t alpha = holes.materials[0].textures.alpha;
  ASSERT_NE(alpha, kNoTexture);
  const TextureImage& coverage = holes.images[holes.textures[alpha].image];
  const float grey = luminance({invert_tone_map(10), invert_tone_map(20), invert_tone_map(30)});
  EXPECT_NEAR(linear_texel(coverage, 0).a, grey, 1e-5f);  // 8 bits would be too few in the dark
  for (const bool is_raw : {false, true}) {
    const HostScene bent =
        load_bsdf(std::string(R"(<bsdf type="normalmap">
      <texture type="bitmap" name="normalmap"><string name="filename" value="t.png"/>
      <boolean name="raw" value=")") +
                  (is_raw ? "true" : "false") + R"("/></texture><bsdf type="diffuse"/></bsdf>)");
    EXPECT_NE(bent.materials[0].textures.normal, kNoTexture);
    EXPECT_EQ(bent.materials[0].normal_mapping, NormalMapping::kShadowed);
    EXPECT_EQ(bent.images[0].format, is_raw ? TexelFormat::kLinear8 : TexelFormat::kSrgb8);
  }
}

/// v = 0 is the lower edge of the rectangle in Mitsuba, and the top of the image.
TEST_F(MitsubaTextures, LieOnARectangleFromItsLowerEdge) {
  const HostScene scene = load_bsdf(R"(<bsdf type="diffuse"/>)");
  for (size_t i = 0; i < scene.positions.size(); ++i)
    EXPECT_EQ(scene.uvs[i], 0.5f * glm::vec2(scene.positions[i]) + 0.5f);
}

}  // namespace
}  // namespace winnow
