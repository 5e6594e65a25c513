// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "load/gltf/compression.h"
#include "load/gltf/convert.h"
#include "load/gltf/values.h"
#include "load/text/blender_notes.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

// Values of "mode" for triangles; the default is a list.
constexpr int kGltfTriangles = 4, kModeTriangleStrip = 5, kModeTriangleFan = 6;

/// Attributes of GltfMesh::joint_sets.
constexpr const char* kJointNames[] = {"JOINTS_0", "WEIGHTS_0", "JOINTS_1", "WEIGHTS_1"};

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

struct GltfVertexUse {
  GltfUvSets uv_sets;
  bool has_skin = false;
  std::vector<double> morph_weights;  ///< [morph target]; targets of weight 0 are not read
};

/// Data of a primitive of triangles: accessors, or a mesh of KHR_draco_mesh_compression. Functions
/// throw Error if it is broken; broken attributes but POSITION are left out with a warning.
class GltfPrimitive {
 public:
  GltfPrimitive(GltfDocument& document, const JsonReader& primitive, const GltfVertexUse& use)
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
    for (const char* name : kJointNames)
      add_key(use.has_skin ? attribute(name) : std::nullopt, "accessors");
    if (!use.morph_weights.empty()) targets_ = items_of(find_member(primitive, "targets"));
    targets_.resize(std::min(targets_.size(), use.morph_weights.size()), primitive);
    for (const JsonReader& target : targets_)
      for (const std::string& name : names) add_key(find_member(target, name), "accessors");

