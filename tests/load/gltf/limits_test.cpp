// SPDX-License-Identifier: MIT
#include "base/limits.h"

#include <gmock/gmock.h>

#include "load/gltf/gltf.h"
#include "tests/load/gltf/support/gltf_files.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

class GltfLimits : public GltfTest {
 protected:
  /// An accessor of zeros, which no bytes stand for.
  static int add_zeros(GltfFile& file, size_t count) {
    file.json["accessors"].push_back(
        {{"componentType", kFloat}, {"count", count}, {"type", "VEC3"}});
    return int(file.json["accessors"].size()) - 1;
  }
  static std::string numbers_error(size_t numbers, size_t bytes) {
    return ": found " + std::to_string(numbers) +
           " numbers without a bufferView; together with others, they are too many for buffers "
           "of " +
           std::to_string(bytes) + " bytes";
  }
};

/// A file of 500 bytes was read for a second, one of 10,000 bytes for a minute.
TEST_F(GltfLimits, ZerosAreNoMoreThanTheBuffersJustify) {
  constexpr size_t kFree = kMaxFreeGltfZeros / 3;
  GltfFile file = GltfFile::triangle();
  file.primitive()["attributes"]["NORMAL"] = add_zeros(file, 3);
  EXPECT_EQ(load_file(file).warnings, std::vector<std::string>{});

  const size_t most = kFree + kMaxGltfZerosPerByte * file.buffer.size() / 3;
  GltfFile large = GltfFile::triangle();
  large.primitive()["attributes"]["POSITION"] = add_zeros(large, most + 1);
  EXPECT_EQ(error_of_gltf(large), "s.gltf: has no geometry: /accessors/1" +
                                      numbers_error(3 * (most + 1), large.buffer.size()));
}

TEST_F(GltfLimits, ZerosOfAllAccessorsAreCountedTogether) {
  GltfFile file = GltfFile::triangle();
  for (int i = 0; i < 3; ++i) {
    const int zeros = add_zeros(file, 20'000);
    file.json["meshes"][0]["primitives"].push_back({{"attributes", {{"POSITION", zeros}}}});
  }
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.triangles.size(), 1u);
  expect_warnings(scene, {"/accessors/2" + numbers_error(60'000, 36), "without area"});
}

TEST_F(GltfLimits, ZerosOfOneAccessorAreLimited) {
  GltfFile file = GltfFile::triangle();
  file.primitive()["attributes"]["POSITION"] = add_zeros(file, kMaxGltfZeros + 1);
  EXPECT_EQ(error_of_gltf(file),
            "s.gltf: has no geometry: /accessors/1: found 16777217 items without a bufferView; "
            "expected at most 16777216");
}

TEST_F(GltfLimits, CopiesByOneNodeAreLimited) {
  GltfFile file = GltfFile::triangle();
  file.buffer.resize(size_t{1} << 16);  // justifies the zeros
  file.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = {
      {"TRANSLATION", add_zeros(file, kMaxNodeCopies + 1)}};
  const HostScene scene = load_file(file);
  EXPECT_EQ(scene.triangles.size(), 1u);
  expect_warnings(scene,
                  {"found 4194305 copies; expected at most 4194304; the mesh is shown once"});
}

TEST_F(GltfLimits, PlacedMeshesAreLimited) {
  GltfFile file = GltfFile::triangle();
  for (int i = 0; i < 3; ++i) file.json["nodes"].push_back({{"mesh", 0}});
  const auto error = [&](size_t most) {
    return message_of([&] { parse_gltf(file.text(), "s.gltf", {}, most); });
  };
  EXPECT_EQ(error(4), "");
  EXPECT_THAT(error(3), testing::HasSubstr("/nodes/3: the scene has more than 3 placed meshes"));
}

}  // namespace
}  // namespace winnow
