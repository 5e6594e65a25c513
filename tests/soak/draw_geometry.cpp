// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <set>
#include <vector>

#include "base/files.h"
#include "load/winnow/scene_keys.h"
#include "tests/soak/draw_parts.h"

namespace winnow {
namespace {

/// Triangles that share their vertices, around the origin.
struct DrawnTriangles {
  std::vector<glm::vec3> vertices;             ///< m
  std::vector<std::array<uint32_t, 3>> faces;  ///< indices of three vertices
};

/// Rotates a face until its lowest vertex is the first. Three vertices then have two faces, which
/// face opposite ways.
std::array<uint32_t, 3> from_lowest(std::array<uint32_t, 3> face) {
  std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
  return face;
}

/// Reverses each triangle that coincides with an earlier one and faces the other way: rounding
/// decides which of the two a ray hits, and a ray enters glass through one and leaves it through
/// the other.
void turn_coincident(std::vector<std::array<uint32_t, 3>>& faces) {
  std::set<std::array<uint32_t, 3>> drawn;
  for (std::array<uint32_t, 3>& face : faces) {
    const std::array<uint32_t, 3> turned = {face[0], face[2], face[1]};
    if (drawn.contains(from_lowest(turned))) face = turned;
    drawn.insert(from_lowest(face));
  }
}

/// @param size  m, half that of the mesh
DrawnTriangles draw_triangles(Draw& draw, float size) {
  constexpr uint32_t kMaxVertices = 24, kMaxFaces = 40;
  DrawnTriangles triangles;
  for (uint32_t i = draw.from(3, kMaxVertices); i > 0; --i)
    triangles.vertices.push_back(size * draw_point(draw));
  const auto count = uint32_t(triangles.vertices.size());
  for (uint32_t i = draw.from(1, kMaxFaces); i > 0; --i) {
    const uint32_t a = draw.below(count), b = (a + draw.from(1, count - 1)) % count;
    uint32_t c = draw.below(count);
    while (c == a || c == b) c = (c + 1) % count;
    triangles.faces.push_back({a, b, c});
    if (draw.one_in(16)) triangles.faces.push_back({a, b, c});  // a duplicate
    if (draw.one_in(16)) triangles.faces.push_back({a, b, b});  // a line
  }
  turn_coincident(triangles.faces);
  return triangles;
}

/// Writes text(i) on a line of its own for each i below `count`.
template <class Text>
void write_lines(std::ostream& stream, size_t count, Text text) {
  for (size_t i = 0; i < count; ++i) stream << text(i) << '\n';
}

void write_random_obj(const std::filesystem::path& file, const DrawnTriangles& triangles) {
  replace_file(file, [&](std::ostream& stream) {
    write_lines(stream, triangles.vertices.size(), [&](size_t i) {
      const glm::vec3 p = triangles.vertices[i];
      return fmt::format("v {} {} {}", p.x, p.y, p.z);
    });
    write_lines(stream, triangles.faces.size(), [&](size_t i) {
      const auto& face = triangles.faces[i];
      return fmt::format("f {} {} {}", face[0] + 1, face[1] + 1, face[2] + 1);
    });
  });
}

void write_random_ply(const std::filesystem::path& file, const DrawnTriangles& triangles,
                      Draw& draw) {
  replace_file(file, [&](std::ostream& stream) {
    stream << fmt::format(
        "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\n"
        "property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
        "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        triangles.vertices.size(), triangles.faces.size());
    constexpr uint32_t kBytes = 256;
    write_lines(stream, triangles.vertices.size(), [&](size_t i) {
      const glm::vec3 p = triangles.vertices[i];
      return fmt::format("{} {} {} {} {} {}", p.x, p.y, p.z, draw.below(kBytes), draw.below(kBytes),
                         draw.below(kBytes));
    });
    write_lines(stream, triangles.faces.size(), [&](size_t i) {
      const auto& face = triangles.faces[i];
      return fmt::format("3 {} {} {}", face[0], face[1], face[2]);
    });
  });
}

/// Draws a "mesh" with any of its attributes.
DrawnJson draw_mesh_arrays(DrawnParts& parts, float size) {
  Draw& draw = parts.draw;
  const DrawnTriangles triangles = draw_triangles(draw, size);
  DrawnJson mesh;
  for (const glm::vec3& vertex : triangles.vertices) mesh["vertices"].push_back(json_of(vertex));
  for (const auto& face : triangles.faces) mesh["faces"].push_back(face);
  const bool has_normals = !parts.is_furnace() && draw.one_in(3), has_uvs = draw.one_in(2),
             has_second_uvs = draw.one_in(4), has_colors = draw.one_in(4),
             has_alpha = draw.one_in(2);
  for (size_t i = 0; i < triangles.vertices.size(); ++i) {
    if (has_normals) mesh["normals"].push_back(json_of(draw_direction(draw)));
    if (has_uvs) mesh["uvs"].push_back({draw.between(-2, 2), draw.between(-2, 2)});
    if (has_second_uvs) mesh["second_uvs"].push_back({draw.uniform(), draw.uniform()});
    if (!has_colors) continue;
    mesh["colors"].push_back(json_of({draw.fraction(), draw.fraction(), draw.fraction()}));
    if (has_alpha) mesh["colors"].back().push_back(draw.fraction());
  }
  return mesh;
}

/// Draws a shape of any type except instances, around the origin; the caller places it.
DrawnJson draw_shape(DrawnParts& parts, const std::string& type, const std::string& name) {
  Draw& draw = parts.draw;
  const float size = parts.length();
  DrawnJson shape;
  if (type == "rectangle") {
    const glm::vec3 u = draw_direction(draw), v = glm::cross(u, draw_direction(draw) + 2.0f * u) +
                                                  draw.between(-0.5f, 0.5f) * u;
    shape = {{"corner", json_of(size * draw_point(draw))},
             {"edge_u", json_of(size * u)},
             {"edge_v", json_of(size * (v + 0.1f * draw_direction(draw)))}};
  } else if (type == "box") {
    const glm::vec3 half = size * glm::vec3(draw.between(0.1f, 1), draw.between(0.1f, 1), 1);
    shape = {{"min", json_of(-half)}, {"max", json_of(half)}};
  } else if (type == "disk") {
    shape = {{"center", json_of(glm::vec3(0.0f))},
             {"normal", json_of(draw_direction(draw))},
             {"radius", size}};
  } else if (type == "sphere") {
    shape = {{"radius", size}};
  } else if (type == "mesh") {
    shape = draw_mesh_arrays(parts, size);
  } else {
    shape = {{"file", name + "." + type}};
    const DrawnTriangles triangles = draw_triangles(draw, size);
    if (type == "obj")
      write_random_obj(parts.folder / (name + ".obj"), triangles);
    else
      write_random_ply(parts.folder / (name + ".ply"), triangles, draw);
  }
  shape["type"] = type;
  shape["material"] = draw.of(parts.materials);
  return shape;
}

DrawnJson draw_rotation(Draw& draw) {
  return {
      {"rotate", {{"axis", json_of(draw_direction(draw))}, {"angle", draw.between(-360, 360)}}}};
}

/// Draws a linear map with shear, which mirrors every other time.
DrawnJson draw_shear(Draw& draw) {
  constexpr float kMinScale = 0.3f, kMaxScale = 1.5f, kMaxShear = 0.7f;
  DrawnJson rows;
  for (int row = 0; row < 3; ++row) {
    DrawnJson numbers;
    for (int column = 0; column < 4; ++column)
      numbers.push_back(column == 3    ? 0.0f
                        : column < row ? 0.0f
                        : column > row
                            ? draw.between(-kMaxShear, kMaxShear)
                            : draw.between(kMinScale, kMaxScale) * (draw.one_in(4) ? -1.0f : 1.0f));
    rows.push_back(numbers);
  }
  rows.push_back({0, 0, 0, 1});
  return {{"matrix", rows}};
}

/// Draws the steps that bring a shape from the origin to a place in the scene.
DrawnJson draw_placement(DrawnParts& parts) {
  Draw& draw = parts.draw;
  DrawnJson steps = DrawnJson::array();
  add_random_motion(parts, steps);
  if (draw.one_in(2)) steps.push_back(draw_shear(draw));
  if (draw.one_in(2)) steps.push_back(draw_rotation(draw));
  steps.push_back({{"translate", json_of(parts.point())}});
  return steps;
}

/// Draws a placement that keeps a sphere a sphere.
DrawnJson draw_sphere_placement(DrawnParts& parts) {
  DrawnJson steps = DrawnJson::array();
  add_random_motion(parts, steps);
  if (parts.draw.one_in(2)) steps.push_back(draw_rotation(parts.draw));
  if (parts.draw.one_in(2)) steps.push_back({{"scale", parts.draw.one_in(2) ? -0.5f : 1.25f}});
  steps.push_back({{"translate", json_of(parts.point())}});
  return steps;
}

DrawnJson draw_instances(DrawnParts& parts) {
  constexpr uint32_t kFew = 4, kMany = 40;
  Draw& draw = parts.draw;
  DrawnJson shape = {{"type", "instances"}, {"mesh", draw.of(parts.meshes)}};
  if (draw.one_in(2)) shape["material"] = draw.of(parts.materials);
  for (uint32_t i = draw.from(1, draw.one_in(4) ? kMany : kFew); i > 0; --i)
    shape["transforms"].push_back(draw_placement(parts));
  return shape;
}

/// Draws a box around the whole scene, which keeps paths inside.
DrawnJson draw_room(DrawnParts& parts) {
  constexpr float kHalf = 5.0f;  // times the size of the scene
  const glm::vec3 half(kHalf * parts.scale);
  return {{"type", "box"},
          {"material", parts.draw.of(parts.materials)},
          {"min", json_of(parts.center - half)},
          {"max", json_of(parts.center + half)}};
}

}  // namespace

void add_random_motion(DrawnParts& parts, DrawnJson& steps) {
  constexpr uint32_t kOneIn = 12;
  constexpr float kMaxTurn = 80.0f;  // degrees, from the first placement: no half turn between keys
  Draw& draw = parts.draw;
  if (!draw.one_in(kOneIn)) return;
  DrawnJson keys = DrawnJson::array();
  for (uint32_t i = draw.from(2, 4); i > 0; --i)
    keys.push_back({{{"scale", draw.between(0.8f, 1.25f)}},
                    {{"rotate",
                      {{"axis", json_of(draw_direction(draw))},
                       {"angle", draw.between(-kMaxTurn, kMaxTurn)}}}},
                    {{"translate", json_of(0.3f * parts.scale * draw_point(draw))}}});
  steps.push_back({{"motion", keys}});
}

void add_random_geometry(DrawnParts& parts) {
  constexpr uint32_t kMaxMeshes = 3, kMaxShapes = 10;
  Draw& draw = parts.draw;
  if (draw.one_in(2))
    for (uint32_t i = draw.from(1, kMaxMeshes); i > 0; --i) {
      const std::string name = "mesh-" + std::to_string(i);
      parts.json["meshes"][name] = draw_shape(parts, draw.of(scene_keys::kMeshTypes), name);
      parts.meshes.push_back(name);
    }
  DrawnJson& shapes = parts.json["shapes"] = DrawnJson::array();
  for (uint32_t i = draw.from(1, kMaxShapes); i > 0; --i) {
    const std::string type = draw.of(scene_keys::kShapeTypes);
    if (type == "instances") {
      if (!parts.meshes.empty()) shapes.push_back(draw_instances(parts));
      continue;
    }
    DrawnJson shape = draw_shape(parts, type, "shape-" + std::to_string(i));
    shape["transform"] = type == "sphere" ? draw_sphere_placement(parts) : draw_placement(parts);
    shapes.push_back(shape);
  }
  if (draw.one_in(4) || shapes.empty()) shapes.push_back(draw_room(parts));
}

}  // namespace winnow
