// SPDX-License-Identifier: MIT
#include "load/ply/ply.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <ctime>
#include <glm/geometric.hpp>

#include "image/srgb.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

using PlyScene = SceneFiles;

constexpr const char* kEncodings[] = {"ascii", "binary_little_endian", "binary_big_endian"};

/// The data of a PLY file, value by value, in each encoding.
class PlyText {
 public:
  explicit PlyText(const std::string& encoding)
      : encoding_(encoding), text_("ply\nformat " + encoding + " 1.0\n") {}

  PlyText& line(const std::string& line) {
    text_ += line + "\n";
    return *this;
  }

  template <class T>
  PlyText& add(T value) {
    if (encoding_ == "ascii") {
      text_ += fmt::format("{} ", value);
      return *this;
    }
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    if (encoding_ == "binary_big_endian") std::reverse(bytes, bytes + sizeof(T));
    text_.append(bytes, sizeof(T));
    return *this;
  }

  const std::string& text() const { return text_; }

 private:
  std::string encoding_, text_;
};

/// The lines of a header for vertices without normals.
std::string vertices(int count) {
  return fmt::format("element vertex {}\n", count) +
         "property float x\nproperty float y\nproperty float z\n";
}

/// A quad and a triangle with normals, among unused elements and properties of every type.
std::string rich_file(const std::string& encoding) {
  PlyText ply(encoding);
  ply.line("comment made by hand").line("obj_info 3 things").line("element camera 1");
  ply.line("property double focus").line("property list ushort short sizes");
  ply.line("element vertex 5").line("property uchar red").line("property float x");
  ply.line("property double y").line("property float z").line("property list int8 uint tags");
  ply.line("property float nx").line("property float ny").line("property float nz");
  ply.line("element face 2").line("property char quality");
  ply.line("property list uchar int vertex_indices").line("property ushort group");
  ply.line("element edge 1").line("property int32 a").line("property uint16 b");
  ply.line("end_header");
  ply.add(0.5).add(uint16_t{3}).add(int16_t{-1}).add(int16_t{2}).add(int16_t{300});
  const float kCorners[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5f, 2}};
  for (const auto& [x, y] : kCorners) {
    ply.add(uint8_t{200}).add(x).add(double(y)).add(0.25f);
    ply.add(int8_t{1}).add(70000u).add(0.0f).add(0.0f).add(2.0f);
  }
  ply.add(int8_t{-7}).add(uint8_t{4}).add(0).add(1).add(2).add(3).add(uint16_t{1});
  ply.add(int8_t{-7}).add(uint8_t{3}).add(3).add(2).add(4).add(uint16_t{2});
  ply.add(-5).add(uint16_t{6});
  return ply.text();
}

/// One triangle.
std::string small_file(const std::string& encoding) {
  PlyText ply(encoding);
  ply.line(vertices(3) + "element face 1");
  ply.line("property list uchar int vertex_indices").line("end_header");
  for (float x : {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f}) ply.add(x);
  ply.add(uint8_t{3}).add(0).add(1).add(2);
  return ply.text();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST_F(PlyScene, ReadsEveryEncodingAndIgnoresTheRest) {
  for (const char* encoding : kEncodings) {
    SCOPED_TRACE(encoding);
    HostScene scene = load("a.ply", rich_file(encoding));
    expect_warnings(scene, {R"(a.ply: the property "tags" of its element "vertex" is ignored)",
                            R"(a.ply: the property "group" of its element "face" is ignored)",
                            R"(a.ply: the property "red" of its element "vertex" is ignored)"});
    ASSERT_EQ(scene.positions.size(), 5u);
    EXPECT_EQ(scene.positions[4], glm::vec3(0.5f, 2.0f, 0.25f));
    EXPECT_EQ(scene.normals[4], glm::vec3(0, 0, 1));
    ASSERT_EQ(scene.triangles.size(), 3u);
    EXPECT_EQ(scene.triangles[2], glm::uvec3(3, 2, 4));
    float area = 0.0f;
    for (glm::uvec3 t : scene.triangles) area += area_vector(scene, t).z;
    EXPECT_FLOAT_EQ(area, 1.5f);
  }
}

/// A search through all earlier names for each took a minute.
TEST_F(PlyScene, OfHundredThousandElementsAndPropertiesIsReadInASecond) {
  constexpr int kNames = 200'000;
  std::string elements, properties, zeros;
  for (int i = 0; i < kNames; ++i) {
    elements += "element e" + std::to_string(i) + " 0\n";
    properties += "property char p" + std::to_string(i) + "\n";
    zeros += "0 ";
  }
  const std::clock_t start = std::clock();
  const HostScene scene =
      load("a.ply", "ply\nformat ascii 1.0\n" + elements + "element vertex 3\n" + properties +
                        "property float x\nproperty float y\nproperty float z\nelement face 1\n"
                        "property list uchar int vertex_indices\nend_header\n" +
                        zeros + "0 0 0\n" + zeros + "1 0 0\n" + zeros + "0 1 0\n3 0 1 2\n");
  EXPECT_EQ(scene.triangles.size(), 1u);
  constexpr double kMaxSeconds = 10.0;  // CPU time under sanitizers
  EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, kMaxSeconds);
}

