// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "load/gltf/gltf.h"
#include "tests/load/gltf/support/gltf_files.h"

// Broken glTF files: each is refused with a message of one line, and none crashes.

namespace winnow {
namespace {

using nlohmann::json;
using GltfErrors = GltfTest;

/// A value at this pointer that is a mistake.
struct GltfMistake {
  const char* pointer;
  json value;
  std::string message;
};

TEST_F(GltfErrors, NamesThePointerOfAMistake) {
  const GltfFile good = GltfFile::triangle();
  auto error = [&](const GltfMistake& mistake) {
    GltfFile file = good;
    file.json[json::json_pointer(mistake.pointer)] = mistake.value;
    return error_of_gltf(file);
  };
  EXPECT_EQ(error_of("s.gltf", "{\"asset\": {,}}"),
            "s.gltf:1:12: expected a key in quotes, found ','");
  EXPECT_EQ(error_of("s.gltf", "{}"), "s.gltf: top level: the key \"asset\" is missing");
  const GltfMistake kThere[] = {
      {"/asset/version", "1.0", "expected version 2 of glTF, found \"1.0\""},
      {"/nodes/0/rotation", {0, 0, 0, 0}, "expected a quaternion, found zero"},
      {"/nodes/0/scale", {1, 1}, "expected 3 numbers, found 2"}};
  for (const GltfMistake& mistake : kThere)
    EXPECT_EQ(error(mistake), "s.gltf: " + (mistake.pointer + (": " + mistake.message)));
  const GltfMistake kElsewhere[] = {
      {"/nodes", json::array(),
       "has no geometry; expected at least one node of its scene with a mesh of triangles"},
      {"/scenes",
       {{{"nodes", {3}}}},
       "has no geometry: /scenes/0/nodes/0: expected an index below 1, found 3"}};
  for (const GltfMistake& mistake : kElsewhere)
    EXPECT_EQ(error(mistake), "s.gltf: " + mistake.message);

  GltfFile painted = good;
  painted.primitive()["material"] = 0;
  painted.json["materials"] = {"paint"};
  EXPECT_EQ(error_of_gltf(painted), "s.gltf: /materials/0: expected an object");

  json absent = good.json;
  absent["buffers"] = {{{"byteLength", 36}, {"uri", "absent.bin"}}};
  EXPECT_EQ(error_of("s.gltf", absent.dump()),
            "s.gltf: /buffers/0/uri: there is no file absent.bin");
  write("short.bin", "too short");
  absent["buffers"][0]["uri"] = "short.bin";
  EXPECT_EQ(error_of("s.gltf", absent.dump()),
            "s.gltf: /buffers/0: expected 36 bytes, but the buffer is cut off after 9");
  absent["buffers"][0]["uri"] = "data:;base64,####";
  EXPECT_EQ(error_of("s.gltf", absent.dump()),
            "s.gltf: /buffers/0/uri: expected data in base 64, found something else");
  absent["buffers"][0].erase("uri");
  EXPECT_EQ(error_of("s.gltf", absent.dump()),
            "s.gltf: /buffers/0: expected a \"uri\" with the location of the buffer");
}

TEST_F(GltfErrors, RefusesGaussianSplats) {
  for (const char* extension : {"KHR_gaussian_splatting", "KHR_spz_gaussian_splats_compression"}) {
    GltfFile file = GltfFile::triangle();
    file.primitive()["mode"] = kPoints;
    file.primitive()["extensions"][extension]["extensions"]
                    ["KHR_gaussian_splatting_compression_spz"]["bufferView"] = 0;
    EXPECT_EQ(error_of_gltf(file),
              "s.gltf: has no geometry: /meshes/0/primitives/0: Gaussian splats are left out: "
              "expected triangles");
  }
}

/// "has no geometry" did not tell why.
TEST_F(GltfErrors, SaysWhyNothingIsLeftToSee) {
  auto error = [&](const GltfMistake& mistake) {
    GltfFile file = GltfFile::triangle();
    file.json[json::json_pointer(mistake.pointer)] = mistake.value;
    return error_of_gltf(file);
  };
  const GltfMistake kThere[] = {
      {"/nodes/0/mesh", 1, "expected an index below 1, found 1"},
      {"/meshes/0/primitives/0/mode", kPoints, "points and lines are left out"},
      {"/meshes/0/primitives/0/indices", 9, "expected an index below 1, found 9"},
      {"/meshes/0/primitives/0/attributes/POSITION", 5, "expected an index below 1, found 5"},
      {"/meshes/0/primitives/0", json::object(), "triangles without a POSITION are left out"},
      {"/accessors/0/count", "three",
       "expected a whole number in [0, 4294967295], found \"three\""},
      {"/accessors/0/sparse", {{"count", 1}}, "the key \"indices\" is missing"},
      {"/bufferViews/0/byteStride", 7, "expected a multiple of 4 up to 252, found 7"},
      {"/bufferViews/0/buffer", 1, "expected an index below 1, found 1"}};
  for (const GltfMistake& mistake : kThere) {
    std::string pointer = mistake.pointer;
    if (pointer.ends_with("/mode")) pointer.resize(pointer.rfind('/'));
    EXPECT_EQ(error(mistake), "s.gltf: has no geometry: " + pointer + ": " + mistake.message);
  }
  const GltfMistake kElsewhere[] = {
      {"/accessors/0/type", "VEC2",
       "/accessors/0: expected VEC3, as /meshes/0/primitives/0/attributes/POSITION needs, found "
       "VEC2"},
      {"/accessors/0/componentType", 5130,
       "/accessors/0: found numbers of the type 5130, which "
       "/meshes/0/primitives/0/attributes/POSITION cannot have"},
      {"/accessors/0/count", 4,
       "/accessors/0: 4 items of 12 bytes from byte 0 on do not fit into bufferView 0, which has "
       "36 bytes"},
      {"/accessors/0/byteOffset", 1,
       "/accessors/0: 3 items of 12 bytes from byte 1 on do not fit into bufferView 0, which has "
       "36 bytes"},
      {"/bufferViews/0/byteLength", 37,
       "/bufferViews/0: the view covers 37 bytes from byte 0, but buffer 0 has 36"},
      {"/nodes/0/scale",
       {1, 0, 0},
       "/nodes/0: a mesh without area or farther away than 1e9 m is left out"}};
  for (const GltfMistake& mistake : kElsewhere)
    EXPECT_EQ(error(mistake), "s.gltf: has no geometry: " + mistake.message);
}

/// A file whose large files were not fetched is named as that, not as broken JSON.
TEST_F(GltfErrors, NamesAFileThatWasNotFetched) {
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
  const std::string message =
      ": this is a Git LFS pointer, not the file itself; run `git lfs pull` to fetch the file";
  EXPECT_EQ(error_of("s.glb", pointer), "s.glb" + message);
  GltfFile file = GltfFile::triangle();
  json beside = file.json;
  beside["buffers"] = {{{"byteLength", file.buffer.size()}, {"uri", "mesh.bin"}}};
  write("mesh.bin", pointer);
  EXPECT_EQ(error_of("s.gltf", beside.dump()), "mesh.bin" + message);

  write("paint.png", pointer);
  file.json["images"] = {{{"uri", "paint.png"}}};
  file.json["textures"] = {{{"source", 0}}};
  file.json["materials"] = {{{"normalTexture", {{"index", 0}}}}};
  file.primitive()["material"] = 0;
  expect_warnings(load_file(file), {"paint.png" + message});
}

TEST_F(GltfErrors, ShowsNodesInCyclesOrWithTwoParentsOnce) {
  GltfFile file = GltfFile::triangle();
  file.json["scenes"] = {{{"nodes", {0}}}};
  const nlohmann::json cycle = {{{"children", {1}}}, {{"children", {0}}, {"mesh", 0}}};
  const nlohmann::json two_parents = {{{"children", {1, 1}}}, {{"mesh", 0}}};
  for (const nlohmann::json& nodes : {cycle, two_parents}) {
    file.json["nodes"] = nodes;
    const HostScene scene = load_file(file);
    EXPECT_EQ(scene.triangles.size(), 1u);
    expect_warnings(scene, {"a node that is placed already is left out"});
  }
}

/// Allocating memory for these counts would take up to 2^64 bytes.
TEST_F(GltfErrors, ChecksCountsBeforeItAllocates) {
  for (const uint64_t count :
       {uint64_t{5}, uint64_t{1} << 32, ~uint64_t{0}, ~uint64_t{0} / 12 + 2}) {
    GltfFile file = GltfFile::triangle();
    file.json["accessors"][0]["count"] = count;
    EXPECT_NE(error_of_gltf(file), "") << count;
    file.json["accessors"][0]["count"] = std::max(count, uint64_t{1} << 25);
    file.json["accessors"][0].erase("bufferView");
    EXPECT_NE(error_of_gltf(file), "") << count;
    file = GltfFile::triangle();
    file.json["bufferViews"][0]["byteLength"] = count * 8;
    EXPECT_NE(error_of_gltf(file), "") << count;
    file = GltfFile::triangle();
    file.json["bufferViews"][0]["byteOffset"] = count;
    EXPECT_NE(error_of_gltf(file), "") << count;
    json text = file.json;
    text["buffers"] = {{{"byteLength", count + 100}, {"uri", "data:;base64,AAAA"}}};
    EXPECT_NE(error_of("s.gltf", text.dump()), "") << count;
  }
}

std::string gltf_error_in(const std::string& bytes) {
  auto parse = [](const std::string& file_bytes, const std::string& file) {
    return parse_gltf(file_bytes, file);
  };
  return error_of_bytes(parse, bytes, "a.glb");
}

/// A file that uses every supported feature.
GltfFile rich_file() {
  GltfFile file = GltfFile::triangle();
  const int indices = file.add(std::vector<uint16_t>{0, 1, 2, 0}, "SCALAR", kUnsignedShort);
  file.add_attribute<uint8_t>("TEXCOORD_0", {0, 0, 255, 0, 0, 255}, "VEC2", kUnsignedByte, true);
  const int sparse = file.add_view(std::vector<uint8_t>{1});
  const int values = file.add_view(std::vector<float>{2, 0, 0});
  file.json["accessors"][0]["sparse"] = {
      {"count", 1},
      {"indices", {{"bufferView", sparse}, {"componentType", kUnsignedByte}}},
      {"values", {{"bufferView", values}}}};
  file.add_attribute("JOINTS_0", std::vector<uint8_t>(12, 0), "VEC4", kUnsignedByte);
  file.add_attribute("WEIGHTS_0", std::vector<uint8_t>(12, 255), "VEC4", kUnsignedByte, true);
  file.json["skins"] = {{{"joints", {1}}}};
  file.primitive()["indices"] = indices;
  file.primitive()["mode"] = kTriangleStrip;
  file.primitive()["material"] = 0;
  file.json["materials"] = {
      {{"alphaMode", "MASK"},
       {"emissiveFactor", {1, 0, 0}},
       {"normalTexture", {{"index", 0}, {"scale", 0.5}}},
       {"pbrMetallicRoughness",
        {{"baseColorFactor", {1, 1, 1, 0.5}}, {"baseColorTexture", {{"index", 0}}}}},
       {"extensions",
        {{"KHR_materials_ior", {{"ior", 1.4}}},
         {"KHR_materials_sheen", {{"sheenColorFactor", {1, 1, 1}}}},
         {"KHR_materials_transmission", {{"transmissionFactor", 0.5}}}}}}};
  const std::string tga("\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\40\10abcd", 22);
  const int image = file.add_view(tga);
  file.json["images"] = {{{"bufferView", image}, {"mimeType", "image/png"}}};
  file.json["samplers"] = {{{"wrapS", 33071}}};
  file.json["textures"] = {{{"source", 0}, {"sampler", 0}}};
  file.json["cameras"] = {
      {{"type", "perspective"}, {"perspective", {{"yfov", 1.0}, {"znear", 0.1}}}}};
  file.json["nodes"] = {
      {{"mesh", 0}, {"scale", {1, 2, 1}}},
      {{"children", {0, 2}}, {"camera", 0}, {"rotation", {0, 0, 0, 1}}},
      {{"mesh", 0}, {"skin", 0}, {"extensions", {{"KHR_lights_punctual", {{"light", 0}}}}}}};
  file.json["extensions"]["KHR_lights_punctual"]["lights"] = {{{"type", "point"}}};
  file.json["scenes"] = {{{"nodes", {1}}}};
  file.json["scene"] = 0;
  return file;
}

TEST(GltfBytes, RefusesAFileThatIsCutOffAnywhere) {
  const std::string text = rich_file().text(), glb = rich_file().glb();
  ASSERT_EQ(gltf_error_in(text), "");
  ASSERT_EQ(gltf_error_in(glb), "");
  constexpr size_t kStep = 7;  // JSON that is cut off is never whole
  for (size_t size = 0; size < text.size(); size += kStep)
    EXPECT_NE(gltf_error_in(text.substr(0, size)), "") << "cut at " << size;
  for (size_t size = 0; size < glb.size(); ++size)
    EXPECT_NE(gltf_error_in(glb.substr(0, size)), "") << "cut at " << size;
}

/// A changed colour is not an error; any other change is an error of one line.
TEST(GltfBytes, SurvivesChangedBytes) {
  ByteNoise next;
  size_t refused = 0, read = 0;
  for (const std::string& bytes : {rich_file().text(), rich_file().glb()})
    for (size_t at = 0; at < bytes.size(); ++at) {
      std::string changed = bytes;
      // Digits and punctuation mostly keep the JSON well-formed and change its meaning.
      changed[at] = at % 2 ? char(next()) : "0123456789-.eE\"[]{}"[next() % 19];
      if (at % 3 == 0) changed[next() % bytes.size()] = "0123456789"[next() % 10];
      (gltf_error_in(changed).empty() ? read : refused) += 1;
    }
  EXPECT_GT(refused, 500u);
  EXPECT_GT(read, 500u);
}

/// Each value replaced by values of other types.
TEST(GltfBytes, SurvivesValuesOfAnotherKind) {
  const GltfFile file = rich_file();
  const json others[] = {nullptr,       true,           -1,     1e300,          4294967296, "text",
                         json::array(), json::object(), {1, 2}, {{"index", 0}}, -1e9,       99};
  std::set<std::string> paths;  // paths of all values and their parents
  const json flat = file.json.flatten();
  for (const auto& [pointer, value] : flat.items())
    for (std::string path = pointer; !path.empty(); path.resize(path.rfind('/')))
      paths.insert(path);
  size_t refused = 0;
  for (const std::string& path : paths)
    for (const json& other : others) {
      GltfFile changed = file;
      changed.json[json::json_pointer(path)] = other;
      refused += !gltf_error_in(changed.text()).empty();
    }
  EXPECT_GT(refused, 0u);
}

}  // namespace
}  // namespace winnow
