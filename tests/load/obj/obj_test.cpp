// SPDX-License-Identifier: MIT
#include "load/obj/obj.h"

#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <glm/geometric.hpp>

#include "image/srgb.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

using ObjScene = SceneFiles;

TEST_F(ObjScene, ReadsFacesAsTrianglesWithTheFilesWinding) {
  HostScene scene =
      load("a.obj", "# a comment\n  v 0 0 0\nv 1 0 0 # end\nv +1 1. 0 1\nv 0 1e0 0\nf 1 2 3 4\n");
  EXPECT_EQ(scene.positions.size(), 4u);
  ASSERT_EQ(scene.triangles.size(), 2u);
  float area = 0.0f;
  for (glm::uvec3 t : scene.triangles) area += area_vector(scene, t).z;
  EXPECT_FLOAT_EQ(area, 1.0f);
  EXPECT_TRUE(scene.warnings.empty());
}

TEST_F(ObjScene, ReadsEveryFormOfACorner) {
  for (const char* face : {"f 1 2 3", "f 1/1 2/1 3/1", "f 1//1 2//1 3//1", "f 1/1/1 2/1/1 3/1/1",
                           "f -3 -2 -1", "f -3/-1/-1 -2/-1/-1 -1/-1/-1", "f\t1  2 \\\n 3",
                           "f 1 2 3\r", "f 1/ 2/ 3/", "f 1// 2// 3//", "f 1 2 3 # 4", "f 1 2\v3"}) {
    SCOPED_TRACE(face);
    // Three of each, so that a corner that is taken for an index of its neighbour shows.
    HostScene scene =
        load("a.obj", std::string("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
                                  "vn 0 0 1\nvn 0 0 1\nvn 0 0 1\n") +
                          face);
    ASSERT_EQ(scene.triangles.size(), 1u);
    EXPECT_EQ(scene.positions[scene.triangles[0].y], glm::vec3(1, 0, 0));
    bool has_normal =
        std::string(face).find("/1") != std::string::npos && std::string(face) != "f 1/1 2/1 3/1";
    has_normal = has_normal || std::string(face).find("/-1/-1") != std::string::npos;
    EXPECT_EQ(scene.normals[0], glm::vec3(0, 0, has_normal ? 1 : 0));
    const bool has_uv = std::string(face).find("1/1") != std::string::npos ||
                        std::string(face).find("/-1/-1") != std::string::npos;
    EXPECT_EQ(scene.uvs.empty(), !has_uv);
    EXPECT_TRUE(scene.warnings.empty());
  }
}

TEST_F(ObjScene, ReadsEveryLineEnding) {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    std::string text;
    for (const char* line : {"v 0 0 0", "v 1 0 0", "v 0 1 0", "f 1 2 3"}) (text += line) += end;
    EXPECT_EQ(load("a.obj", text).triangles.size(), 1u);
  }
}

TEST_F(ObjScene, FramesAnyBareFileUnderASoftSky) {
  HostScene scene = load("a.obj", kObjTriangle);
  EXPECT_NE(scene.sky.zenith, glm::vec3(0));
  EXPECT_NE(scene.camera.position, scene.camera.look_at);
  EXPECT_EQ(scene.width, 768u);
  ASSERT_EQ(scene.materials.size(), 1u);
  EXPECT_EQ(scene.materials[0].reflectance, glm::vec3(0.6f));
}

TEST_F(ObjScene, KeepsOnlyTheFilesOwnLight) {
  write("l.mtl", "newmtl lamp\nKd 0 0 0\nKe 3 2 1\nnewmtl unused\nKe 1 1 1\n");
  HostScene lit = load("lit.obj", "mtllib l.mtl\nusemtl lamp\n" + kObjTriangle);
  EXPECT_EQ(lit.materials[0].emission, glm::vec3(3, 2, 1));
  EXPECT_EQ(lit.sky.zenith, glm::vec3(0));
  HostScene unlit = load("unlit.obj", "mtllib l.mtl\n" + kObjTriangle);
  EXPECT_NE(unlit.sky.zenith, glm::vec3(0));
}