TEST_F(PlyScene, ReadsEveryBitOfABinaryFloat) {
  for (const char* encoding : {"binary_little_endian", "binary_big_endian"}) {
    PlyText ply(encoding);
    ply.line("element vertex 3").line("property float32 x").line("property float32 y");
    ply.line("property float32 z").line("element face 1");
    ply.line("property list uint32 uint32 vertex_index").line("end_header");
    const glm::vec3 kOdd(std::bit_cast<float>(0x3f9e0652u), -1.0f / 3.0f, 1e-30f);
    for (glm::vec3 p : {kOdd, glm::vec3(1, 0, 0), glm::vec3(0, 1, 0)})
      ply.add(p.x).add(p.y).add(p.z);
    ply.add(3u).add(0u).add(1u).add(2u);
    EXPECT_EQ(load("a.ply", ply.text()).positions[0], kOdd);
  }
}

TEST_F(PlyScene, ReadsEveryLineEnding) {
  for (const std::string end : {"\n", "\r\n", "\r"})
    for (const char* encoding : kEncodings) {
      std::string text = small_file(encoding),
                  header = text.substr(0, text.find("end_header") + 11);
      std::string body = text.substr(header.size()), ended;
      for (char c : header) ended += c == '\n' ? end : std::string(1, c);
      EXPECT_EQ(load("a.ply", ended + body).triangles.size(), 1u) << encoding << ' ' << end.size();
    }
}

TEST_F(PlyScene, ReadsAHeaderWhoseLastLineEndsInAnotherWay) {
  for (const char* encoding : kEncodings) {
    const std::string unix = small_file(encoding);
    EXPECT_EQ(load("a.ply", replaced(unix, "end_header\n", "end_header\r\n")).positions[1],
              glm::vec3(1, 0, 0))
        << encoding;
    std::string dos, header = unix.substr(0, unix.find("end_header"));
    for (char c : header) dos += c == '\n' ? "\r\n" : std::string(1, c);
    EXPECT_EQ(load("a.ply", dos + unix.substr(header.size())).positions[1], glm::vec3(1, 0, 0))
        << encoding;
  }
}

/// Vertices of a strip, and a second strip after -1.
std::string strip_file(const std::string& encoding, const std::vector<int>& strip) {
  PlyText ply(encoding);
  ply.line(vertices(4) + "element tristrips 1");
  ply.line("property list int int vertex_indices").line("end_header");
  for (float x : {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 1.0f, 1.0f, 0.0f})
    ply.add(x);
  ply.add(int(strip.size()));
  for (int vertex : strip) ply.add(vertex);
  return ply.text();
}

TEST_F(PlyScene, ReadsStripsOfTriangles) {
  for (const char* encoding : kEncodings) {
    const HostScene scene =
        load("a.ply", strip_file(encoding, {0, 1, 2, 3, -1, 0, 1, 3, 3, 3, -1, 2, 3, -1}));
    EXPECT_EQ(scene.triangles, (std::vector<glm::uvec3>{{0, 1, 2}, {2, 1, 3}, {0, 1, 3}}));
    for (glm::uvec3 triangle : scene.triangles) EXPECT_GT(area_vector(scene, triangle).z, 0.0f);
    EXPECT_TRUE(scene.warnings.empty());
  }
  EXPECT_EQ(error_of("a.ply", strip_file("ascii", {0, 1, 4})),
            "a.ply:10:31: expected a vertex or -1, a whole number below 4, found 4");
  EXPECT_EQ(error_of("a.ply", strip_file("ascii", {0, 1, -2})),
            "a.ply:10:31: expected a vertex or -1, a whole number below 4, found -2");
  EXPECT_EQ(error_of("a.ply", strip_file("ascii", {0, 1, -1})),
            "a.ply: none of its 0 faces has an area and finite vertices");
}

