// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "base/error.h"
#include "base/files.h"
#include "load/obj/obj.h"
#include "load/ply/ply.h"
#include "load/winnow/read_parts.h"
#include "load/winnow/scene_keys.h"
#include "math/between_transforms.h"
#include "scene/mesh.h"
#include "scene/shapes.h"
#include "scene/triangulate_polygon.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

glm::mat4 read_rotation(const JsonReader& step) {
  constexpr Range kDegrees{-36000.0, 36000.0};
  step.expect_keys(scene_keys::kRotate);
  return glm::rotate(glm::mat4(1.0f), glm::radians(step.at("angle").number(kDegrees)),
                     step.at("axis").direction());
}

glm::mat4 read_matrix(const JsonReader& rows) {
  const char* kExpected = "four rows of four numbers";
  rows.expect_size(4, kExpected);
  glm::mat4 matrix(1.0f);
  for (int row = 0; row < 4; ++row) {
    JsonReader numbers = rows[size_t(row)];
    if (numbers.size(kExpected) != 4) numbers.fail("expected a row of four numbers");
    for (int column = 0; column < 4; ++column)
      matrix[column][row] = numbers[size_t(column)].number(kCoordinate);
  }
  if (glm::vec4(matrix[0][3], matrix[1][3], matrix[2][3], matrix[3][3]) != glm::vec4(0, 0, 0, 1))
    rows[3].fail("expected the last row [0, 0, 0, 1]; shapes cannot have a perspective transform");
  return matrix;
}

/// Returns the transform between two keys of a motion.
glm::mat4 read_motion(const JsonReader& keys, SceneMoment* moment) {
  if (!moment) keys.fail("nothing moves here; expected a motion among the steps of a shape");
  const SceneMoment::Keys place = moment->between(keys);
  std::vector<glm::dmat4> transforms;
  for (size_t i = 0; i < keys.size(); ++i) {
    transforms.emplace_back(read_transform_steps(keys[i], nullptr));
    if (i > 0 && is_ambiguous_motion(transforms[i - 1], transforms[i]))
      keys[i].fail(
          "turns by half a circle from the key before it, or mirrors; expected a key in between");
  }
  return between_transforms(transforms[place.first], transforms[place.first + 1], place.t);
}

glm::mat4 read_step(const JsonReader& step, SceneMoment* moment) {
  step.expect_keys(scene_keys::kTransformSteps);
  if (step.keys().size() != 1)
    step.fail("expected exactly one of translate, rotate, scale, matrix, motion in each step");
  if (auto keys = step.find("motion")) return read_motion(*keys, moment);
  if (auto by = step.find("translate")) return glm::translate(glm::mat4(1.0f), by->vector());
  if (auto by = step.find("rotate")) return read_rotation(*by);
  if (auto by = step.find("scale")) {
    glm::vec3 scale = by->color(kCoordinate);
    if (scale.x == 0.0f || scale.y == 0.0f || scale.z == 0.0f)
      by->fail("expected factors other than zero");
    return glm::scale(glm::mat4(1.0f), scale);
  }
  return read_matrix(step.at("matrix"));
}

Mesh read_box(const JsonReader& shape) {
  glm::vec3 min = shape.at("min").vector(), max = shape.at("max").vector();
  if (!(min.x < max.x && min.y < max.y && min.z < max.z))
    shape.at("max").fail("expected each coordinate above that of min");
  return make_box(min, max);
}

Mesh read_disk(const JsonReader& shape) {
  return make_disk(shape.at("center").vector(), shape.at("normal").direction(),
                   shape.at("radius").number(kPositive));
}

