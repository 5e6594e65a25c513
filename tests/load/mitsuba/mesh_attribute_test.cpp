// SPDX-License-Identifier: MIT
// Colours that a mesh file of a Mitsuba scene has.

#include <gtest/gtest.h>

#include "image/srgb.h"
#include "load/mitsuba/mitsuba_xml.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

/// Scenes that were painted by vertex were grey.
class MitsubaMeshAttributes : public SceneFiles {
 protected:
  MitsubaMeshAttributes() {
    write("floats.ply", ply("float", "0.5 0.25 0", "1 0 0"));
    write("bytes.ply", ply("uchar", "255 51 0", "0 0 255"));
    write("white.ply", ply("float", "1 1 1", "1 1 1"));
    write("plain.obj", kObjTriangle);
  }

  /// A triangle whose vertices have a colour, and whose face has another one.
  static std::string ply(const std::string& type, const std::string& vertex,
                         const std::string& face) {
    std::string colors;
    for (const char* name : {"r", "g", "b"}) colors += "property " + type + " " + name + "\n";
    std::string text = "ply\nformat ascii 1.0\nelement vertex 3\n";
    for (const char* name : {"x", "y", "z"}) text += std::string("property float ") + name + "\n";
    text += colors + "element face 1\nproperty list uchar int vertex_indices\n" + colors +
            "end_header\n";
    for (const char* point : {"0 0 0 ", "1 0 0 ", "0 1 0 "}) text += point + vertex + "\n";
    return text + "3 0 1 2 " + face + "\n";
  }

  static std::string attribute(const std::string& name, const std::string& slot = "reflectance") {
    return "<texture type='mesh_attribute' name='" + slot + "'><string name='name' value='" + name +
           "'/></texture>";
  }

  static std::string shape(const std::string& file, const std::string& bsdf) {
    return "<shape type='" + file.substr(file.size() - 3) + "'><string name='filename' value='" +
           file + "'/>" + bsdf + "</shape>";
  }
  HostScene load_shapes(const std::string& shapes) const {
    return load("a.xml", "<scene version='3.0.0'>" + shapes + "<emitter type='constant'/></scene>");
  }
  HostScene load_shape(const std::string& file, const std::string& name) const {
    return load_shapes(shape(file, "<bsdf type='diffuse'>" + attribute(name) + "</bsdf>"));
  }
};

TEST_F(MitsubaMeshAttributes, ColourTheVerticesOfAMesh) {
  const HostScene scene = load_shape("floats.ply", "vertex_color");
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  EXPECT_EQ(scene.colors.at(0), glm::vec4(0.5f, 0.25f, 0, 1)) << "floats are linear";
  EXPECT_EQ(scene.materials.at(0).reflectance, glm::vec3(1));
  EXPECT_TRUE(scene.materials[0].vertex_colors);
  EXPECT_EQ(load_shape("bytes.ply", "vertex_color").colors.at(0),
            glm::vec4(1, linear_from_srgb(0.2f), 0, 1));
}

TEST_F(MitsubaMeshAttributes, ColourTheFacesOfAMesh) {
  const HostScene scene = load_shape("floats.ply", "face_color");
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  EXPECT_EQ(scene.colors.at(0), glm::vec4(1, 0, 0, 1));
}

TEST_F(MitsubaMeshAttributes, AreWhiteWhereAllOfThemAre) {
  for (const char* name : {"vertex_color", "face_color"}) {
    const HostScene scene = load_shape("white.ply", name);
    EXPECT_EQ(scene.warnings, std::vector<std::string>{});
    EXPECT_TRUE(scene.colors.empty());
    EXPECT_EQ(scene.materials.at(0).reflectance, glm::vec3(1));
  }
}

TEST_F(MitsubaMeshAttributes, AreGreyWhereTheMeshHasNone) {
  for (const auto& [file, name] :
       {std::pair("plain.obj", "vertex_color"), std::pair("floats.ply", "vertex_heat")}) {
    const HostScene scene = load_shape(file, name);
    expect_warnings(scene, {file == std::string("plain.obj")
                                ? "a mesh_attribute that the shape lacks becomes grey 0.5"
                                : "a texture of the type \"mesh_attribute\" becomes grey 0.5"});
    EXPECT_FALSE(scene.materials.at(0).vertex_colors);
    EXPECT_EQ(scene.materials[0].reflectance, glm::vec3(0.5f));
  }
}

TEST_F(MitsubaMeshAttributes, BecomeTheirMeanWhereNothingVariesByVertex) {
  const HostScene scene = load_shapes(shape(
      "floats.ply", "<bsdf type='plastic'>" + attribute("vertex_color", "specular_reflectance") +
                        attribute("face_color", "diffuse_reflectance") +
                        "</bsdf>"
                        "<emitter type='area'>" +
                        attribute("vertex_color", "radiance") + "</emitter>"));
  expect_warnings(scene, {"a mesh_attribute becomes its mean colour"});
  const Material& material = scene.materials.at(0);
  EXPECT_EQ(material.specular, glm::vec3(0.5f, 0.25f, 0));
  EXPECT_EQ(material.emission, glm::vec3(0.5f, 0.25f, 0));
}

TEST_F(MitsubaMeshAttributes, DoNotTintReflection) {
  const HostScene scene = load_shapes(
      shape("floats.ply", "<bsdf type='principled'>" + attribute("vertex_color", "base_color") +
                              "<float name='spec_tint' value='1'/></bsdf>"));
  expect_warnings(scene, {"sheen_tint and spec_tint are ignored"});
  EXPECT_EQ(scene.materials.at(0).specular_tint, glm::vec3(1.0f));
}

/// One BSDF on a mesh with colours and on one without them.
TEST_F(MitsubaMeshAttributes, BelongToTheMeshAndNotToTheBsdf) {
  const std::string shared = "<ref id='paint'/>";
  const HostScene scene = load_shapes("<bsdf type='twosided' id='paint'><bsdf type='diffuse'>" +
                                      attribute("vertex_color") + "</bsdf></bsdf>" +
                                      shape("floats.ply", shared) + shape("plain.obj", shared));
  ASSERT_EQ(scene.triangle_materials.size(), 2u);
  EXPECT_TRUE(scene.materials.at(scene.triangle_materials[0]).vertex_colors);
  EXPECT_FALSE(scene.materials.at(scene.triangle_materials[1]).vertex_colors);
  const HostScene plain = load_shapes(shape("floats.ply", "<bsdf type='diffuse'/>"));
  EXPECT_TRUE(plain.colors.empty());
  EXPECT_FALSE(plain.materials.at(0).vertex_colors);
}

}  // namespace
}  // namespace winnow
