// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "load/winnow/winnow_json.h"
#include "scene/optical_constants.h"
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

bool are_same(const Material& a, const Material& b) {
  return a.type == b.type && a.reflectance == b.reflectance && a.emission == b.emission &&
         a.roughness == b.roughness && a.ior == b.ior && a.anisotropy == b.anisotropy &&
         a.specular == b.specular && a.metallic == b.metallic && a.transmission == b.transmission &&
         a.coat == b.coat && a.coat_roughness == b.coat_roughness && a.sheen == b.sheen &&
         a.sheen_roughness == b.sheen_roughness && a.metal_n == b.metal_n &&
         a.metal_k == b.metal_k && a.masking == b.masking && a.distribution == b.distribution &&
         a.nonlinear == b.nonlinear && a.two_sided_emission == b.two_sided_emission;
}

// Writes and reads every key of every type, with a value that is not its default.
TEST_F(ReadMaterials, WritesWhatReadsAsTheSameMaterial) {
  struct Case {
    const char* base;
    std::vector<const char*> keys;
  };
  const Case kCases[] = {
      {R"("type": "mirror")",
       {R"("reflectance": [0.1, 0.7, 0.3])", R"("metal": "copper")",
        R"("n": 1.3, "k": [7, 3.3, 2])", R"("emission": 0.3)",
        R"("two_sided": false)"}},
      {R"("type": "conductor")",
       {R"("reflectance": 0.7)", R"("metal": "gold")", R"("n": [0.1, 1.3, 2], "k": 3.7)",
        R"("roughness": 0.37)", R"("anisotropy": -0.3)", R"("masking": "separable")",
        R"("distribution": "beckmann")"}},
      {R"("type": "dielectric")",
       {R"("reflectance": [0.1, 0.7, 0.3])", R"("ior": 1.33)", R"("specular": [0.3, 0.7, 0.1])"}},
      {R"("type": "rough-dielectric")",
       {R"("reflectance": 0.7)", R"("ior": 1.33)", R"("specular": 0.3)", R"("roughness": 0.37)",
        R"("anisotropy": 0.3)", R"("masking": "separable")", R"("distribution": "beckmann")",
        R"("emission": [1, 2, 3])"}},
      {R"("type": "plastic")",
       {R"("reflectance": [0.1, 0.7, 0.3])", R"("ior": 1.33)", R"("specular": 0.3)",
        R"("roughness": 0.37)", R"("nonlinear": true)", R"("distribution": "beckmann")",
        R"("emission": 2)"}},
      {R"("type": "principled")",
       {R"("reflectance": [0.1, 0.7, 0.3])", R"("ior": 1.33)", R"("specular": [0.3, 0.7, 0.1])",
        R"("roughness": 0.37)", R"("anisotropy": -0.3)", R"("metallic": 0.7)",
        R"("transmission": 0.7)", R"("coat": 0.7)", R"("coat_roughness": 0.7)",
        R"("sheen": [0.3, 0.7, 0.1])", R"("sheen_roughness": 0.7)", R"("emission": 2)"}},
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

TEST_F(ReadMaterials, SaysWhatIsWrong) {
  auto error_of_material = [&](const std::string& material) {
    try {
      load_material(material);
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using testing::HasSubstr;
  EXPECT_THAT(error_of_material(R"({"type": "mirror", "metal": "gould"})"),
              HasSubstr("/materials/a/metal"));
  EXPECT_THAT(error_of_material(R"({"type": "mirror", "metal": "gold", "n": 1})"),
              HasSubstr("expected either \"metal\", or \"n\" and \"k\""));
  EXPECT_THAT(error_of_material(R"({"type": "mirror", "n": 1})"), HasSubstr("\"k\""));
  EXPECT_THAT(error_of_material(R"({"type": "conductor", "anisotropy": 1.5})"),
              HasSubstr("[-1, 1]"));
  EXPECT_THAT(error_of_material(R"({"type": "rough-dielectric", "ior": 1})"), HasSubstr("ior"));
}

}  // namespace
}  // namespace winnow
