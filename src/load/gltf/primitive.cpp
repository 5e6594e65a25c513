// SPDX-License-Identifier: MIT
#include "load/gltf/primitive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "load/gltf/convert.h"
#include "load/gltf/values.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

constexpr int kModeTriangleStrip = 5, kModeTriangleFan = 6;

/// Returns the corners of triangle `i` in a list of vertices with this "mode".
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
  if (mode == kGltfTriangles) return corner_count / kCorners;
  return corner_count < kCorners ? 0 : corner_count - 2;
}

/// Sets coordinates that are not finite to 0, and clamps the others.
void make_finite(std::vector<glm::vec2>& uvs) {
  constexpr float kMaxUv = 1e6f;  // larger floats do not resolve texels
  for (glm::vec2& uv : uvs)
    for (int axis = 0; axis < 2; ++axis)
      uv[axis] = std::isfinite(uv[axis]) ? glm::clamp(uv[axis], -kMaxUv, kMaxUv) : 0.0f;
}

std::string name_of_uvs(int set) {
  return fmt::format("TEXCOORD_{}", set);
}

/// Converts integers to fractions if the file does not declare them as normalized, which it should.
void normalize_colors(const JsonReader& accessor, std::vector<glm::vec4>& colors) {
  constexpr int kGlUnsignedByte = 5121, kGlUnsignedShort = 5123;
  const int type = integer_of(accessor, "componentType", 0);
  const float max = type == kGlUnsignedByte    ? float(std::numeric_limits<uint8_t>::max())
                    : type == kGlUnsignedShort ? float(std::numeric_limits<uint16_t>::max())
                                               : 1.0f;
  const bool are_integers = std::any_of(colors.begin(), colors.end(), [](const glm::vec4& color) {
    return color.x > 1.0f || color.y > 1.0f || color.z > 1.0f;
  });
  if (!are_integers) return;
  for (glm::vec4& color : colors)
    color = glm::vec4(glm::vec3(color) / max, color.w > 1.0f ? color.w / max : color.w);
}

}  // namespace

bool is_made_of_triangles(int mode) {
  return mode == kGltfTriangles || mode == kModeTriangleStrip || mode == kModeTriangleFan;
}

GltfPrimitive::GltfPrimitive(GltfDocument& document, const JsonReader& primitive,
                             const GltfVertexUse& use)
    : document_(document),
      primitive_(primitive),
      attributes_(primitive.at("attributes")),
      use_(use) {
  constexpr uint32_t kNone = ~0u;
  auto add_key = [&](const std::optional<JsonReader>& reference, const char* array) {
    key_.push_back(reference ? document.index(array, *reference) : kNone);
  };
  std::vector<std::string> names = {"POSITION", "NORMAL", "COLOR_0",
                                    name_of_uvs(use.uv_sets.first)};
  if (use.uv_sets.second) names.push_back(name_of_uvs(*use.uv_sets.second));
  for (const std::string& name : names) add_key(attribute(name), "accessors");
  for (const char* name : {"JOINTS_0", "WEIGHTS_0"})
    add_key(use.has_skin ? attribute(name) : std::nullopt, "accessors");
  const auto targets = find_member(primitive, "targets");
  for (size_t i = 0; i < use.morph_weights.size() && targets && i < targets->size(); ++i)
    for (const char* name : {"POSITION", "NORMAL"})
      add_key(find_member((*targets)[i], name), "accessors");

  const auto compressed = find_extension(primitive, kGltfDraco);
  if (!compressed) return;
  const JsonReader view = compressed->at("bufferView");
  add_key(view, "bufferViews");
  names.insert(names.end(), {"JOINTS_0", "WEIGHTS_0"});
  draco_ = decode_gltf_draco(*compressed, document.view(view), names);
}

std::optional<JsonReader> GltfPrimitive::attribute(const std::string& name) const {
  return find_member(attributes_, name);
}

/// Reads the numbers of an attribute of the primitive, vertex by vertex.
std::vector<float> GltfPrimitive::numbers(const std::string& name, size_t components) {
  const JsonReader reference = attributes_.at(name);
  if (draco_)
    if (const auto found = draco_->attributes.find(name); found != draco_->attributes.end()) {
      if (found->second.component_count != components)
        reference.fail(fmt::format("expected {} numbers of each vertex, found {} in {}", components,
                                   found->second.component_count, kGltfDraco));
      return std::move(found->second.numbers);
    }
  return read_gltf_floats(document_, reference, fmt::format("VEC{}", components));
}

template <class Vector>
std::vector<Vector> GltfPrimitive::vectors(const std::string& name) {
  constexpr int kNumbers = Vector::length();
  const std::vector<float> values = numbers(name, size_t(kNumbers));
  std::vector<Vector> vectors(values.size() / size_t(kNumbers));
  for (size_t i = 0; i < vectors.size(); ++i)
    for (int k = 0; k < kNumbers; ++k) vectors[i][k] = values[i * size_t(kNumbers) + size_t(k)];
  return vectors;
}