/// A triangle whose vertices have more properties.
/// @param rows  of the three vertices: the values of these properties
std::string triangle_with(const std::string& properties, const std::string (&rows)[3]) {
  return "ply\nformat ascii 1.0\n" + vertices(3) + properties +
         "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0 " + rows[0] +
         "\n1 0 0 " + rows[1] + "\n0 1 0 " + rows[2] + "\n3 0 1 2\n";
}

std::string properties_of(const std::string& type, const std::vector<std::string>& names) {
  std::string lines;
  for (const std::string& name : names) lines += "property " + type + " " + name + "\n";
  return lines;
}

/// Scans were grey.
TEST_F(PlyScene, ShowsTheColoursOfItsVertices) {
  const std::vector<std::string> kNames = {"red", "green", "blue"};
  const glm::vec4 expected(1.0f, linear_from_srgb(0.2f), 0.0f, 1.0f);
  const std::string kFiles[] = {
      triangle_with(properties_of("uchar", kNames), {"255 51 0", "0 0 0", "0 0 0"}),
      triangle_with(properties_of("ushort", kNames), {"65535 13107 0", "0 0 0", "0 0 0"}),
      triangle_with(properties_of("float", kNames), {"1 0.2 0", "0 0 0", "0 0 0"}),
      triangle_with(properties_of("int", kNames), {"255 51 0", "0 0 0", "0 0 0"}),
      triangle_with(properties_of("uchar", {"diffuse_red", "diffuse_green", "diffuse_blue"}),
                    {"255 51 0", "0 0 0", "0 0 0"}),
      triangle_with(properties_of("uchar", {"r", "g", "b"}), {"255 51 0", "0 0 0", "0 0 0"})};
  for (const std::string& text : kFiles) {
    const HostScene scene = load("a.ply", text);
    EXPECT_TRUE(scene.warnings.empty());
    ASSERT_EQ(scene.colors.size(), 3u) << text;
    EXPECT_LT(glm::distance(scene.colors[0], expected), 1e-6f) << text;
    EXPECT_EQ(scene.colors[1], glm::vec4(0, 0, 0, 1));
    EXPECT_EQ(scene.materials[0].reflectance, glm::vec3(1.0f));
    EXPECT_TRUE(scene.materials[0].vertex_colors);
    EXPECT_FALSE(scene.materials[0].vertex_alpha);
  }
}

TEST_F(PlyScene, ReadsTheCoverageOfItsVerticesUnlessNoneHasAny) {
  const std::string properties = properties_of("uchar", {"red", "green", "blue", "alpha"});
  const HostScene veil =
      load("a.ply", triangle_with(properties, {"9 9 9 255", "9 9 9 51", "9 9 9 0"}));
  EXPECT_TRUE(veil.materials[0].vertex_alpha);
  EXPECT_FLOAT_EQ(veil.colors.at(1).w, 0.2f);
  const HostScene opaque =
      load("a.ply", triangle_with(properties, {"9 9 9 0", "9 9 9 0", "9 9 9 0"}));
  EXPECT_FALSE(opaque.materials[0].vertex_alpha);
  EXPECT_EQ(opaque.colors.at(1).w, 1.0f);
  const HostScene white =
      load("a.ply",
           triangle_with(properties, {"255 255 255 255", "255 255 255 255", "255 255 255 255"}));
  EXPECT_TRUE(white.colors.empty());
  EXPECT_FALSE(white.materials[0].vertex_colors);
}

TEST_F(PlyScene, IgnoresColoursThatAreLists) {
  const HostScene scene =
      load("a.ply", triangle_with("property list uchar uchar red\nproperty uchar green\n"
                                  "property uchar blue\n",
                                  {"1 9 9 9", "1 9 9 9", "0 9 9"}));
  EXPECT_TRUE(scene.colors.empty());
  expect_warnings(scene, {"3 properties of its element \"vertex\" are ignored, such as \"red\""});
}

TEST_F(PlyScene, ShowsTheColoursOfItsFaces) {
  std::string text = "ply\nformat ascii 1.0\n" + vertices(4) +
                     "element face 2\nproperty list uchar int vertex_indices\n" +
                     properties_of("uchar", {"red", "green", "blue"}) +
                     "end_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n3 0 1 2 255 0 0\n3 1 3 2 0 0 255\n";
  const HostScene scene = load("a.ply", text);
  ASSERT_EQ(scene.colors.size(), 6u);
  EXPECT_EQ(scene.colors[scene.triangles[0].z], glm::vec4(1, 0, 0, 1));
  EXPECT_EQ(scene.colors[scene.triangles[1].z], glm::vec4(0, 0, 1, 1));
}

