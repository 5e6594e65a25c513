// SPDX-License-Identifier: MIT
#include "load/load_scene.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "tests/support/scene_files.h"

namespace winnow {
namespace {

using LoadScene = SceneFiles;

TEST_F(LoadScene, NamesTheSceneAfterItsFile) {
  EXPECT_EQ(load("model.v2.obj", kObjTriangle).name, "model.v2");
  EXPECT_EQ(load("MODEL.OBJ", kObjTriangle).name, "MODEL");
}

TEST_F(LoadScene, RefusesWhatIsNoSceneFileInOneLine) {
  EXPECT_EQ(error_of_file(folder_ / "absent.json"), "absent.json: there is no such file");
  EXPECT_EQ(error_of_file(folder_ / "absent.obj"), "absent.obj: there is no such file");
  EXPECT_EQ(error_of_file(folder_ / "absent.png"), "absent.png: there is no such file");
  EXPECT_EQ(
      error_of("scene.abc.xyz", "{}"),
      "scene.abc.xyz: expected a scene of the type .json, .xml, .pbrt, .gltf, .glb, .obj or .ply, "
      "found .xyz");
  EXPECT_EQ(error_of("scene", "{}"),
            "scene: expected a scene of the type .json, .xml, .pbrt, .gltf, .glb, .obj or .ply, "
            "found no extension");
  EXPECT_EQ(error_of("empty.json", ""), "empty.json: the file is empty");
  EXPECT_EQ(error_of("blank.obj", " \n\n"), "blank.obj: the file is empty");
  EXPECT_EQ(error_of("binary.obj", std::string_view("v \0", 3)),
            "binary.obj: this is not a text file");
}

TEST_F(LoadScene, SaysWhatToDoWithFilesOfOtherPrograms) {
  for (const auto& [name, advice] :
       {std::pair("a.FBX", "found .fbx; Blender converts it to .glb"),
        std::pair("a.blend", "Blender writes it as .glb: File, Export, glTF 2.0"),
        std::pair("a.usdz", "Blender converts it to .glb"), std::pair("a.zip", "unpack it first"),
        std::pair("a.png", "images are for winnow denoise, winnow diff and --sky"),
        std::pair("a.film", "winnow render --resume")})
    EXPECT_NE(error_of(name, "x").find(advice), std::string::npos) << error_of(name, "x");
}

TEST_F(LoadScene, WarnsWhereRoundingOfCoordinatesShows) {
  const std::string faces = "f 1 2 3\n";
  expect_warnings(load("far.obj", "v 5000000 0 0\nv 5000002 0 0\nv 5000000 2 0\n" + faces),
                  {"far.obj: its coordinates, of up to 5e+06 m, are rounded to 0.5 m, and its size "
                   "is 2 m; move it to the origin"});
  const std::string json = R"({"sky": {"radiance": [1, 1, 1]},
    "materials": {"m": {"type": "diffuse"}},
    "meshes": {"box": {"type": "box", "min": [0, 0, 0], "max": [1, 1, 1], "material": "m"}},
    "shapes": [)";
  const auto ball = [](const char* place) {
    return fmt::format(R"({{"type": "sphere", "material": "m", "radius": 1, "center": {}}})",
                       place);
  };
  const auto box = [](const char* place) {
    return fmt::format(
        R"({{"type": "instances", "mesh": "box", "transforms": [[{{"translate": {}}}]]}})", place);
  };
  const char *far = "[5000000, 0, 0]", *near = "[900, 0, 0]";
  for (const std::string& shape : {ball(far), box(far)})
    expect_warnings(load("far.json", json + shape + "]}"),
                    {"far.json: its coordinates, of up to 5e+06 m, are rounded to 0.5 m"});
  for (const std::string& shape :
       {ball(near), box(near), ball(far) + ", " + ball(near), box(far) + ", " + box(near)})
    EXPECT_EQ(load("near.json", json + shape + "]}").warnings, std::vector<std::string>{}) << shape;
}

/// The files of a collection that was cloned without Git LFS were taken for broken ones.
TEST_F(LoadScene, NamesAFileThatWasNotFetchedInEveryFormat) {
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
  for (const char* name : {"s.json", "s.xml", "s.gltf", "s.glb", "s.obj", "s.ply"})
    EXPECT_EQ(error_of(name, pointer), std::string(name) +
                                           ": this is a Git LFS pointer, not the file itself; run "
                                           "`git lfs pull` to fetch the file");

  write("sky.hdr", pointer);
  const HostScene scene = load("s.json", R"({"sky": {"file": "sky.hdr"},
      "materials": {"m": {"type": "diffuse"}},
      "shapes": [{"type": "sphere", "radius": 1, "material": "m"}]})");
  expect_warnings(scene, {"sky.hdr: this is a Git LFS pointer"});
}

TEST_F(LoadScene, NamesASceneInAFolder) {
  for (const char* name : {"folder.json", "folder.obj", "folder"}) {
    std::filesystem::create_directory(folder_ / name);
    EXPECT_EQ(error_of_file(folder_ / name),
              std::string(name) +
                  ": this is a folder without a scene of the type .json, .xml, "
                  ".pbrt, .gltf, .glb, .obj or .ply");
  }
  write("folder/readme.txt", "");
  write("folder/c.glb", "");
  write("folder/b.PLY", "");
  EXPECT_EQ(error_of_file(folder_ / "folder"),
            "folder: this is a folder; name a scene in it, such as folder/b.PLY");
}

TEST_F(LoadScene, RefusesAFileThatCannotBeRead) {
  std::filesystem::path file = write("secret.json", "{}");
  chmod(file.c_str(), 0);
  if (geteuid() == 0) GTEST_SKIP() << "root reads every file";
  EXPECT_EQ(error_of_file(file), "secret.json: cannot be opened: Permission denied");
}

}  // namespace
}  // namespace winnow