TEST_F(ObjScene, TakesAnAmbientAboveOneForALight) {
  write("l.mtl",
        "newmtl lamp\nKa 20 20 20\nKd 1 1 1\nnewmtl wall\nKa 1 1 1\nKd 1 1 1\nnewmtl real\nKe 1 1 "
        "1\n");
  HostScene scene =
      load("a.obj", "mtllib l.mtl\nusemtl lamp\n" + kObjTriangle + "usemtl wall\nf 1 3 2\n");
  EXPECT_EQ(scene.materials[0].emission, glm::vec3(20));
  EXPECT_EQ(scene.materials[1].emission, glm::vec3(0));
  EXPECT_EQ(scene.sky.zenith, glm::vec3(0));
  expect_warnings(scene, {"material \"lamp\" is taken for a light"});

  HostScene real =
      load("b.obj", "mtllib l.mtl\nusemtl lamp\n" + kObjTriangle + "usemtl real\nf 1 3 2\n");
  EXPECT_EQ(real.materials[0].emission, glm::vec3(0));
}

TEST_F(ObjScene, GivesEachFaceItsMaterial) {
  write("m.mtl", "newmtl red\nKd 1 0 0\nnewmtl unused\nKd 0 0 1\nnewmtl green paint\nKd 0 1 0\n");
  HostScene scene =
      load("a.obj", "mtllib m.mtl\n" + kObjTriangle +
                        "usemtl green paint \ng a b\nf 1 3 2\no x\nusemtl red\nf 1 2 3\n");
  ASSERT_EQ(scene.materials.size(), 3u);
  EXPECT_EQ(scene.material_names, (std::vector<std::string>{"(none)", "green paint", "red"}));
  EXPECT_EQ(scene.triangle_materials, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(scene.materials[1].reflectance, glm::vec3(0, 1, 0));
}

TEST_F(ObjScene, FindsLibrariesWithBlanksInTheirNamesAndSeveralOnALine) {
  write("my colours.mtl", "newmtl a\nKd 1 0 0\n");
  write("b.mtl", "newmtl b\nKd 0 1 0\n");
  HostScene blank = load("a.obj", "mtllib my colours.mtl\nusemtl a\n" + kObjTriangle);
  EXPECT_EQ(blank.materials[0].reflectance, glm::vec3(1, 0, 0));
  HostScene several = load("b.obj", "mtllib none.mtl b.mtl\nusemtl b\n" + kObjTriangle);
  EXPECT_EQ(several.materials[0].reflectance, glm::vec3(0, 1, 0));
  expect_warnings(several, {"the material library \"none.mtl\" does not exist"});
}

TEST_F(ObjScene, ReadsAllLibrariesOfAStatementAtTheirPathsOrAtTheirEnds) {
  write("a.mtl", "newmtl a\nKd 1 0 0\n");
  write("b.mtl", "newmtl b\nKd 0 1 0\n");
  const std::string faces = "\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\nusemtl b\nf 3 2 1\n";
  auto is_of_an_end = [](const std::string& warning) {
    return warning.find(" is not at its path; ") != warning.npos;
  };
  for (const auto& [names, warnings] : {std::pair("./a.mtl ./b.mtl", 0),
                                        {"a.mtl .\\b.mtl", 0},
                                        {"./a.mtl C:\\x\\b.mtl", 1},
                                        {"C:\\x\\a.mtl C:\\x\\b.mtl", 2}}) {
    const HostScene scene = load("a.obj", std::string("mtllib ") + names + faces);
    ASSERT_EQ(scene.materials.size(), 2u) << names;
    EXPECT_EQ(scene.materials[0].reflectance, glm::vec3(1, 0, 0)) << names;
    EXPECT_EQ(scene.materials[1].reflectance, glm::vec3(0, 1, 0)) << names;
    EXPECT_EQ(std::ranges::count_if(scene.warnings, is_of_an_end), warnings) << names;
    EXPECT_EQ(scene.warnings.size(), size_t(warnings)) << names;
  }
  write("my colours.mtl", "newmtl a\nKd 0 0 1\n");
  const HostScene blank =
      load("a.obj", "mtllib C:\\my files\\my colours.mtl\nusemtl a\n" + kObjTriangle);
  EXPECT_EQ(blank.materials[0].reflectance, glm::vec3(0, 0, 1));
  expect_warnings(blank, {" is not at its path; "});
}

TEST_F(ObjScene, TakesNoFolderForALibrary) {
  std::filesystem::create_directory(folder_ / "materials");
  for (const std::string name : {"C:\\x\\materials", "materials", "./"})
    expect_warnings(load("a.obj", "mtllib " + name + "\n" + kObjTriangle),
                    {"the material library \"" + name + "\" does not exist"});
}

/// A file of 20,000 smoothing groups around one vertex took a second, one of 200,000 two minutes.
TEST_F(ObjScene, SharesVerticesOfOnePositionHoweverManyThereAre) {
  constexpr size_t kGroups = 100'000;
  std::string fan = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (const char* faces : {"\nf 1 2 3\n", "\nf 2 3 1\n"})
    for (size_t group = 1; group <= kGroups; ++group) fan += "s " + std::to_string(group) + faces;
  const std::clock_t start = std::clock();
  const HostScene scene = load("a.obj", fan);
  EXPECT_EQ(scene.triangles.size(), 2 * kGroups);
  EXPECT_EQ(scene.positions.size(), 3 * kGroups);
  EXPECT_EQ(scene.triangles[kGroups], glm::uvec3(1, 2, 0));
  EXPECT_EQ(scene.triangles[2 * kGroups - 1],
            glm::uvec3(1, 2, 0) + glm::uvec3(3 * (uint32_t(kGroups) - 1)));
  constexpr double kMaxSeconds = 10.0;  // CPU time under sanitizers
  EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, kMaxSeconds);
}