TEST_F(PlyScene, WritesColoursAndTextureCoordinatesExactly) {
  const std::vector<glm::vec3> positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, normals(3);
  const std::vector<glm::vec2> uvs = {{0.1f, 0.7f}, {1e-5f, 3}, {0, 0}},
                               second = {{7, 8}, {9, 0.3f}, {1, 1}};
  const std::vector<glm::vec4> colors = {{0.1f, 0.2f, 0.3f, 0.4f}, {1e-5f, 1, 0, 1}, {0, 0, 0, 0}};
  const std::vector<glm::uvec3> triangles = {{0, 1, 2}};
  write_ply(folder_ / "a.ply", {.positions = positions,
                                .normals = normals,
                                .uvs = uvs,
                                .second_uvs = second,
                                .colors = colors,
                                .triangles = triangles,
                                .materials = {}});
  const Mesh read = read_ply(folder_ / "a.ply").mesh;
  EXPECT_EQ(read.uvs, uvs);
  EXPECT_EQ(read.second_uvs, second);
  EXPECT_EQ(read.colors, colors);
}

// Properties that Turk's document names, and those of files by Blender 5.3, CloudCompare 2.13,
// MeshLab 2025.07, PyVista 0.46 and trimesh 4.
constexpr const char* kVertexProperties[] = {
    "x",         "y",         "z",       "nx",    "ny",     "nz",         "red",
    "green",     "blue",      "alpha",   "s",     "t",      "u",          "v",
    "texture_u", "texture_v", "quality", "flags", "radius", "confidence", "intensity"};
constexpr const char* kFaceProperties[] = {
    "vertex_indices", "vertex_index", "red",     "green", "blue", "alpha", "nx", "ny", "nz",
    "texcoord",       "texnumber",    "quality", "flags"};

TEST(Ply, AccountsForThePropertiesOfCommonPrograms) {
  for (const char* name : kVertexProperties)
    EXPECT_NE(ply_keys().find("vertex", name), nullptr) << name;
  for (const char* name : kFaceProperties)
    EXPECT_NE(ply_keys().find("face", name), nullptr) << name;
  for (const char* name : {"vertex", "face", "edge", "tristrips", "camera"})
    EXPECT_NE(ply_keys().find("element", name), nullptr) << name;
  for (const KnownKey& key : ply_keys().keys())
    EXPECT_TRUE(key.use == KeyUse::kUsed || !key.why.empty()) << key.name;
}

// Colours in bytes are sRGB or linear as the user of Blender chose, and no byte of the file says
// so.
TEST_F(PlyScene, SaysWhatBlenderDoesNotWrite) {
  const std::string start = "ply\nformat ascii 1.0\n",
                    by = "comment Created in Blender version 5.3.0\n",
                    colors = "property uchar red\nproperty uchar green\nproperty uchar blue\n",
                    normals = "property float nx\nproperty float ny\nproperty float nz\n",
                    face = "element face 1\nproperty list uchar uint vertex_indices\nend_header\n";
  const std::string grey = vertices(3) + face + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  const HostScene plain = load("a.ply", start + by + grey);
  EXPECT_EQ(plain.warnings, std::vector<std::string>{});
  EXPECT_EQ(plain.materials.at(0).reflectance, glm::vec3(0.8f));
  ASSERT_EQ(plain.notes.size(), 1u);
  EXPECT_NE(plain.notes[0].find("a.ply: written by Blender"), std::string::npos) << plain.notes[0];
  EXPECT_EQ(load("b.ply", start + grey).materials.at(0).reflectance, glm::vec3(0.6f));

  const std::string colored =
      vertices(3) + colors + face + "0 0 0 9 9 9\n1 0 0 9 9 9\n0 1 0 9 9 9\n3 0 1 2\n";
  expect_warnings(load("a.ply", start + by + colored),
                  {"a.ply: Blender does not write whether its colours are sRGB or linear"});
  EXPECT_EQ(load("b.ply", start + colored).warnings, std::vector<std::string>{});

  const std::string coarse =
      vertices(3) + normals + face + "0 0 0 1 0 1\n1 0 0 1 0 1\n0 1 0 1 0 1\n3 0 1 2\n";
  expect_warnings(load("a.ply", start + by + coarse), {"a.ply: coarse smooth shading"});
  EXPECT_EQ(load("b.ply", start + coarse).warnings, std::vector<std::string>{});
}

