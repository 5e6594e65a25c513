// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <thread>

#include "load/pbrt/object.h"
#include "scene/optical_constants.h"
#include "tests/load/pbrt/support/pbrt_scenes.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

class PbrtSurfaces : public PbrtScenes {};

float alpha_of(const Material& material) {
  return material.roughness * material.roughness;
}

TEST_F(PbrtSurfaces, RoughnessIsRemappedByVersion) {
  auto alpha = [&](const std::string& material) { return alpha_of(load_material(material)); };
  EXPECT_NEAR(alpha("Material \"conductor\" \"float roughness\" 0.09"), 0.3f, 1e-5f);
  EXPECT_NEAR(
      alpha("Material \"conductor\" \"float roughness\" 0.09 \"bool remaproughness\" false"), 0.09f,
      1e-5f);
  EXPECT_NEAR(alpha("Material \"metal\" \"float roughness\" 0.1"), 0.4617f, 1e-3f);
  const Material brushed =
      load_material("Material \"conductor\" \"float uroughness\" 0.16 \"float vroughness\" 0.01");
  EXPECT_NEAR(alpha_of(brushed), std::sqrt(0.4f * 0.1f), 1e-4f);
  EXPECT_NEAR(brushed.anisotropy, 0.6f, 1e-4f);
  expect_warnings(load_lit("Material \"conductor\" \"float roughness\" 2 Shape \"sphere\""),
                  {"microfacets with an alpha above 1 get an alpha of 1"});
}

TEST_F(PbrtSurfaces, MetalsAreNamedOrReflectAColour) {
  const ComplexIor gold = *find_pbrt_metal("Au");
  const Material named = load_material(
      R"(Material "conductor" "spectrum eta" "metal-Au-eta" "spectrum k" "metal-Au-k")");
  EXPECT_EQ(named.type, MaterialType::kMirror);
  expect_near(named.metal_n, gold.n);
  expect_near(named.metal_k, gold.k);
  // Colours of the reflectances of pbrt's spectra under daylight. Gold's red is 1.022.
  const std::pair<const char*, glm::vec3> kReflectances[] = {
      {"Ag", {0.9715f, 0.9599f, 0.9153f}},   {"Al", {0.9132f, 0.9215f, 0.9244f}},
      {"Au", {0.999f, 0.7825f, 0.3434f}},    {"Cu", {0.9553f, 0.6376f, 0.5382f}},
      {"CuZn", {0.9097f, 0.7783f, 0.4228f}}, {"MgO", {0.0721f, 0.0731f, 0.0749f}},
      {"TiO2", {0.2322f, 0.2446f, 0.2727f}}};
  for (const auto& [metal, reflectance] : kReflectances)
    expect_near(normal_reflectance(*find_pbrt_metal(metal)), reflectance, 2e-4f);
  const Material old = load_material(
      R"(Material "metal" "spectrum eta" "spds/Au.eta.spd" "spectrum k" "spds/Au.k.spd")");
  expect_near(old.metal_k, gold.k);
  const Material colored = load_material(R"(Material "conductor" "rgb reflectance" [.8 .5 .2])");
  expect_near(colored.reflectance * normal_reflectance({colored.metal_n, colored.metal_k}),
              {0.8f, 0.5f, 0.2f}, 1e-4f);
}

TEST_F(PbrtSurfaces, GlassHasItsIndexAndDispersion) {
  const Material plain = load_material("Material \"dielectric\" \"float eta\" 1.33");
  EXPECT_EQ(plain.type, MaterialType::kDielectric);
  EXPECT_FLOAT_EQ(plain.ior, 1.33f);
  EXPECT_EQ(plain.dispersion, 0.0f);
  expect_near(plain.reflectance, glm::vec3(1.0f));
  const Material named = load_material("Material \"dielectric\" \"spectrum eta\" \"glass-SF11\"");
  EXPECT_FLOAT_EQ(named.ior, 1.78472f);
  EXPECT_NEAR(named.dispersion, 20.0f / 25.76f, 1e-5f);
  EXPECT_EQ(load_material("Material \"dielectric\" \"float roughness\" 0.1").type,
            MaterialType::kRoughDielectric);
  EXPECT_EQ(load_material("Material \"thindielectric\"").type, MaterialType::kThinDielectric);
  const Material old = load_material(
      R"(Material "glass" "rgb Kt" [.5 .6 .7] "rgb Kr" [.1 .2 .3] "float index" 1.4)");
  EXPECT_EQ(old.type, MaterialType::kDielectric);
  expect_near(old.reflectance, {0.5f, 0.6f, 0.7f});
  expect_near(old.specular, {0.1f, 0.2f, 0.3f});
  EXPECT_FLOAT_EQ(old.ior, 1.4f);
}

