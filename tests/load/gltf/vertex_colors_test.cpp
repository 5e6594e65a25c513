// SPDX-License-Identifier: MIT
// Colours of the vertices of a glTF, and its second set of texture coordinates.

#include <gtest/gtest.h>

#include "load/gltf/gltf.h"
#include "scene/vertex_attributes.h"
#include "tests/load/gltf/support/gltf_files.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

using nlohmann::json;

class GltfVertexColor : public GltfTest {
 protected:
  /// Writes a scene as .glb and reads it again.
  HostScene write_and_read(const HostScene& scene) const {
    write_glb(folder_ / "again.glb", scene);
    return load_gltf(folder_ / "again.glb");
  }
};

/// Models that are painted by vertex were white.
TEST_F(GltfVertexColor, MultipliesTheBaseColour) {
  auto expect_color = [&](const GltfFile& file, glm::vec4 color) {
    const HostScene scene = load_file(file);
    EXPECT_EQ(scene.warnings, std::vector<std::string>{});
    ASSERT_EQ(scene.colors.size(), 3u);
    EXPECT_EQ(scene.colors[1], color);
    EXPECT_TRUE(scene.materials.at(0).vertex_colors);
  };
  GltfFile floats = GltfFile::triangle(), bytes = floats, shorts = floats, plain = floats;
  floats.add_attribute("COLOR_0", {1, 0, 0, 0.25f, 0.5f, 1, 0, 0, 1}, "VEC3");
  expect_color(floats, {0.25f, 0.5f, 1, 1});
  bytes.add_attribute<uint8_t>("COLOR_0", {0, 0, 0, 255, 255, 51, 0, 102, 0, 0, 0, 255}, "VEC4",
                               kUnsignedByte, true);
  expect_color(bytes, {1, 0.2f, 0, 0.4f});
  shorts.add_attribute<uint16_t>("COLOR_0", {0, 0, 0, 65535, 13107, 0, 0, 0, 0}, "VEC3",
                                 kUnsignedShort, true);
  expect_color(shorts, {1, 0.2f, 0, 1});
  plain.add_attribute<uint8_t>("COLOR_0", {0, 0, 0, 255, 51, 0, 0, 0, 0}, "VEC3", kUnsignedByte);
  expect_color(plain, {1, 0.2f, 0, 1});  // not normalized, as it ought to be
}

TEST_F(GltfVertexColor, OfWhiteAreLeftOut) {
  GltfFile file = GltfFile::triangle();
  file.add_attribute("COLOR_0", std::vector<float>(12, 1.0f), "VEC4");
  const HostScene scene = load_file(file);
  EXPECT_TRUE(scene.colors.empty());
  EXPECT_FALSE(scene.materials.at(0).vertex_colors);
}

TEST_F(GltfVertexColor, HasCoverageOnlyWhereTheMaterialIsNotOpaque) {
  for (const char* mode : {"OPAQUE", "BLEND", "MASK"}) {
    GltfFile file = GltfFile::triangle();
    file.add_attribute("COLOR_0", {1, 1, 1, 0.5f, 1, 1, 1, 0, 1, 1, 1, 1}, "VEC4");
    file.json["materials"] = {{{"alphaMode", mode}}};
    file.primitive()["material"] = 0;
    const Material material = load_file(file).materials.at(0);
    EXPECT_TRUE(material.vertex_colors);
    EXPECT_EQ(material.vertex_alpha, mode != std::string("OPAQUE"));
  }
}