TEST_F(PlyScene, NamesWhatItIgnores) {
  const std::string file = "ply\nformat ascii 1.0\n" + vertices(3) +
                           "property float shine\nproperty float warmth\nelement face 1\n"
                           "property list uchar int vertex_indices\nelement material 1\n"
                           "property float red\nend_header\n0 0 0 1 1\n1 0 0 1 1\n0 1 0 1 1\n"
                           "3 0 1 2\n0.5\n";
  expect_warnings(load("a.ply", file),
                  {R"(2 properties of its element "vertex" are ignored, such as "shine")",
                   R"(the element "material" is ignored)"});
}

/// A quad of two triangles by MeshLab, with texture coordinates of corners.
std::string textured_file(const std::string& comments, const std::string& first_face,
                          const std::string& second_face, const std::string& more = "") {
  return "ply\nformat ascii 1.0\ncomment VCGLIB generated\n" + comments + vertices(4) +
         "element face 2\nproperty list uchar int vertex_indices\n"
         "property list uchar float texcoord\n" +
         more + "end_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n" + first_face + "\n" + second_face + "\n";
}

TEST_F(PlyScene, ShowsTheTextureThatACommentOfMeshLabNames) {
  write_texel("my wood.png", {255, 0, 0, 255});
  const HostScene scene =
      load("a.ply", textured_file("comment TextureFile my wood.png\n", "3 0 1 2 6 0 0 1 0 1 1",
                                  "3 0 2 3 6 0.5 0.25 1 1 0 1"));
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  const Material& material = scene.materials[scene.triangle_materials[0]];
  ASSERT_NE(material.textures.reflectance, kNoTexture);
  EXPECT_EQ(material.reflectance, glm::vec3(1.0f));
  // The corner at the seam has two places in the image; v is up in the file.
  ASSERT_EQ(scene.positions.size(), 5u);
  auto uv_of = [&](size_t triangle, int corner) {
    return scene.uvs[scene.triangles[triangle][corner]];
  };
  EXPECT_EQ(uv_of(0, 0), glm::vec2(0, 1));
  EXPECT_EQ(uv_of(0, 2), glm::vec2(1, 0));
  EXPECT_EQ(uv_of(1, 0), glm::vec2(0.5f, 0.75f));
  EXPECT_EQ(uv_of(1, 1), glm::vec2(1, 0));
  EXPECT_EQ(uv_of(1, 2), glm::vec2(0, 0));
  for (size_t triangle : {size_t(0), size_t(1)})
    EXPECT_EQ(scene.positions[scene.triangles[triangle].x], glm::vec3(0.0f));
}

TEST_F(PlyScene, ShowsSeveralTexturesByFace) {
  write_texel("a.png", {255, 0, 0, 255});
  write_texel("b.png", {0, 255, 0, 255});
  const HostScene scene =
      load("a.ply", textured_file("comment TextureFile a.png\ncomment TextureFile b.png\n",
                                  "3 0 1 2 6 0 0 1 0 1 1 1", "3 0 2 3 6 0 0 1 1 0 1 0",
                                  "property int texnumber\n"));
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  auto name_of = [&](size_t triangle) {
    const Material& material = scene.materials[scene.triangle_materials[triangle]];
    return scene.images[scene.textures[material.textures.reflectance].image].name;
  };
  EXPECT_EQ(name_of(0), (folder_ / "b.png").string());
  EXPECT_EQ(name_of(1), (folder_ / "a.png").string());
}

TEST_F(PlyScene, NamesATextureThatItCannotShow) {
  const std::string bare = small_file("ascii");
  expect_warnings(load("a.ply", replaced(bare, "1.0\n", "1.0\ncomment TextureFile a.png\n")),
                  {R"(its texture "a.png" is ignored: the mesh has no texture coordinates)"});
  expect_warnings(load("a.ply", textured_file("comment TextureFile no.png\n",
                                              "3 0 1 2 6 0 0 1 0 1 1", "3 0 2 3 6 0 0 1 1 0 1")),
                  {"no.png: the texture does not exist; it is left out"});
  // Fewer coordinates than corners.
  write_texel("a.png", {255, 0, 0, 255});
  EXPECT_EQ(
      load("a.ply", textured_file("comment TextureFile a.png\n", "3 0 1 2 3 0.5 0 1", "3 0 2 3 0"))
          .triangles.size(),
      2u);
}

