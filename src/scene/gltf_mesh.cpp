#include "scene/gltf_mesh.h"

#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <map>
#include <numeric>

#include "scene/gltf_accessor.h"

namespace winnow {
namespace {

/// Number of an attribute's accessor, or -1.
int find_attribute(const tinygltf::Primitive& primitive, const std::string& name) {
  const auto found = primitive.attributes.find(name);
  return found == primitive.attributes.end() ? -1 : found->second;
}

bool is_made_of_triangles(const tinygltf::Primitive& primitive) {
  return primitive.mode == TINYGLTF_MODE_TRIANGLES ||
         primitive.mode == TINYGLTF_MODE_TRIANGLE_STRIP ||
         primitive.mode == TINYGLTF_MODE_TRIANGLE_FAN;
}

/// The corners of triangle `i`, in a list of vertices that is drawn in this mode.
glm::uvec3 corners_of(int mode, uint32_t i) {
  if (mode == TINYGLTF_MODE_TRIANGLE_STRIP) {
    const uint32_t odd = i % 2;  // every other one is turned round
    return {i, i + 1 + odd, i + 2 - odd};
  }
  if (mode == TINYGLTF_MODE_TRIANGLE_FAN) return {i + 1, i + 2, 0};
  constexpr uint32_t kCorners = 3;
  return {kCorners * i, kCorners * i + 1, kCorners * i + 2};
}

size_t triangle_count(int mode, size_t corner_count) {
  constexpr size_t kCorners = 3;
  if (mode == TINYGLTF_MODE_TRIANGLES) return corner_count / kCorners;
  return corner_count < kCorners ? 0 : corner_count - 2;
}

class MeshReader {
 public:
  MeshReader(GltfDocument& document, int number, GltfMaterials& materials)
      : document_(document), materials_(materials), place_(fmt::format("/meshes/{}", number)) {
    const tinygltf::Mesh& source = document.item(document.model().meshes, number, place_);
    for (size_t i = 0; i < source.primitives.size(); ++i)
      add(source.primitives[i], fmt::format("{}/primitives/{}", place_, i));
    mesh.normals.resize(mesh.positions.size(), glm::vec3(0.0f));
    if (!mesh.uvs.empty()) mesh.uvs.resize(mesh.positions.size(), glm::vec2(0.0f));
  }

  Mesh mesh;

 private:
  void add(const tinygltf::Primitive& primitive, const std::string& place) {
    if (!is_made_of_triangles(primitive))
      return document_.warn(place, "points and lines are left out");
    const int positions = find_attribute(primitive, "POSITION");
    if (positions < 0) return document_.warn(place, "triangles without a POSITION are left out");
    if (!primitive.targets.empty())
      document_.warn(place, "morph targets are left out: meshes are as they are at rest");
    if (find_attribute(primitive, "COLOR_0") >= 0)
      document_.warn(place, "colours of vertices are left out");

    const GltfMaterials::Used material = materials_.use(primitive.material, place + "/material");
    const uint32_t first =
        add_vertices({positions, find_attribute(primitive, "NORMAL"),
                      find_attribute(primitive, fmt::format("TEXCOORD_{}", material.uv_set))},
                     material.uv_set, place + "/attributes");
    add_triangles(primitive, first, vertex_counts_[first], material.material, place);
  }

  /// Accessors of positions, normals and texture coordinates.
  using Attributes = std::array<int, 3>;

  /// Number of the first of these vertices. Those that primitives share are there once.
  uint32_t add_vertices(const Attributes& attributes, int uv_set, const std::string& place) {
    const auto first = uint32_t(mesh.positions.size());
    const auto [known, is_new] = first_vertices_.try_emplace(attributes, first);
    if (!is_new) return known->second;
    const auto [positions, normals, uvs] = attributes;
    add_vec3s(positions, place + "/POSITION", mesh.positions);
    const size_t count = mesh.positions.size() - first;
    vertex_counts_[first] = count;
    mesh.normals.resize(first, glm::vec3(0.0f));
    if (normals >= 0) {
      add_vec3s(normals, place + "/NORMAL", mesh.normals);
      expect_count(mesh.normals.size() - first, count, place + "/NORMAL");
    }
    if (uvs < 0) return first;
    mesh.uvs.resize(first, glm::vec2(0.0f));
    add_uvs(uvs, fmt::format("{}/TEXCOORD_{}", place, uv_set));
    expect_count(mesh.uvs.size() - first, count, fmt::format("{}/TEXCOORD_{}", place, uv_set));
    return first;
  }

  void add_vec3s(int accessor, const std::string& place, std::vector<glm::vec3>& to) {
    const std::vector<float> numbers =
        read_gltf_floats(document_, accessor, TINYGLTF_TYPE_VEC3, place);
    constexpr size_t kNumbers = 3;
    for (size_t i = 0; i < numbers.size(); i += kNumbers)
      to.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  }

  void add_uvs(int accessor, const std::string& place) {
    constexpr float kFar = 1e6f;  // beyond this no digits are left for a texel
    const std::vector<float> numbers =
        read_gltf_floats(document_, accessor, TINYGLTF_TYPE_VEC2, place);
    auto near = [](float x) { return std::isfinite(x) ? glm::clamp(x, -kFar, kFar) : 0.0f; };
    for (size_t i = 0; i < numbers.size(); i += 2)
      mesh.uvs.emplace_back(near(numbers[i]), near(numbers[i + 1]));
  }

  void expect_count(size_t found, size_t expected, const std::string& place) const {
    if (found != expected)
      document_.fail(
          place, fmt::format("expected as many items as positions, {}, found {}", expected, found));
  }

  void add_triangles(const tinygltf::Primitive& primitive, uint32_t first, size_t vertex_count,
                     uint32_t material, const std::string& place) {
    std::vector<uint32_t> indices;
    if (primitive.indices >= 0) {
      indices = read_gltf_indices(document_, primitive.indices, place + "/indices");
    } else {
      indices.resize(vertex_count);
      std::iota(indices.begin(), indices.end(), 0u);
    }
    for (uint32_t index : indices)
      if (index >= vertex_count)
        document_.fail(place + "/indices", fmt::format("found the vertex {}; expected one below {}",
                                                       index, vertex_count));
    const size_t count = triangle_count(primitive.mode, indices.size());
    for (uint32_t i = 0; i < count; ++i) {
      const glm::uvec3 corners = corners_of(primitive.mode, i);
      const glm::uvec3 triangle(first + indices[corners.x], first + indices[corners.y],
                                first + indices[corners.z]);
      if (!is_solid_triangle(mesh.positions[triangle.x], mesh.positions[triangle.y],
                             mesh.positions[triangle.z])) {
        document_.warn(place, "a triangle without area or with vertices too far away is left out");
        continue;
      }
      mesh.triangles.push_back(triangle);
      mesh.triangle_materials.push_back(material);
    }
  }

  GltfDocument& document_;
  GltfMaterials& materials_;
  std::string place_;
  std::map<Attributes, uint32_t> first_vertices_;
  std::map<uint32_t, size_t> vertex_counts_;  ///< [first vertex]
};

}  // namespace

Mesh read_gltf_mesh(GltfDocument& document, int number, GltfMaterials& materials) {
  return std::move(MeshReader(document, number, materials).mesh);
}

}  // namespace winnow