/// A material on two primitives, of which one has colours, is two materials.
TEST_F(GltfVertexColor, LeavesAMaterialAloneWhereAPrimitiveHasNone) {
  GltfFile file = GltfFile::triangle();
  file.json["materials"] = {{{"name", "paint"}}};
  file.primitive()["material"] = 0;
  const json plain = file.primitive();
  file.add_attribute("COLOR_0", {1, 0, 0, 0, 1, 0, 0, 0, 1}, "VEC3");
  file.json["meshes"][0]["primitives"].push_back(plain);
  const HostScene scene = load_file(file);
  ASSERT_EQ(scene.triangles.size(), 2u);
  EXPECT_TRUE(scene.materials.at(scene.triangle_materials[0]).vertex_colors);
  EXPECT_FALSE(scene.materials.at(scene.triangle_materials[1]).vertex_colors);
  EXPECT_EQ(scene.material_names, (std::vector<std::string>{"paint", "paint"}));
  EXPECT_EQ(scene.colors.at(scene.triangles[1].x), glm::vec4(1.0f));
}

TEST_F(GltfVertexColor, ShinesWhereTheMaterialIsUnlit) {
  GltfFile file = GltfFile::triangle();
  file.add_attribute("COLOR_0", {1, 0, 0, 0, 1, 0, 0, 0, 1}, "VEC3");
  file.json["materials"] = {{{"extensions", {{"KHR_materials_unlit", json::object()}}}}};
  file.primitive()["material"] = 0;
  const HostScene scene = load_file(file);
  EXPECT_TRUE(has_colored_emission(scene.materials.at(0)));
  const HostScene again = write_and_read(scene);
  EXPECT_TRUE(has_colored_emission(again.materials.at(0)));
  EXPECT_EQ(again.materials[0].emission, scene.materials[0].emission);

  file.json["materials"] = {{{"emissiveFactor", {1, 1, 1}},
                             {"pbrMetallicRoughness", {{"baseColorFactor", {0, 0, 0, 1}}}}}};
  EXPECT_FALSE(has_colored_emission(load_file(file).materials.at(0)))
      << "what glows on a black surface has its own colour";
}

TEST_F(GltfVertexColor, IsKeptInEveryPlaceOfAMesh) {
  GltfFile file = GltfFile::triangle();
  file.add_attribute("COLOR_0", {1, 0, 0, 0, 1, 0, 0, 0, 1}, "VEC3");
  file.json["nodes"] = {{{"mesh", 0}}, {{"mesh", 0}, {"translation", {0, 0, 7}}}};
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.instances.size(), 2u);
  EXPECT_EQ(scene.shared.colors.at(1), glm::vec4(0, 1, 0, 1));
}

TEST_F(GltfVertexColor, IsWrittenToGlb) {
  GltfFile file = GltfFile::triangle();
  file.add_attribute("COLOR_0", {1, 0, 0, 0.5f, 0, 1, 0, 0.25f, 0, 0, 1, 1}, "VEC4");
  file.json["materials"] = {{{"alphaMode", "BLEND"}}};
  file.primitive()["material"] = 0;
  const HostScene scene = load_file(file), again = write_and_read(scene);
  EXPECT_EQ(again.colors, scene.colors);
  EXPECT_TRUE(again.materials.at(0).vertex_colors);
  EXPECT_TRUE(again.materials.at(0).vertex_alpha);
}

/// A texel as an image of a glTF.
std::string texel_uri() {
  const std::string tga("\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\40\10abcd", 22);
  return "data:image/png;base64," + to_base64(tga);
}

/// A triangle with two sets of texture coordinates, and textures on both.
GltfFile file_of_two_sets(int set_of_color, int set_of_normal) {
  GltfFile file = GltfFile::triangle();
  file.add_attribute("TEXCOORD_0", {0, 0, 1, 0, 0, 1}, "VEC2");
  file.add_attribute("TEXCOORD_1", {0.5f, 0.5f, 0.75f, 0.5f, 0.5f, 0.25f}, "VEC2");
  file.json["images"] = {{{"uri", texel_uri()}}};
  file.json["textures"] = {{{"source", 0}}};
  file.json["materials"] = {{{"normalTexture", {{"index", 0}, {"texCoord", set_of_normal}}},
                             {"pbrMetallicRoughness",
                              {{"baseColorTexture", {{"index", 0}, {"texCoord", set_of_color}}}}}}};
  file.primitive()["material"] = 0;
  return file;
}

