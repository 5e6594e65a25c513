// SPDX-License-Identifier: MIT
#include <glm/geometric.hpp>

#include "scene/scene_bounds.h"
#include "scene/scene_summary.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

class ReadInstances : public SceneFiles {
 protected:
  static std::string scene_of(const std::string& shapes, const std::string& meshes = kBox) {
    return R"({"materials": {"glow": {"type": "diffuse", "emission": 1}, "red": {"type": "diffuse"},
                             "white": {"type": "diffuse"}},
               "meshes": {)" +
           meshes + R"(}, "shapes": [)" + shapes + R"(], "sky": {"radiance": 1}})";
  }

  static constexpr const char* kBox =
      R"("box": {"type": "box", "material": "white", "min": [0, 0, 0], "max": [1, 1, 1],
                 "transform": [{"translate": [2, 0, 0]}]})";
};

TEST_F(ReadInstances, PlaceAMeshInManyPlaces) {
  HostScene scene = load("s.json", scene_of(R"(
      {"type": "instances", "mesh": "box", "transforms": [
        [{"translate": [0, 0, 5]}], [{"scale": [2, -1, 1]}, {"translate": [0, 0, 7]}]]},
      {"type": "instances", "mesh": "box", "material": "red", "transforms": [[]],
       "transform": [{"scale": 3}]},
      {"type": "box", "material": "red", "min": [0, 0, 0], "max": [1, 1, 1]})"));
  EXPECT_EQ(scene.triangles.size(), 12u);
  EXPECT_EQ(scene.shared.triangles.size(), 12u);
  EXPECT_EQ(scene.shared.positions.size(), 24u);
  EXPECT_EQ(scene.shared.normals.size(), 24u);
  ASSERT_EQ(scene.meshes.size(), 1u);
  EXPECT_EQ(scene.meshes[0].triangle_count, 12u);
  EXPECT_EQ(scene.meshes[0].vertex_count, 24u);
  ASSERT_EQ(scene.instances.size(), 3u);
  const glm::vec4 corner(scene.shared.positions[7], 1.0f);  // the mesh's own transform is in it
  EXPECT_EQ(corner, glm::vec4(3, 1, 1, 1));
  EXPECT_EQ(scene.instances[0].to_world * corner, glm::vec3(3, 1, 6));
  EXPECT_EQ(scene.instances[1].to_world * corner, glm::vec3(6, -1, 8));
  EXPECT_EQ(scene.instances[2].to_world * corner, glm::vec3(9, 3, 3));
  EXPECT_EQ(scene.instances[0].material, MeshInstance::kOwnMaterials);
  EXPECT_EQ(scene.instances[2].material, 1u);
  EXPECT_EQ(scene.shared.triangle_materials[0], 2u);
}

TEST_F(ReadInstances, CopyWhatIsPlacedOnce) {
  HostScene scene = load("s.json", scene_of(R"(
      {"type": "instances", "mesh": "box", "material": "red",
       "transforms": [[{"translate": [0, 0, 5]}]]})",
                                            kBox + std::string(R"(, "unused": {"type": "disk",
      "material": "red", "center": [0, 0, 0], "normal": [0, 1, 0], "radius": 1})")));
  EXPECT_TRUE(scene.instances.empty());
  EXPECT_TRUE(scene.meshes.empty());
  EXPECT_TRUE(scene.shared.triangles.empty());
  ASSERT_EQ(scene.triangles.size(), 12u);
  EXPECT_EQ(scene.positions[7], glm::vec3(3, 1, 6));
  EXPECT_EQ(scene.triangle_materials[0], 1u);
}

TEST_F(ReadInstances, CopyWhatEmits) {
  const std::string thrice = R"("transforms": [[], [{"translate": [0, 0, 5]}], []])";
  HostScene by_instance = load("s.json", scene_of(R"(
      {"type": "instances", "mesh": "box", "material": "glow", )" +
                                                  thrice + R"(},
      {"type": "instances", "mesh": "box", )" + thrice +
                                                  "}"));
  EXPECT_EQ(by_instance.triangles.size(), 3u * 12u);
  EXPECT_EQ(by_instance.instances.size(), 3u);
  EXPECT_EQ(summarize(by_instance).emissive_triangles, 3u * 12u);

  const std::string lamp = R"("lamp": {"type": "rectangle", "material": "glow",
      "corner": [0, 0, 0], "edge_u": [1, 0, 0], "edge_v": [0, 1, 0]})";
  HostScene by_mesh = load("s.json", scene_of(R"(
      {"type": "instances", "mesh": "lamp", )" + thrice +
                                                  R"(},
      {"type": "instances", "mesh": "lamp", "material": "white", )" +
                                                  thrice + "}",
                                              lamp));
  EXPECT_EQ(summarize(by_mesh).emissive_triangles, 3u * 2u);
  EXPECT_EQ(by_mesh.instances.size(), 3u);  // another material: they do not emit
}

TEST_F(ReadInstances, TakeMaterialsFromAnObjFile) {
  write("t.mtl", "newmtl one\nKd 1 0 0\nnewmtl two\nKd 0 1 0\n");
  write("t.obj",
        "mtllib t.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl one\nf 1 2 3\nusemtl two\nf 1 3 2\n");
  HostScene scene = load("s.json", scene_of(R"(
      {"type": "instances", "mesh": "obj", "transforms": [[], []]})",
                                            R"("obj": {"type": "obj", "file": "t.obj"})"));
  ASSERT_EQ(scene.shared.triangle_materials.size(), 2u);
  EXPECT_EQ(scene.materials[scene.shared.triangle_materials[0]].reflectance, glm::vec3(1, 0, 0));
  EXPECT_EQ(scene.materials[scene.shared.triangle_materials[1]].reflectance, glm::vec3(0, 1, 0));
}