    const auto compressed = find_extension(primitive, kGltfDraco);
    if (!compressed) return;
    const JsonReader view = compressed->at("bufferView");
    add_key(view, "bufferViews");
    names.insert(names.end(), std::begin(kJointNames), std::end(kJointNames));
    draco_ = decode_gltf_draco(*compressed, document.view(view), names);
  }

  /// Returns a key of the vertex data: primitives with the same key share vertices.
  const std::vector<uint32_t>& key() const { return key_; }

  /// Returns the vertices. Attributes other than positions are empty if the primitive lacks them.
  GltfMesh vertices() {
    GltfMesh read;
    Mesh& mesh = read.mesh;
    mesh.positions = vectors<glm::vec3>("POSITION");
    const size_t count = mesh.positions.size();
    mesh.normals = optional_vectors<glm::vec3>("NORMAL", count);
    mesh.uvs = uvs(use_.uv_sets.first, count);
    if (use_.uv_sets.second) mesh.second_uvs = uvs(*use_.uv_sets.second, count);
    mesh.colors = colors(count);
    for (size_t set = 0; use_.has_skin && set < read.joint_sets.size(); ++set)
      read.joint_sets[set] = {optional_vectors<glm::vec4>(kJointNames[2 * set], count),
                              optional_vectors<glm::vec4>(kJointNames[2 * set + 1], count)};
    add_morph_targets("POSITION", mesh.positions);
    add_morph_targets("NORMAL", mesh.normals);
    return read;
  }

  /// Returns the tangents of the vertices; empty if the primitive has none.
  std::vector<glm::vec4> tangents(size_t count) {
    return optional_vectors<glm::vec4>("TANGENT", count);
  }

  /// Returns the corners of all triangles, each an index below `vertex_count`.
  std::vector<glm::uvec3> triangles(size_t vertex_count) {
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

 private:
  std::optional<JsonReader> attribute(const std::string& name) const {
    return find_member(attributes_, name);
  }

  std::vector<float> numbers(const std::string& name, size_t components) {
    const JsonReader reference = attributes_.at(name);
    if (draco_)
      if (const auto found = draco_->attributes.find(name); found != draco_->attributes.end()) {
        if (found->second.component_count != components)
          reference.fail("expected {} numbers of each vertex, found {} in {}", components,
                         found->second.component_count, kGltfDraco);
        return std::move(found->second.numbers);
      }
    return read_gltf_floats(document_, reference, fmt::format("VEC{}", components));
  }

  template <class Vector>
  std::vector<Vector> vectors(const std::string& name) {
    constexpr int kNumbers = Vector::length();
    const std::vector<float> values = numbers(name, size_t(kNumbers));
    std::vector<Vector> vectors(values.size() / size_t(kNumbers));
    for (size_t i = 0; i < vectors.size(); ++i)
      for (int k = 0; k < kNumbers; ++k) vectors[i][k] = values[i * size_t(kNumbers) + size_t(k)];
    return vectors;
  }

  /// Reads the vectors of an attribute; empty, with a warning, if it or its length is wrong.
  template <class Vector>
  std::vector<Vector> optional_vectors(const std::string& name, size_t count) {
    const std::optional<JsonReader> reference = attribute(name);
    if (!reference) return {};
    std::vector<Vector> read;
    const bool is_whole = document_.attempt("the attribute is left out", [&] {
      read = vectors<Vector>(name);
      if (read.size() != count)
        reference->fail("expected as many items as positions, {}, found {}", count, read.size());
    });
    if (!is_whole) read.clear();
    return read;
  }

  std::vector<glm::vec2> uvs(int set, size_t count) {
    std::vector<glm::vec2> read = optional_vectors<glm::vec2>(name_of_uvs(set), count);
    add_morph_targets(name_of_uvs(set), read);
    make_finite(read);
    return read;
  }

  /// Returns 3 for colours without alpha, 4 for others.
  size_t color_components(const JsonReader& reference) const {
    return text_of(document_.item("accessors", reference), "type", "") == "VEC3" ? 3 : 4;
  }

  /// Reads COLOR_0, with or without alpha; empty if all are white.
  std::vector<glm::vec4> colors(size_t count) {
    constexpr const char* kName = "COLOR_0";
    const std::optional<JsonReader> reference = attribute(kName);
    std::vector<glm::vec4> colors;
    if (!reference) {
      if (std::ranges::none_of(targets_, [&](const auto& target) { return target.has(kName); }))
        return {};
      colors.assign(count, glm::vec4(1.0f));
    }
    if (reference)
      document_.attempt("the attribute is left out", [&] {
        if (color_components(*reference) == 3) {
          for (const glm::vec3& color : optional_vectors<glm::vec3>(kName, count))
            colors.emplace_back(color, 1.0f);
        } else {
          colors = optional_vectors<glm::vec4>(kName, count);
        }
        normalize_colors(document_.item("accessors", *reference), colors);
      });
    add_morph_targets(kName, colors);
    finish_vertex_colors(colors, ColorEncoding::kLinear);
    return colors;
  }

  /// Adds the weighted differences of the morph targets to an attribute, unless it is missing.
  /// Colours without alpha do not change it.
  template <class Vector>
  void add_morph_targets(const std::string& name, std::vector<Vector>& vectors) {
    for (size_t i = 0; i < targets_.size() && !vectors.empty(); ++i) {
      const auto weight = float(use_.morph_weights[i]);
      const auto reference = find_member(targets_[i], name);
      if (weight == 0.0f || !reference) continue;
      document_.attempt("the morph target is left out", [&] {
        const auto numbers =
            name.starts_with("COLOR") ? color_components(*reference) : size_t(Vector::length());
        const std::vector<float> differences =
            read_gltf_floats(document_, *reference, fmt::format("VEC{}", numbers));
        if (differences.size() != vectors.size() * numbers)
          reference->fail("expected as many items as vertices, {}, found {}", vectors.size(),
                          differences.size() / numbers);
        for (size_t k = 0; k < differences.size(); ++k)
          vectors[k / numbers][int(k % numbers)] += weight * differences[k];
      });
    }
  }

  std::vector<uint32_t> indices(size_t vertex_count) {
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
            .fail("found the vertex {}; expected one below {}", index, vertex_count);
    return indices;
  }

  GltfDocument& document_;
  JsonReader primitive_;
  JsonReader attributes_;
  const GltfVertexUse& use_;
  std::vector<JsonReader> targets_;  ///< morph targets that have weights
  std::vector<uint32_t> key_;
  std::optional<GltfDracoMesh> draco_;
};

/// Returns the weights of the morph targets of a mesh at a node, which may have its own weights.
std::vector<double> morph_weights(const JsonReader& mesh, const JsonReader& node) {
  return numbers_of(node.has("weights") ? node : mesh, "weights");
}