using GltfSecondUvs = GltfVertexColor;

/// Baked light and detail maps lay by the wrong coordinates.
TEST_F(GltfSecondUvs, LieBesideTheFirst) {
  for (const HostScene& scene :
       {load_file(file_of_two_sets(0, 1)), write_and_read(load_file(file_of_two_sets(0, 1)))}) {
    EXPECT_EQ(scene.warnings, std::vector<std::string>{});
    EXPECT_EQ(scene.uvs.at(1), glm::vec2(1, 0));
    EXPECT_EQ(scene.second_uvs.at(1), glm::vec2(0.75f, 0.5f));
    const MaterialTextures& textures = scene.materials.at(0).textures;
    EXPECT_FALSE(is_on_second_uvs(textures, TextureUse::kReflectance));
    EXPECT_TRUE(is_on_second_uvs(textures, TextureUse::kNormal));
    EXPECT_TRUE(has_second_tangents(textures));
  }
}

TEST_F(GltfSecondUvs, AreTheFirstWhereNoTextureUsesThose) {
  const HostScene scene = load_file(file_of_two_sets(1, 1));
  EXPECT_EQ(scene.uvs.at(1), glm::vec2(0.75f, 0.5f));
  EXPECT_TRUE(scene.second_uvs.empty());
  EXPECT_EQ(scene.materials.at(0).textures.on_second_uvs, 0u);
}

TEST_F(GltfSecondUvs, AreAtMostOne) {
  GltfFile file = file_of_two_sets(0, 1);
  file.json["materials"][0]["emissiveTexture"] = {{"index", 0}, {"texCoord", 2}};
  file.json["materials"][0]["emissiveFactor"] = {1, 1, 1};
  file.add_attribute("TEXCOORD_2", {0, 0, 1, 0, 0, 1}, "VEC2");
  const HostScene scene = load_file(file);
  expect_warnings(scene, {"use more than two sets of texture coordinates; the first is used"});
  const MaterialTextures& textures = scene.materials.at(0).textures;
  EXPECT_TRUE(is_on_second_uvs(textures, TextureUse::kEmission));
  EXPECT_FALSE(is_on_second_uvs(textures, TextureUse::kNormal)) << "the third of them";
}

TEST_F(GltfSecondUvs, AreNotSharedByPrimitivesThatUseOthers) {
  GltfFile file = file_of_two_sets(0, 1);
  file.add_attribute("TEXCOORD_2", {5, 5, 6, 6, 7, 7}, "VEC2");
  file.json["materials"].push_back(file.json["materials"][0]);
  file.json["materials"][1]["normalTexture"]["texCoord"] = 2;
  json second = file.primitive();
  second["material"] = 1;
  file.json["meshes"][0]["primitives"].push_back(second);
  const HostScene scene = load_file(file);
  ASSERT_EQ(scene.triangles.size(), 2u);
  EXPECT_EQ(scene.second_uvs.at(scene.triangles[0].y), glm::vec2(0.75f, 0.5f));
  EXPECT_EQ(scene.second_uvs.at(scene.triangles[1].y), glm::vec2(6, 6));
}

TEST_F(GltfSecondUvs, CarryTheCoverageOfTheBaseColour) {
  GltfFile file = file_of_two_sets(1, 0);
  file.json["materials"][0]["alphaMode"] = "BLEND";
  const HostScene scene = load_file(file);
  const MaterialTextures& textures = scene.materials.at(0).textures;
  ASSERT_NE(textures.alpha, kNoTexture);
  EXPECT_EQ(is_on_second_uvs(textures, TextureUse::kAlpha),
            is_on_second_uvs(textures, TextureUse::kReflectance));
}

}  // namespace
}  // namespace winnow