/// @return  true if the triangles of the face overlap
bool add_face(const JsonReader& face, Mesh& mesh) {
  constexpr size_t kMaxCorners = 255;
  size_t size = face.size("a list of vertex indices");
  if (size < 3 || size > kMaxCorners)
    face.fail("expected 3 to {} vertex indices, found {}", kMaxCorners, size);
  if (mesh.positions.empty()) face.fail("expected vertices before faces");
  std::vector<uint32_t> vertices;
  std::vector<glm::vec3> corners;
  for (size_t i = 0; i < size; ++i) {
    vertices.push_back(face[i].integer(0, uint32_t(mesh.positions.size() - 1)));
    corners.push_back(mesh.positions[vertices.back()]);
  }
  const PolygonTriangles cut = triangulate_polygon(corners);
  for (glm::uvec3 ear : cut.triangles)
    mesh.triangles.emplace_back(vertices[ear.x], vertices[ear.y], vertices[ear.z]);
  return cut.overlap;
}

glm::vec2 read_uv(const JsonReader& uv) {
  uv.expect_size(2, "a pair [u, v]");
  return {uv[0].number(kCoordinate), uv[1].number(kCoordinate)};
}

/// Reads three or four numbers from 0 to 1.
glm::vec4 read_vertex_color(const JsonReader& json) {
  constexpr size_t kMin = 3, kMax = 4;
  const size_t size = json.size();
  if (size < kMin || size > kMax)
    json.fail("expected [r, g, b] or [r, g, b, alpha], found {} numbers", size);
  glm::vec4 color(1.0f);
  for (size_t i = 0; i < size; ++i) color[int(i)] = json[i].number(kFraction);
  return color;
}

Mesh read_mesh(const JsonReader& shape, std::vector<std::string>& warnings) {
  Mesh mesh;
  JsonReader vertices = shape.at("vertices"), faces = shape.at("faces");
  for (size_t i = 0; i < vertices.size("a list of points [x, y, z]"); ++i)
    mesh.positions.push_back(vertices[i].vector());
  auto expect_one_per_vertex = [&](const JsonReader& items, const char* expected) {
    if (items.size(expected) != vertices.size())
      items.fail("expected as many as vertices, {}, found {}", vertices.size(), items.size());
  };
  if (auto normals = shape.find("normals")) {
    expect_one_per_vertex(*normals, "a list of directions [x, y, z]");
    for (size_t i = 0; i < normals->size(); ++i) mesh.normals.push_back((*normals)[i].direction());
  }
  for (auto [key, to] : {std::pair("uvs", &mesh.uvs), std::pair("second_uvs", &mesh.second_uvs)})
    if (auto uvs = shape.find(key)) {
      expect_one_per_vertex(*uvs, "a list of pairs [u, v]");
      for (size_t i = 0; i < uvs->size(); ++i) to->push_back(read_uv((*uvs)[i]));
    }
  if (auto colors = shape.find("colors")) {
    expect_one_per_vertex(*colors, "a list of colours [r, g, b] or [r, g, b, alpha]");
    for (size_t i = 0; i < colors->size(); ++i)
      mesh.colors.push_back(read_vertex_color((*colors)[i]));
    finish_vertex_colors(mesh.colors, ColorEncoding::kLinear);
  }
  if (faces.size("a list of faces") == 0) faces.fail("expected at least one face");
  size_t overlapping = 0;
  for (size_t i = 0; i < faces.size(); ++i) overlapping += add_face(faces[i], mesh);
  if (overlapping > 0)
    warnings.push_back(
        fmt::format("{}: {}: {}", shape.file(), shape.pointer(), overlap_warning(overlapping)));
  return mesh;
}

/// Triangles of a shape before its transform.
struct ShapeMesh {
  Mesh mesh;
  uint32_t material = 0;  ///< material of the triangles, unless the mesh has its own
};