GltfVertexColors vertex_colors_of(const std::vector<glm::vec4>& colors) {
  return {.has_colors = !colors.empty(), .has_alpha = has_vertex_alpha(colors)};
}

/// Calls use(missing, array...) for each attribute of vertices: its value for primitives that lack
/// it, and its array in each of `meshes`.
template <class Use, class... Meshes>
void for_each_attribute(Use use, Meshes&... meshes) {
  use(glm::vec3(0.0f), meshes.mesh.positions...);
  use(glm::vec3(0.0f), meshes.mesh.normals...);
  use(glm::vec2(0.0f), meshes.mesh.uvs...);
  use(glm::vec2(0.0f), meshes.mesh.second_uvs...);
  use(glm::vec4(1.0f), meshes.mesh.colors...);
  for (size_t set = 0; set < GltfMesh{}.joint_sets.size(); ++set) {
    use(glm::vec4(0.0f), meshes.joint_sets[set].joints...);
    use(glm::vec4(0.0f), meshes.joint_sets[set].weights...);
  }
}

class MeshReader {
 public:
  MeshReader(GltfDocument& document, const JsonReader& source, const JsonReader& node,
             GltfMaterials& materials)
      : document_(document), materials_(materials) {
    use_.has_skin = node.has("skin");
    use_.morph_weights = morph_weights(source, node);
    for (const JsonReader& primitive : items_of(source.find("primitives"))) add(primitive);
    fill_attributes();
  }

  GltfMesh read;

 private:
  struct VertexRange {
    uint32_t first = 0;
    size_t count = 0;
    GltfVertexColors colors;
  };

  /// Warns of textures that lie by a set of coordinates that the primitive lacks.
  void warn_of_missing_uvs(const GltfMaterials::Source& material, const JsonReader& attributes,
                           const std::string& pointer) {
    if (!has_textures(material.material.textures)) return;
    for (const std::optional<int> set :
         {std::optional(material.uv_sets.first), material.uv_sets.second})
      if (set && !attributes.has(name_of_uvs(*set)))
        document_.warn(pointer,
                       fmt::format("its textures need {}, which it lacks", name_of_uvs(*set)));
  }

  void add(const JsonReader& primitive) {
    const std::string& pointer = primitive.pointer();
    for (const char* splats : {"KHR_gaussian_splatting", "KHR_spz_gaussian_splats_compression"})
      if (find_extension(primitive, splats))
        return document_.leave_out(pointer, "Gaussian splats are left out: expected triangles");
    const int mode = integer_of(primitive, "mode", kGltfTriangles);
    if (mode < kGltfTriangles || mode > kModeTriangleFan)
      return document_.leave_out(pointer, "points and lines are left out");
    const auto attributes = find_member(primitive, "attributes");
    if (!attributes || !find_member(*attributes, "POSITION"))
      return document_.leave_out(pointer, "triangles without a POSITION are left out");
    if (use_.has_skin && attributes->has("JOINTS_2"))
      document_.warn(pointer, "only the first eight joints of a vertex are used");
    const GltfMaterials::Source& material = materials_.source_of(primitive);
    use_.uv_sets = material.uv_sets;
    warn_of_missing_uvs(material, *attributes, pointer);
    if (material.is_anisotropic && !attributes->has(name_of_uvs(material.uv_sets.first)))
      document_.warn(pointer, "anisotropy without texture coordinates has an arbitrary direction");
    try {
      GltfPrimitive source(document_, primitive, use_);
      const VertexRange vertices = add_vertices(source);
      const std::vector<glm::uvec3> triangles = source.triangles(vertices.count);
      const bool has_tangents =
          material.is_anisotropic || material.material.textures.normal != kNoTexture;
      if (has_tangents && has_other_tangents(source.tangents(vertices.count), triangles,
                                             vertices.first, material.material.textures))
        document_.warn(pointer,
                       "tangents that differ from those of the texture coordinates are ignored");
      add_triangles(triangles, vertices.first, materials_.use(material, vertices.colors), pointer);
    } catch (const Error& error) {
      document_.leave_out(error, "the triangles are left out");
    }
  }

