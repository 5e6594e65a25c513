// SPDX-License-Identifier: MIT
#include "load/obj/mtl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "load/obj/obj.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

/// Converts one MTL material.
Material material_of(const std::string& lines, MtlNotes* notes = nullptr,
                     const std::string& header = "") {
  MtlLibraries libraries;
  parse_mtl(header + "newmtl m\n" + lines + "\n", "m.mtl", "", libraries);
  MtlNotes own;
  return make_material(libraries.materials.at(0), notes ? *notes : own);
}

/// Converts a material of a file that Blender wrote.
Material blender_material_of(const std::string& lines, MtlNotes* notes = nullptr,
                             const std::string& version = "5.3.0 ") {
  return material_of(lines, notes, "# Blender " + version + "MTL File: 'None'\n");
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
  MtlNotes notes;
  material_of("Kd 0 0 0\nKs 0.9 0.8 0.7\nillum 3", &notes);
  EXPECT_THAT(notes.warnings.lines(), testing::IsEmpty());
  EXPECT_EQ(material_of("Kd 0.5 0.5 0.5\nillum 3").type, MaterialType::kDiffuse);
}

TEST(MakeMaterial, FindsGlass) {
  for (const char* lines : {"illum 4\nNi 1.33", "illum 6\nNi 1.33", "illum 7\nNi 1.33",
                            "illum 9\nNi 1.33", "illum 9\nd 0.2\nNi 1.33"}) {
    Material material = material_of(lines);
    EXPECT_EQ(material.type, MaterialType::kDielectric) << lines;
    EXPECT_EQ(material.ior, 1.33f);
    EXPECT_EQ(material.reflectance, glm::vec3(1));
    EXPECT_EQ(material.alpha, 1.0f);
  }
  EXPECT_EQ(material_of("illum 7\nNi 0.667").ior, 0.667f) << "a bubble";
  const Material tinted = material_of("illum 7\nTf 0.5 0.6 0.7");
  EXPECT_EQ(tinted.reflectance, glm::vec3(0.5f, 0.6f, 0.7f));
  EXPECT_EQ(tinted.ior, 1.5f);
  MtlNotes notes;
  material_of("illum 7\nNi 1.5\nd 0.3", &notes);
  EXPECT_THAT(notes.warnings.lines(), testing::ElementsAre(testing::HasSubstr("d is not used")));
}

/// A half transparent sheet hid what was behind it.
TEST(MakeMaterial, TakesDissolveForCoverage) {
  struct Case {
    const char* lines;
    float alpha;
    MaterialType type;
  };
  for (const Case& sheet : std::vector<Case>{
           {"d 0.5", 0.5f, MaterialType::kDiffuse},
           {"Tr 0.5", 0.5f, MaterialType::kDiffuse},
           {"Tr 0.25", 0.75f, MaterialType::kDiffuse},
           {"d 0.3\nTr 0.9", 0.3f, MaterialType::kDiffuse},
           {"Tr 0.9\nd 0.3", 0.3f, MaterialType::kDiffuse},
           {"d 0.5\nillum 1", 0.5f, MaterialType::kDiffuse},
           {"d 0.5\nillum 2\nKs 0.5 0.5 0.5\nNs 100", 0.5f, MaterialType::kPrincipled},
           {"d 0.5\nNi 1.0", 0.5f, MaterialType::kDiffuse},
           {"d 0.5\nNi 1.5", 0.5f, MaterialType::kDiffuse},
           {"d 0.5\nNi 1.5\nillum 2", 0.5f, MaterialType::kDiffuse},
           {"d 0.5\nillum 4\nNi 1.0", 0.5f, MaterialType::kDiffuse},
           {"d 0.5\nillum 9", 0.5f, MaterialType::kDiffuse},
           {"d 0.5\nPr 0.5", 0.5f, MaterialType::kPrincipled},
           {"d 0.5\nKd 0 0 0\nKs 0.9 0.9 0.9\nNs 100", 0.5f, MaterialType::kConductor},
           {"d 0.5\nillum 3\nKs 0.9 0.9 0.9", 0.5f, MaterialType::kMirror},
           {"d 0", 0.0f, MaterialType::kDiffuse},
           {"Tr 1", 0.0f, MaterialType::kDiffuse},
           {"Tr 1\nd 1", 1.0f, MaterialType::kDiffuse},
           {"d 1", 1.0f, MaterialType::kDiffuse},
           {"d -halo 0.5", 0.5f, MaterialType::kDiffuse}}) {
    const Material material = material_of(std::string("Kd 0.8 0 0\n") + sheet.lines);
    EXPECT_FLOAT_EQ(material.alpha, sheet.alpha) << sheet.lines;
    EXPECT_EQ(material.type, sheet.type) << sheet.lines;
  }
}

