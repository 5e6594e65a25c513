// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "base/error.h"
#include "load/pbrt/convert.h"
#include "load/ply/ply.h"
#include "scene/shapes.h"

namespace winnow {
namespace {

/// Reads positions, and normals and texture coordinates if there is one per position.
Mesh read_vertices(const PbrtObject& shape) {
  Mesh mesh;
  mesh.positions = shape.vectors<glm::vec3>("P");
  mesh.normals = shape.vectors<glm::vec3>("N");
  for (const char* name : {"uv", "st"})
    if (mesh.uvs.empty()) mesh.uvs = shape.vectors<glm::vec2>(name);
  for (glm::vec2& uv : mesh.uvs) uv.y = 1.0f - uv.y;  // v is up in pbrt
  auto drop_if_wrong = [&](auto& values, const char* what) {
    if (values.empty() || values.size() == mesh.positions.size()) return;
    shape.warn(fmt::format("the {} of a mesh are ignored: there is not one for each vertex", what));
    values.clear();
  };
  drop_if_wrong(mesh.normals, "normals");
  drop_if_wrong(mesh.uvs, "texture coordinates");
  return mesh;
}

/// Reads the indices of faces with `corners` vertices; nothing, with a warning, if any is invalid.
std::optional<std::vector<uint32_t>> read_indices(const PbrtObject& shape, size_t corners,
                                                  size_t vertices) {
  const std::span<const int32_t> given = shape.integers("indices");
  std::vector<uint32_t> indices(given.begin(), given.end());
  if (given.empty() && vertices == corners)
    for (uint32_t i = 0; i < corners; ++i) indices.push_back(i);
  if (const size_t surplus = indices.size() % corners; surplus != 0) {
    shape.warn(
        fmt::format("the indices of a {} after its last whole face are ignored", shape.type));
    indices.resize(indices.size() - surplus);
  }
  const bool is_valid = !indices.empty() && std::ranges::all_of(indices, [&](uint32_t index) {
    return index < vertices;
  });
  if (is_valid) return indices;
  return shape.leave_out(fmt::format("a {} without valid indices is left out", shape.type));
}

/// @return  false, with a warning, if their indices are invalid
bool read_triangle_indices(const PbrtObject& shape, Mesh& mesh) {
  const auto indices = read_indices(shape, 3, mesh.positions.size());
  if (!indices) return false;
  mesh.triangles.resize(indices->size() / 3);
  for (size_t i = 0; i < indices->size(); ++i) mesh.triangles[i / 3][int(i % 3)] = (*indices)[i];
  return true;
}

std::optional<Mesh> read_triangles(const PbrtObject& shape) {
  Mesh mesh = read_vertices(shape);
  if (!read_triangle_indices(shape, mesh)) return {};
  if (!mesh.uvs.empty()) face_vertex_normals(mesh);
  return mesh;
}

/// Adds the triangles of a grid of (columns + 1) (rows + 1) vertices, which start at index `first`.
void add_grid_faces(uint32_t first, uint32_t columns, uint32_t rows, Mesh& to) {
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t column = 0; column < columns; ++column) {
      const uint32_t a = first + row * (columns + 1) + column, b = a + 1, c = b + columns + 1;
      to.triangles.emplace_back(a, b, c);
      to.triangles.emplace_back(a, c, c - 1);
    }
}

constexpr float kFullTurn = 360.0f;  // degrees

/// Profile of a surface of revolution about the z axis: radius and z at v in [0, 1].
using Profile = std::function<glm::vec2(float v)>;

/// Returns a tangent of the profile, of any length.
glm::vec2 tangent_of(const Profile& profile, float v) {
  constexpr float kStep = 1e-3f;
  return profile(std::min(v + kStep, 1.0f)) - profile(std::max(v - kStep, 0.0f));
}

/// Returns a surface of revolution with u around the axis. It faces the cross product of u and v.
/// @param steps, sides_of_turn  steps along the profile, sides of a full turn
Mesh revolve(const Profile& profile, float phi_max, uint32_t steps, uint32_t sides_of_turn) {
  phi_max = std::clamp(phi_max, 0.0f, kFullTurn);
  const uint32_t sides =
      std::max(3u, uint32_t(std::ceil(float(sides_of_turn) * phi_max / kFullTurn)));
  Mesh mesh;
  for (uint32_t step = 0; step <= steps; ++step) {
    const float v = float(step) / float(steps);
    const glm::vec2 point = profile(v), along = tangent_of(profile, v);
    for (uint32_t side = 0; side <= sides; ++side) {
      const float u = float(side) / float(sides), phi = u * glm::radians(phi_max);
      const float cosine = std::cos(phi), sine = std::sin(phi);
      mesh.positions.emplace_back(point.x * cosine, point.x * sine, point.y);
      mesh.normals.push_back(glm::normalize(glm::vec3(along.y * cosine, along.y * sine, -along.x)));
      mesh.uvs.emplace_back(u, 1.0f - v);
    }
  }
  add_grid_faces(0, sides, steps, mesh);  // at an end on the axis, one of two has no area
  return mesh;
}

Profile sphere_profile(const PbrtParameters& parameters) {
  const float radius = parameters.number("radius", 1.0f);
  const float a = std::clamp(parameters.number("zmin", -radius), -radius, radius),
              b = std::clamp(parameters.number("zmax", radius), -radius, radius);
  const float first = std::acos(glm::clamp(std::min(a, b) / radius, -1.0f, 1.0f)),
              last = std::acos(glm::clamp(std::max(a, b) / radius, -1.0f, 1.0f));
  return [=](float v) {
    const float theta = glm::mix(first, last, v);
    constexpr float kPole = 1e-6f;  // the rounded sine of pi is not 0
    const float sine = std::sin(theta);
    return radius * glm::vec2(std::abs(sine) < kPole ? 0.0f : sine, std::cos(theta));
  };
}

Profile straight_profile(glm::vec2 first, glm::vec2 last) {
  return [=](float v) { return glm::mix(first, last, v); };
}

Profile paraboloid_profile(const PbrtParameters& parameters) {
  const float radius = parameters.number("radius", 1.0f), low = parameters.number("zmin", 0.0f),
              high = parameters.number("zmax", 1.0f);
  const float top = std::max(low, high), bottom = std::max(std::min(low, high), 0.0f);
  return [=](float v) {
    const float z = glm::mix(bottom, top, v);
    return glm::vec2(top > 0.0f ? radius * std::sqrt(std::max(z / top, 0.0f)) : 0.0f, z);
  };
}

Profile hyperboloid_profile(const PbrtParameters& parameters) {
  const glm::vec3 first = parameters.point("p1", glm::vec3(0.0f)),
                  last = parameters.point("p2", glm::vec3(1.0f));
  return [=](float v) {
    const glm::vec3 point = glm::mix(first, last, v);
    return glm::vec2(std::hypot(point.x, point.y), point.z);
  };
}

/// Returns the mesh of a shape defined by a formula: sphere, disk, ...; nothing for other types.
std::optional<Mesh> make_quadric(const PbrtObject& shape, uint32_t sides) {
  const float phi_max = shape.number("phimax", kFullTurn), radius = shape.number("radius", 1.0f);
  const std::string& type = shape.type;
  Profile profile;
  uint32_t steps = 1;
  if (type == "disk") {
    const float height = shape.number("height", 0.0f);
    profile = straight_profile({radius, height}, {shape.number("innerradius", 0.0f), height});
  } else if (type == "cylinder") {
    const float a = shape.number("zmin", -1.0f), b = shape.number("zmax", 1.0f);
    profile = straight_profile({radius, std::min(a, b)}, {radius, std::max(a, b)});
  } else if (type == "cone") {
    profile = straight_profile({radius, 0.0f}, {0.0f, shape.number("height", 1.0f)});
  } else {
    steps = sides / 2;
    if (type == "sphere" && !(radius > 0.0f)) return Mesh{};
    if (type == "sphere") profile = sphere_profile(shape);
    if (type == "paraboloid") profile = paraboloid_profile(shape);
    if (type == "hyperboloid") profile = hyperboloid_profile(shape);
    if (!profile) return {};
  }
  return revolve(profile, phi_max, steps, sides);
}

/// Reads a shape with circles, which has fewer sides after many others, and counts its triangles.
std::optional<Mesh> read_round(const PbrtObject& shape) {
  constexpr uint32_t kMinSides = 3;
  size_t& triangles = shape.context->round_triangles;
  const uint32_t sides = circle_sides_after(triangles);
  std::optional<Mesh> mesh = make_quadric(shape, std::max(sides, kMinSides));
  if (!mesh) {
    shape.ignore_all();
    return shape.leave_out(
        fmt::format("a shape of the type {} is left out", in_quotes(shape.type)));
  }
  if (sides == 0) return shape.leave_out(kTooManyRoundShapes);
  if (sides < kCircleSides) shape.warn(kCoarseRoundShape);
  triangles += mesh->triangles.size();
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
    }
  add_grid_faces(first, steps, steps, to);
}

