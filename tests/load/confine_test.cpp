// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <filesystem>

#include "base/files.h"
#include "base/folder_watch.h"
#include "image/image_io.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const char* const kPlyTriangle =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
    "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

/// Scenes in a folder of the test's folder.
class Confine : public SceneFiles {
 protected:
  Confine() {
    fs::create_directories(folder_ / "in/deeper");
    for (const char* place : {"", "in/", "in/deeper/"}) {
      write(std::string(place) + "m.ply", kPlyTriangle);
      write(std::string(place) + "m.obj", kObjTriangle);
      write(std::string(place) + "m.mtl", "newmtl a\n");
      write_texel(std::string(place) + "t.png", {1, 2, 3, 255});
    }
  }

  /// A scene of each format that names m.ply, m.mtl or t.png in `place`.
  std::vector<std::string> scenes_of(const std::string& place) const {
    write("in/s.json", R"({"materials": {"a": {"type": "diffuse"}}, "shapes": [{"type": "ply",
      "material": "a", "file": ")" +
                           place + R"(m.ply"}], "sky": {"radiance": 1}})");
    write("in/s.xml", "<scene version='3.0.0'><shape type='ply'><string name='filename' value='" +
                          place + "m.ply'/></shape><shape type='cube'/></scene>");
    write("in/s.pbrt",
          "Camera \"perspective\" WorldBegin Shape \"sphere\"\nShape \"plymesh\" "
          "\"string filename\" \"" +
              place + "m.ply\"");
    write("in/s.obj", "mtllib " + place + "m.mtl\n" + kObjTriangle);
    return {"in/s.json", "in/s.xml", "in/s.pbrt", "in/s.obj"};
  }

  HostScene load_confined(const std::string& name) const {
    return load_scene(folder_ / name, {}, {}, OutsideFiles::kRefused);
  }

  /// All that loading says: its warnings, or its error.
  std::string said_confined(const std::string& name) const {
    std::string said;
    try {
      for (const std::string& warning : load_confined(name).warnings) said += warning + "\n";
    } catch (const Error& error) {
      said = error.what();
    }
    return said;
  }
};

TEST_F(Confine, FilesOutsideOfTheFolderAreAWarning) {
  for (const std::string& scene : scenes_of("../"))
    EXPECT_THAT(load_scene(folder_ / scene).warnings,
                Contains(HasSubstr("1 of its files is outside of its folder, such as")))
        << scene;
}

TEST_F(Confine, FilesOutsideOfTheFolderAreRefused) {
  for (const std::string& scene : scenes_of("../"))
    EXPECT_THAT(said_confined(scene), HasSubstr("is outside of the scene's folder")) << scene;
  for (const std::string& scene : scenes_of((folder_ / "in/../").string()))
    EXPECT_THAT(said_confined(scene), HasSubstr("is outside of the scene's folder")) << scene;
}

TEST_F(Confine, FilesInTheFolderAndBelowAreRead) {
  for (const char* place : {"", "deeper/", "deeper/../", "../in/"})
    for (const std::string& scene : scenes_of(place)) {
      EXPECT_THAT(load_scene(folder_ / scene).warnings, Not(Contains(HasSubstr("outside"))));
      EXPECT_THAT(said_confined(scene), Not(HasSubstr("outside"))) << place << scene;
    }
}

TEST_F(Confine, ALinkThatLeadsOutsideIsOutside) {
  fs::create_symlink(folder_ / "m.ply", folder_ / "in/link.ply");
  write("in/s.pbrt",
        "Camera \"perspective\" WorldBegin Shape \"sphere\"\nShape \"plymesh\" "
        "\"string filename\" \"link.ply\"");
  EXPECT_THAT(said_confined("in/s.pbrt"), HasSubstr("is outside of the scene's folder"));
}

TEST_F(Confine, TexturesOutsideAreLeftOut) {
  write("in/m.mtl", "newmtl a\nmap_Kd ../t.png\n");
  write("in/s.obj", "mtllib m.mtl\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n");
  EXPECT_EQ(load_scene(folder_ / "in/s.obj").images.size(), 1u);
  const HostScene scene = load_confined("in/s.obj");
  EXPECT_TRUE(scene.images.empty());
  EXPECT_THAT(scene.warnings, Contains(HasSubstr("is outside of the scene's folder")));
}

TEST_F(Confine, SkiesOutsideAreLeftOut) {
  const fs::path sky = folder_ / "sky.pfm";
  write_image(sky, {2, 1, {glm::vec3(1.0f), glm::vec3(2.0f)}});
  write("in/s.xml",
        "<scene version='3.0.0'><shape type='cube'/><emitter type='envmap'><string "
        "name='filename' value='../sky.pfm'/></emitter></scene>");
  EXPECT_EQ(load_scene(folder_ / "in/s.xml").environment.image.width, 2u);
  EXPECT_THAT(said_confined("in/s.xml"), HasSubstr("is outside of the scene's folder"));
}

TEST_F(Confine, SerializedMeshesOutsideAreLeftOut) {
  fs::copy_file(fs::path(WINNOW_MITSUBA_DIR) / "scenes/meshes/balls-4.serialized",
                folder_ / "m.serialized");
  write("in/s.xml",
        "<scene version='3.0.0'><shape type='cube'/><shape type='serialized'><string "
        "name='filename' value='../m.serialized'/></shape></scene>");
  EXPECT_GT(load_scene(folder_ / "in/s.xml").triangles.size(), 12u);
  EXPECT_THAT(said_confined("in/s.xml"), HasSubstr("is outside of the scene's folder"));
}

TEST_F(Confine, LeavesFilesThatNoSceneNamesAlone) {
  scenes_of("../");
  said_confined("in/s.json");
  EXPECT_FALSE(read_file(folder_ / "m.ply").empty());
}

}  // namespace
}  // namespace winnow