TEST_F(PbrtSurfaces, TheIndexMayBeLowerInside) {
  auto expect_ior = [&](const std::string& material, float ior) {
    SCOPED_TRACE(material);
    const HostScene scene = load_lit(material + " Shape \"sphere\"");
    EXPECT_FLOAT_EQ(scene.materials.at(0).ior, ior);
    EXPECT_EQ(scene.warnings, std::vector<std::string>());
  };
  for (const char* type : {"dielectric", "thindielectric", "coateddiffuse", "glass"}) {
    expect_ior(fmt::format("Material \"{}\" \"float eta\" 0.6667", type), 0.6667f);
    expect_ior(fmt::format("Material \"{}\" \"float eta\" 1", type), 1.0f);
    expect_ior(fmt::format("Material \"{}\" \"float eta\" 0", type), 1.0f);
  }
  expect_ior("Material \"dielectric\" \"float eta\" 0.75 \"float roughness\" 0.2", 0.75f);
  expect_ior("Material \"glass\" \"float index\" 0.75 \"float uroughness\" 0.2", 0.75f);
  EXPECT_EQ(load_material("Material \"dielectric\" \"float eta\" 1 \"float roughness\" 1").type,
            MaterialType::kDielectric)
      << "pbrt ignores the roughness of a boundary without a change of index";
  const HostScene disney = load_lit("Material \"disney\" \"float eta\" 0.5 Shape \"sphere\"");
  EXPECT_GT(disney.materials.at(0).ior, 1.0f);
  expect_warnings(disney, {"similar", "becomes 1"});
}

TEST_F(PbrtSurfaces, LayersBecomePlasticOrPrincipled) {
  const Material coated = load_material(
      R"(Material "coateddiffuse" "rgb reflectance" [.1 .2 .3] "float roughness" 0.0001)");
  EXPECT_EQ(coated.type, MaterialType::kPlastic);
  EXPECT_TRUE(coated.nonlinear);
  EXPECT_NEAR(alpha_of(coated), 0.01f, 1e-5f);
  const Material car = load_material(
      R"(Material "coatedconductor" "float conductor.roughness" 0.01 "rgb reflectance" [.1 .2 .3])");
  EXPECT_EQ(car.type, MaterialType::kPrincipled);
  EXPECT_EQ(car.metallic, 1.0f);
  EXPECT_EQ(car.coat, 1.0f);
  EXPECT_NEAR(alpha_of(car), 0.1f, 1e-5f);
  EXPECT_EQ(load_material("Material \"subsurface\"").ior, 1.33f);
}

/// The metal of a coated conductor reflects what comes through the coat: its index and extinction
/// are those in air over the index of the coat.
TEST_F(PbrtSurfaces, ACoatSurroundsItsMetal) {
  const Material metal = load_material(
      R"(Material "coatedconductor" "rgb conductor.eta" [.3 .6 1.2] "rgb conductor.k" [3 3 3])");
  // ((n / 1.5 - 1)^2 + (k / 1.5)^2) / ((n / 1.5 + 1)^2 + (k / 1.5)^2)
  expect_near(metal.reflectance, {4.64f / 5.44f, 4.36f / 5.96f, 4.04f / 7.24f}, 1e-4f);
  // A reflectance of 0.5 in air is that of n = 1, k = 2.
  const Material grey = load_material(R"(Material "coatedconductor" "rgb reflectance" [.5 .5 .5])");
  expect_near(grey.reflectance, glm::vec3((0.25f + 4.0f) / (6.25f + 4.0f)), 1e-4f);
  const Material dense = load_material(
      R"(Material "coatedconductor" "rgb reflectance" [.5 .5 .5] "float interface.eta" 2)");
  expect_near(dense.reflectance, glm::vec3((1.0f + 4.0f) / (9.0f + 4.0f)), 1e-4f);
}

TEST_F(PbrtSurfaces, MaterialsOfVersion3HaveTheirDefaults) {
  expect_near(load_material("Material \"matte\"").reflectance, glm::vec3(0.5f));
  const Material plastic = load_material("Material \"plastic\" \"color Kd\" [.1 .2 .3]");
  EXPECT_EQ(plastic.type, MaterialType::kPrincipled);
  expect_near(plastic.reflectance, {0.1f, 0.2f, 0.3f});
  expect_near(plastic.specular, glm::vec3(0.25f));
  const Material mirror = load_material("Material \"mirror\"");
  EXPECT_EQ(mirror.type, MaterialType::kMirror);
  expect_near(mirror.reflectance * normal_reflectance({mirror.metal_n, mirror.metal_k}),
              glm::vec3(0.9f));
  const Material substrate = load_material("Material \"substrate\" \"rgb Ks\" [.04 .04 .04]");
  EXPECT_NEAR(substrate.ior, 1.5f, 1e-4f);
  expect_near(substrate.specular, glm::vec3(1.0f));
  const Material leaf = load_material("Material \"uber\" \"rgb opacity\" [.25 .25 .25]");
  EXPECT_NEAR(leaf.alpha, 0.25f, 1e-5f);
  EXPECT_EQ(load_material("Material \"disney\" \"float metallic\" 0.7").metallic, 0.7f);
}