TEST_F(ObjScene, LeavesOutFilesWhoseNamesAreLongerThanAnyFileHas) {
  const std::string name(300, 'a');
  write("m.mtl", "newmtl a\nmap_Kd " + name + ".exr\n");
  const HostScene scene =
      load("a.obj", "mtllib " + name + ".mtl\nmtllib m.mtl\nvt 0 0\n" +
                        "usemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\n" + "f 1/1 2/1 3/1\n");
  expect_warnings(scene, {name + ".exr: the texture does not exist; it is left out",
                          "the material library \"" + name.substr(0, 60) + "...\" does not exist"});
}

TEST_F(ObjScene, ReadsMaterialsWithoutAName) {
  write("m.mtl", "newmtl\nKd 1 0 0\nnewmtl \t\nKd 0 1 0\nnewmtl b\nKd 0 0 1\n");
  HostScene scene = load("a.obj", "mtllib m.mtl\nusemtl b\n" + kObjTriangle + "usemtl\nf 1 3 2\n");
  ASSERT_EQ(scene.materials.size(), 2u);
  EXPECT_EQ(scene.materials[0].reflectance, glm::vec3(0, 0, 1));
  EXPECT_EQ(scene.materials[1].reflectance, glm::vec3(1, 0, 0));
  HostScene undefined = load("b.obj", "mtllib m.mtl\nusemtl\n" + kObjTriangle);
  EXPECT_EQ(undefined.materials[0].reflectance, glm::vec3(1, 0, 0));
}

TEST_F(ObjScene, ReadsTabsByteOrderMarksAndLateLibraries) {
  write("m.mtl", "\xef\xbb\xbfnewmtl\ta\n\tKd\t1\t0\t0\n");
  HostScene scene = load("a.obj",
                         "\xef\xbb\xbfv\t0 0\t0\nv 1 0 0\n\tv 0 1 0\nusemtl\ta\n"
                         "f\t-3\t-2 -1\nmtllib\tm.mtl\n");
  ASSERT_EQ(scene.triangles.size(), 1u);
  EXPECT_EQ(scene.materials[0].reflectance, glm::vec3(1, 0, 0));
  EXPECT_TRUE(scene.warnings.empty());
}

