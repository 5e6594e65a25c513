// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <zlib.h>

#include <string>

#include "base/files.h"
#include "load/pbrt/statements.h"
#include "tests/load/pbrt/support/pbrt_scenes.h"
#include "tests/support/expect_near.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

class PbrtSyntax : public PbrtScenes {
 protected:
  void write_compressed(const std::string& name, const std::string& text) const {
    gzFile file = gzopen((folder_ / name).c_str(), "wb");
    gzwrite(file, text.data(), unsigned(text.size()));
    gzclose(file);
  }
  std::string read_bytes_of(const std::string& name) const { return read_file(folder_ / name); }
};

const std::string kPbrtTriangle = "Shape \"trianglemesh\" \"point3 P\" [0 0 0  1 0 0  0 1 0]\n";

TEST_F(PbrtSyntax, BlanksAndCommentsSeparateTokens) {
  const HostScene scene = load_lit(
      "#comment [ \" \r\n\tShape\t\"sphere\"#\"float radius\" 7\r\n\"float\t radius\"[2]Translate "
      "1 "
      "+2 -.5e1\r\nShape\"sphere\"   \"float  radius\"\n\n3.");
  ASSERT_EQ(scene.spheres.size(), 2u);
  EXPECT_EQ(scene.spheres[0].radius, 2.0f);
  EXPECT_EQ(scene.spheres[1].radius, 3.0f);
  expect_near(scene.spheres[1].center, {1, 2, -5});
}

TEST_F(PbrtSyntax, ReadsBothSpellingsOfBooleans) {
  for (const char* value : {"true", "\"true\"", "[true]", "[ \"true\" ]"}) {
    const Material light =
        load_material(fmt::format("AreaLightSource \"diffuse\" \"bool twosided\" {}", value));
    EXPECT_TRUE(light.two_sided_emission) << value;
  }
}

TEST_F(PbrtSyntax, StringsHaveEscapes) {
  const std::string text = R"("a\"b\\c" word)";
  const std::string file = "f";
  PbrtTokens tokens(text, file);
  EXPECT_EQ(pbrt_string(tokens.take()->text), "a\"b\\c");
  EXPECT_EQ(tokens.take()->text, "word");
  EXPECT_FALSE(tokens.take());
}

TEST_F(PbrtSyntax, LargeIndicesAreExact) {
  const std::string text = "\"integer indices\" [16777217 2147483647 3.0]", file = "f";
  PbrtTokens tokens(text, file);
  const PbrtParameters parameters = PbrtParameters::read(tokens);
  EXPECT_THAT(parameters.integers("indices"), testing::ElementsAre(16777217, 2147483647, 3));
}

TEST_F(PbrtSyntax, IncludesFilesThatMayBeCompressed) {
  std::filesystem::create_directory(folder_ / "geometry");
  write("geometry/a.pbrt", "Translate 1 0 0 Include \"b.pbrt\"");  // beside the file that names it
  write("geometry/b.pbrt", "Shape \"sphere\"");
  write_compressed("geometry/c.pbrt.gz", kPbrtTriangle);
  write_compressed("mesh.ply.gz",
                   "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                   "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
                   "end_header\n0 0 1\n1 0 1\n0 1 1\n3 0 1 2\n");
  const HostScene scene = load_lit(R"(
    Include "geometry/a.pbrt" Include "geometry/c.pbrt.gz"
    Shape "plymesh" "string filename" "mesh.ply.gz")");
  EXPECT_THAT(scene.warnings, testing::IsEmpty());
  expect_near(scene.spheres.at(0).center, {1, 0, 0});
  ASSERT_EQ(scene.triangles.size(), 2u);
  expect_near(scene.positions[0], {1, 0, 0});  // the state of an included file stays
  expect_near(scene.positions[3], {1, 0, 1});
}

TEST_F(PbrtSyntax, TheStateOfAnImportedFileEndsWithIt) {
  write("a.pbrt", "Translate 1 0 0 Material \"conductor\" Shape \"sphere\"");
  const HostScene scene = load_lit("Import \"a.pbrt\" Shape \"sphere\"");
  expect_near(scene.spheres.at(1).center, {0, 0, 0});
  EXPECT_NE(scene.spheres[0].material, scene.spheres[1].material);
}

