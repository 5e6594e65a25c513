// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <map>
#include <numeric>

#include "load/gltf/convert.h"
#include "load/gltf/values.h"

namespace winnow {
namespace {

constexpr int kModeTriangles = 4, kModeTriangleStrip = 5, kModeTriangleFan = 6;

bool is_made_of_triangles(int mode) {
  return mode == kModeTriangles || mode == kModeTriangleStrip || mode == kModeTriangleFan;
}

/// The corners of triangle `i`, in a list of vertices that is drawn in this mode.
glm::uvec3 corners_of(int mode, uint32_t i) {
  if (mode == kModeTriangleStrip) {
    const uint32_t odd = i % 2;  // every other triangle has the opposite winding
    return {i, i + 1 + odd, i + 2 - odd};
  }
  if (mode == kModeTriangleFan) return {i + 1, i + 2, 0};
  constexpr uint32_t kCorners = 3;
  return {kCorners * i, kCorners * i + 1, kCorners * i + 2};
}

size_t triangle_count(int mode, size_t corner_count) {
  constexpr size_t kCorners = 3;
  if (mode == kModeTriangles) return corner_count / kCorners;
  return corner_count < kCorners ? 0 : corner_count - 2;
}

class MeshReader {
 public:
  MeshReader(GltfDocument& document, const JsonReader& source, bool has_skin,
             GltfMaterials& materials)
      : document_(document), has_skin_(has_skin), materials_(materials) {
    const std::optional<JsonReader> primitives = source.find("primitives");
    for (size_t i = 0; primitives && i < primitives->size(); ++i) add((*primitives)[i]);
    mesh_.normals.resize(mesh_.positions.size(), glm::vec3(0.0f));
    if (!mesh_.uvs.empty()) mesh_.uvs.resize(mesh_.positions.size(), glm::vec2(0.0f));
    if (!has_skin) return;
    read.joints.resize(mesh_.positions.size(), glm::vec4(0.0f));
    read.weights.resize(mesh_.positions.size(), glm::vec4(0.0f));
  }

  GltfMesh read;

 private:
  void add(const JsonReader& primitive) {
    const JsonReader attributes = primitive.at("attributes");
    const std::string& pointer = primitive.pointer();
    const int mode = integer_of(primitive, "mode", kModeTriangles);
    if (!is_made_of_triangles(mode))
      return document_.warn(pointer, "points and lines are left out");
    const std::optional<JsonReader> positions = attributes.find("POSITION");
    if (!positions) return document_.warn(pointer, "triangles without a POSITION are left out");
    if (const auto targets = primitive.find("targets"); targets && targets->size() > 0)
      document_.warn(pointer, "morph targets are ignored: meshes are shown in their rest pose");
    if (attributes.has("COLOR_0")) document_.warn(pointer, "colours of vertices are ignored");

    const GltfMaterials::Used material = materials_.use(primitive);
    if (has_skin_ && attributes.has("JOINTS_1"))
      document_.warn(pointer, "only the first four joints of a vertex are used");
    const uint32_t first = add_vertices(attributes, *positions, material.uv_set);
    add_triangles(primitive, mode, first, vertex_counts_[first], material.material);
  }

  /// Adds the vertices of a primitive, unless an earlier one uses the same accessors.
  /// @return  index of the first one
  uint32_t add_vertices(const JsonReader& attributes, const JsonReader& positions, int uv_set) {
    const auto normals = attributes.find("NORMAL");
    const auto uvs = attributes.find(fmt::format("TEXCOORD_{}", uv_set));
    const auto joints = has_skin_ ? attributes.find("JOINTS_0") : std::nullopt;
    const auto weights = has_skin_ ? attributes.find("WEIGHTS_0") : std::nullopt;
    constexpr uint32_t kNone = ~0u;
    Accessors accessors;
    const std::optional<JsonReader>* references[] = {&normals, &uvs, &joints, &weights};
    accessors[0] = document_.index("accessors", positions);
    for (size_t i = 0; i < std::size(references); ++i)
      accessors[i + 1] = *references[i] ? document_.index("accessors", **references[i]) : kNone;

    const auto first = uint32_t(mesh_.positions.size());
    const auto [known, is_new] = first_vertices_.try_emplace(accessors, first);
    if (!is_new) return known->second;
    add_vectors(positions, mesh_.positions);
    const size_t count = mesh_.positions.size() - first;
    vertex_counts_[first] = count;
    // Attributes that other primitives lack are zero.
    auto add = [&](auto& items, const JsonReader& reference) {
      items.resize(first);
      add_vectors(reference, items);
      if (items.size() - first != count)
        reference.fail(fmt::format("expected as many items as positions, {}, found {}", count,
                                   items.size() - first));
    };
    if (normals) add(mesh_.normals, *normals);
    if (uvs) {
      constexpr float kMaxUv = 1e6f;  // a larger float does not resolve texels
      add(mesh_.uvs, *uvs);
      for (size_t i = first; i < mesh_.uvs.size(); ++i)
        for (int axis = 0; axis < 2; ++axis) {
          float& x = mesh_.uvs[i][axis];
          x = std::isfinite(x) ? glm::clamp(x, -kMaxUv, kMaxUv) : 0.0f;
        }
    }
    if (!joints || !weights) return first;
    add(read.joints, *joints);
    add(read.weights, *weights);
    return first;
  }

