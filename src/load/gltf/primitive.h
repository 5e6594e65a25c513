// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <string>
#include <vector>

#include "load/gltf/compression.h"
#include "load/gltf/document.h"
#include "load/gltf/materials.h"

namespace winnow {

/// What of the vertices of a primitive is read.
struct GltfVertexUse {
  GltfUvSets uv_sets;
  bool has_skin = false;
  std::vector<double> morph_weights;  ///< [morph target]; those that are 0 are not read
};

/// The vertices of a primitive. All but positions are empty where the primitive has none.
struct GltfVertices {
  std::vector<glm::vec3> positions;        ///< [vertex], m
  std::vector<glm::vec3> normals;          ///< [vertex]
  std::vector<glm::vec2> uvs, second_uvs;  ///< [vertex]
  std::vector<glm::vec4> colors;           ///< [vertex], linear rgb and coverage
  /// [vertex], four joints and their weights
  std::vector<glm::vec4> joints, weights;
};

/// The data of one primitive of triangles: accessors, or a mesh of KHR_draco_mesh_compression.
/// Functions throw Error where the data is broken. Attributes other than POSITION that are broken
/// are left out with a warning.
class GltfPrimitive {
 public:
  GltfPrimitive(GltfDocument& document, const JsonReader& primitive, const GltfVertexUse& use);

  /// Names the data of the vertices: primitives with the same key share them.
  const std::vector<uint32_t>& key() const { return key_; }

  GltfVertices vertices();

  /// The corners of all triangles, each an index below `vertex_count`.
  std::vector<glm::uvec3> triangles(size_t vertex_count);

 private:
  std::optional<JsonReader> attribute(const std::string& name) const;
  std::vector<float> numbers(const std::string& name, size_t components);
  template <class Vector>
  std::vector<Vector> vectors(const std::string& name);
  template <class Vector>
  std::vector<Vector> optional_vectors(const std::string& name, size_t count);
  std::vector<glm::vec2> uvs(int set, size_t count);
  std::vector<glm::vec4> colors(size_t count);
  void add_morph_targets(const char* name, std::vector<glm::vec3>& vectors);
  std::vector<uint32_t> indices(size_t vertex_count);

  GltfDocument& document_;
  JsonReader primitive_;
  JsonReader attributes_;
  const GltfVertexUse& use_;
  std::vector<uint32_t> key_;
  std::optional<GltfDracoMesh> draco_;
};

/// Whether a primitive of this "mode" is a list, a strip or a fan of triangles.
bool is_made_of_triangles(int mode);

inline constexpr int kGltfTriangles = 4;  ///< the default "mode": a list

}  // namespace winnow