ShapeMesh read_obj_mesh(const JsonReader& shape, const MaterialIds& materials,
                        const std::filesystem::path& folder, HostScene& scene) {
  TextureLibrary textures(scene);
  Obj obj = read_obj(find_file(shape, folder), shape.has("material") ? nullptr : &textures);
  scene.warnings.insert(scene.warnings.end(), obj.warnings.begin(), obj.warnings.end());
  if (auto material_name = shape.find("material")) {
    obj.mesh.triangle_materials.clear();
    return {std::move(obj.mesh), material_name->look_up(materials, "material")};
  }
  uint32_t first = uint32_t(scene.materials.size());
  for (uint32_t& id : obj.mesh.triangle_materials) id += first;
  scene.materials.insert(scene.materials.end(), obj.materials.begin(), obj.materials.end());
  scene.material_names.insert(scene.material_names.end(), obj.material_names.begin(),
                              obj.material_names.end());
  return {std::move(obj.mesh), 0};
}

/// Reads a mesh whose vertices move from file to file.
Ply read_moving_ply(const JsonReader& names, const JsonReader& shape,
                    const std::filesystem::path& folder, SceneMoment& moment) {
  const auto [first, t] = moment.between(names);
  for (size_t i = 0; i < names.size(); ++i) {
    const std::filesystem::path file = find_file(shape, names[i], folder);
    if (moment.has_hash) moment.motion.add(read_file(file));
  }
  Ply ply = read_ply(find_file(shape, names[first], folder));
  if (t == 0.0) return ply;
  const JsonReader next_name = names[first + 1];
  const Ply next = read_ply(find_file(shape, next_name, folder));
  Mesh& mesh = ply.mesh;
  if (next.mesh.positions.size() != mesh.positions.size() ||
      next.mesh.normals.size() != mesh.normals.size() || next.mesh.triangles != mesh.triangles)
    next_name.fail(
        "expected the vertices and faces of the file before it, with other positions: {} vertices "
        "and {} triangles, found {} and {}",
        mesh.positions.size(), mesh.triangles.size(), next.mesh.positions.size(),
        next.mesh.triangles.size());
  for (size_t i = 0; i < mesh.positions.size(); ++i)
    mesh.positions[i] = glm::mix(mesh.positions[i], next.mesh.positions[i], float(t));
  for (size_t i = 0; i < mesh.normals.size(); ++i) {
    const glm::vec3 n = glm::mix(mesh.normals[i], next.mesh.normals[i], float(t));
    const float length = glm::length(n);
    if (length > 0.0f) mesh.normals[i] = with_unit_length(n, length);
  }
  return ply;
}

ShapeMesh read_ply_mesh(const JsonReader& shape, const MaterialIds& materials,
                        const std::filesystem::path& folder, SceneMoment& moment,
                        HostScene& scene) {
  std::optional<JsonReader> name = shape.find("material"), names = shape.find("materials");
  if (name.has_value() == names.has_value())
    shape.fail("expected either \"material\" or \"materials\"");
  const std::optional<JsonReader> files = shape.find("files");
  if (files && shape.has("file")) files->fail("expected either \"file\" or \"files\"");
  Ply ply =
      files ? read_moving_ply(*files, shape, folder, moment) : read_ply(find_file(shape, folder));
  scene.warnings.insert(scene.warnings.end(), ply.warnings.begin(), ply.warnings.end());
  std::vector<uint32_t>& of_triangle = ply.mesh.triangle_materials;
  if (name) {
    of_triangle.clear();
    return {std::move(ply.mesh), name->look_up(materials, "material")};
  }

  std::vector<uint32_t> ids;
  for (size_t i = 0; i < names->size("a list of material names"); ++i)
    ids.push_back((*names)[i].look_up(materials, "material"));
  if (of_triangle.empty())
    names->fail("the faces of the file have no material_index; expected \"material\"");
  for (uint32_t& material : of_triangle) {
    if (material >= ids.size())
      names->fail("a face has the material_index {}; expected one below {}", material, ids.size());
    material = ids[material];
  }
  return {std::move(ply.mesh), 0};
}