std::optional<Mesh> read_patches(const PbrtObject& shape) {
  constexpr size_t kCorners = 4;
  const Mesh vertices = read_vertices(shape);
  const auto indices = read_indices(shape, kCorners, vertices.positions.size());
  if (!indices) return {};
  Mesh mesh;
  for (size_t i = 0; i < indices->size(); i += kCorners) {
    const uint32_t corners[] = {(*indices)[i], (*indices)[i + 1], (*indices)[i + 2],
                                (*indices)[i + 3]};
    add_patch(vertices, corners, mesh);
  }
  if (!vertices.normals.empty()) face_vertex_normals(mesh);
  return mesh;
}

std::optional<Mesh> read_ply_shape(const PbrtObject& shape, size_t& quadrilaterals) {
  const std::string name = shape.text("filename");
  const auto file = find_pbrt_file(shape.context->folder, name, *shape.place.file);
  if (!file)
    return shape.leave_out(fmt::format("the file {} does not exist; its shape is left out",
                                       one_line(name, kMaxPathLength)));
  try {
    Ply ply = parse_ply(read_maybe_compressed(*file), file->string());
    if (!ply.warnings.empty())
      shape.warn("parts of a PLY file are ignored; winnow info FILE lists them");
    ply.mesh.triangle_materials.clear();
    quadrilaterals = ply.quadrilaterals;
    if (!ply.mesh.uvs.empty()) face_vertex_normals(ply.mesh);
    return std::move(ply.mesh);
  } catch (const Error& error) {
    return shape.leave_out(fmt::format("{}; the shape is left out", error.what()));
  }
}

