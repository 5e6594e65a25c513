// SPDX-License-Identifier: MIT
#include "load/obj/mtl.h"

#include <gmock/gmock.h>

#include "tests/support/scene_files.h"

namespace winnow {
namespace {

using testing::HasSubstr;

MtlMap read(const std::string& text) {
  const std::string file = "m.mtl";
  StatementReader statements(text, file);
  statements.next();
  statements.next_word();
  return read_mtl_map(statements);
}

TEST(ReadMtlMap, ReadsAFileNameWithBlanksAndBackslashes) {
  EXPECT_EQ(read("map_Kd textures\\old wall.png").file, "textures/old wall.png");
}

TEST(ReadMtlMap, ReadsOptionsInAnyOrder) {
  const MtlMap map =
      read("map_Kd -blendu on -s 2 3 1 -mm 0 1 -o 0.5 0.25 -bm 0.7 -clamp on -imfchan r a.png");
  EXPECT_EQ(map.file, "a.png");
  EXPECT_EQ(map.strength, 0.7f);
  EXPECT_EQ(map.description.wrap_u, TextureWrap::kClamp);
  // The lower left corner of the surface, where v is 1, is at (0.5, 0.25) with v up.
  const glm::vec2 at = map.description.from_uv * glm::vec3(0.0f, 1.0f, 1.0f);
  EXPECT_FLOAT_EQ(at.x, 0.5f);
  EXPECT_FLOAT_EQ(at.y, 1.0f - 0.25f);
  const glm::vec2 opposite = map.description.from_uv * glm::vec3(1.0f, 0.0f, 1.0f);
  EXPECT_FLOAT_EQ(opposite.x, 2.5f);
  EXPECT_FLOAT_EQ(opposite.y, 1.0f - 3.25f);
}

TEST(ReadMtlMap, TakesOneNumberForUAlone) {
  const MtlMap map = read("map_Kd -s 4 a.png");
  EXPECT_EQ(map.file, "a.png");
  EXPECT_EQ(map.description.from_uv * glm::vec3(1.0f, 0.5f, 1.0f), glm::vec2(4.0f, 0.5f));
}

class MtlTextures : public SceneFiles {
 protected:
  /// A triangle of a material with these statements.
  HostScene load_material(const std::string& statements) const {
    write("m.mtl", "newmtl a b\n" + statements);
    return load("a.obj",
                "mtllib m.mtl\nusemtl a b\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.25 0.25\nvt 1 0\n"
                "vt 0 1\nf 1/1 2/2 3/3\n");
  }
};

TEST_F(MtlTextures, LieWhereTheFileSays) {
  write_texel("c.png", {200, 100, 50, 255});
  const HostScene scene = load_material("Kd 0.5 0.5 0.5\nmap_Kd c.png\n");
  const Material& material = scene.materials[0];
  EXPECT_EQ(material.type, MaterialType::kDiffuse);
  EXPECT_EQ(material.reflectance, glm::vec3(0.5f));
  ASSERT_NE(material.textures.reflectance, kNoTexture);
  EXPECT_EQ(scene.images[0].format, TexelFormat::kSrgb8);
  EXPECT_EQ(scene.uvs, (std::vector<glm::vec2>{{0.25f, 0.75f}, {1, 1}, {0, 0}}));
}

TEST_F(MtlTextures, ReplaceAFactorOfZero) {
  write_texel("c.png", {200, 100, 50, 255});
  const HostScene scene = load_material("Kd 0 0 0\nKe 0 0 0\nmap_Kd c.png\nmap_Ke c.png\n");
  EXPECT_EQ(scene.materials[0].reflectance, glm::vec3(1));
  EXPECT_EQ(scene.materials[0].emission, glm::vec3(1));
}

TEST_F(MtlTextures, PackRoughnessAndMetal) {
  write_texel("r.png", {50, 50, 50, 255});
  write_texel("m.png", {200, 200, 200, 255});
  const HostScene both = load_material("Kd 1 1 1\nmap_Pr r.png\nmap_Pm m.png\n");
  const Material& material = both.materials[0];
  EXPECT_EQ(material.type, MaterialType::kPrincipled);
  EXPECT_EQ(material.roughness, 1.0f);
  EXPECT_EQ(material.metallic, 1.0f);
  const TextureImage& packed =
      both.images[both.textures[material.textures.roughness_metallic].image];
  EXPECT_EQ(packed.texels[1], std::byte(50));
  EXPECT_EQ(packed.texels[2], std::byte(200));

  const HostScene rough = load_material("Kd 1 1 1\nmap_Pr r.png\n");
  EXPECT_EQ(rough.materials[0].metallic, 0.0f);
}

TEST_F(MtlTextures, DistinguishNormalMapsFromHeightMaps) {
  write_texel("n.png", {128, 120, 250, 255});
  write_texel("h.png", {128, 128, 128, 255});
  const HostScene normals = load_material("map_Bump -bm 0.5 n.png\n");
  EXPECT_NE(normals.materials[0].textures.normal, kNoTexture);
  EXPECT_EQ(normals.materials[0].normal_scale, 0.5f);
  EXPECT_TRUE(normals.warnings.empty());
  const HostScene heights = load_material("map_Bump h.png\n");
  EXPECT_EQ(heights.materials[0].textures.normal, kNoTexture);
  ASSERT_EQ(heights.warnings.size(), 1u);
  EXPECT_THAT(heights.warnings[0], HasSubstr("1 texture is of a kind that is not used"));
}

}  // namespace
}  // namespace winnow