TEST_F(PbrtSurfaces, MixesOfBothVersionsWeighTheirMaterials) {
  const std::string kTwo = R"(
    MakeNamedMaterial "a" "string type" "diffuse" "rgb reflectance" [1 0 0]
    MakeNamedMaterial "b" "string type" "diffuse" "rgb reflectance" [0 0 1]
    MakeNamedMaterial "none" "string type" "interface")";
  auto mix = [&](const std::string& names) {
    return load_material(kTwo + "Material \"mix\" " + names).reflectance;
  };
  expect_near(mix(R"("string materials" ["a" "b"] "float amount" 0.25)"), {0.75f, 0, 0.25f});
  expect_near(
      mix(R"("string namedmaterial1" "a" "string namedmaterial2" "b" "rgb amount" [.25 .25 .25])"),
      {0.25f, 0, 0.75f});
  const Material gauze =
      load_material(kTwo + R"(Material "mix" "string materials" ["none" "b"] "float amount" 0.25)");
  EXPECT_NEAR(gauze.alpha, 0.25f, 1e-6f);
  expect_near(gauze.reflectance, {0, 0, 1});
}

TEST_F(PbrtSurfaces, TexturedAmountsMixDiffuseMaterials) {
  write_texel("amount.png", {0, 0, 0, 255});
  const Material mixed = load_material(R"(
    Texture "amount" "float" "imagemap" "string filename" "amount.png"
    MakeNamedMaterial "a" "string type" "diffuse" "rgb reflectance" [1 0 0]
    MakeNamedMaterial "b" "string type" "diffuse" "rgb reflectance" [0 0 1]
    Material "mix" "string materials" ["a" "b"] "texture amount" "amount")");
  EXPECT_EQ(mixed.type, MaterialType::kDiffuse);
  EXPECT_NE(mixed.textures.reflectance, kNoTexture);
  expect_near(mixed.reflectance, glm::vec3(1.0f));
}

TEST_F(PbrtSurfaces, ShapesMayNameMaterialsBeforeTheirDefinition) {
  const std::string later = R"(
    AttributeBegin NamedMaterial "late" Shape "sphere" AttributeEnd
    AttributeBegin Attribute "material" "rgb reflectance" [0 1 0]
    MakeNamedMaterial "late" "string type" "diffuse" AttributeEnd
    Shape "sphere" )";
  const HostScene scene = load_lit(later);
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
  ASSERT_EQ(scene.spheres.size(), 2u);
  expect_near(scene.materials[scene.spheres[0].material].reflectance, {0, 1, 0});
  expect_near(scene.materials[scene.spheres[1].material].reflectance, glm::vec3(0.5f));
  expect_warnings(load_lit(later + "WorldEnd"), {"the material \"late\" is unknown"});  // version 3
}