/// Reads the vectors of an attribute; empty, with a warning, if the attribute is broken or has
/// another number of vertices.
template <class Vector>
std::vector<Vector> GltfPrimitive::optional_vectors(const std::string& name, size_t count) {
  const std::optional<JsonReader> reference = attribute(name);
  if (!reference) return {};
  try {
    std::vector<Vector> read = vectors<Vector>(name);
    if (read.size() != count)
      reference->fail(
          fmt::format("expected as many items as positions, {}, found {}", count, read.size()));
    return read;
  } catch (const Error& error) {
    document_.warn(error, "the attribute is left out");
    return {};
  }
}

std::vector<glm::vec2> GltfPrimitive::uvs(int set, size_t count) {
  std::vector<glm::vec2> read = optional_vectors<glm::vec2>(name_of_uvs(set), count);
  make_finite(read);
  return read;
}

/// Reads COLOR_0, with or without alpha; empty if all are white.
std::vector<glm::vec4> GltfPrimitive::colors(size_t count) {
  constexpr const char* kName = "COLOR_0";
  const std::optional<JsonReader> reference = attribute(kName);
  if (!reference) return {};
  std::vector<glm::vec4> colors;
  try {
    const JsonReader accessor = document_.item("accessors", *reference);
    if (text_of(accessor, "type", "") == "VEC3") {
      for (const glm::vec3& color : optional_vectors<glm::vec3>(kName, count))
        colors.emplace_back(color, 1.0f);
    } else {
      colors = optional_vectors<glm::vec4>(kName, count);
    }
    normalize_colors(accessor, colors);
  } catch (const Error& error) {
    document_.warn(error, "the attribute is left out");
  }
  finish_vertex_colors(colors, ColorEncoding::kLinear);
  return colors;
}

/// Adds the weighted differences of an attribute in the morph targets.
void GltfPrimitive::add_morph_targets(const char* name, std::vector<glm::vec3>& vectors) {
  const auto targets = find_member(primitive_, "targets");
  for (size_t i = 0; i < use_.morph_weights.size() && targets && i < targets->size(); ++i) {
    const auto weight = float(use_.morph_weights[i]);
    const auto reference = find_member((*targets)[i], name);
    if (weight == 0.0f || !reference) continue;
    try {
      const std::vector<float> differences = read_gltf_floats(document_, *reference, "VEC3");
      constexpr size_t kNumbers = 3;
      if (differences.size() != vectors.size() * kNumbers)
        reference->fail(fmt::format("expected as many items as vertices, {}, found {}",
                                    vectors.size(), differences.size() / kNumbers));
      for (size_t k = 0; k < differences.size(); ++k)
        vectors[k / kNumbers][int(k % kNumbers)] += weight * differences[k];
    } catch (const Error& error) {
      document_.warn(error, "the morph target is left out");
    }
  }
}

GltfVertices GltfPrimitive::vertices() {
  GltfVertices read;
  read.positions = vectors<glm::vec3>("POSITION");
  const size_t count = read.positions.size();
  read.normals = optional_vectors<glm::vec3>("NORMAL", count);
  read.uvs = uvs(use_.uv_sets.first, count);
  if (use_.uv_sets.second) read.second_uvs = uvs(*use_.uv_sets.second, count);
  read.colors = colors(count);
  if (use_.has_skin) {
    read.joints = optional_vectors<glm::vec4>("JOINTS_0", count);
    read.weights = optional_vectors<glm::vec4>("WEIGHTS_0", count);
  }
  add_morph_targets("POSITION", read.positions);
  if (!read.normals.empty()) add_morph_targets("NORMAL", read.normals);
  return read;
}

std::vector<uint32_t> GltfPrimitive::indices(size_t vertex_count) {
  const auto accessor = primitive_.find("indices");
  std::vector<uint32_t> indices;
  if (draco_)
    indices = draco_->indices;
  else if (accessor)
    indices = read_gltf_indices(document_, *accessor);
  else
    indices.resize(vertex_count);
  if (!draco_ && !accessor) std::iota(indices.begin(), indices.end(), 0u);
  for (uint32_t index : indices)
    if (index >= vertex_count)
      (accessor ? *accessor : primitive_)
          .fail(fmt::format("found the vertex {}; expected one below {}", index, vertex_count));
  return indices;
}

std::vector<glm::uvec3> GltfPrimitive::triangles(size_t vertex_count) {
  // Draco stores only lists of triangles, whatever the original mode was.
  const int mode = draco_ ? kGltfTriangles : integer_of(primitive_, "mode", kGltfTriangles);
  const std::vector<uint32_t> corners = indices(vertex_count);
  std::vector<glm::uvec3> triangles(triangle_count(mode, corners.size()));
  for (uint32_t i = 0; i < triangles.size(); ++i) {
    const glm::uvec3 at = corners_of(mode, i);
    triangles[i] = {corners[at.x], corners[at.y], corners[at.z]};
  }
  return triangles;
}

}  // namespace winnow