std::optional<Mesh> read_subdivided(const PbrtObject& shape) {
  constexpr int kDefaultLevels = 3;
  Mesh control;
  control.positions = shape.vectors<glm::vec3>("P");
  if (!read_triangle_indices(shape, control)) return {};
  const char* count = shape.has("levels") ? "levels" : "nlevels";
  const int levels =
      subdivision_levels(control.triangles.size(), shape.integer(count, kDefaultLevels));
  std::optional<Mesh> mesh = subdivide_loop(control, levels);
  if (mesh) return mesh;
  shape.warn("a loopsubdiv that is no surface is not subdivided");
  return control;
}

/// Reads a grid of heights over the unit square.
std::optional<Mesh> read_heights(const PbrtObject& shape) {
  const int columns = shape.integer("nu", 0), rows = shape.integer("nv", 0);
  const std::span<const float> heights = shape.numbers("Pz");
  if (columns < 2 || rows < 2 || heights.size() != size_t(columns) * size_t(rows))
    return shape.leave_out("a heightfield without its nu times nv heights is left out");
  Mesh mesh;
  const auto width = uint32_t(columns), depth = uint32_t(rows);
  for (uint32_t row = 0; row < depth; ++row)
    for (uint32_t column = 0; column < width; ++column) {
      const float u = float(column) / float(width - 1), v = float(row) / float(depth - 1);
      mesh.positions.emplace_back(u, v, heights[size_t{row} * width + column]);
      mesh.uvs.emplace_back(u, 1.0f - v);
    }
  add_grid_faces(0, width - 1, depth - 1, mesh);
  return mesh;
}

}  // namespace

void face_vertex_normals(Mesh& mesh) {
  if (mesh.normals.empty()) return;
  for (glm::uvec3& triangle : mesh.triangles) {
    const glm::vec3 a = mesh.positions[triangle.x], b = mesh.positions[triangle.y],
                    c = mesh.positions[triangle.z];
    const glm::vec3 ns =
        mesh.normals[triangle.x] + mesh.normals[triangle.y] + mesh.normals[triangle.z];
    if (glm::dot(glm::cross(b - a, c - a), ns) < 0.0f) std::swap(triangle.y, triangle.z);
  }
}

std::optional<Mesh> read_pbrt_mesh(const PbrtObject& shape, size_t& quadrilaterals) {
  quadrilaterals = 0;
  const std::string& type = shape.type;
  if (type == "trianglemesh") return read_triangles(shape);
  if (type == "plymesh") return read_ply_shape(shape, quadrilaterals);
  if (type == "bilinearmesh") return read_patches(shape);
  if (type == "loopsubdiv") return read_subdivided(shape);
  if (type == "curve") return make_pbrt_curve(shape);
  if (type == "heightfield") return read_heights(shape);
  return read_round(shape);
}

}  // namespace winnow