/// Scans were grey.
TEST_F(ObjScene, ShowsTheColoursOfItsVertices) {
  HostScene scene = load("a.obj", "v 0 0 0 1 0 0\nv 1 0 0 0 0.5 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_TRUE(scene.warnings.empty());
  ASSERT_EQ(scene.colors.size(), 3u);
  EXPECT_EQ(scene.colors[0], glm::vec4(1, 0, 0, 1));
  EXPECT_EQ(scene.colors[1], glm::vec4(0, linear_from_srgb(0.5f), 0, 1));
  EXPECT_EQ(scene.colors[2], glm::vec4(1.0f)) << "a vertex without a colour is white";
  EXPECT_EQ(scene.materials[0].reflectance, glm::vec3(1.0f));
  EXPECT_TRUE(scene.materials[0].vertex_colors);
  EXPECT_FALSE(scene.materials[0].vertex_alpha);

  const HostScene bytes =
      load("a.obj", "v 0 0 0 255 0 0\nv 1 0 0 0 255 51\nv 0 1 0 0 0 0\nf 1 2 3\n");
  EXPECT_EQ(bytes.colors.at(1), glm::vec4(0, 1, linear_from_srgb(0.2f), 1));
  const HostScene white = load("a.obj", "v 0 0 0 1 1 1\nv 1 0 0 1 1 1\nv 0 1 0 1 1 1\nf 1 2 3\n");
  EXPECT_TRUE(white.colors.empty());
  EXPECT_EQ(white.materials[0].reflectance, glm::vec3(0.6f));
}

TEST_F(ObjScene, MultipliesKdByTheColoursOfVerticesUnlessItHasATexture) {
  write_texel("t.png", {255, 255, 255, 255});
  write("m.mtl", "newmtl a\nKd 0.5 0.5 0.5\nnewmtl b\nKd 1 1 1\nmap_Kd t.png\n");
  const HostScene scene =
      load("a.obj",
           "mtllib m.mtl\nv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nusemtl a\nf 1 2 3\n"
           "usemtl b\nf 1 3 2\n");
  EXPECT_EQ(scene.materials.at(0).reflectance, glm::vec3(0.5f));
  EXPECT_TRUE(scene.materials[0].vertex_colors);
  EXPECT_FALSE(scene.materials[1].vertex_colors);
  expect_warnings(scene, {"a.obj: vertex colours are not used where map_Kd gives the colour",
                          "1 material has textures, but faces without texture vertices"});
}

TEST_F(ObjScene, TakesASingleNumberBehindAVertexForItsWeight) {
  HostScene weights = load("b.obj", "v 0 0 0 1\nv 1 0 0 1 # a b\nv 0 1 0 # 1 2 3\nf 1 2 3\n");
  EXPECT_TRUE(weights.warnings.empty());
  EXPECT_TRUE(weights.colors.empty());
}

TEST_F(ObjScene, WarnsOfMissingLibrariesAndMaterials) {
  HostScene scene =
      load("a.obj", "mtllib gone.mtl\nusemtl red\n" + kObjTriangle + "usemtl blue\nf 1 2 3\n");
  expect_warnings(scene, {"a.obj: the material library \"gone.mtl\" does not exist",
                          "2 materials are not defined, among them \"blue\"; grey is used"});
  EXPECT_EQ(scene.materials[0].reflectance, glm::vec3(0.6f));
}

/// Blender writes an empty usemtl, and its surfaces without a material are a brighter grey.
TEST_F(ObjScene, HasTheGreyOfBlenderWhereThatHasNoMaterial) {
  const std::string faces = kObjTriangle + "usemtl\nf 1 3 2\nusemtl a\no Cube\nf 1 2 3\n";
  EXPECT_EQ(load("b.obj", faces).materials.at(0).reflectance, glm::vec3(0.6f));
  write("m.mtl", "newmtl a\nKd 1 0 0\n");
  const HostScene scene =
      load("a.obj", "# Blender 5.3.0\n# www.blender.org\nmtllib m.mtl\n" + faces);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  ASSERT_EQ(scene.materials.size(), 1u) << "an object has no material of the one before";
  EXPECT_EQ(scene.materials[0].reflectance, glm::vec3(0.8f));
}

/// A roof whose normals lean by 45 degrees.
TEST_F(ObjScene, SaysThatCoarseNormalsOfBlenderDiffer) {
  const std::string roof = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 1 0 1\nf 1//1 2//1 3//1\n";
  expect_warnings(load("b.obj", "# Blender 5.3.0\n" + roof),
                  {"b.obj: coarse smooth shading is up to 5 % darker"});
  const HostScene other = load("o.obj", roof);
  EXPECT_EQ(other.warnings, std::vector<std::string>{});
  EXPECT_EQ(other.notes, std::vector<std::string>{});
  ASSERT_EQ(load("b.obj", "# Blender 5.3.0\n" + roof).notes.size(), 1u);
}

TEST_F(ObjScene, SaysThatBlenderDoesNotSayWhatUsesVertexColors) {
  const std::string colored = "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nf 1 2 3\n";
  EXPECT_EQ(load("b.obj", colored).warnings, std::vector<std::string>{});
  expect_warnings(load("a.obj", "# Blender 5.3.0\n" + colored),
                  {"a.obj: Blender does not write which materials use vertex colours"});
}

TEST_F(ObjScene, CountsWhatItIgnores) {
  write("m.mtl", "newmtl a\nKd 2 0 0\nmap_Kd a.png\nmap_Ka b.png\nrefl c.png\nfoo 1\nPs 0.1\n");
  HostScene scene = load("a.obj", "mtllib m.mtl\nusemtl a\n" + kObjTriangle +
                                      "f 1 2 2\nwhatever\np 1\nl 1 2\nsurf 0 1\n");
  EXPECT_EQ(scene.triangles.size(), 1u);
  expect_warnings(scene,
                  {"a.png: the texture does not exist", "1 material value is clamped to its range",
                   "1 triangle without area is left out", "2 points or lines are left out",
                   "a.obj:11: surf is ignored: free-form curves and surfaces are not rendered",
                   "a.obj:8: \"whatever\" is not a statement of OBJ; it is ignored",
                   "m.mtl:5: refl is ignored: the scene itself is reflected",
                   "m.mtl:6: \"foo\" is not a statement of MTL; it is ignored"});
}

TEST_F(ObjScene, WarnsOfOutlinesThatCrossThemselves) {
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
  expect_warnings(load("a.obj", corners + "f 1 2 3 4\n"), {});
  expect_warnings(load("a.obj", corners + "f 1 2 4 3\nf 1 2 3 4\n"),
                  {"a.obj: the outline of a face crosses itself: it is cut into triangles"});
  expect_warnings(load("a.obj", corners + "f 1 2 4 3\nf 1 3 2 4\n"),
                  {"a.obj: the outlines of 2 faces cross themselves: they are cut"});
}

TEST_F(ObjScene, LeavesOutFacesOfVerticesThatAreNotFinite) {
  for (const char* word :
       {"nan", "-NaN", "inf", "-inf", "Infinity", "1.#IND", "-1.#INF", "1.#QNAN", "1e99", "2e9"}) {
    SCOPED_TRACE(word);
    HostScene scene = load("a.obj", kObjTriangle + "v 5 " + word + " 5\nf 1 2 4\nf 1 2 3 4\n");
    EXPECT_EQ(scene.triangles.size(), 1u);
    EXPECT_EQ(scene.positions.size(), 3u);
    expect_warnings(scene, {"1 vertex is not finite or too far away"});
  }
}

TEST_F(ObjScene, WarnsOfNormalsBeyondTheLastOne) {
  HostScene scene = load("a.obj", "vn 0 0 1\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//1 2//2 3//99\n");
  expect_warnings(scene, {"2 face corners refer to normals beyond the last one"});
  EXPECT_EQ(scene.normals[scene.triangles[0].x], glm::vec3(0, 0, 1));
  EXPECT_EQ(scene.normals[scene.triangles[0].y], glm::vec3(0));
}

TEST_F(ObjScene, IsFlatWithoutNormals) {
  HostScene scene =
      load("a.obj",
           "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\ns off\nf 1 3 4\ns 0\nf 2 4 3\n");
  EXPECT_EQ(scene.positions.size(), 4u);
  for (glm::vec3 n : scene.normals) EXPECT_EQ(n, glm::vec3(0));
}

TEST_F(ObjScene, SmoothsWithinASmoothingGroupOnly) {
  // A roof: two slopes with a common edge along the z axis. Group 1 has both, group 2 has only one.
  const char* kRoof = "v -1 0 0\nv 0 1 0\nv 0 1 2\nv -1 0 2\nv 1 0 0\nv 1 0 2\n";
  HostScene smooth = load("a.obj", std::string(kRoof) + "s 1\nf 1 4 3 2\nf 2 3 6 5\n");
  HostScene apart = load("b.obj", std::string(kRoof) + "s 1\nf 1 4 3 2\ns 2\nf 2 3 6 5\n");
  EXPECT_EQ(smooth.positions.size(), 6u);
  EXPECT_EQ(apart.positions.size(), 8u);  // the ridge twice
  for (size_t i = 0; i < 6; ++i) {
    bool ridge = smooth.positions[i].x == 0.0f;
    glm::vec3 expected =
        ridge ? glm::vec3(0, 1, 0) : glm::normalize(glm::vec3(smooth.positions[i].x, 1, 0));
    EXPECT_NEAR(glm::distance(smooth.normals[i], expected), 0.0f, 1e-6f);
  }
  for (glm::vec3 n : apart.normals) EXPECT_NEAR(std::abs(n.x), std::sqrt(0.5f), 1e-6f);
}

TEST_F(ObjScene, WeightsSmoothNormalsByAngle) {
  // A cube corner whose +z side is split into two triangles there: each side still counts once.
  HostScene scene = load("a.obj",
                         "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 -1\nv 1 0 -1\nv 0 1 -1\n"
                         "s 1\nf 1 2 3\nf 1 3 4\nf 1 4 7 5\nf 1 5 6 2\n");
  for (size_t i = 0; i < scene.positions.size(); ++i) {
    if (scene.positions[i] != glm::vec3(0)) continue;
    EXPECT_NEAR(glm::distance(scene.normals[i], glm::normalize(glm::vec3(-1, -1, 1))), 0.0f, 1e-6f);
  }
}

TEST_F(ObjScene, ReadsFacesOfManyCorners) {
  std::string text, face = "f";
  for (int i = 0; i < 400; ++i) {
    double angle = i * 6.2831853 / 400;
    text += fmt::format("v {} {} 0\n", std::cos(angle), std::sin(angle));
    face += fmt::format(" {}", i + 1);
  }
  HostScene scene = load("a.obj", text + face + "\nf 1 100 200\n");
  EXPECT_EQ(scene.triangles.size(), 399u);
}

struct BadObj {
  std::string text, message;  ///< after the file's name
};

void PrintTo(const BadObj& input, std::ostream* stream) {
  *stream << input.message;
}

class BadObjScene : public SceneFiles, public testing::WithParamInterface<BadObj> {};

TEST_P(BadObjScene, IsRefusedInOneLine) {
  EXPECT_EQ(error_of("a.obj", GetParam().text), "a.obj:" + GetParam().message);
}

const std::string kForms =
    "expected vertex, vertex/texture, vertex//normal or vertex/texture/normal, found ";
const std::string kCorners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

INSTANTIATE_TEST_SUITE_P(
    Obj, BadObjScene,
    testing::ValuesIn(std::vector<BadObj>{
        {kCorners,
         " has no geometry; expected faces (f), found 3 vertices and 0 point or line statements"},
        {kCorners + "p 1\nl 1 2\n",
         " has no geometry; expected faces (f), found 3 vertices and 2 point or line statements"},
        {"some words\n",
         " has no geometry; expected faces (f), found 0 vertices and 0 point or line statements"},
        {kCorners + "f 1 1 2\n",
         " has no geometry; none of its 1 face has an area and finite vertices"},
        {"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
         " has no geometry; none of its 1 face has an area and finite vertices"},
        {kCorners + "f 1 2 4\n",
         "4:7: vertex 4 is out of range; expected at most 3, the last vertex of the file"},
        {"f 1 2 999999999999\n" + kCorners, "1:7: " + kForms + "'999999999999'"},
        {"f -4 -3 -2\n",
         "1:3: vertex -4 is out of range; expected at most 0 back, as many as there are above this "
         "line"},
        {kCorners + "f 0 1 2\n",
         "4:3: vertex 0 is out of range; expected to count from 1 (or from -1, backwards)"},
        {kCorners + "vt 0 0\n  f 1/-1 2/-2 3/-1\n",
         "5:10: texture vertex -2 is out of range; expected at most 1 back, as many as there are "
         "above this line"},
        {kCorners + "f 1//-1 2 3\n",
         "4:3: vertex normal -1 is out of range; expected at most 0 back, as many as there are "
         "above this line"},
        {kCorners + "f 1 2\nf 1\n",
         " has no geometry; expected faces (f), found 3 vertices and 2 point or line statements"},
        {kCorners + "f 1 2 x\n", "4:7: " + kForms + "'x'"},
        {kCorners + "f 1/1/1/1 2 3\n", "4:3: " + kForms + "'1/1/1/1'"},
        {kCorners + "f /1 2 3\n", "4:3: " + kForms + "'/1'"},
        {"v 0 0\n", "1:6: expected a number, found the end of the line"},
        {"v 0 abc 0\n", "1:5: expected a number, found 'abc'"},
        {"v 0 0x10 0\n", "1:5: expected a number, found '0x10'"},
        {"vn 0 1,5 0\n", "1:6: expected a number, found '1,5'"}}));

TEST_F(ObjScene, NamesAFileThatDoesNotExistByAFewBytes) {
  write("m.mtl", "newmtl m\nmap_Kd " + std::string(1'000'000, 'p') + "\n");
  const HostScene scene = load("a.obj", "mtllib m.mtl\nusemtl m\n" + kObjTriangle);
  expect_warnings(scene, {"the texture does not exist"});
  EXPECT_LT(scene.warnings.at(0).size(), 5000u);
}

TEST_F(ObjScene, FindsFilesByThePathsOfOtherSystems) {
  std::filesystem::create_directory(folder_ / "maps");
  write_texel("maps/Wall.png", {255, 0, 0, 255});
  write("Room.mtl", "newmtl m\nmap_Kd C:\\maps\\wall.PNG\nmap_Ke MAPS\\wall.png\n");
  const HostScene scene = load("a.obj",
                               "mtllib .\\room.MTL\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\n"
                               "f 1/1 2/1 3/1\n");
  ASSERT_EQ(scene.materials.size(), 1u);
  EXPECT_NE(scene.materials[0].textures.reflectance, kNoTexture);
  EXPECT_NE(scene.materials[0].textures.emission, kNoTexture);
  expect_warnings(scene, {"Room.mtl:2: \"C:\\maps\\wall.PNG\" is not at its path; "});
}

TEST_F(ObjScene, FindsTexturesBesideTheirLibrary) {
  std::filesystem::create_directory(folder_ / "looks");
  write_texel("looks/a.png", {255, 0, 0, 255});
  write("looks/m.mtl", "newmtl m\nmap_Kd a.png\n");
  const HostScene scene = load("a.obj", "mtllib looks/m.mtl\nusemtl m\n" + kObjTriangle);
  ASSERT_EQ(scene.materials.size(), 1u);
  EXPECT_NE(scene.materials[0].textures.reflectance, kNoTexture);
}

/// A sheet of solid glass shows half of what Cycles shows: light is never seen to leave it.
TEST_F(ObjScene, WarnsOfGlassThatIsOpen) {
  write("m.mtl", "newmtl glass\nillum 6\nNi 1.5\nTf 0.9 0.9 0.9\nnewmtl cap\nKd 1 1 1\n");
  const std::string corners =
      "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl glass\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";
  auto count = [](const HostScene& scene) {
    size_t open = 0;
    for (const std::string& warning : scene.warnings)
      open += warning.find("open edges") != warning.npos;
    return open;
  };
  EXPECT_EQ(count(load("open.obj", corners)), 1u);
  EXPECT_EQ(count(load("closed.obj", corners + "f 1 4 3\n")), 0u);
  EXPECT_EQ(count(load("capped.obj", corners + "usemtl cap\nf 1 4 3\n")), 0u);
}

class BadMtl : public SceneFiles, public testing::WithParamInterface<BadObj> {};

TEST_P(BadMtl, IsRefusedInOneLine) {
  write("m.mtl", GetParam().text);
  EXPECT_EQ(error_of("a.obj", "mtllib m.mtl\n" + kObjTriangle), "m.mtl:" + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Mtl, BadMtl,
                         testing::ValuesIn(std::vector<BadObj>{
                             {"newmtl a\nKd 1 red 1\n", "2:6: expected a number, found 'red'"},
                             {"newmtl a\n\tNs\n",
                              "2:4: expected a number, found the end of the line"},
                             {"newmtl a\nKe nan 0 0\n", "2:4: expected a number, found 'nan'"},
                             {"newmtl a\nillum two\n", "2:7: expected a number, found 'two'"},
                             {"", " the file is empty"}}));

}  // namespace
}  // namespace winnow