/// Reads a shape of one of scene_keys::kMeshTypes. Adds the materials of an OBJ file to `scene`.
ShapeMesh read_shape_mesh(const JsonReader& shape, const std::string& type,
                          const MaterialIds& materials, const std::filesystem::path& folder,
                          SceneMoment& moment, HostScene& scene) {
  shape.expect_keys(scene_keys::kShapes.at(type));
  if (type == "obj") return read_obj_mesh(shape, materials, folder, scene);
  if (type == "ply") return read_ply_mesh(shape, materials, folder, moment, scene);
  const uint32_t material = shape.at("material").look_up(materials, "material");
  return {type == "rectangle" ? read_rectangle(shape)
          : type == "box"     ? read_box(shape)
          : type == "disk"    ? read_disk(shape)
                              : read_mesh(shape, scene.warnings),
          material};
}

/// Warns about triangles that were left out. Throws Error if all were.
void check_left_out(const JsonReader& shape, size_t left_out, size_t count, HostScene& scene) {
  if (left_out == count)
    shape.fail("the shape has no area, or lies beyond 1e9 m; expected a visible one");
  if (left_out)
    scene.warnings.push_back(fmt::format("{}: {}: {} of {} triangles have no area and are left out",
                                         shape.file(), shape.pointer(), left_out, count));
}

/// Adds the placements of a shape of the type "instances" to the mesh that it names.
void read_instances(const JsonReader& shape, const MaterialIds& materials, NamedMeshes& meshes,
                    SceneMoment& moment) {
  shape.expect_keys(scene_keys::kShapes.at("instances"));
  NamedMesh& named = shape.at("mesh").look_up(meshes, "mesh");
  uint32_t material = MeshInstance::kOwnMaterials;
  if (auto name = shape.find("material")) material = name->look_up(materials, "material");
  const glm::mat4 all = read_transform(shape, moment);
  const JsonReader transforms = shape.at("transforms");
  const size_t count = transforms.size("a list of transforms");
  if (count == 0) transforms.fail("expected at least one transform");
  for (size_t i = 0; i < count; ++i) {
    const JsonReader steps = transforms[i];
    const glm::mat4 to_world = all * read_transform_steps(steps, &moment);
    if (!is_within_reach(named.bounds, to_world))
      steps.fail("the instance extends beyond 1e9 m; expected it within that distance");
    named.placements.push_back({to_world, material});
  }
}

void read_shape(const JsonReader& shape, const MaterialIds& materials, NamedMeshes& meshes,
                const std::filesystem::path& folder, SceneMoment& moment, HostScene& scene) {
  const std::string& type =
      scene_keys::kShapeTypes[shape.at("type").choice(scene_keys::kShapeTypes)];
  if (type == "instances") return read_instances(shape, materials, meshes, moment);
  if (type == "sphere") {
    shape.expect_keys(scene_keys::kShapes.at(type));
    scene.spheres.push_back(
        read_sphere(shape, shape.at("material").look_up(materials, "material"), moment));
    return;
  }
  const ShapeMesh shape_mesh = read_shape_mesh(shape, type, materials, folder, moment, scene);
  add_shape(shape, shape_mesh.mesh, shape_mesh.material, moment, scene);
}

}  // namespace

std::filesystem::path find_file(const JsonReader& json, const std::filesystem::path& folder) {
  return find_file(json, json.at("file"), folder);
}

std::filesystem::path find_file(const JsonReader& json, const JsonReader& name,
                                const std::filesystem::path& folder) {
  std::filesystem::path file = folder / name.text();
  std::optional<JsonReader> made_by = json.find("made_by");
  std::string remedy = made_by ? "; make it with " + one_line(made_by->text()) : "";
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    name.fail("there is no file {}{}", one_line(file.string(), kMaxPathLength), remedy);
  return file;
}

SceneMoment::Keys SceneMoment::between(const JsonReader& keys) {
  const size_t count = keys.size("a list of keys");
  if (count < 2 || count > kMostKeys)
    keys.fail("expected 2 to {} keys, from the opening to the closing of the shutter, found {}",
              kMostKeys, count);
  moves = true;
  if (has_hash) {
    motion.add(keys.pointer());
    motion.add(keys.value().dump());
  }
  const double key = at * double(count - 1);
  const size_t first = std::min(size_t(key), count - 2);
  return {first, key - double(first)};
}

