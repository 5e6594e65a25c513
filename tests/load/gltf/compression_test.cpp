// SPDX-License-Identifier: MIT
#include "load/gltf/compression.h"

#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#include <gtest/gtest.h>
#include <meshoptimizer.h>

#include <algorithm>

#include "base/limits.h"
#include "load/gltf/gltf.h"
#include "tests/load/gltf/support/gltf_files.h"
#include "tests/support/expect_near.h"
#include "tests/support/hex.h"

namespace winnow {
namespace {

using nlohmann::json;
using GltfCompression = GltfTest;

/// Two triangles, a square, as Draco.
std::string draco_square() {
  draco::TriangleSoupMeshBuilder builder;
  builder.Start(2);
  const int positions =
      builder.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
  const int uvs = builder.AddAttribute(draco::GeometryAttribute::TEX_COORD, 2, draco::DT_FLOAT32);
  const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const int faces[2][3] = {{0, 1, 2}, {0, 2, 3}};
  for (uint32_t i = 0; i < 2; ++i) {
    const float *a = corners[faces[i][0]], *b = corners[faces[i][1]], *c = corners[faces[i][2]];
    builder.SetAttributeValuesForFace(positions, draco::FaceIndex(i), a, b, c);
    builder.SetAttributeValuesForFace(uvs, draco::FaceIndex(i), a, b, c);
  }
  const std::unique_ptr<draco::Mesh> mesh = builder.Finalize();
  draco::EncoderBuffer buffer;
  draco::Encoder encoder;
  EXPECT_TRUE(encoder.EncodeMeshToBuffer(*mesh, &buffer).ok());
  return {buffer.data(), buffer.size()};
}

GltfFile draco_file(std::string_view bytes) {
  GltfFile file;
  const int view = file.add_view(bytes);
  file.json["accessors"] = {{{"componentType", kFloat}, {"count", 4}, {"type", "VEC3"}},
                            {{"componentType", kFloat}, {"count", 4}, {"type", "VEC2"}},
                            {{"componentType", kUnsignedInt}, {"count", 6}, {"type", "SCALAR"}}};
  file.json["meshes"] = {
      {{"primitives",
        {{{"attributes", {{"POSITION", 0}, {"TEXCOORD_0", 1}}},
          {"indices", 2},
          {"extensions",
           {{"KHR_draco_mesh_compression",
             {{"bufferView", view}, {"attributes", {{"POSITION", 0}, {"TEXCOORD_0", 1}}}}}}}}}}}};
  file.json["nodes"] = {{{"mesh", 0}}};
  file.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  return file;
}

TEST_F(GltfCompression, OpensDracoMeshes) {
  const HostScene scene = load_file(draco_file(draco_square()));
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  ASSERT_EQ(scene.triangles.size(), 2u);
  float area = 0.0f;
  for (const glm::uvec3& triangle : scene.triangles) area += area_vector(scene, triangle).z;
  EXPECT_NEAR(area, 1.0f, 1e-3f);
  ASSERT_EQ(scene.uvs.size(), scene.positions.size());
  for (size_t i = 0; i < scene.uvs.size(); ++i)
    expect_near(glm::vec3(scene.uvs[i], 0.0f), scene.positions[i]);
}

TEST_F(GltfCompression, LeavesOutBrokenDracoMeshes) {
  const std::string good = draco_square();
  EXPECT_NE(error_of_gltf(draco_file("no Draco")).find("has no geometry"), std::string::npos);
  ByteNoise noise;
  for (size_t at = 0; at < good.size(); ++at) {
    std::string broken = good;
    broken[at] = char(noise());
    error_of_gltf(draco_file(broken));  // must not crash
    error_of_gltf(draco_file(std::string_view(good).substr(0, at)));
  }
}

TEST_F(GltfCompression, ChecksTheCountsOfDracoBeforeItAllocates) {
  // Version 2.2, a mesh without connectivity compression: 2^32 - 1 triangles and vertices.
  const std::string many("DRACO\2\2\1\0\0\0\x8f\xff\xff\xff\x7f\x8f\xff\xff\xff\x7f\1", 22);
  EXPECT_NE(error_of_gltf(draco_file(many)).find("cannot hold as many"), std::string::npos);

  // A count at the limit is refused for another reason.
  auto is_too_many = [&](uint32_t count) {
    std::string bytes("DRACO\2\2\1\0\0\0", 11);
    for (int i = 0; i < 2; ++i)
      for (const uint32_t part : {(count & 0x7f) | 0x80, (count >> 7 & 0x7f) | 0x80, count >> 14})
        bytes += char(part);
    bytes += '\1';
    return error_of_gltf(draco_file(bytes)).find("cannot hold as many") != std::string::npos;
  };
  constexpr uint32_t kBytes = 18, kMost = kBytes * kMaxDracoItemsPerByte;
  EXPECT_FALSE(is_too_many(kMost));
  EXPECT_TRUE(is_too_many(kMost + 1));
}

/// The triangle with its positions in a compressed view.
GltfFile meshopt_file(const std::vector<unsigned char>& bytes, const json& properties,
                      const std::vector<uint32_t>& corners,
                      const char* name = "EXT_meshopt_compression") {
  GltfFile file = GltfFile::triangle();
  const int source = file.add_view(bytes);
  json extension = properties;
  extension["buffer"] = 0;
  extension["byteOffset"] = file.json["bufferViews"][size_t(source)]["byteOffset"];
  extension["byteLength"] = bytes.size();
  file.json["bufferViews"].push_back({{"buffer", 1}, {"byteLength", 1000}});
  file.json["bufferViews"].back()["extensions"][name] = extension;
  const size_t view = file.json["bufferViews"].size() - 1;
  if (corners.empty()) {
    file.json["accessors"][0]["bufferView"] = view;
  } else {
    const int accessor = file.add(corners, "SCALAR", kUnsignedInt);
    file.json["accessors"][size_t(accessor)]["bufferView"] = view;
    file.primitive()["indices"] = accessor;
  }
  return file;
}

/// With the buffer that stands for the decompressed bytes, and has none of its own.
std::string with_fallback(const GltfFile& file, const char* name = "EXT_meshopt_compression") {
  json whole = json::parse(file.text());
  json fallback = {{"byteLength", 1000}};
  fallback["extensions"][name]["fallback"] = true;
  whole["buffers"].push_back(fallback);
  return whole.dump();
}

std::vector<unsigned char> encode_vertices(const std::vector<float>& positions) {
  constexpr size_t kStride = 3 * sizeof(float);
  const size_t count = positions.size() / 3;
  std::vector<unsigned char> bytes(meshopt_encodeVertexBufferBound(count, kStride));
  bytes.resize(
      meshopt_encodeVertexBuffer(bytes.data(), bytes.size(), positions.data(), count, kStride));
  return bytes;
}

const json kPositions = {{"mode", "ATTRIBUTES"}, {"count", 3}, {"byteStride", 12}};

TEST_F(GltfCompression, OpensMeshoptBuffers) {
  const GltfFile file = meshopt_file(encode_vertices({0, 0, 0, 5, 0, 0, 0, 6, 0}), kPositions, {});
  const HostScene scene = load("s.gltf", with_fallback(file));
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  EXPECT_EQ(scene.positions.at(2), glm::vec3(0, 6, 0));

  const std::vector<uint32_t> corners = {1, 2, 0};
  std::vector<unsigned char> bytes(meshopt_encodeIndexBufferBound(3, 3));
  bytes.resize(meshopt_encodeIndexBuffer(bytes.data(), bytes.size(), corners.data(), 3));
  const json indices = {{"mode", "TRIANGLES"}, {"count", 3}, {"byteStride", 4}};
  const HostScene indexed = load("s.gltf", with_fallback(meshopt_file(bytes, indices, corners)));
  EXPECT_EQ(indexed.warnings, std::vector<std::string>{});
  EXPECT_GT(area_vector(indexed, indexed.triangles.at(0)).z, 0.0f);
}

/// Files that use the later name of the extension were refused.
TEST_F(GltfCompression, OpensMeshoptBuffersByTheirRatifiedName) {
  constexpr const char* kName = "KHR_meshopt_compression";
  GltfFile file = meshopt_file(encode_vertices({0, 0, 0, 5, 0, 0, 0, 6, 0}), kPositions, {}, kName);
  file.json["extensionsRequired"] = {kName};
  const HostScene scene = load("s.gltf", with_fallback(file, kName));
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  EXPECT_EQ(scene.positions.at(2), glm::vec3(0, 6, 0));
}

/// A file of 2025 with vertices of version 1 was refused.
TEST_F(GltfCompression, OpensMeshoptVerticesOfVersion1) {
  constexpr const char* kName = "KHR_meshopt_compression";
  // The positions (0, 0, 0), (5, 0, 0) and (0, 6, 0), encoded by meshoptimizer 1.0.
  const std::string bytes =
      from_hex("a1fafaaa00bfc000807f00007f000080000000000000000000000000000000000000000000000000");
  const std::vector<unsigned char> encoded(bytes.begin(), bytes.end());
  for (const char* name : {kName, "EXT_meshopt_compression"}) {
    const HostScene scene =
        load("s.gltf", with_fallback(meshopt_file(encoded, kPositions, {}, name), name));
    EXPECT_EQ(scene.warnings, std::vector<std::string>{});
    EXPECT_EQ(scene.positions.at(1), glm::vec3(5, 0, 0));
    EXPECT_EQ(scene.positions.at(2), glm::vec3(0, 6, 0));
  }
  std::vector<unsigned char> broken = encoded;
  broken[1] = 0;  // other controls need more bytes
  EXPECT_NE(error_of("s.gltf", with_fallback(meshopt_file(broken, kPositions, {}, kName), kName))
                .find("the compressed bytes cannot be decoded"),
            std::string::npos);
}

/// Such a buffer may lack the mark "fallback".
TEST_F(GltfCompression, NeedsNoBytesOfABufferWhoseViewsAreCompressed) {
  const GltfFile file = meshopt_file(encode_vertices({0, 0, 0, 5, 0, 0, 0, 6, 0}), kPositions, {});
  json whole = json::parse(with_fallback(file));
  whole["buffers"][1].erase("extensions");
  EXPECT_EQ(load("s.gltf", whole.dump()).positions.at(2), glm::vec3(0, 6, 0));
  whole["bufferViews"].push_back({{"buffer", 1}, {"byteLength", 12}});
  EXPECT_EQ(error_of("s.gltf", whole.dump()),
            "s.gltf: /buffers/1: expected a \"uri\" with the location of the buffer");
}

TEST_F(GltfCompression, AppliesTheFilterOfColors) {
  constexpr const char* kName = "KHR_meshopt_compression";
  // The colours (1, 0.5, 0.25), black and (0.2, 0.4, 0.6), encoded by meshoptimizer 1.0.
  const std::string bytes =
      from_hex("a1bf00e0cc00bd65001e0000000000000000000000000000000000000000905ff1ff00");
  const std::vector<unsigned char> encoded(bytes.begin(), bytes.end());
  json properties = {{"mode", "ATTRIBUTES"}, {"count", 3}, {"byteStride", 4}, {"filter", "COLOR"}};
  GltfFile file = meshopt_file(encoded, properties, {}, kName);
  file.json["accessors"][0]["bufferView"] = 0;  // the positions are not compressed
  file.json["accessors"].push_back({{"bufferView", file.json["bufferViews"].size() - 1},
                                    {"componentType", kUnsignedByte},
                                    {"normalized", true},
                                    {"count", 3},
                                    {"type", "VEC4"}});
  file.primitive()["attributes"]["COLOR_0"] = file.json["accessors"].size() - 1;
  const HostScene scene = load("s.gltf", with_fallback(file, kName));
  EXPECT_EQ(scene.warnings, std::vector<std::string>{});
  ASSERT_EQ(scene.colors.size(), 3u);
  constexpr float kError = 2.5f / 255.0f;  // each channel may be off by a step and a half
  expect_near(glm::vec3(scene.colors[0]), {1.0f, 0.5f, 0.25f}, kError);
  expect_near(glm::vec3(scene.colors[1]), glm::vec3(0.0f), kError);
  expect_near(glm::vec3(scene.colors[2]), {0.2f, 0.4f, 0.6f}, kError);

  properties["byteStride"] = 12;
  EXPECT_NE(error_of("s.gltf", with_fallback(meshopt_file(encoded, properties, {}, kName), kName))
                .find("12 bytes do not suit its mode and filter"),
            std::string::npos);
}

TEST_F(GltfCompression, LeavesOutBrokenMeshoptBuffers) {
  const std::vector<unsigned char> good = encode_vertices({0, 0, 0, 5, 0, 0, 0, 6, 0});
  auto error = [&](const std::vector<unsigned char>& bytes, const char* key, const json& value) {
    json properties = kPositions;
    properties[key] = value;
    return error_of("s.gltf", with_fallback(meshopt_file(bytes, properties, {})));
  };
  for (const auto& [key, value] : {std::pair<const char*, json>{"count", 4'000'000'000u},
                                   {"byteStride", 7},
                                   {"byteStride", 1024},
                                   {"mode", "TRIANGLES"},
                                   {"filter", "QUATERNION"},
                                   {"mode", 3}})
    EXPECT_NE(error(good, key, value).find("has no geometry"), std::string::npos) << key << value;
  EXPECT_NE(error(good, "count", 1'000'000).find("cannot hold as many"), std::string::npos);
  const uint64_t most = kMaxMeshoptRatio * good.size() / (3 * sizeof(float));
  EXPECT_EQ(error(good, "count", most).find("cannot hold as many"), std::string::npos);
  EXPECT_NE(error(good, "count", most + 1).find("cannot hold as many"), std::string::npos);
  ByteNoise noise;
  for (size_t at = 0; at < good.size(); ++at) {
    std::vector<unsigned char> broken = good;
    broken[at] = static_cast<unsigned char>(noise());
    error(broken, "count", 3);  // must not crash
    broken.resize(at);
    error(broken, "count", 3);
  }
}

}  // namespace
}  // namespace winnow