  /// Adds the vertices of a primitive, unless an earlier primitive has the same vertices.
  VertexRange add_vertices(GltfPrimitive& primitive) {
    if (const auto known = ranges_.find(primitive.key()); known != ranges_.end())
      return known->second;
    GltfMesh vertices = primitive.vertices();
    const VertexRange range{uint32_t(mesh_.positions.size()), vertices.mesh.positions.size(),
                            vertex_colors_of(vertices.mesh.colors)};
    auto append = [&](auto missing, auto& from, auto& to) {
      if (from.empty()) return;
      if (range.first == 0) {
        to = std::move(from);  // most meshes have one primitive
        return;
      }
      to.resize(range.first, missing);
      to.insert(to.end(), from.begin(), from.end());
    };
    for_each_attribute(append, vertices, read);
    return ranges_[primitive.key()] = range;
  }

  /// True if tangents differ from the directions in which u grows, or their bitangents from those
  /// against v, by more than 45 degrees or 90 degrees.
  /// @param tangents  of the primitive; w is the sign of the bitangent
  /// @param first     vertex of the mesh that is the first one of the primitive
  bool has_other_tangents(const std::vector<glm::vec4>& tangents,
                          const std::vector<glm::uvec3>& triangles, uint32_t first,
                          const MaterialTextures& textures) const {
    const std::vector<glm::vec2>& uvs =
        has_second_tangents(textures) ? mesh_.second_uvs : mesh_.uvs;
    if (tangents.empty() || uvs.size() < first + tangents.size() ||
        mesh_.normals.size() < first + tangents.size())
      return false;
    const float near = std::sqrt(0.5f);
    size_t corners = 0, others = 0;
    for (const glm::uvec3& local : triangles) {
      const glm::uvec3 at = first + local;
      const glm::vec3 a = mesh_.positions[at.y] - mesh_.positions[at.x],
                      b = mesh_.positions[at.z] - mesh_.positions[at.x];
      const glm::vec2 p = uvs[at.y] - uvs[at.x], q = uvs[at.z] - uvs[at.x];
      const float area = p.x * q.y - p.y * q.x;
      const glm::vec3 u = (a * q.y - b * p.y) * area, v = (b * p.x - a * q.x) * area;
      for (int k = 0; k < 3; ++k) {
        const glm::vec4 tangent = tangents[local[k]];
        const glm::vec3 t(tangent);
        const float length = glm::length(t) * glm::length(u);
        if (!(length > 0.0f)) continue;
        const glm::vec3 bitangent = glm::cross(mesh_.normals[at[k]], t) * tangent.w;
        ++corners;
        others += glm::dot(t, u) < near * length || glm::dot(bitangent, v) > 0.0f;
      }
    }
    constexpr size_t kFew = 100;  // one in this many corners may differ, at a seam
    return others * kFew > corners;
  }

  /// Extends each attribute of a primitive to all vertices.
  void fill_attributes() {
    const size_t count = mesh_.positions.size();
    auto fill = [&](auto missing, auto& array) {
      if (!array.empty()) array.resize(count, missing);
    };
    for_each_attribute(fill, read);
    mesh_.normals.resize(count, glm::vec3(0.0f));
  }

  void add_triangles(const std::vector<glm::uvec3>& triangles, uint32_t first, uint32_t material,
                     const std::string& pointer) {
    if (mesh_.triangles.empty()) {  // later calls of reserve() would copy all earlier ones
      mesh_.triangles.reserve(triangles.size());
      mesh_.triangle_materials.reserve(triangles.size());
    }
    for (const glm::uvec3& corners : triangles) {
      const glm::uvec3 triangle = first + corners;
      const glm::vec3 &a = mesh_.positions[triangle.x], &b = mesh_.positions[triangle.y],
                      &c = mesh_.positions[triangle.z];
      // A skin moves the corners; place_meshes() leaves out the triangles without area of its pose.
      const bool is_kept =
          use_.has_skin ? is_near(a) && is_near(b) && is_near(c) : is_solid_triangle(a, b, c);
      if (!is_kept) {
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
                        GltfMaterials& materials) {
  const JsonReader source = document.item("meshes", index);
  MeshReader reader(document, source, node, materials);
  if (document.is_by_blender() && has_coarse_normals(reader.read.mesh))
    document.warn(source.pointer(), kCoarseNormalsNote);
  return std::move(reader.read);
}

}  // namespace winnow