TEST_F(PbrtSyntax, ErrorsNameThePlace) {
  auto error = [&](const std::string& text) { return error_of("s.pbrt", text); };
  EXPECT_EQ(error("\n  Shap \"sphere\""),
            "s.pbrt:2:3: the directive \"Shap\" is unknown; did you mean Shape?");
  EXPECT_EQ(error("Shape \"sphere"),
            "s.pbrt:1:7: the string \"sphere\" has no end: expected \" in the same line");
  EXPECT_EQ(error("Shape \"sphere\" \"float radius\" [1 2"),
            "s.pbrt:1:16: the list of the parameter \"radius\" has no end: expected ]");
  EXPECT_EQ(error("Shape \"sphere\" \"float radius\" [1 2]"),
            "s.pbrt:1:16: expected one finite number for the parameter \"radius\"");
  EXPECT_EQ(error("Shape \"sphere\" \"float radius\""),
            "s.pbrt:1:16: the parameter \"radius\" has no value");
  EXPECT_EQ(error("Shape \"sphere\" \"radius\" 1"),
            "s.pbrt:1:16: expected \"type name\" of a parameter, found \"radius\"");
  EXPECT_EQ(error("Shape \"sphere\" \"float radius\" wide"),
            "s.pbrt:1:31: expected a number, found \"wide\"");
  EXPECT_EQ(error("Shape \"sphere\" \"float radius\" nan"),
            "s.pbrt:1:16: expected one finite number for the parameter \"radius\"");
  EXPECT_EQ(error("Translate 1 2 Shape"),
            "s.pbrt:1:15: expected a finite number after Translate, found \"Shape\"");
  EXPECT_EQ(error("Transform [1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1 1]"),
            "s.pbrt:1:47: expected ] after the 16 numbers of Transform");
  EXPECT_EQ(error("LookAt 0 0 0  0 0 0  0 1 0"),
            "s.pbrt:1:1: expected a LookAt of two points and another direction upward");
  EXPECT_EQ(error("WorldBegin Shape 1"),
            "s.pbrt:1:18: expected a string in double quotes after Shape");
  EXPECT_EQ(error("Include \"absent.pbrt\""),
            "s.pbrt:1:1: the file \"absent.pbrt\" does not exist");
  EXPECT_EQ(error("Include \"s.pbrt\""), "s.pbrt:1:1: the file \"s.pbrt\" includes itself");
  EXPECT_EQ(error("CoordSysTransform \"x\""), "s.pbrt:1:1: the coordinate system \"x\" is unknown");
  EXPECT_EQ(error("WorldBegin"),
            "s.pbrt: has no geometry; expected at least one Shape of a supported type");
  EXPECT_EQ(error("Shape \"nurbs\""),
            "s.pbrt: has no geometry; s.pbrt:1:1: a shape of the type \"nurbs\" is left out");
}

TEST_F(PbrtSyntax, FilesThatIncludeEachOtherAreRefused) {
  write("a.pbrt", "\nInclude \"b.pbrt\"");
  write("b.pbrt", "Include \"a.pbrt\"");
  EXPECT_EQ(error_of("s.pbrt", "Include \"a.pbrt\""),
            "b.pbrt:1:1: the file \"a.pbrt\" includes itself");
}

TEST_F(PbrtSyntax, ADamagedCompressedFileIsNamed) {
  write_compressed("whole.pbrt.gz", std::string(1000, ' ') + kPbrtTriangle);
  const std::string bytes = read_bytes_of("whole.pbrt.gz");
  EXPECT_EQ(error_of("cut.pbrt.gz", bytes.substr(0, bytes.size() / 2)),
            "cut.pbrt.gz: the compressed file is cut off");
  std::string damaged = bytes;
  damaged[12] = char(0xFF);
  EXPECT_EQ(error_of("bad.pbrt.gz", damaged), "bad.pbrt.gz: the compressed file is damaged");
  const std::filesystem::path whole = folder_ / "whole.pbrt.gz";
  const size_t size = read_maybe_compressed(whole, 1 << 20).size();
  EXPECT_EQ(message_of([&] { read_maybe_compressed(whole, size - 1); }),
            whole.string() + ": expected at most " + std::to_string(size - 1) +
                " bytes after decompression");
}

TEST_F(PbrtSyntax, ThousandsOfMistakesAreNotAllListed) {
  constexpr int kMistakes = 3000;
  std::string text = "Shape \"sphere\" ";
  for (int i = 0; i < kMistakes; ++i) text += fmt::format("ObjectInstance \"{}\" ", i);
  const HostScene scene = load_lit(text);
  EXPECT_LT(scene.warnings.size(), 1000u);
  EXPECT_THAT(scene.warnings.back(), testing::HasSubstr("there are further warnings ("));
}

TEST_F(PbrtSyntax, BytesAtRandomPlacesAreErrorsOrWarnings) {
  const std::string scene = R"(LookAt 0 1 -4 0 1 0 0 1 0 Camera "perspective" "float fov" 40
    Film "rgb" "integer xresolution" 8 "integer yresolution" 8 WorldBegin
    Texture "t" "spectrum" "checkerboard" "rgb tex1" [1 0 0] "float uscale" [4]
    LightSource "distant" "point3 from" [0 5 0] "blackbody L" 5500
    AttributeBegin Material "diffuse" "texture reflectance" "t"
    Shape "bilinearmesh" "point3 P" [0 0 0 1 0 0 0 1 0 1 1 1] "integer indices" [0 1 2 3]
    Shape "loopsubdiv" "point3 P" [0 0 0 1 0 0 0 1 0] "integer indices" [0 1 2] "integer levels" 2
    AttributeEnd ObjectBegin "o" Shape "disk" ObjectEnd ObjectInstance "o")";
  ByteNoise noise;
  constexpr int kTrials = 2000;
  int loaded = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::string changed = scene;
    for (int i = 0; i < 3; ++i) {
      const size_t at = noise() % changed.size();
      const char other = "\"[]#\n 0179-.eE\\a"[noise() % 16];
      if (noise() % 2)
        changed[at] = other;
      else
        changed.erase(at, noise() % 8);
    }
    loaded += error_of("s.pbrt", changed).empty();
  }
  EXPECT_GT(loaded, 0);
  EXPECT_LT(loaded, kTrials);
}

}  // namespace
}  // namespace winnow