TEST_F(PlyScene, WarnsOfPropertiesThatNeedOthers) {
  auto load_triangle = [&](const std::string& of_vertex, const std::string& number,
                           const std::string& of_face = "", const std::string& face_number = "") {
    std::string header = vertices(3);
    for (size_t at = 0; at < of_vertex.size();) {
      const size_t end = of_vertex.find(' ', at);
      header += "property float " + of_vertex.substr(at, end - at) + "\n";
      at = end == std::string::npos ? end : end + 1;
    }
    const std::string more = " " + number + "\n";
    return load("a.ply", "ply\nformat ascii 1.0\n" + header +
                             "element face 1\nproperty list uchar int vertex_index\n" + of_face +
                             "end_header\n0 0 0" + more + "1 0 0" + more + "0 1 0" + more +
                             "3 0 1 2" + face_number + "\n");
  };
  expect_warnings(load_triangle("red green blue alpha", "1 0 0 1"), {});
  expect_warnings(load_triangle("red", "1"), {"the property \"red\" of its element \"vertex\""});
  expect_warnings(load_triangle("alpha", "0.5"), {"the property \"alpha\" of its element"});
  expect_warnings(load_triangle("nx nz", "0 1"), {"2 properties of its element \"vertex\""});
  expect_warnings(load_triangle("u t", "0 1"), {"2 properties of its element \"vertex\""});
  expect_warnings(load_triangle("nx ny nz s t", "0 0 1 0 0"), {});
  const std::string of_face = "property uchar red\nproperty uchar green\n";
  expect_warnings(load_triangle("nx ny nz", "0 0 1", of_face, " 1 2"),
                  {"2 properties of its element \"face\" are ignored, such as \"red\""});
  expect_warnings(
      load_triangle("red green blue", "1 0 0", of_face + "property uchar blue\n", " 1 2 3"),
      {"the colours of its faces are ignored: its vertices have colours"});
  expect_warnings(load_triangle("nx ny nz", "0 0 1", "property int material_index\n", " 2"),
                  {"its material_index is ignored: it has no materials"});
}

TEST_F(PlyScene, WarnsOfOutlinesThatCrossThemselves) {
  auto load_square = [&](const std::string& face) {
    return load("a.ply", "ply\nformat ascii 1.0\n" + vertices(4) +
                             "element face 1\nproperty list uchar int vertex_index\nend_header\n"
                             "0 0 0\n1 0 0\n1 1 0\n0 1 0\n" +
                             face);
  };
  expect_warnings(load_square("4 0 1 2 3\n"), {});
  expect_warnings(load_square("4 0 1 3 2\n"), {"the outline of a face crosses itself"});
}

TEST_F(PlyScene, ReadsFacesBeforeVertices) {
  HostScene scene = load(
      "a.ply", "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_index\n" +
                   vertices(3) + "end_header\n3 0 1 2\n0 0 0\n1 0 0\n0 1 0\n");
  EXPECT_EQ(scene.triangles.size(), 1u);
}

TEST_F(PlyScene, WarnsOfTrianglesThatNoRayCanHit) {
  HostScene scene = load("a.ply", "ply\nformat ascii 1.0\n" + vertices(5) +
                                      "element face 5\nproperty list uchar int vertex_index\n"
                                      "end_header\n0 0 0\n1 0 0\n0 1 0\nnan 0 0\n1e30 0 0\n"
                                      "3 0 1 2\n3 0 1 3\n4 0 1 2 4\n3 0 1 1\n2 0 1\n");
  EXPECT_EQ(scene.triangles.size(), 1u);
  expect_warnings(scene, {"4 of 5 faces"});
}

TEST_F(PlyScene, FramesABareFileUnderASoftSky) {
  HostScene scene = load("bunny.ply", small_file("ascii"));
  EXPECT_EQ(scene.name, "bunny");
  EXPECT_NE(scene.sky.zenith, glm::vec3(0));
  EXPECT_NE(scene.camera.position, scene.camera.look_at);
  EXPECT_EQ(scene.width, 768u);
  ASSERT_EQ(scene.materials.size(), 1u);
}

TEST_F(PlyScene, MayGivePropertiesOfTwoElementsOneName) {
  const HostScene scene =
      load("a.ply",
           "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
           "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
           "property float x\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 5\n");
  EXPECT_EQ(scene.triangles.size(), 1u);
}

TEST_F(PlyScene, IgnoresALineOfTheHeaderThatLacksTheWordComment) {
  const HostScene scene = load("a.ply", replaced(small_file("ascii"), "format ascii 1.0\n",
                                                 "format ascii 1.0\nCreated by hand\n"));
  EXPECT_EQ(scene.triangles.size(), 1u);
  expect_warnings(scene, {"a line of its header is unknown and ignored"});
}

