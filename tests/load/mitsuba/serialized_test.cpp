// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstring>

#include "load/mitsuba/convert.h"
#include "tests/image/support/png_file.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
template <class T>
std::string bytes_of(T value) {
  return bytes_of(std::vector<T>{value});
}

constexpr uint32_t kNormalsAndUvs = 0x3, kColors = 0x8, kFloats = 0x1000, kDoubles = 0x2000;

/// A triangle at height z as a mesh of a .serialized file.
template <class Number>
std::string triangle_mesh(uint16_t version, uint32_t flags, Number z, uint32_t last_corner = 2) {
  std::string data = bytes_of(flags) + (version == 4 ? std::string("name") + '\0' : "");
  data += bytes_of(std::vector<uint64_t>{3, 1});
  data += bytes_of(std::vector<Number>{0, 0, z, 1, 0, z, 0, 1, z});
  if (flags & kNormalsAndUvs) data += bytes_of(std::vector<Number>{0, 0, 1, 0, 0, 1, 0, 0, 1});
  if (flags & kNormalsAndUvs) data += bytes_of(std::vector<Number>{0, 0, 1, 0, 0, 1});
  if (flags & kColors) data += bytes_of(std::vector<Number>(9, Number(0.5)));
  data += bytes_of(std::vector<uint32_t>{0, 1, last_corner});
  return bytes_of(std::vector<uint16_t>{0x041C, version}) + stored_zlib(data);
}

template <class Offset>
std::string file_of(const std::vector<std::string>& meshes) {
  std::string file, table;
  for (const std::string& mesh : meshes) {
    table += bytes_of(Offset(file.size()));
    file += mesh;
  }
  return file + table + bytes_of(uint32_t(meshes.size()));
}

class SerializedMeshes : public SceneFiles {
 protected:
  /// The scene of one of the meshes of m.serialized.
  static std::string scene_of_mesh(int index) {
    return "<scene version='3.0.0'><shape type='serialized'><string name='filename' "
           "value='m.serialized'/><integer name='shape_index' value='" +
           std::to_string(index) + "'/></shape></scene>";
  }
  /// Why the only shape of a scene is left out; empty if it is not.
  std::string error_of_mesh(const std::string& file, int index = 0) const {
    write("m.serialized", file);
    const std::string message = error_of("s.xml", scene_of_mesh(index));
    constexpr std::string_view kBeforeReason = "is left out; the first: ";
    const size_t at = message.find(kBeforeReason);
    return at == std::string::npos ? message : message.substr(at + kBeforeReason.size());
  }
};

TEST_F(SerializedMeshes, AreReadByTheirIndexInBothVersions) {
  const std::string kFiles[] = {
      file_of<uint32_t>({triangle_mesh<float>(3, kFloats, 0.0f),
                         triangle_mesh<float>(3, kFloats | kNormalsAndUvs | kColors, 7.0f)}),
      file_of<uint64_t>({triangle_mesh<float>(4, kFloats, 0.0f),
                         triangle_mesh<double>(4, kDoubles | kNormalsAndUvs | kColors, 7.0)})};
  for (const std::string& file : kFiles) {
    write("m.serialized", file);
    const HostScene scene = load("s.xml", scene_of_mesh(1));
    ASSERT_EQ(scene.triangles.size(), 1u);
    EXPECT_EQ(scene.positions[1], glm::vec3(1, 0, 7));
    EXPECT_EQ(scene.normals[1], glm::vec3(0, 0, 1));
    EXPECT_EQ(scene.uvs[1], glm::vec2(1, 0));  // as in the file
    EXPECT_EQ(load("s.xml", scene_of_mesh(0)).positions[1], glm::vec3(1, 0, 0));
  }
}

TEST_F(SerializedMeshes, HaveTheColoursOfTheirVertices) {
  const std::string mesh = triangle_mesh<double>(4, kDoubles | kColors, 0.0);
  EXPECT_EQ(parse_serialized_mesh(mesh, "m").mesh.colors,
            std::vector<glm::vec4>(3, glm::vec4(0.5f, 0.5f, 0.5f, 1.0f)));
  write("m.serialized", file_of<uint64_t>({mesh}));
  const HostScene scene = load("s.xml", scene_of_mesh(0));
  EXPECT_TRUE(scene.colors.empty()) << "no BSDF names them";
}

TEST_F(SerializedMeshes, SayWhatIsWrongWithThem) {
  const std::string mesh = triangle_mesh<float>(4, kFloats, 0.0f);
  const std::string file = file_of<uint64_t>({mesh});
  EXPECT_EQ(error_of_mesh(file, 5),
            "m.serialized: has 1 meshes; expected a shape_index below that, "
            "found 5");
  EXPECT_EQ(error_of_mesh(file_of<uint64_t>({triangle_mesh<float>(4, kFloats, 0.0f, 9)})),
            "m.serialized: mesh 0: triangle 0 has the vertex 9, but there are 3");
  EXPECT_EQ(error_of_mesh("a serialized mesh is not text"),
            "m.serialized: expected a mesh of the format .serialized");
  EXPECT_EQ(error_of_mesh(file_of<uint64_t>({triangle_mesh<float>(9, kFloats, 0.0f)})),
            "m.serialized: expected version 3 or 4 of the format .serialized, found 9");
  // Very many vertices in a few bytes, and more than those can become.
  std::string huge;
  for (const uint64_t vertices : {uint64_t(4'000'000'000), uint64_t(100'000)}) {
    huge = bytes_of(kFloats) + std::string("\0", 1);
    huge += bytes_of(std::vector<uint64_t>{vertices, 1});
    huge = bytes_of(std::vector<uint16_t>{0x041C, 4}) + stored_zlib(huge);
    EXPECT_NE(error_of_mesh(file_of<uint64_t>({huge})).find("can hold"), std::string::npos);
  }
  // There are no vertices, but 4,000,000,000 triangles.
  huge = bytes_of(kFloats) + std::string("\0", 1);
  huge += bytes_of(std::vector<uint64_t>{0, 4'000'000'000});
  huge = bytes_of(std::vector<uint16_t>{0x041C, 4}) + stored_zlib(huge);
  EXPECT_NE(error_of_mesh(file_of<uint64_t>({huge})).find("4000000000 triangles, more than its"),
            std::string::npos);
  // There are 4,000,000,000 meshes.
  EXPECT_EQ(error_of_mesh(mesh + bytes_of(uint32_t{4'000'000'000})),
            "m.serialized: is too short for its table of 4000000000 meshes");
}

TEST_F(SerializedMeshes, SurviveChangedAndMissingBytes) {
  const std::string file = file_of<uint64_t>({triangle_mesh<float>(4, kFloats, 0.0f)});
  for (size_t size = 0; size < file.size(); ++size)
    EXPECT_NE(error_of_mesh(file.substr(0, size)), "") << size;
  ByteNoise next;
  for (size_t at = 0; at < file.size(); ++at) {
    std::string changed = file;
    changed[at] = char(next());
    error_of_mesh(changed);  // in one line, and nothing else
  }
}

}  // namespace
}  // namespace winnow
