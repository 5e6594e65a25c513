#include "load/gltf/mesh.h"

#include <cmath>
#include <compare>
#include <glm/common.hpp>
#include <map>
#include <numeric>

#include "load/gltf/accessor.h"

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
  MeshReader(GltfDocument& document, int number, bool has_skin, GltfMaterials& materials)
      : document_(document),
        has_skin_(has_skin),
        materials_(materials),
        place_(fmt::format("/meshes/{}", number)) {
    const tinygltf::Mesh& source = document.item(document.model().meshes, number, place_);
    for (size_t i = 0; i < source.primitives.size(); ++i)
      add(source.primitives[i], fmt::format("{}/primitives/{}", place_, i));
    mesh_.normals.resize(mesh_.positions.size(), glm::vec3(0.0f));
    if (!mesh_.uvs.empty()) mesh_.uvs.resize(mesh_.positions.size(), glm::vec2(0.0f));
    if (!has_skin) return;
    read.joints.resize(mesh_.positions.size(), glm::vec4(0.0f));
    read.weights.resize(mesh_.positions.size(), glm::vec4(0.0f));
  }

  GltfMesh read;

 private:
  void add(const tinygltf::Primitive& primitive, const std::string& place) {
    if (!is_made_of_triangles(primitive))
      return document_.warn(place, "points and lines are left out");
    if (find_attribute(primitive, "POSITION") < 0)
      return document_.warn(place, "triangles without a POSITION are left out");
    if (!primitive.targets.empty())
      document_.warn(place, "morph targets are left out: meshes are as they are at rest");
    if (find_attribute(primitive, "COLOR_0") >= 0)
      document_.warn(place, "colours of vertices are left out");

    const GltfMaterials::Used material = materials_.use(primitive.material, place + "/material");
    if (has_skin_ && find_attribute(primitive, "JOINTS_1") >= 0)
      document_.warn(place, "of the joints that move a vertex only the first four count");
    const uint32_t first =
        add_vertices({find_attribute(primitive, "POSITION"), find_attribute(primitive, "NORMAL"),
                      find_attribute(primitive, fmt::format("TEXCOORD_{}", material.uv_set)),
                      has_skin_ ? find_attribute(primitive, "JOINTS_0") : -1,
                      has_skin_ ? find_attribute(primitive, "WEIGHTS_0") : -1},
                     material.uv_set, place + "/attributes");
    add_triangles(primitive, first, vertex_counts_[first], material.material, place);
  }

  /// Numbers of accessors, below 0 where there is none.
  struct Attributes {
    int positions, normals, uvs, joints, weights;
    auto operator<=>(const Attributes&) const = default;
  };

  /// Number of the first of these vertices. Those that primitives share are there once.
  uint32_t add_vertices(const Attributes& attributes, int uv_set, const std::string& place) {
    const auto first = uint32_t(mesh_.positions.size());
    const auto [known, is_new] = first_vertices_.try_emplace(attributes, first);
    if (!is_new) return known->second;
    add_vec3s(attributes.positions, place + "/POSITION", mesh_.positions);
    const size_t count = mesh_.positions.size() - first;
    vertex_counts_[first] = count;
    // What other primitives lack is zero.
    auto add = [&](auto& items, const std::string& name, auto add_items) {
      items.resize(first);
      add_items(place + "/" + name);
      if (items.size() - first != count)
        document_.fail(place + "/" + name,
                       fmt::format("expected as many items as positions, {}, found {}", count,
                                   items.size() - first));
    };
    if (attributes.normals >= 0)
      add(mesh_.normals, "NORMAL",
          [&](const std::string& name) { add_vec3s(attributes.normals, name, mesh_.normals); });
    if (attributes.uvs >= 0)
      add(mesh_.uvs, fmt::format("TEXCOORD_{}", uv_set),
          [&](const std::string& name) { add_uvs(attributes.uvs, name); });
    if (attributes.joints < 0 || attributes.weights < 0) return first;
    add(read.joints, "JOINTS_0",
        [&](const std::string& name) { add_vec4s(attributes.joints, name, read.joints); });
    add(read.weights, "WEIGHTS_0",
        [&](const std::string& name) { add_vec4s(attributes.weights, name, read.weights); });
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
      mesh_.uvs.emplace_back(near(numbers[i]), near(numbers[i + 1]));
  }

  void add_vec4s(int accessor, const std::string& place, std::vector<glm::vec4>& to) {
    const std::vector<float> numbers =
        read_gltf_floats(document_, accessor, TINYGLTF_TYPE_VEC4, place);
    constexpr size_t kNumbers = 4;
    for (size_t i = 0; i < numbers.size(); i += kNumbers)
      to.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]);
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
      if (!is_solid_triangle(mesh_.positions[triangle.x], mesh_.positions[triangle.y],
                             mesh_.positions[triangle.z])) {
        document_.warn(place, "a triangle without area or with vertices too far away is left out");
        continue;
      }
      mesh_.triangles.push_back(triangle);
      mesh_.triangle_materials.push_back(material);
    }
  }

  GltfDocument& document_;
  const bool has_skin_;
  GltfMaterials& materials_;
  Mesh& mesh_ = read.mesh;
  std::string place_;
  std::map<Attributes, uint32_t> first_vertices_;
  std::map<uint32_t, size_t> vertex_counts_;  ///< [first vertex]
};

}  // namespace

GltfMesh read_gltf_mesh(GltfDocument& document, int number, bool has_skin,
                        GltfMaterials& materials) {
  return std::move(MeshReader(document, number, has_skin, materials).read);
}

}  // namespace winnow