TEST_F(PlyScene, NamesThePlaceOfAMistake) {
  const std::string kText = small_file("ascii"), kBinary = small_file("binary_little_endian");
  struct Mistake {
    std::string right, wrong, message;
  };
  const Mistake kMistakes[] = {
      {"ply\n", "plx\n", " this is not a PLY file; expected \"ply\" as its first line"},
      {"ascii 1.0", "ascii 2.0", "2:14: expected version 1.0, found '2.0'"},
      {"ascii", "utf8",
       "2:8: expected ascii, binary_little_endian or binary_big_endian, found 'utf8'"},
      {"format ascii 1.0\n", "", "8:1: the header has no line \"format\""},
      {"vertex 3", "vertex -3", "3:16: expected the number of rows of the element, found '-3'"},
      {"float y", "half y",
       "5:10: expected a type (char, uchar, short, ushort, int, uint, float or double), found "
       "'half'"},
      {"float y", "float x", "5:16: the property \"x\" is defined twice"},
      {"float y", "float w", " the vertices have no property \"y\""},
      {"list uchar", "list float",
       "8:15: expected an integer type for the length of a list, found 'float'"},
      {"vertex_indices", "corners",
       " the faces have no list \"vertex_indices\" or \"vertex_index\""},
      {"element face 1\n", "", " has no element \"face\"; expected a mesh of vertices and faces"},
      {"3 0 1 2", "3 0 1 3", "10:25: expected a vertex, a whole number below 3, found 3"},
      {"3 0 1 2", "3 0 1 -1", "10:25: expected a vertex, a whole number below 3, found -1"},
      {"3 0 1 2", "3 0 1.5 2", "10:23: expected a vertex, a whole number below 3, found 1.5"},
      {"3 0 1 2", "3 0 zero 2", "10:23: expected a number, found 'zero'"},
      {"3 0 1 2", "3 0 1 2 7", "10:27: expected the end of the file, found '7'"},
      {"3 0 1 2", "-3 0 1 2", "10:19: expected the length of a list, found -3"},
      {"3 0 1 2", "3 0 1 1", " none of its 1 faces has an area and finite vertices"},
      {"3 0 1 2 ", "3 0 1",
       "10:19: the list has 3 items, but the rest of the file holds at most 2"}};
  for (const auto& [right, wrong, message] : kMistakes)
    EXPECT_EQ(error_of("a.ply", replaced(kText, right, wrong)), "a.ply:" + message);
  EXPECT_EQ(error_of("empty.ply", ""),
            "empty.ply: this is not a PLY file; expected \"ply\" as its first line");
  for (const char* of_splats : {"property float f_dc_0", "property uint packed_position"})
    EXPECT_EQ(error_of("splats.ply", PlyText("ascii")
                                         .line("element vertex 1")
                                         .line("property float x")
                                         .line(of_splats)
                                         .line("end_header")
                                         .line("0 1")
                                         .text()),
              "splats.ply: holds Gaussian splats, which are not rendered; expected a mesh");
  EXPECT_EQ(error_of("b.ply", kBinary.substr(0, kBinary.size() - 1)),
            "b.ply: byte 205: the list has 3 items, but the rest of the file holds at most 2");
  std::string wrong_index = kBinary;
  wrong_index[wrong_index.size() - 4] = 9;
  EXPECT_EQ(error_of("b.ply", wrong_index),
            "b.ply: byte 214: expected a vertex, a whole number below 3, found 9");
}

/// Allocating memory for these counts would take up to 2^64 bytes.
TEST_F(PlyScene, ChecksCountsBeforeItAllocates) {
  for (const char* encoding : kEncodings) {
    SCOPED_TRACE(encoding);
    const std::string text = small_file(encoding);
    for (const char* count : {"4", "4000000000", "18446744073709551615", "18446744073709551616"}) {
      EXPECT_NE(error_of("a.ply", replaced(text, "vertex 3", std::string("vertex ") + count)), "");
      EXPECT_NE(error_of("a.ply", replaced(text, "face 1", std::string("face ") + count)), "");
    }
  }
  EXPECT_EQ(error_of("a.ply", replaced(small_file("ascii"), "face 1", "face 4000000000")),
            "a.ply: the element \"face\" has 4000000000 rows, but the rest of the file, 9 bytes, "
            "holds at most 5: the file is cut off or its header wrong");
  PlyText list("binary_little_endian");
  list.line(vertices(1) + "element face 1");
  list.line("property list uint int vertex_indices").line("end_header");
  list.add(0.0f).add(0.0f).add(0.0f).add(0xffffffffu);
  EXPECT_EQ(
      error_of("a.ply", list.text()),
      "a.ply: byte 180: the list has 4294967295 items, but the rest of the file holds at most 0");
}