TEST_F(ReadInstances, AreInTheBoundsAndInThePicture) {
  HostScene scene = load("s.json", scene_of(R"(
      {"type": "instances", "mesh": "box", "transforms": [
        [{"translate": [100, 0, 0]}], [{"translate": [104, 0, 0]}]]})"));
  EXPECT_EQ(scene_bounds(scene).min, glm::vec3(102, 0, 0));
  EXPECT_EQ(scene_bounds(scene).max, glm::vec3(107, 1, 1));
  EXPECT_LT(glm::distance(scene.camera.position, glm::vec3(104.5f, 0.5f, 0.5f)), 20.0f);
  EXPECT_GT(glm::distance(scene.camera.position, glm::vec3(104.5f, 0.5f, 0.5f)), 3.0f);
}

TEST_F(ReadInstances, AreSummarized) {
  HostScene scene = load("s.json", scene_of(R"(
      {"type": "instances", "mesh": "box", "transforms": [[], [], []]})"));
  const SceneSummary summary = summarize(scene);
  EXPECT_EQ(summary.instances, 3u);
  EXPECT_EQ(summary.shared_meshes, 1u);
  EXPECT_EQ(summary.instanced_triangles, 36u);
  EXPECT_EQ(summary.shared_triangles, 12u);
  EXPECT_EQ(summary.vertices, 24u);
  EXPECT_NE(
      summary_text(scene).find("instances   3 of 1 mesh, 36 triangles, of which 12 are kept\n"),
      std::string::npos)
      << summary_text(scene);
}

TEST_F(ReadInstances, LoadInGreatNumber) {
  constexpr int kCount = 30'000;
  std::string transforms;
  for (int i = 0; i < kCount; ++i)
    transforms += (i ? ", [{\"scale\": [1, 2, 1]}, {\"rotate\": {\"axis\": [0, 1, 0], \"angle\": "
                     : "[{\"scale\": [1, 2, 1]}, {\"rotate\": {\"axis\": [0, 1, 0], \"angle\": ") +
                  std::to_string(i % 360) + "}}, {\"translate\": [" + std::to_string(i) +
                  ".25, 0, 1.5]}]";
  const auto file = write(
      "s.json",
      scene_of(R"({"type": "instances", "mesh": "box", "transforms": [)" + transforms + "]}"));
  EXPECT_EQ(load_scene(file).instances.size(), size_t(kCount));
}

TEST_F(ReadInstances, HaveAtMostAs32BitsCount) {
  std::string faces, transforms;
  for (int i = 0; i < 30'000; ++i) faces += (i ? "," : "") + std::string("[0,1,2]");
  for (int i = 0; i < 150'000; ++i) transforms += (i ? "," : "") + std::string("[]");
  EXPECT_EQ(error_of("s.json", scene_of(R"({"type": "instances", "mesh": "m", "transforms": [)" +
                                            transforms + "]}",
                                        R"("m": {"type": "mesh", "material": "white",
      "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "faces": [)" +
                                            faces + "]}")),
            "s.json: the scene has 4500000000 primitives, including those of all "
            "instances; expected at most 4294967295");
}

TEST_F(ReadInstances, AreRefusedInOneLine) {
  struct Mistake {
    const char *keys, *message;
  };
  const Mistake kMistakes[] = {
      {R"("mesh": "bx", "transforms": [[]])", "/mesh: unknown mesh \"bx\"; did you mean \"box\"?"},
      {R"("mesh": "box")", ": the key \"transforms\" is missing"},
      {R"("mesh": "box", "transforms": [])", "/transforms: expected at least one transform"},
      {R"("mesh": "box", "transforms": [{"scale": 2}])",
       "/transforms/0: expected a list of steps, found an object"},
      {R"("mesh": "box", "transforms": [[], [{"scale": 0}]])",
       "/transforms/1/0/scale: expected factors other than zero"},
      {R"("mesh": "box", "transforms": [[], [{"scale": 1e9}]])",
       "/transforms/1: the instance extends beyond 1e9 m; expected it within that distance"},
      {R"("mesh": "box", "material": "rd", "transforms": [[]])",
       "/material: unknown material \"rd\"; did you mean \"red\"?"},
      {R"("mesh": "box", "transfroms": [[]])",
       ": unknown key \"transfroms\"; did you mean \"transforms\"?"}};
  auto error = [&](const std::string& keys, const std::string& mesh) {
    return error_of("s.json", scene_of(R"({"type": "instances", )" + keys + "}", mesh));
  };
  for (const auto& [keys, message] : kMistakes)
    EXPECT_EQ(error(keys, kBox), std::string("s.json: /shapes/0") + message);
  EXPECT_EQ(error(R"("mesh": "ball", "transforms": [[]])",
                  R"("ball": {"type": "sphere", "material": "white", "radius": 1})"),
            "s.json: /meshes/ball/type: expected one of rectangle, box, disk, mesh, obj, ply, "
            "found \"sphere\"; known are rectangle, box, disk, mesh, obj, ply");
}

}  // namespace
}  // namespace winnow
