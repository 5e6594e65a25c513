// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/error.h"
#include "load/gltf/convert.h"
#include "load/gltf/primitive.h"
#include "load/gltf/values.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

/// Returns the weights of the morph targets of a mesh at a node, which may have its own weights.
std::vector<double> morph_weights(const JsonReader& mesh, const JsonReader& node,
                                  const GltfNodePose* pose) {
  if (pose && !pose->weights.empty()) return pose->weights;
  return numbers_of(node.has("weights") ? node : mesh, "weights");
}

GltfVertexColors vertex_colors_of(const std::vector<glm::vec4>& colors) {
  return {.has_colors = !colors.empty(), .has_alpha = has_vertex_alpha(colors)};
}

class MeshReader {
 public:
  MeshReader(GltfDocument& document, const JsonReader& source, const JsonReader& node,
             const GltfNodePose* pose, GltfMaterials& materials)
      : document_(document), materials_(materials) {
    use_.has_skin = node.has("skin");
    use_.morph_weights = morph_weights(source, node, pose);
    const std::optional<JsonReader> primitives = source.find("primitives");
    for (size_t i = 0; primitives && i < primitives->size(); ++i) add((*primitives)[i]);
    fill_attributes();
  }

  GltfMesh read;

 private:
  /// Vertices of a primitive in the mesh.
  struct VertexRange {
    uint32_t first = 0;
    size_t count = 0;
    GltfVertexColors colors;
  };

  void add(const JsonReader& primitive) {
    const std::string& pointer = primitive.pointer();
    const int mode = integer_of(primitive, "mode", kGltfTriangles);
    if (!is_made_of_triangles(mode))
      return document_.leave_out(pointer, "points and lines are left out");
    const auto attributes = find_member(primitive, "attributes");
    if (!attributes || !find_member(*attributes, "POSITION"))
      return document_.leave_out(pointer, "triangles without a POSITION are left out");
    if (use_.has_skin && attributes->has("JOINTS_1"))
      document_.warn(pointer, "only the first four joints of a vertex are used");
    const GltfMaterials::Source& material = materials_.source_of(primitive);
    use_.uv_sets = material.uv_sets;
    if (material.is_anisotropic &&
        !attributes->has(fmt::format("TEXCOORD_{}", material.uv_sets.first)))
      document_.warn(pointer, "anisotropy without texture coordinates has an arbitrary direction");
    try {
      GltfPrimitive source(document_, primitive, use_);
      const VertexRange vertices = add_vertices(source);
      add_triangles(source.triangles(vertices.count), vertices.first,
                    materials_.use(material, vertices.colors), pointer);
    } catch (const Error& error) {
      document_.leave_out(error, "the triangles are left out");
    }
  }

  /// Adds the vertices of a primitive, unless an earlier primitive has the same vertices.
  VertexRange add_vertices(GltfPrimitive& primitive) {
    if (const auto known = ranges_.find(primitive.key()); known != ranges_.end())
      return known->second;
    GltfVertices vertices = primitive.vertices();
    const VertexRange range{uint32_t(mesh_.positions.size()), vertices.positions.size(),
                            vertex_colors_of(vertices.colors)};
    append(std::move(vertices.positions), range, glm::vec3(0.0f), mesh_.positions);
    append(std::move(vertices.normals), range, glm::vec3(0.0f), mesh_.normals);
    append(std::move(vertices.uvs), range, glm::vec2(0.0f), mesh_.uvs);
    append(std::move(vertices.second_uvs), range, glm::vec2(0.0f), mesh_.second_uvs);
    append(std::move(vertices.colors), range, glm::vec4(1.0f), mesh_.colors);
    append(std::move(vertices.joints), range, glm::vec4(0.0f), read.joints);
    append(std::move(vertices.weights), range, glm::vec4(0.0f), read.weights);
    return ranges_[primitive.key()] = range;
  }

  /// Appends an attribute.
  /// @param missing  value for primitives that lack the attribute
  template <class Vector>
  static void append(std::vector<Vector>&& vectors, const VertexRange& range, Vector missing,
                     std::vector<Vector>& to) {
    if (vectors.empty()) return;
    if (range.first == 0) {
      to = std::move(vectors);  // most meshes have one primitive
      return;
    }
    to.resize(range.first, missing);
    to.insert(to.end(), vectors.begin(), vectors.end());
  }

  /// Extends each attribute of a primitive to all vertices.
  void fill_attributes() {
    const size_t count = mesh_.positions.size();
    mesh_.normals.resize(count, glm::vec3(0.0f));
    if (!mesh_.uvs.empty()) mesh_.uvs.resize(count, glm::vec2(0.0f));
    if (!mesh_.second_uvs.empty()) mesh_.second_uvs.resize(count, glm::vec2(0.0f));
    if (!mesh_.colors.empty()) mesh_.colors.resize(count, glm::vec4(1.0f));
    if (!use_.has_skin) return;
    read.joints.resize(count, glm::vec4(0.0f));
    read.weights.resize(count, glm::vec4(0.0f));
  }

  void add_triangles(const std::vector<glm::uvec3>& triangles, uint32_t first, uint32_t material,
                     const std::string& pointer) {
    if (mesh_.triangles.empty()) {  // later calls of reserve() would copy all earlier ones
      mesh_.triangles.reserve(triangles.size());
      mesh_.triangle_materials.reserve(triangles.size());
    }
    for (const glm::uvec3& corners : triangles) {
      const glm::uvec3 triangle = first + corners;
      if (!is_solid_triangle(mesh_.positions[triangle.x], mesh_.positions[triangle.y],
                             mesh_.positions[triangle.z])) {
        document_.leave_out(pointer,
                            "a triangle without area or with vertices too far away is left out");
        continue;
      }
      mesh_.triangles.push_back(triangle);
      mesh_.triangle_materials.push_back(material);
    }
  }

  GltfDocument& document_;
  GltfVertexUse use_;
  GltfMaterials& materials_;
  Mesh& mesh_ = read.mesh;
  std::map<std::vector<uint32_t>, VertexRange> ranges_;  ///< by GltfPrimitive::key()
};

}  // namespace

GltfMesh read_gltf_mesh(GltfDocument& document, uint32_t index, const JsonReader& node,
                        const GltfNodePose* pose, GltfMaterials& materials) {
  return std::move(
      MeshReader(document, document.item("meshes", index), node, pose, materials).read);
}

}  // namespace winnow
