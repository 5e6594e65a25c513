// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <utility>

#include "base/error.h"
#include "base/one_line.h"
#include "load/pbrt/shapes.h"
#include "load/ply/ply.h"
#include "scene/shapes.h"

namespace winnow {
namespace {

constexpr uint32_t kMinSides = 3;

/// Turns triangles to the side of their vertex normals, as pbrt does.
void face_normals(Mesh& mesh) {
  if (mesh.normals.empty()) return;
  for (glm::uvec3& triangle : mesh.triangles) {
    const glm::vec3 a = mesh.positions[triangle.x], b = mesh.positions[triangle.y],
                    c = mesh.positions[triangle.z];
    const glm::vec3 ns =
        mesh.normals[triangle.x] + mesh.normals[triangle.y] + mesh.normals[triangle.z];
    if (glm::dot(glm::cross(b - a, c - a), ns) < 0.0f) std::swap(triangle.y, triangle.z);
  }
}

/// Reads positions, and normals and texture coordinates if there is one per position.
Mesh read_vertices(const PbrtObject& shape, PbrtContext& context) {
  const PbrtParameters& parameters = shape.parameters;
  Mesh mesh;
  mesh.positions = parameters.vectors<glm::vec3>("P");
  mesh.normals = parameters.vectors<glm::vec3>("N");
  for (const char* name : {"uv", "st"})
    if (mesh.uvs.empty()) mesh.uvs = parameters.vectors<glm::vec2>(name);
  for (glm::vec2& uv : mesh.uvs) uv.y = 1.0f - uv.y;  // v is up in pbrt
  for (const char* name : {"S", "faceIndices", "emissionfilename"}) parameters.ignore(name);
  auto drop_if_wrong = [&](auto& values, const char* what) {
    if (values.empty() || values.size() == mesh.positions.size()) return;
    context.warn(shape.place, fmt::format("the {} of a mesh are ignored: there is not one for each "
                                          "vertex",
                                          what));
    values.clear();
  };
  drop_if_wrong(mesh.normals, "normals");
  drop_if_wrong(mesh.uvs, "texture coordinates");
  return mesh;
}

/// Reads the indices of faces with `corners` vertices; nothing, with a warning, if they are
/// invalid.
std::optional<std::vector<uint32_t>> read_indices(const PbrtObject& shape, size_t corners,
                                                  size_t vertices, PbrtContext& context) {
  const std::span<const int32_t> given = shape.parameters.integers("indices");
  std::vector<uint32_t> indices(given.begin(), given.end());
  if (given.empty() && vertices == corners)
    for (uint32_t i = 0; i < corners; ++i) indices.push_back(i);
  const bool is_valid =
      !indices.empty() && indices.size() % corners == 0 &&
      std::ranges::all_of(indices, [&](uint32_t index) { return index < vertices; });
  if (is_valid) return indices;
  context.leave_out(shape, fmt::format("a {} without valid indices is left out", shape.type));
  return {};
}

std::optional<Mesh> read_triangles(const PbrtObject& shape, PbrtContext& context) {
  Mesh mesh = read_vertices(shape, context);
  const auto indices = read_indices(shape, 3, mesh.positions.size(), context);
  if (!indices) return {};
  mesh.triangles.resize(indices->size() / 3);
  for (size_t i = 0; i < indices->size(); ++i) mesh.triangles[i / 3][int(i % 3)] = (*indices)[i];
  face_normals(mesh);
  return mesh;
}

/// Counts the triangles of a round shape whose circles have `sides` sides.
/// @return  nothing, with a warning, if there are too many
std::optional<Mesh> limited_round(const PbrtObject& shape, Mesh mesh, uint32_t sides,
                                  PbrtContext& context) {
  if (sides == 0) {
    context.leave_out(shape, kTooManyRoundShapes);
    return {};
  }
  if (sides < kCircleSides) context.warn(shape.place, kCoarseRoundShape);
  context.round_triangles += mesh.triangles.size();
  return mesh;
}

/// Adds a bilinear patch as a grid of quadrilaterals; a flat one is a single quadrilateral.
void add_patch(const Mesh& from, const uint32_t (&corners)[4], Mesh& to) {
  constexpr uint32_t kStepsOfCurved = 8;
  constexpr float kFlat = 1e-4f;
  auto blend = [&](const auto& values, float u, float v) {
    return (1.0f - v) * ((1.0f - u) * values[corners[0]] + u * values[corners[1]]) +
           v * ((1.0f - u) * values[corners[2]] + u * values[corners[3]]);
  };
  const auto& p = from.positions;
  const glm::vec3 along_u = p[corners[1]] - p[corners[0]], along_v = p[corners[2]] - p[corners[0]];
  const glm::vec3 twist = p[corners[3]] - p[corners[1]] - along_v;
  const float size = glm::length(along_u) + glm::length(along_v);
  const bool is_flat = glm::length(twist) <= kFlat * size && from.normals.empty();
  const uint32_t steps = is_flat ? 1 : kStepsOfCurved, first = uint32_t(to.positions.size());
  for (uint32_t row = 0; row <= steps; ++row)
    for (uint32_t column = 0; column <= steps; ++column) {
      const float u = float(column) / float(steps), v = float(row) / float(steps);
      to.positions.push_back(blend(p, u, v));
      const glm::vec3 du = along_u + v * twist, dv = along_v + u * twist;
      to.normals.push_back(is_flat                ? glm::vec3(0.0f)
                           : from.normals.empty() ? glm::cross(du, dv)
                                                  : blend(from.normals, u, v));
      to.uvs.push_back(from.uvs.empty() ? glm::vec2(u, 1.0f - v) : blend(from.uvs, u, v));
      if (row == steps || column == steps) continue;
      const uint32_t a = first + row * (steps + 1) + column, b = a + 1, c = b + steps + 1,
                     d = c - 1;
      to.triangles.emplace_back(a, b, c);
      to.triangles.emplace_back(a, c, d);
    }
}

std::optional<Mesh> read_patches(const PbrtObject& shape, PbrtContext& context) {
  constexpr size_t kCorners = 4;
  const Mesh vertices = read_vertices(shape, context);
  const auto indices = read_indices(shape, kCorners, vertices.positions.size(), context);
  if (!indices) return {};
  Mesh mesh;
  for (size_t i = 0; i < indices->size(); i += kCorners) {
    const uint32_t corners[] = {(*indices)[i], (*indices)[i + 1], (*indices)[i + 2],
                                (*indices)[i + 3]};
    add_patch(vertices, corners, mesh);
  }
  if (!vertices.normals.empty()) face_normals(mesh);
  return mesh;
}

std::optional<Mesh> read_ply_shape(const PbrtObject& shape, PbrtContext& context) {
  const std::string name = shape.parameters.text("filename");
  const auto file = context.folders.find(name, *shape.place.file);
  if (!file) {
    context.leave_out(shape, fmt::format("the file {} does not exist; its shape is left out",
                                         one_line(name, kMaxPathLength)));
    return {};
  }
  try {
    Ply ply = parse_ply(read_maybe_compressed(*file), file->string());
    if (!ply.warnings.empty())
      context.warn(shape.place, "parts of a PLY file are ignored; winnow info FILE lists them");
    ply.mesh.triangle_materials.clear();
    face_normals(ply.mesh);
    return std::move(ply.mesh);
  } catch (const Error& error) {
    context.leave_out(shape, fmt::format("{}; the shape is left out", error.what()));
    return {};
  }
}

std::optional<Mesh> read_subdivided(const PbrtObject& shape, PbrtContext& context) {
  constexpr int kDefaultLevels = 3;
  for (const char* name : {"scheme", "levels"}) shape.parameters.ignore(name);
  Mesh control;
  control.positions = shape.parameters.vectors<glm::vec3>("P");
  const auto indices = read_indices(shape, 3, control.positions.size(), context);
  if (!indices) return {};
  control.triangles.resize(indices->size() / 3);
  for (size_t i = 0; i < indices->size(); ++i) control.triangles[i / 3][int(i % 3)] = (*indices)[i];
  const char* count = shape.parameters.has("levels") ? "levels" : "nlevels";
  const int levels =
      subdivision_levels(control.triangles.size(), shape.parameters.integer(count, kDefaultLevels));
  std::optional<Mesh> mesh = subdivide_loop(control, levels);
  if (!mesh) {
    context.warn(shape.place, "a loopsubdiv that is no surface is not subdivided");
    return control;
  }
  return mesh;
}

/// Reads a grid of heights over the unit square.
std::optional<Mesh> read_heights(const PbrtObject& shape, PbrtContext& context) {
  const int columns = shape.parameters.integer("nu", 0), rows = shape.parameters.integer("nv", 0);
  const std::span<const float> heights = shape.parameters.numbers("Pz");
  if (columns < 2 || rows < 2 || heights.size() != size_t(columns) * size_t(rows)) {
    context.leave_out(shape, "a heightfield without its nu times nv heights is left out");
    return {};
  }
  Mesh mesh;
  const auto width = uint32_t(columns), depth = uint32_t(rows);
  for (uint32_t row = 0; row < depth; ++row)
    for (uint32_t column = 0; column < width; ++column) {
      const float u = float(column) / float(width - 1), v = float(row) / float(depth - 1);
      mesh.positions.emplace_back(u, v, heights[size_t{row} * width + column]);
      mesh.uvs.emplace_back(u, 1.0f - v);
      if (row + 1 == depth || column + 1 == width) continue;
      const uint32_t a = row * width + column, b = a + 1, c = b + width, d = a + width;
      mesh.triangles.emplace_back(a, b, c);
      mesh.triangles.emplace_back(a, c, d);
    }
  return mesh;
}

}  // namespace

std::optional<Mesh> read_pbrt_mesh(const PbrtObject& shape, PbrtContext& context) {
  const std::string& type = shape.type;
  if (type == "trianglemesh") return read_triangles(shape, context);
  if (type == "plymesh") return read_ply_shape(shape, context);
  if (type == "bilinearmesh") return read_patches(shape, context);
  if (type == "loopsubdiv") return read_subdivided(shape, context);
  if (type == "curve") return make_pbrt_curve(shape, context);
  if (type == "heightfield") return read_heights(shape, context);
  const uint32_t sides = circle_sides_after(context.round_triangles);
  if (std::optional<Mesh> mesh = make_pbrt_quadric(shape, std::max(sides, kMinSides)))
    return limited_round(shape, std::move(*mesh), sides, context);
  for (const PbrtParameter& parameter : shape.parameters.all())
    shape.parameters.ignore(parameter.name);
  context.leave_out(shape, fmt::format("a shape of the type {} is left out", in_quotes(type)));
  return {};
}

}  // namespace winnow
