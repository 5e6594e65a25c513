// SPDX-License-Identifier: MIT
#include "load/obj/mtl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "tests/support/scene_files.h"

namespace winnow {
namespace {

/// Converts one MTL material.
Material material_of(const std::string& lines, size_t* out_of_range = nullptr) {
  std::istringstream text("newmtl m\n" + lines + "\n");
  std::map<std::string, int> ids;
  std::vector<tinyobj::material_t> materials;
  std::string warnings, errors;
  tinyobj::LoadMtl(&ids, &materials, &text, &warnings, &errors);
  size_t count = 0;
  Material material = make_material(materials.at(0), count);
  if (out_of_range) *out_of_range = count;
  return material;
}

TEST(MakeMaterial, IsDiffuseAtFirst) {
  for (const char* more : {"Ks 0 0 0", "Ks 0.005 0 0", "Ks 1 1 1\nNs 0", "Ks 1 1 1\nillum 1"})
    EXPECT_EQ(material_of(std::string("Kd 1 1 1\nNs 100\nillum 2\n") + more).type,
              MaterialType::kDiffuse)
        << more;
  Material material = material_of("Kd 0.1 0.2 0.3\nNs 100\nillum 2\nNi 1.45\nd 1");
  EXPECT_EQ(material.type, MaterialType::kDiffuse);
  EXPECT_EQ(material.reflectance, glm::vec3(0.1f, 0.2f, 0.3f));
  EXPECT_EQ(material.emission, glm::vec3(0));
}

TEST(MakeMaterial, Emits) {
  EXPECT_EQ(material_of("Kd 0 0 0\nKe 1 20 3").emission, glm::vec3(1, 20, 3));
}

TEST(MakeMaterial, FindsMirrors) {
  for (const char* illum : {"illum 3", "illum 5"}) {
    Material material = material_of(std::string("Kd 0.5 0.5 0.5\nKs 0.9 0.8 0.7\n") + illum);
    EXPECT_EQ(material.type, MaterialType::kMirror);
    EXPECT_EQ(material.reflectance, glm::vec3(0.9f, 0.8f, 0.7f));
  }
  EXPECT_EQ(material_of("Kd 0.5 0.5 0.5\nillum 3").type, MaterialType::kDiffuse);
}

TEST(MakeMaterial, FindsGlass) {
  for (const char* lines : {"illum 4\nNi 1.33", "illum 6\nNi 1.33", "illum 7\nNi 1.33",
                            "illum 9\nNi 1.33", "d 0.2\nNi 1.33", "Tr 0.8\nNi 1.33"}) {
    Material material = material_of(lines);
    EXPECT_EQ(material.type, MaterialType::kDielectric) << lines;
    EXPECT_EQ(material.ior, 1.33f);
    EXPECT_EQ(material.reflectance, glm::vec3(1));
  }
  EXPECT_EQ(material_of("illum 7\nd 0.5").ior, 1.5f);
  EXPECT_EQ(material_of("illum 7\nNi 0.667").ior, 0.667f) << "a bubble";
  EXPECT_EQ(material_of("illum 7\nTf 0.5 0.6 0.7").reflectance, glm::vec3(0.5f, 0.6f, 0.7f));
  EXPECT_EQ(material_of("Kd 1 1 1\nd 0.5").type, MaterialType::kDiffuse);
}

/// An often used Cornell box has illum 4 everywhere.
TEST(MakeMaterial, ObjectsOfIllum4WithoutRefractionAreVisible) {
  for (const char* model : {"illum 4", "illum 6", "illum 7", "illum 9"})
    for (const char* neutral : {"", "\nNi 1", "\nNi 1.0\nd 1\nTf 1 1 1", "\nTf 0 0 0"}) {
      const std::string lines = std::string("Kd 0.5 0.1 0.2\n") + model + neutral;
      const Material material = material_of(lines);
      EXPECT_EQ(material.type, MaterialType::kDiffuse) << lines;
      EXPECT_EQ(material.reflectance, glm::vec3(0.5f, 0.1f, 0.2f));
    }
  EXPECT_EQ(material_of("illum 7\nPr 0.2").transmission, 0.0f);
}

TEST(MakeMaterial, ShowsHighlightsOfIllum2) {
  const Material material = material_of("Kd 0.1 0.2 0.3\nKs 0.5 0.25 0\nNs 198\nillum 2\nNi 1.45");
  EXPECT_EQ(material.type, MaterialType::kPrincipled);
  EXPECT_EQ(material.reflectance, glm::vec3(0.1f, 0.2f, 0.3f));
  EXPECT_EQ(material.specular, glm::vec3(1, 0.5f, 0));
  EXPECT_NEAR(material.ior, 1.5f, 1e-6f);  // reflects 4 %
  EXPECT_NEAR(material.roughness * material.roughness, std::sqrt(2.0f / 200.0f), 1e-6f);
  EXPECT_EQ(material.metallic, 0.0f);
}

TEST(MakeMaterial, FindsMetal) {
  Material pbr = material_of("Kd 1 0.8 0.3\nPm 1\nPr 0.25");
  EXPECT_EQ(pbr.type, MaterialType::kPrincipled);
  EXPECT_EQ(pbr.reflectance, glm::vec3(1, 0.8f, 0.3f));
  EXPECT_EQ(pbr.roughness, 0.25f);
  EXPECT_EQ(pbr.metallic, 1.0f);

  Material phong = material_of("Kd 0 0 0\nKs 0.7 0.6 0.5\nNs 198");
  EXPECT_EQ(phong.type, MaterialType::kConductor);
  EXPECT_EQ(phong.reflectance, glm::vec3(0.7f, 0.6f, 0.5f));
  EXPECT_NEAR(phong.roughness * phong.roughness, std::sqrt(2.0f / 200.0f), 1e-6f);
}

TEST(MakeMaterial, ReadsThePbrExtension) {
  Material all =
      material_of("Kd 1 0.8 0.3\nPr 0.25\nPm 0.3\nPs 0.7\nPc 0.6\nPcr 0.1\naniso 0.4\nNi 1.3");
  EXPECT_EQ(all.type, MaterialType::kPrincipled);
  EXPECT_EQ(all.metallic, 0.3f);
  EXPECT_EQ(all.sheen, glm::vec3(0.7f));
  EXPECT_EQ(all.coat, 0.6f);
  EXPECT_EQ(all.coat_roughness, 0.1f);
  EXPECT_EQ(all.anisotropy, 0.4f);
  EXPECT_EQ(all.ior, 1.3f);
  EXPECT_EQ(all.transmission, 0.0f);
  Material glass = material_of("Pr 0.25\nillum 7\nTf 0.9 1 0.9");
  EXPECT_EQ(glass.transmission, 1.0f);
  EXPECT_EQ(glass.reflectance, glm::vec3(0.9f, 1.0f, 0.9f));
}

TEST(MakeMaterial, ClampsValuesToTheirRange) {
  size_t count = 0;
  Material material = material_of("Kd 2 0.5 -1\nKe -1 0 0", &count);
  EXPECT_EQ(material.reflectance, glm::vec3(1, 0.5f, 0));
  EXPECT_EQ(material.emission, glm::vec3(0));
  EXPECT_EQ(count, 2u);
}

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
  const HostScene heights = load_material("map_Bump -bm 0.5 h.png\n");
  ASSERT_NE(heights.materials[0].textures.normal, kNoTexture);
  EXPECT_EQ(heights.materials[0].normal_scale, 1.0f);
  const TextureImage& flat =
      heights.images[heights.textures[heights.materials[0].textures.normal].image];
  EXPECT_EQ(flat.texels, (std::vector<std::byte>{std::byte(128), std::byte(128), std::byte(255),
                                                 std::byte(255)}));
  EXPECT_TRUE(heights.warnings.empty());
}

TEST_F(MtlTextures, ScaleHighlightsByTheirMeans) {
  write_texel("s.png", {255, 255, 0, 255});
  write_texel("n.png", {51, 51, 51, 255});
  const HostScene scene =
      load_material("Kd 1 1 1\nKs 0.5 0.5 0.5\nNs 100\nillum 2\nmap_Ks s.png\nmap_Ns n.png\n");
  EXPECT_EQ(scene.materials[0].specular, glm::vec3(1, 1, 0));
  EXPECT_NEAR(std::pow(scene.materials[0].roughness, 4.0f), 2.0f / (0.2f * 100.0f + 2.0f), 1e-4f);
  expect_warnings(scene, {"2 textures (map_Ks or map_Ns) are used by their means"});

  const HostScene diffuse = load_material("Kd 1 1 1\nmap_Ks s.png\n");
  EXPECT_EQ(diffuse.materials[0].type, MaterialType::kDiffuse);
  expect_warnings(diffuse, {"1 texture is of a kind that is not used"});
}

/// A black rubber of Blender, which as plain MTL is chrome.
TEST_F(MtlTextures, TakeIllum3OfBlenderForAMetallicValue) {
  const std::string kRubber = "Ns 360\nKa 0.6 0.6 0.6\nKd 0.01 0.02 0.02\nKs 1 1 1\nillum 3\n";
  const Material mirror = load_material(kRubber).materials[0];
  EXPECT_EQ(mirror.type, MaterialType::kMirror);
  write("b.mtl", "# Blender MTL File: 'a.blend'\nnewmtl rubber\n" + kRubber);
  const HostScene scene =
      load("b.obj", "mtllib b.mtl\nusemtl rubber\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2\n");
  const Material& rubber = scene.materials[0];
  EXPECT_EQ(rubber.type, MaterialType::kPrincipled);
  EXPECT_EQ(rubber.reflectance, glm::vec3(0.01f, 0.02f, 0.02f));
  EXPECT_NEAR(rubber.metallic, 0.6f, 1e-6f);
  EXPECT_NEAR(rubber.roughness, 0.4f, 1e-6f);
  expect_warnings(scene, {"1 point or line is left out"});
}

TEST_F(MtlTextures, OfMetalReplaceAFactorOfZero) {
  write_texel("m.png", {200, 200, 200, 255});
  for (const char* lines : {"Pr 0.5\nPm 0\n", "Ks 0.5 0.5 0.5\nNs 100\nillum 2\n"})
    EXPECT_EQ(load_material(std::string("Kd 1 1 1\nmap_Pm m.png\n") + lines).materials[0].metallic,
              1.0f)
        << lines;
}

}  // namespace

}  // namespace winnow
