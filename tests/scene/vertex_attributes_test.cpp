// SPDX-License-Identifier: MIT
#include "scene/vertex_attributes.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <vector>

#include "image/srgb.h"

namespace winnow {
namespace {

using VertexColorList = std::vector<glm::vec4>;

VertexColorList finished(VertexColorList colors, ColorEncoding encoding) {
  finish_vertex_colors(colors, encoding);
  return colors;
}

TEST(VertexColors, AreDecodedAndClamped) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const VertexColorList linear =
      finished({{0.5f, 3.0f, -1.0f, 0.25f}, {nan, 0.1f, 0.2f, 2.0f}}, ColorEncoding::kLinear);
  EXPECT_EQ(linear[0], glm::vec4(0.5f, 1.0f, 0.0f, 0.25f));
  EXPECT_EQ(linear[1], glm::vec4(0.0f, 0.1f, 0.2f, 1.0f));
  const VertexColorList srgb = finished({{0.5f, 1.0f, 0.0f, 0.5f}}, ColorEncoding::kSrgb);
  EXPECT_EQ(srgb[0], glm::vec4(linear_from_srgb(0.5f), 1.0f, 0.0f, 0.5f));
}

TEST(VertexColors, OfUnknownRangeMayCountTo255) {
  const VertexColorList colors = finished({{255, 51, 0, 1}, {1, 0, 0, 1}}, ColorEncoding::kSrgb);
  EXPECT_EQ(colors[0], glm::vec4(1.0f, linear_from_srgb(0.2f), 0.0f, 1.0f));
  EXPECT_EQ(colors[1].x, linear_from_srgb(1.0f / 255.0f));
  EXPECT_EQ(finished({{1, 0, 0, 51}}, ColorEncoding::kSrgb)[0], glm::vec4(1, 0, 0, 0.2f));
}

TEST(VertexColors, AreLeftOutWhereAllAreWhite) {
  for (ColorEncoding encoding : {ColorEncoding::kLinear, ColorEncoding::kSrgb}) {
    EXPECT_TRUE(finished({glm::vec4(1.0f), glm::vec4(1.0f)}, encoding).empty());
    EXPECT_EQ(finished({{1, 1, 1, 0}, {1, 1, 1, 0}}, encoding).empty(),
              encoding == ColorEncoding::kSrgb)
        << "of no coverage";
    EXPECT_EQ(finished({{1, 1, 1, 0}, {1, 1, 1, 1}}, encoding).size(), 2u);
  }
  EXPECT_TRUE(finished(VertexColorList(4, glm::vec4(255.0f)), ColorEncoding::kSrgb).empty());
}

TEST(VertexColors, OfTrianglesGiveEachItsOwnVertices) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  mesh.uvs = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  mesh.triangles = {{0, 1, 2}, {2, 1, 3}};
  const glm::vec4 kRed(1, 0, 0, 1), kBlue(0, 0, 1, 1);
  color_triangles(mesh, {kRed, kBlue});
  EXPECT_EQ(mesh.triangles[1], glm::uvec3(3, 4, 5));
  EXPECT_EQ(mesh.positions[5], glm::vec3(1, 1, 0));
  EXPECT_EQ(mesh.uvs[3], glm::vec2(0, 1));
  EXPECT_EQ(mesh.colors, (VertexColorList{kRed, kRed, kRed, kBlue, kBlue, kBlue}));
  EXPECT_TRUE(mesh.normals.empty());
}

TEST(MirroredUvs, AreTakenFromTheRestOfAMesh) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
  mesh.uvs = {{0, 0}, {1, 0}, {0, 1}, {1, 0}, {0, -1}};
  const glm::uvec3 right(0, 1, 2), left(0, 2, 3), below(0, 4, 1);
  mesh.triangles = {right, left, below};
  mesh.colors = {glm::vec4(0), glm::vec4(1), glm::vec4(2), glm::vec4(3), glm::vec4(4)};
  const std::optional<Mesh> mirrored = take_mirrored_uvs(mesh);
  ASSERT_TRUE(mirrored);
  EXPECT_EQ(mirrored->triangles, std::vector{glm::uvec3(0, 1, 2)});
  EXPECT_EQ(mirrored->positions, (std::vector<glm::vec3>{{0, 0, 0}, {0, 1, 0}, {-1, 0, 0}}));
  EXPECT_EQ(mirrored->uvs, (std::vector<glm::vec2>{{0, 0}, {0, 1}, {1, 0}}));
  EXPECT_EQ(mirrored->colors, (VertexColorList{glm::vec4(0), glm::vec4(2), glm::vec4(3)}));
  EXPECT_EQ(mesh.triangles, (std::vector{glm::uvec3(0, 1, 2), glm::uvec3(0, 3, 1)}));
  EXPECT_EQ(mesh.positions, (std::vector<glm::vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}}));
  EXPECT_FALSE(take_mirrored_uvs(mesh));
  mesh.uvs.clear();
  EXPECT_FALSE(take_mirrored_uvs(mesh));
}

}  // namespace
}  // namespace winnow