TEST_F(PbrtSurfaces, ShapesOfAPipeMayNameMaterialsBeforeTheirDefinition) {
  const std::filesystem::path pipe = folder_ / "s.pbrt";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::jthread writer([&](const std::stop_token& stop) {
    std::ofstream(pipe) << R"(LightSource "infinite" Camera "perspective" WorldBegin
      NamedMaterial "late" Shape "sphere" NamedMaterial "never" Shape "sphere"
      MakeNamedMaterial "late" "string type" "diffuse" "rgb reflectance" [0 1 0])";
    while (!stop.stop_requested()) {  // a second reader finds an empty pipe
      if (const int file = ::open(pipe.c_str(), O_WRONLY | O_NONBLOCK); file >= 0) ::close(file);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  const HostScene scene = load_scene(pipe);
  ASSERT_EQ(scene.spheres.size(), 2u);
  expect_near(scene.materials[scene.spheres[0].material].reflectance, {0, 1, 0});
  expect_warnings(scene, {"the material \"never\" is unknown"});
}

TEST_F(PbrtSurfaces, NamedMaterialsMayComeLater) {
  const HostScene scene = load_lit(R"(
    MakeNamedMaterial "both" "string type" "mix" "string materials" ["late" "late"]
    MakeNamedMaterial "late" "string type" "diffuse" "rgb reflectance" [1 0 0]
    NamedMaterial "both" Shape "sphere" NamedMaterial "never" Shape "sphere")");
  expect_near(scene.materials[scene.spheres[0].material].reflectance, {1, 0, 0});
  EXPECT_EQ(scene.material_names[scene.spheres[0].material], "both");
  expect_warnings(scene, {"the material \"never\" is unknown"});
}

TEST_F(PbrtSurfaces, AMixOfItselfIsRefused) {
  EXPECT_EQ(error_of("s.pbrt", R"(MakeNamedMaterial "a" "string type" "mix"
    "string materials" ["a" "a"] NamedMaterial "a" Shape "sphere")"),
            "s.pbrt:1:1: mixes of materials are nested too deeply");
  const std::string kReference = "\"(reference)\"";
  const HostScene scene = load_lit("MakeNamedMaterial \"a\" \"string type\" " + kReference +
                                   "NamedMaterial \"a\" Shape \"sphere\"");
  expect_warnings(scene, {"the material \"a\" is unknown"});
}

TEST_F(PbrtSurfaces, SaysWhatBecomesSomethingElse) {
  const HostScene scene = load_lit(R"(
    Material "hair" "rgb reflectance" [.2 .1 .05] Shape "sphere"
    Material "subsurface" "rgb reflectance" [.5 .4 .3] Shape "sphere"
    Material "measured" "string filename" "x.bsdf" Shape "sphere")");
  auto reflectance = [&](size_t i) {
    return scene.materials[scene.spheres[i].material].reflectance;
  };
  expect_near(reflectance(0), {0.2f, 0.1f, 0.05f});
  expect_near(reflectance(1), {0.5f, 0.4f, 0.3f});
  expect_warnings(scene, {"hair becomes diffuse", "subsurface scattering becomes",
                          "\"measured\" becomes a grey principled surface"});
}

TEST_F(PbrtSurfaces, TransmitsDiffuseLight) {
  const HostScene scene = load_lit(R"(
    Material "diffusetransmission" "rgb reflectance" [.2 .1 .2] "rgb transmittance" [.3 .3 .1]
    Shape "sphere"
    Material "diffusetransmission" "float scale" 2 Shape "sphere"
    Material "diffusetransmission" "rgb reflectance" [0 0 0] "rgb transmittance" [.5 .2 .1]
    Shape "sphere"
    Material "translucent" "rgb Kd" [.8 .4 .2] "rgb Ks" [0 0 0] "rgb reflect" [.25 .25 .25]
    "rgb transmit" [.5 .5 .5] Shape "sphere")");
  EXPECT_THAT(scene.warnings, testing::IsEmpty());
  const struct {
    glm::vec3 reflected, transmitted;
  } expected[] = {{{0.2f, 0.1f, 0.2f}, {0.3f, 0.3f, 0.1f}},
                  {glm::vec3(0.5f), glm::vec3(0.5f)},
                  {glm::vec3(0.0f), {0.5f, 0.2f, 0.1f}},
                  {{0.2f, 0.1f, 0.05f}, {0.4f, 0.2f, 0.1f}}};
  for (size_t i = 0; i < std::size(expected); ++i) {
    const Material& material = scene.materials[scene.spheres[i].material];
    const float share = material.diffuse_transmission;
    EXPECT_EQ(material.type, MaterialType::kPrincipled);
    EXPECT_EQ(material.specular, glm::vec3(0.0f));
    expect_near((1.0f - share) * material.reflectance, expected[i].reflected);
    expect_near(share * material.diffuse_transmission_color, expected[i].transmitted);
  }
}

TEST_F(PbrtSurfaces, SaysWhatDoesNotPassATranslucentSurface) {
  expect_warnings(load_lit(R"(Material "translucent" Shape "sphere")"),
                  {"the glossy transmission of a translucent surface"});
  expect_warnings(load_lit(R"(Material "diffusetransmission" "rgb reflectance" [.8 .8 .8]
                              "rgb transmittance" [.8 .8 .8] Shape "sphere")"),
                  {"scatters more light than it gets"});
}

TEST_F(PbrtSurfaces, AnInterfaceWithoutMediaIsInvisible) {
  const HostScene scene = load_lit(R"(
    Shape "sphere" Material "interface" Shape "sphere" Material "none" Shape "sphere"
    Material "" Shape "sphere")");
  EXPECT_EQ(scene.spheres.size(), 1u);
  EXPECT_THAT(scene.warnings, testing::IsEmpty());
}

/// These sums of lobes became a boundary above a base without a word.
TEST_F(PbrtSurfaces, OfVersion3ThatBecomePrincipledHaveAWarning) {
  for (const std::string type : {"plastic", "uber", "substrate", "disney"})
    EXPECT_THAT(load_lit("Material \"" + type + "\" Shape \"sphere\"").warnings,
                testing::Contains(testing::HasSubstr(
                    "a " + type + " surface becomes a principled one, which is similar")));
  for (const std::string type : {"matte", "mirror", "metal", "glass"})
    EXPECT_EQ(load_lit("Material \"" + type + "\" Shape \"sphere\"").warnings,
              std::vector<std::string>{})
        << type;
}

}  // namespace
}  // namespace winnow