TEST(MakeMaterial, WarnsOfWhatItDoesNotUse) {
  for (const auto& [lines, warning] : std::vector<std::pair<const char*, const char*>>{
           {"d -halo 0.5", "material \"m\": d -halo is read as d"},
           {"Tr 1", "material \"m\": it is invisible"},
           {"d 0", "material \"m\": it is invisible"},
           {"d 0.5\nTr 0.25", "its d and Tr, which should add up to 1, disagree; d is used"},
           {"Tr 1\nd 1", "its d and Tr, which should add up to 1, disagree; d is used"},
           {"Tf 0.5 0.2 0.1", "Tf or Kt is not used without illum 4, 6, 7 or 9"},
           {"Kt 0.5 0.2 0.1\nillum 2", "Tf or Kt is not used without illum 4, 6, 7 or 9"},
           {"illum 10", "illum is not used: it is not from 0 to 9"},
           {"illum -1", "illum is not used: it is not from 0 to 9"},
           {"illum 3\nKs 0.5 0.5 0.5", "Kd is not used"}}) {
    MtlNotes notes;
    material_of(std::string("Kd 1 1 1\n") + lines, &notes);
    EXPECT_THAT(notes.warnings.lines(), testing::ElementsAre(testing::HasSubstr(warning)));
  }
  MtlNotes notes;
  material_of("Kd 1 1 1\nd 0.5\nTr 0.5\nTf 1 1 1\nillum 2", &notes);
  material_of("Kd 1 1 1\nd 1\nTf 0 0 0", &notes);
  EXPECT_THAT(notes.warnings.lines(), testing::IsEmpty());
  EXPECT_EQ(material_of("d 1.5", &notes).alpha, 1.0f);
  EXPECT_EQ(notes.out_of_range_count, 1u);
}

TEST(MakeMaterial, IsGreyWithoutAnyColor) {
  for (const char* lines : {"", "Ka 1 1 1", "Ks 0 0 0\nNs 100\nillum 2", "d 0.5", "Pr 0.5"}) {
    MtlNotes notes;
    EXPECT_EQ(material_of(lines, &notes).reflectance, glm::vec3(kMtlGrey)) << lines;
    EXPECT_THAT(notes.warnings.lines(),
                testing::ElementsAre(testing::HasSubstr("it has no Kd; it is grey")));
  }
  for (const char* lines : {"Kd 0 0 0", "Ke 5 5 5", "Ka 20 20 20", "map_Ke t.png"}) {
    MtlNotes notes;
    EXPECT_EQ(material_of(lines, &notes).reflectance, glm::vec3(0.0f)) << lines;
    EXPECT_THAT(notes.warnings.lines(), testing::IsEmpty());
  }
}

TEST(MakeMaterial, HasHighlightsWithoutIllum) {
  EXPECT_EQ(material_of("Kd 0.5 0.5 0.5\nKs 0.5 0.5 0.5\nNs 100").type, MaterialType::kPrincipled);
  EXPECT_EQ(material_of("Kd 0.5 0.5 0.5\nKs 0.5 0.5 0.5\nNs 1").type, MaterialType::kDiffuse);
}