/// Rows without properties take no bytes, so that their count is unlimited; they are skipped.
TEST_F(PlyScene, SkipsAnElementWithoutProperties) {
  std::string text = replaced(small_file("ascii"), "element face",
                              "element nothing 18446744073709551615\nelement face");
  EXPECT_EQ(load("a.ply", text).triangles.size(), 1u);
}

std::string error_in(const std::string& bytes) {
  auto parse = [](const std::string& file_bytes, const std::string& file) {
    return parse_ply(file_bytes, file);
  };
  return error_of_bytes(parse, bytes, "a.ply");
}

TEST(Ply, RefusesAFileThatIsCutOffAnywhere) {
  for (const char* encoding : kEncodings) {
    const std::string text = rich_file(encoding);
    ASSERT_EQ(error_in(text), "");
    size_t needed = text.size() - (text.back() == ' ');  // no word follows the last blank
    for (size_t size = 0; size < needed; ++size)
      EXPECT_NE(error_in(text.substr(0, size)), "") << encoding << " cut at " << size;
  }
}

/// A changed coordinate is not an error; any other change is an error of one line.
TEST(Ply, SurvivesChangedBytes) {
  constexpr int kTrials = 50;
  ByteNoise next;
  size_t refused = 0;
  for (const char* encoding : kEncodings) {
    const std::string text = rich_file(encoding);
    for (size_t at = 0; at < text.size(); ++at)
      for (int trial = 0; trial < kTrials; ++trial) {
        std::string changed = text;
        changed[at] = char(next());
        if (trial % 2 == 1) changed[next() % text.size()] = char(next());
        refused += !error_in(changed).empty();
      }
  }
  EXPECT_GT(refused, 0u);
}

TEST_F(PlyScene, IsAShapeOfASceneFile) {
  write("a.ply", small_file("binary_big_endian"));
  const std::string kScene = R"({"materials": {"red": {"type": "diffuse"}}, "sky": {"radiance": 1},
    "shapes": [{"type": "ply", "file": "a.ply", WHICH, "transform": [{"translate": [0, 0, 5]}]}]})";
  HostScene scene = load("s.json", replaced(kScene, "WHICH", R"("material": "red")"));
  ASSERT_EQ(scene.triangles.size(), 1u);
  EXPECT_EQ(scene.positions[1], glm::vec3(1, 0, 5));
  EXPECT_EQ(error_of("s.json", replaced(kScene, "WHICH", R"("made_by": "me")")),
            "s.json: /shapes/0: expected either \"material\" or \"materials\"");
  EXPECT_EQ(error_of("s.json", replaced(kScene, "WHICH", R"("materials": ["red"])")),
            "s.json: /shapes/0/materials: the faces of the file have no material_index; expected "
            "\"material\"");
  EXPECT_EQ(error_of("s.json", replaced(replaced(kScene, "a.ply", "b.ply"), "WHICH",
                                        R"("material": "red", "made_by": "me")")),
            "s.json: /shapes/0/file: there is no file b.ply; make it with me");
}

TEST_F(PlyScene, ChoosesMaterialsByFace) {
  write("a.ply",
        "ply\nformat ascii 1.0\n" + vertices(3) +
            "element face 2\nproperty list uchar int vertex_index\n"
            "property int material_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 1\n3 2 1 0 0\n");
  const std::string kScene = R"({"sky": {"radiance": 1},
    "materials": {"a": {"type": "diffuse"}, "b": {"type": "mirror"}, "c": {"type": "diffuse"}},
    "shapes": [{"type": "ply", "file": "a.ply", "materials": ["b", "c"]}]})";
  HostScene scene = load("s.json", kScene);
  ASSERT_EQ(scene.triangle_materials.size(), 2u);
  EXPECT_EQ(scene.material_names[scene.triangle_materials[0]], "c");
  EXPECT_EQ(scene.material_names[scene.triangle_materials[1]], "b");
  EXPECT_EQ(error_of("s.json", replaced(kScene, R"(["b", "c"])", R"(["b"])")),
            "s.json: /shapes/0/materials: a face has the material_index 1; expected one below 1");
}

}  // namespace
}  // namespace winnow