glm::mat4 read_transform(const JsonReader& shape, SceneMoment& moment) {
  std::optional<JsonReader> steps = shape.find("transform");
  return steps ? read_transform_steps(*steps, &moment) : glm::mat4(1.0f);
}

glm::mat4 read_transform_steps(const JsonReader& steps, SceneMoment* moment) {
  glm::mat4 transform(1.0f);
  for (size_t i = 0; i < steps.size("a list of steps"); ++i) {
    const glm::mat4 step = read_step(steps[i], moment);
    // A product with the identity would turn -0 into 0 and change the hash of a written scene.
    transform = i == 0 && steps[i].find("matrix") ? step : step * transform;
  }

  float determinant = glm::determinant(glm::mat3(transform));
  if (!std::isfinite(determinant) || std::abs(determinant) < 1e-30f)
    steps.fail("the combined matrix is singular; expected one with an inverse");
  return transform;
}

void read_shapes(const JsonReader& shapes, const MaterialIds& materials, NamedMeshes& meshes,
                 const std::filesystem::path& folder, SceneMoment& moment, HostScene& scene) {
  for (size_t i = 0; i < shapes.size("a list of shapes"); ++i)
    read_shape(shapes[i], materials, meshes, folder, moment, scene);
}

NamedMeshes read_meshes(const JsonReader& json, const MaterialIds& materials,
                        const std::filesystem::path& folder, SceneMoment& moment,
                        HostScene& scene) {
  NamedMeshes meshes;
  for (const std::string& name : json.keys()) {
    const JsonReader shape = json.at(name);
    const std::string& type =
        scene_keys::kMeshTypes[shape.at("type").choice(scene_keys::kMeshTypes)];
    const ShapeMesh read = read_shape_mesh(shape, type, materials, folder, moment, scene);
    NamedMesh& named = meshes[name];
    const size_t left_out =
        add_mesh(named.mesh, read.mesh, read_transform(shape, moment), read.material);
    check_left_out(shape, left_out, read.mesh.triangles.size(), scene);
    named.bounds = mesh_bounds(named.mesh);
  }
  return meshes;
}

Mesh read_rectangle(const JsonReader& shape) {
  return make_rectangle(shape.at("corner").vector(), shape.at("edge_u").vector(),
                        shape.at("edge_v").vector());
}

Sphere read_sphere(const JsonReader& shape, uint32_t material, SceneMoment& moment) {
  constexpr float kTolerance = 1e-4f;
  glm::mat4 transform = read_transform(shape, moment);
  glm::mat3 linear(transform);
  float scale = glm::length(linear[0]);
  auto differs = [&](float length) { return std::abs(length - scale) > kTolerance * scale; };
  auto leans = [&](int a, int b) {
    return std::abs(glm::dot(linear[a], linear[b])) > kTolerance * scale * scale;
  };
  if (differs(glm::length(linear[1])) || differs(glm::length(linear[2])) || leans(0, 1) ||
      leans(1, 2) || leans(2, 0))
    shape.at("transform")
        .fail("expected the same scale along all axes, so that the sphere stays a sphere");

  glm::vec3 center = shape.has("center") ? shape.at("center").vector() : glm::vec3(0.0f);
  Sphere sphere{.center = glm::vec3(transform * glm::vec4(center, 1.0f)),
                .radius = scale * shape.at("radius").number(kPositive),
                .material = material};
  if (!is_near(sphere.center) || !is_near(glm::vec3(sphere.radius)))
    shape.fail("the sphere extends beyond 1e9 m; expected it within that distance");
  return sphere;
}

void add_shape(const JsonReader& shape, const Mesh& mesh, uint32_t material, SceneMoment& moment,
               HostScene& scene) {
  size_t left_out = add_mesh(scene, mesh, read_transform(shape, moment), material);
  check_left_out(shape, left_out, mesh.triangles.size(), scene);
}

}  // namespace winnow