TEST(ParseMtl, TakesTheFirstOfSeveralMaterialsWithOneName) {
  MtlLibraries libraries;
  parse_mtl("newmtl m\nKd 1 0 0\nnewmtl m\nKd 0 1 0\nPr 0.5\nmap_Kd t.png\n", "m.mtl", "",
            libraries);
  MtlNotes notes;
  const MtlMaterial& first = libraries.materials.at(size_t(libraries.ids.at("m")));
  EXPECT_EQ(make_material(first, notes).type, MaterialType::kDiffuse);
  EXPECT_EQ(make_material(first, notes).reflectance, glm::vec3(1, 0, 0));
  EXPECT_FALSE(first.maps.color);
  EXPECT_THAT(libraries.warnings, testing::ElementsAre(testing::HasSubstr(
                                      "m.mtl:3: newmtl is ignored: a material of the same name")));
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

/// A lacquer of roughness 0 was matte.
TEST(MakeMaterial, TakesZerosOfThePbrExtensionForValues) {
  for (const char* lines : {"Pr 0", "Pr 0\nPm 0\nPs 0\nPc 0\nPcr 0.03\naniso 0\nanisor 0"}) {
    const Material material = material_of(std::string("Kd 0.3 0.3 0.3\nNi 1.5\n") + lines);
    EXPECT_EQ(material.type, MaterialType::kPrincipled) << lines;
    EXPECT_EQ(material.roughness, 0.0f);
    EXPECT_EQ(material.ior, 1.5f);
  }
  EXPECT_EQ(material_of("Pm 0\nNs 198").type, MaterialType::kPrincipled);
  EXPECT_NEAR(material_of("Pm 0\nNs 198").roughness, std::pow(0.01f, 0.25f), 1e-6f);
  EXPECT_EQ(material_of("Pr 0\nKd 0 0 0\nKs 0.5 0.5 0.5").type, MaterialType::kPrincipled);
}

TEST(MakeMaterial, ClampsValuesToTheirRange) {
  MtlNotes notes;
  Material material = material_of("Kd 2 0.5 -1\nKe -1 0 0", &notes);
  EXPECT_EQ(material.reflectance, glm::vec3(1, 0.5f, 0));
  EXPECT_EQ(material.emission, glm::vec3(0));
  EXPECT_EQ(notes.out_of_range_count, 2u);
}

// ---- Files of Blender. ----

/// Blender writes Ks 0.5 and illum 2 for every surface that is not metallic.
TEST(BlenderMaterial, OfBlackPlasticIsNoMetal) {
  for (const char* version : {"5.3.0 ", "4.5.15 ", "4.2.1 ", "3.6.0 ", ""}) {
    const Material tyre = blender_material_of(
        "Ns 250\nKa 1 1 1\nKd 0 0 0\nKs 0.5 0.5 0.5\nKe 0 0 0\nNi 1.5\nd 1\nillum 2", nullptr,
        version);
    EXPECT_EQ(tyre.type, MaterialType::kPrincipled) << version;
    EXPECT_EQ(tyre.metallic, 0.0f);
    EXPECT_EQ(tyre.reflectance, glm::vec3(0.0f));
    EXPECT_NEAR(tyre.ior, 1.5f, 1e-5f);  // reflects 0.04
    EXPECT_NEAR(tyre.roughness, 0.5f, 1e-6f);
  }
}

/// Specular IOR Level scales the reflectance at normal incidence.
TEST(BlenderMaterial, HasTheReflectanceOfItsLevel) {
  auto reflectance = [](const std::string& lines, const std::string& version) {
    const Material material = blender_material_of(lines + "\nillum 2", nullptr, version);
    const float amplitude = (material.ior - 1.0f) / (material.ior + 1.0f);
    return material.specular.x * amplitude * amplitude;
  };
  for (const char* version : {"5.3.0 ", "4.0.0 "}) {
    EXPECT_NEAR(reflectance("Ks 1 1 1\nNi 1.5", version), 0.08f, 1e-6f);
    EXPECT_NEAR(reflectance("Ks 0.25 0.25 0.25\nNi 1.5", version), 0.02f, 1e-6f);
    EXPECT_NEAR(reflectance("Ks 0.5 0.5 0.5\nNi 1.8", version), 0.0816327f, 1e-6f);
    EXPECT_EQ(reflectance("Ks 0.5 0.5 0.5\nNi 1", version), 0.0f);
    EXPECT_EQ(reflectance("Ks 0 0 0\nNi 1.5", version), 0.0f);
  }
  EXPECT_NEAR(reflectance("Ks 0.5 0.5 0.5\nNi 1.8", "3.6.2 "), 0.04f, 1e-6f);
  EXPECT_EQ(blender_material_of("Kd 0.8 0.8 0.8\nKs 0 0 0\nNi 1.5\nillum 1").type,
            MaterialType::kDiffuse);
}

/// A red foil became clear glass.
TEST(BlenderMaterial, CoversByItsAlpha) {
  for (const char* lines : {"illum 9", "illum 1\nKs 0 0 0", "illum 6\nKa 0.5 0.5 0.5",
                            "illum 9\nPr 0.5\nPm 0", "illum 1\nPr 0.5\nPm 0"}) {
    const Material foil = blender_material_of(
        std::string("Ns 250\nKd 0.8 0.05 0.05\nKs 0.5 0.5 0.5\nNi 1.5\nd 0.5\n") + lines);
    EXPECT_EQ(foil.alpha, 0.5f) << lines;
    EXPECT_EQ(foil.transmission, 0.0f) << lines;
    EXPECT_EQ(foil.reflectance, glm::vec3(0.8f, 0.05f, 0.05f)) << lines;
  }
}

TEST(BlenderMaterial, HasTheRoughnessOfNsAndPr) {
  for (const auto& [lines, roughness] :
       std::vector<std::pair<const char*, float>>{{"Ns 250\nillum 2", 0.5f},
                                                  {"Ns 1000\nillum 2", 0.0f},
                                                  {"Ns 0\nillum 2", 1.0f},
                                                  {"Ns 810\nillum 9", 0.1f},
                                                  {"Ns 250\nillum 1", 0.5f},
                                                  {"Ns 360\nillum 3", 0.4f},
                                                  {"Ns 1500\nillum 2", 0.0f},
                                                  {"Pr 0\nillum 2", 0.0f},
                                                  {"Pr 0.01\nillum 2", 0.01f},
                                                  {"Pr 0.7\nNs 250\nillum 2", 0.7f}})
    EXPECT_NEAR(blender_material_of(std::string("Ks 0.5 0.5 0.5\nNi 1.5\n") + lines).roughness,
                roughness, 1e-6f)
        << lines;
}

TEST(BlenderMaterial, IsMetallicByIllumAndKaOrPm) {
  for (const auto& [lines, metallic] :
       std::vector<std::pair<const char*, float>>{{"Ka 1 1 1\nillum 2", 0.0f},
                                                  {"Ka 1 1 1\nillum 3", 1.0f},
                                                  {"Ka 0.6 0.6 0.6\nillum 3", 0.6f},
                                                  {"Ka 0.6 0.6 0.6\nillum 6", 0.6f},
                                                  {"Ka 0.6 0.6 0.6\nKs 0 0 0\nillum 1", 0.6f},
                                                  {"Ka 1 1 1\nKs 0 0 0\nillum 1", 0.0f},
                                                  {"Ka 1 1 1\nillum 9", 0.0f},
                                                  {"Pr 0.5\nPm 1\nKs 0 0 0\nillum 1", 1.0f},
                                                  {"Pr 0.5\nPm 0\nillum 3", 0.0f}})
    EXPECT_NEAR(
        blender_material_of(std::string("Kd 1 0.8 0.3\nKs 0.5 0.5 0.5\nNi 1.5\n") + lines).metallic,
        metallic, 1e-6f)
        << lines;
}

TEST(BlenderMaterial, ReadsThePbrExtension) {
  const std::string kStart = "Kd 0.25 1 0.25\nKs 0.5 0.5 0.5\nNi 1.45\nillum 2\n";
  const Material glass = blender_material_of(kStart + "Pr 0\nPm 0\nTf 1 1 1");
  EXPECT_EQ(glass.transmission, 1.0f);
  EXPECT_EQ(glass.roughness, 0.0f);
  EXPECT_EQ(glass.ior, 1.45f);
  EXPECT_EQ(glass.reflectance, glm::vec3(0.5f, 1.0f, 0.5f));  // at each of two surfaces

  MtlNotes notes;
  const Material half = blender_material_of(kStart + "Pr 0.3\nTf 0.5 0.5 0.5", &notes);
  EXPECT_EQ(half.transmission, 0.5f);
  EXPECT_EQ(half.reflectance, glm::vec3(0.25f, 1.0f, 0.25f));
  EXPECT_THAT(notes.warnings.lines(), testing::ElementsAre(testing::HasSubstr("partly")));

  MtlNotes of_rough;
  blender_material_of(kStart + "Pr 0.5\nTf 1 1 1", &of_rough);
  EXPECT_THAT(of_rough.warnings.lines(), testing::ElementsAre(testing::HasSubstr("rough glass")));

  // Blender writes four times the weight of a coat.
  MtlNotes of_coat;
  const Material coated = blender_material_of(kStart + "Pr 0.5\nPc 2.8\nPcr 0.2\nPs 0.6", &of_coat);
  EXPECT_THAT(of_coat.warnings.lines(),
              testing::ElementsAre(testing::HasSubstr("sheen (Ps) is up to a third brighter")));
  EXPECT_NEAR(coated.coat, 0.7f, 1e-6f);
  EXPECT_EQ(coated.coat_roughness, 0.2f);
  EXPECT_EQ(coated.sheen, glm::vec3(0.6f));

  const Material brushed = blender_material_of("Kd 1 1 1\nPr 0.5\nPm 1\naniso 0.5\nanisor 0.25");
  EXPECT_NEAR((1.0f + brushed.anisotropy) / (1.0f - brushed.anisotropy), 1.0f / 0.55f, 1e-5f);
  EXPECT_NEAR(brushed.anisotropy_rotation, 1.5707963f, 1e-5f);
}

TEST(BlenderMaterial, Glows) {
  EXPECT_EQ(blender_material_of("Kd 0 0 0\nKs 0.5 0.5 0.5\nKe 3 1.5 0.3\nillum 2").emission,
            glm::vec3(3.0f, 1.5f, 0.3f));
}

TEST(BlenderMaterial, IsKnownByTheCommentsAtTheStart) {
  const std::string kTyre = "Ns 250\nKd 0 0 0\nKs 0.5 0.5 0.5\nillum 2\n";
  for (const char* header :
       {"# Blender 5.3.0 MTL File: 'None'\n# www.blender.org\n\n",
        "# edited\n\n# Blender 4.5.0\r\n",
        "\xef\xbb\xbf# Blender MTL File: 'a.blend'\n# Material Count: 1\n", "# Blender v2.79\n"})
    EXPECT_EQ(material_of(kTyre, nullptr, header).type, MaterialType::kPrincipled) << header;
  for (const char* header : {"", "# made by hand\n", "# for Blender\n"})
    EXPECT_EQ(material_of(kTyre, nullptr, header).type, MaterialType::kConductor) << header;
  EXPECT_EQ(material_of(kTyre + "# Blender 5.3.0\n").type, MaterialType::kConductor);
}

using testing::HasSubstr;

MtlMap read_map(const std::string& text) {
  const std::string file = "m.mtl";
  StatementReader statements(text, file);
  statements.next();
  statements.next_word();
  return read_mtl_map(statements);
}

TEST(ReadMtlMap, ReadsAFileNameWithBlanks) {
  EXPECT_EQ(read_map("map_Kd textures\\old wall.png").file, "textures\\old wall.png");
}

TEST(ReadMtlMap, ReadsOptionsInAnyOrder) {
  const MtlMap map =
      read_map("map_Kd -blendu on -s 2 3 1 -mm 0 1 -o 0.5 0.25 -bm 0.7 -clamp on -imfchan r a.png");
  EXPECT_EQ(map.file, "a.png");
  EXPECT_EQ(map.strength, 0.7f);
  EXPECT_THAT(map.ignored_options, testing::ElementsAre("-imfchan"));
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
  const MtlMap map = read_map("map_Kd -s 4 a.png");
  EXPECT_EQ(map.file, "a.png");
  EXPECT_EQ(map.description.from_uv * glm::vec3(1.0f, 0.5f, 1.0f), glm::vec2(4.0f, 0.5f));
}

TEST(ReadMtlMap, NamesOptionsThatItIgnoresUnlessTheyChangeNothing) {
  EXPECT_THAT(read_map("map_Kd -mm 0.1 2 -t 1 1 1 -cc on -boost 3 -what x a.png").ignored_options,
              testing::ElementsAre("-mm", "-t", "-cc", "-boost", "-what"));
  EXPECT_THAT(
      read_map("map_Kd -mm 0 1 -t 0 0 0 -cc off -blendv off -texres 64 a.png").ignored_options,
      testing::IsEmpty());
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

TEST_F(MtlTextures, AreSearchedOnlyIfTheyAreRead) {
  write_texel("c.png", {200, 100, 50, 255});
  const std::string there = "map_Kd D:\\maps\\c.png\n";
  const HostScene replaced = load_material("Kd 1 1 1\n" + there + "map_Kd c.png\nnewmtl unused\n" +
                                           there + "map_Ks D:\\maps\\c.png\n");
  EXPECT_NE(replaced.materials[0].textures.reflectance, kNoTexture);
  expect_warnings(replaced, {});
  expect_warnings(load_material("Kd 1 1 1\nmap_Kd c.png\n" + there),
                  {"m.mtl:4: \"D:\\maps\\c.png\" is not at its path; "});

  load_material(there);
  EXPECT_TRUE(read_obj(folder_ / "a.obj", nullptr).warnings.empty());
}

TEST_F(MtlTextures, WarnOfFacesWithoutTextureVertices) {
  write_texel("c.png", {200, 100, 50, 255});
  write("m.mtl", "newmtl a\nKd 1 1 1\nmap_Kd c.png\nnewmtl b\nKd 1 0 0\n");
  const std::string start = "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\n";
  expect_warnings(load("a.obj", start + "usemtl a\nf 1/1 2/1 3/1\nusemtl b\nf 1 2 3\n"), {});
  expect_warnings(load("a.obj", start + "usemtl a\nf 1/1 2/1 3/1\nf 1 2 3\n"),
                  {"1 material has textures, but faces without texture vertices (vt)"});
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
  const HostScene normals = load_material("Kd 1 1 1\nmap_Bump -bm 0.5 n.png\n");
  EXPECT_NE(normals.materials[0].textures.normal, kNoTexture);
  EXPECT_EQ(normals.materials[0].normal_scale, 0.5f);
  EXPECT_TRUE(normals.warnings.empty());
  const HostScene heights = load_material("Kd 1 1 1\nmap_Bump -bm 0.5 h.png\n");
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
  expect_warnings(diffuse, {"1 texture (map_Ks or map_Ns) is not used"});
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

/// Without its PBR extension, Blender writes a texture of the roughness as map_Ns, and one of the
/// metallic weight as map_refl.
TEST_F(MtlTextures, OfBlenderHoldRoughnessMetalAndLevel) {
  write_texel("t.png", {51, 51, 51, 255});
  auto load_blender = [&](const std::string& statements) {
    write("b.mtl",
          "# Blender 5.3.0 MTL File: 'None'\nnewmtl m\nKa 1 1 1\nKd 0.8 0.8 0.8\n" + statements);
    return load("b.obj",
                "mtllib b.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
                "f 1/1 2/2 3/3\n");
  };
  EXPECT_EQ(load_blender("map_Kd t.png\n").textures.at(0).filter, TextureFilter::kBilinearEncoded);
  auto texel = [](const HostScene& scene, size_t channel) {
    return scene.images[scene.textures[scene.materials[0].textures.roughness_metallic].image]
        .texels[channel];
  };
  const HostScene rough = load_blender("Ks 0.5 0.5 0.5\nNi 1.5\nillum 2\nmap_Ns t.png\n");
  EXPECT_EQ(rough.materials[0].roughness, 1.0f);
  EXPECT_EQ(texel(rough, 1), std::byte(51));
  EXPECT_TRUE(rough.warnings.empty());

  const HostScene metal = load_blender("Ns 250\nKs 0.5 0.5 0.5\nNi 1.5\nillum 2\nmap_refl t.png\n");
  EXPECT_EQ(metal.materials[0].metallic, 1.0f);
  EXPECT_NEAR(metal.materials[0].roughness, 0.5f, 1e-6f);
  EXPECT_EQ(texel(metal, 2), std::byte(51));
  EXPECT_TRUE(metal.warnings.empty());

  const HostScene level = load_blender("Ns 250\nNi 1.5\nillum 2\nmap_Ks t.png\n");
  EXPECT_NEAR(level.materials[0].specular.x, 0.2f, 1e-6f);  // of 0.08

  const HostScene covered = load_blender("Ns 250\nNi 1.5\nillum 9\nd 0.5\nmap_d t.png\n");
  EXPECT_EQ(covered.materials[0].alpha, 0.5f);
  EXPECT_NE(covered.materials[0].textures.alpha, kNoTexture);

  const HostScene glow = load_blender("Ns 250\nNi 1.5\nillum 2\nmap_Ke t.png\n");
  EXPECT_EQ(glow.materials[0].emission, glm::vec3(1.0f));
  expect_warnings(glow, {"does not write the strength of an emission texture"});
}

TEST_F(MtlTextures, MultiplyTheCoverage) {
  write_texel("t.png", {128, 128, 128, 255});
  const Material material = load_material("Kd 1 1 1\nd 0.5\nmap_d t.png\n").materials[0];
  EXPECT_EQ(material.alpha, 0.5f);
  EXPECT_NE(material.textures.alpha, kNoTexture);
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
