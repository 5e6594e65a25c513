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

/// Attributes of a primitive's vertices that are read.
struct GltfVertexUse {
  GltfUvSets uv_sets;
  bool has_skin = false;
  std::vector<double> morph_weights;  ///< [morph target]; targets of weight 0 are not read
};

/// Vertices of a primitive. Attributes other than positions are empty if the primitive lacks them.
struct GltfVertices {
  std::vector<glm::vec3> positions;        ///< [vertex], m
  std::vector<glm::vec3> normals;          ///< [vertex]
  std::vector<glm::vec2> uvs, second_uvs;  ///< [vertex]
  std::vector<glm::vec4> colors;           ///< [vertex], linear rgb and coverage
  /// [vertex], four joints and their weights
  std::vector<glm::vec4> joints, weights;
};

/// Data of a primitive of triangles: accessors, or a mesh of KHR_draco_mesh_compression. Functions
/// throw Error if the data is broken, but broken attributes other than POSITION are left out with a
/// warning.
class GltfPrimitive {
 public:
  GltfPrimitive(GltfDocument& document, const JsonReader& primitive, const GltfVertexUse& use);

  /// Returns a key of the vertex data: primitives with the same key share vertices.
  const std::vector<uint32_t>& key() const { return key_; }

  GltfVertices vertices();

  /// Returns the corners of all triangles, each an index below `vertex_count`.
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

/// True if a primitive of this "mode" is a list, a strip or a fan of triangles.
bool is_made_of_triangles(int mode);

inline constexpr int kGltfTriangles = 4;  ///< the default "mode": a list

}  // namespace winnow