  /// Adds the items of an accessor of the type VEC2, VEC3 or VEC4.
  template <class Vector>
  void add_vectors(const JsonReader& accessor, std::vector<Vector>& to) {
    constexpr int kNumbers = Vector::length();
    const std::vector<float> numbers =
        read_gltf_floats(document_, accessor, fmt::format("VEC{}", kNumbers));
    for (size_t i = 0; i < numbers.size(); i += size_t(kNumbers)) {
      Vector& vector = to.emplace_back();
      for (int k = 0; k < kNumbers; ++k) vector[k] = numbers[i + size_t(k)];
    }
  }

  void add_triangles(const JsonReader& primitive, int mode, uint32_t first, size_t vertex_count,
                     uint32_t material) {
    std::vector<uint32_t> indices;
    if (const auto accessor = primitive.find("indices")) {
      indices = read_gltf_indices(document_, *accessor);
      for (uint32_t index : indices)
        if (index >= vertex_count)
          accessor->fail(
              fmt::format("found the vertex {}; expected one below {}", index, vertex_count));
    } else {
      indices.resize(vertex_count);
      std::iota(indices.begin(), indices.end(), 0u);
    }
    const size_t count = triangle_count(mode, indices.size());
    for (uint32_t i = 0; i < count; ++i) {
      const glm::uvec3 corners = corners_of(mode, i);
      const glm::uvec3 triangle(first + indices[corners.x], first + indices[corners.y],
                                first + indices[corners.z]);
      if (!is_solid_triangle(mesh_.positions[triangle.x], mesh_.positions[triangle.y],
                             mesh_.positions[triangle.z])) {
        document_.warn(primitive.pointer(),
                       "a triangle without area or with vertices too far away is left out");
        continue;
      }
      mesh_.triangles.push_back(triangle);
      mesh_.triangle_materials.push_back(material);
    }
  }

  /// Accessors of positions, normals, uvs, joints and weights; all bits set where there is none.
  using Accessors = std::array<uint32_t, 5>;

  GltfDocument& document_;
  const bool has_skin_;
  GltfMaterials& materials_;
  Mesh& mesh_ = read.mesh;
  std::map<Accessors, uint32_t> first_vertices_;
  std::map<uint32_t, size_t> vertex_counts_;  ///< by first vertex
};

/// [joint] From the rest pose of a vertex to world space.
std::vector<glm::mat4> joint_transforms(const GltfDocument& document, const PlacedNode& node,
                                        const std::vector<PlacedNode>& nodes) {
  constexpr size_t kNumbers = 16;  // of a matrix
  const JsonReader skin = document.item("skins", node.json.at("skin"));
  const JsonReader joints = skin.at("joints");
  if (joints.size() == 0) joints.fail("expected at least one joint");
  std::map<uint32_t, const PlacedNode*> placed;
  for (const PlacedNode& other : nodes) placed[other.index] = &other;

  std::vector<float> from_rest;
  if (const auto matrices = skin.find("inverseBindMatrices")) {
    from_rest = read_gltf_floats(document, *matrices, "MAT4");
    if (from_rest.size() < joints.size() * kNumbers)
      matrices->fail(fmt::format("expected {} matrices, found {}", joints.size(),
                                 from_rest.size() / kNumbers));
  }
  std::vector<glm::mat4> transforms;
  for (size_t i = 0; i < joints.size(); ++i) {
    const auto joint = placed.find(document.index("nodes", joints[i]));
    if (joint == placed.end()) joints[i].fail("the node is not in the scene");
    const glm::mat4 to_joint =
        from_rest.empty() ? glm::mat4(1.0f) : glm::make_mat4(&from_rest[i * kNumbers]);
    transforms.push_back(glm::mat4(joint->second->to_world) * to_joint);
  }
  return transforms;
}

}  // namespace

GltfMesh read_gltf_mesh(GltfDocument& document, uint32_t index, bool has_skin,
                        GltfMaterials& materials) {
  return std::move(MeshReader(document, document.item("meshes", index), has_skin, materials).read);
}

void apply_gltf_skin(const GltfDocument& document, const PlacedNode& node,
                     const std::vector<PlacedNode>& nodes, GltfMesh& mesh) {
  const std::vector<glm::mat4> transforms = joint_transforms(document, node, nodes);
  const auto joint_count = float(transforms.size());
  for (size_t i = 0; i < mesh.mesh.positions.size(); ++i) {
    glm::mat4 transform(0.0f);
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k) {
      const float weight = mesh.weights[i][k], joint = mesh.joints[i][k];
      if (!(weight > 0.0f)) continue;
      if (!(joint >= 0.0f && joint < joint_count))
        node.json.fail(fmt::format("its mesh has the joint {}; expected one below {}", joint,
                                   transforms.size()));
      transform += weight * transforms[size_t(joint)];
      sum += weight;
    }
    transform = sum > 0.0f ? transform / sum : glm::mat4(node.to_world);
    glm::vec3& position = mesh.mesh.positions[i];
    glm::vec3& normal = mesh.mesh.normals[i];
    position = glm::vec3(transform * glm::vec4(position, 1.0f));
    if (normal != glm::vec3(0.0f))
      normal = glm::transpose(glm::inverse(glm::mat3(transform))) * normal;
  }
}

}  // namespace winnow
