// SPDX-License-Identifier: MIT
#include "load/obj/mtl.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

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
  Material material = material_of("Kd 0.1 0.2 0.3\nKs 0.5 0.5 0.5\nNs 100\nillum 2\nNi 1.45\nd 1");
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
  EXPECT_EQ(material_of("illum 7").ior, 1.5f);
  EXPECT_EQ(material_of("illum 7\nTf 0.5 0.6 0.7").reflectance, glm::vec3(0.5f, 0.6f, 0.7f));
  EXPECT_EQ(material_of("Kd 1 1 1\nd 0.5").type, MaterialType::kDiffuse);
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

}  // namespace
}  // namespace winnow
