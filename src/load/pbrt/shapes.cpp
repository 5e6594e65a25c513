// SPDX-License-Identifier: MIT
#include <cmath>
#include <glm/geometric.hpp>

#include "base/error.h"
#include "load/pbrt/convert.h"

namespace winnow {
namespace {

constexpr const char* kNoArea = "a shape without area, or farther away than 1e9 m, is left out";

void turn_inside_out(Mesh& mesh) {
  for (glm::uvec3& triangle : mesh.triangles) std::swap(triangle.y, triangle.z);
  for (glm::vec3& n : mesh.normals) n = -n;
}

/// Returns the area of each light that pbrt makes of a shape, m^2: the mean of the triangles or
/// patches of a mesh, as each of them has the power that the file states.
/// @param quadrilaterals  number of patches that are two triangles of a PLY file
float area_of_light(const PbrtObject& shape, const Mesh& mesh, size_t quadrilaterals,
                    const glm::mat3& to_world) {
  constexpr double kDifferent = 0.01;
  double area = 0.0, smallest = HUGE_VAL, largest = 0.0;
  size_t count = 0;
  for (glm::uvec3 triangle : mesh.triangles) {
    const glm::vec3 corner = mesh.positions[triangle.x];
    const double own =
        0.5 * glm::length(glm::cross(to_world * (mesh.positions[triangle.y] - corner),
                                     to_world * (mesh.positions[triangle.z] - corner)));
    if (!(own > 0.0)) continue;
    area += own;
    smallest = std::min(smallest, own);
    largest = std::max(largest, own);
    ++count;
  }
  if (shape.type == "bilinearmesh")
    return float(area / std::max(shape.integers("indices").size() / 4, size_t{1}));
  if (shape.type != "trianglemesh" && shape.type != "plymesh" && shape.type != "loopsubdiv")
    return float(area);
  if (largest > (1.0 + kDifferent) * smallest)
    shape.warn(
        "the triangles of a light with \"power\" have the same radiance, not the same power");
  return float(area / double(std::max(count - std::min(count, quadrilaterals), size_t{1})));
}

/// Rounds a length on a surface, so that similar shapes share a material.
float rounded_length(double length) {
  constexpr double kStepsPerOctave = 8.0;
  return length > 0.0
             ? float(std::exp2(std::round(std::log2(length) * kStepsPerOctave) / kStepsPerOctave))
             : 0.0f;
}

bool is_full_sphere(const PbrtObject& shape, float radius) {
  constexpr float kFullTurn = 360.0f;  // degrees
  return radius > 0.0f && shape.number("zmin", -radius) <= -radius &&
         shape.number("zmax", radius) >= radius && shape.number("phimax", kFullTurn) >= kFullTurn;
}

}  // namespace

std::optional<uint32_t> PbrtShapes::material_of(const PbrtObject& shape, const PbrtState& state,
                                                const Mesh& mesh, float light_area) {
  const glm::mat3 linear(glm::mat4(context_.to_file(state)));
  PbrtSurface surface{.material = state.material,
                      .emission = {},
                      .alpha = shape.textured("alpha", 1.0f),
                      .inside = context_.find_medium(state.inside, shape.place),
                      .outside = context_.find_medium(state.outside, shape.place),
                      .uvs = {}};
  if (state.area_light && object_) {
    state.area_light->warn("an area light in an object is left out, as in pbrt");
  } else if (state.area_light) {
    surface.emission = read_pbrt_emission(*state.area_light, light_area);
    const bool is_invisible = surface.alpha.texture == kNoTexture && surface.alpha.factor.x <= 0.0f;
    if (is_invisible && surface.emission.radiance != glm::vec3(0.0f)) {
      shape.warn("a light of alpha 0 is visible; in pbrt it lights the scene and is not seen");
      surface.alpha = {};
    }
  }
  if (materials_.has_bumps(state.material)) {
    surface.uvs = uv_layout_of(mesh, linear);
    surface.uvs.size = {rounded_length(surface.uvs.size.x), rounded_length(surface.uvs.size.y)};
  }
  return materials_.of_shape(surface);
}

bool PbrtShapes::add_exact_sphere(const PbrtObject& shape, const PbrtState& state) {
  const glm::mat4 to_world = context_.to_world(state);
  const glm::mat3 linear(to_world);
  const float radius = shape.number("radius", 1.0f);
  // The texture coordinates are those of world space.
  const bool needs_mesh =
      (state.area_light && state.area_light->has("power")) || materials_.has_bumps(state.material);
  if (object_ || needs_mesh || !is_full_sphere(shape, radius) || !is_similarity(linear))
    return false;
  std::optional<uint32_t> material = material_of(shape, state, {}, 1.0f);
  if (!material) return true;
  if (state.is_reversed && !(material = reversed_.of(*material))) return false;
  if (materials_.has_textures(*material) && is_rotated(linear)) return false;
  shape.warn_about_unused("shape");
  const Sphere sphere{.center = glm::vec3(to_world[3]),
                      .radius = radius * glm::length(linear[0]),
                      .material = *material};
  if (!is_near(sphere.center) || !is_near(glm::vec3(sphere.radius)) || !(sphere.radius > 0.0f))
    shape.leave_out(kNoArea);
  else
    context_.scene.spheres.push_back(sphere);
  return true;
}

void PbrtShapes::add(const PbrtObject& shape, const PbrtState& state) {
  if (shape.type == "sphere" && add_exact_sphere(shape, state)) return;
  size_t quadrilaterals = 0;
  std::optional<Mesh> mesh = read_pbrt_mesh(shape, quadrilaterals);
  if (!mesh) return;
  const bool needs_area = state.area_light && !object_ && state.area_light->has("power");
  const float light_area = needs_area ? area_of_light(shape, *mesh, quadrilaterals,
                                                      glm::mat3(glm::mat4(context_.to_file(state))))
                                      : 1.0f;
  bool has_area = false;
  // Normal maps have another material where texture coordinates are mirrored.
  if (materials_.has_normal_map(state.material))
    if (std::optional<Mesh> mirrored = take_mirrored_uvs(*mesh))
      has_area = add_part(shape, state, std::move(*mirrored), light_area);
  has_area |= add_part(shape, state, std::move(*mesh), light_area);
  if (!has_area) shape.leave_out(kNoArea);
  shape.warn_about_unused("shape");
}

bool PbrtShapes::add_part(const PbrtObject& shape, const PbrtState& state, Mesh mesh,
                          float light_area) {
  constexpr glm::vec2 kDefaultUvs[] = {{0, 1}, {1, 1}, {1, 0}};  // v is down here
  // Default texture coordinates stay with their corners where a triangle is turned. A material with
  // bumps depends on them.
  const bool has_uvs = !mesh.uvs.empty();
  const bool has_bumps = materials_.has_bumps(state.material);
  auto turn = [&](bool needs_uvs) {
    if (needs_uvs) give_uvs_to_triangles(mesh, kDefaultUvs);
    if (!has_uvs) face_vertex_normals(mesh);
    if (state.is_reversed) turn_inside_out(mesh);
  };
  if (has_uvs || has_bumps) turn(!has_uvs);
  const std::optional<uint32_t> material = material_of(shape, state, mesh, light_area);
  if (!material) return true;  // it is left out for another reason
  if (!has_uvs && !has_bumps) turn(materials_.has_textures(*material));
  const size_t left_out =
      object_ ? add_mesh(object_->mesh, mesh, glm::mat4(context_.to_file(state)), *material)
              : add_mesh(context_.scene, mesh, context_.to_world(state), *material);
  return left_out < mesh.triangles.size();
}

void PbrtShapes::begin_object(const std::string& name, const PbrtPlace& place) {
  if (object_) fail_at(place, "an object inside of an object: expected ObjectEnd first");
  if (!object_places_.try_emplace(name, place).second) {
    context_.warn(place, fmt::format("the object {} is defined twice; the first one is used",
                                     in_quotes(name)));
    ignored_ = {};
    object_ = &ignored_;
    return;
  }
  object_ = &objects_[name];
}

void PbrtShapes::end_object(const PbrtPlace& place) {
  if (!object_) fail_at(place, "ObjectEnd without ObjectBegin");
  object_->bounds = mesh_bounds(object_->mesh);
  object_ = nullptr;
}

void PbrtShapes::add_instance(const std::string& name, const PbrtState& state,
                              const PbrtPlace& place) {
  if (object_) return context_.warn(place, "an instance inside of an object is left out");
  const glm::mat4 to_world = context_.to_world(state);
  if (context_.is_old || objects_.contains(name)) return place_instance(name, to_world, place);
  early_instances_.push_back({name, to_world, place});
}

void PbrtShapes::place_instance(const std::string& name, const glm::mat4& to_world,
                                const PbrtPlace& place) {
  auto known = objects_.find(name);
  if (known == objects_.end())
    return context_.warn(place, fmt::format("the object {} is unknown; its instances are left out",
                                            in_quotes(name)));
  NamedMesh& named = known->second;
  if (named.mesh.triangles.empty()) return;
  if (!can_place(named.bounds, to_world))
    return context_.warn(place, "an instance that is flat or farther away than 1e9 m is left out");
  named.placements.push_back({to_world, MeshInstance::kOwnMaterials});
}

void PbrtShapes::place_instances(const std::string& file) {
  for (const auto& [name, to_world, place] : early_instances_)
    place_instance(name, to_world, place);
  place_meshes(file, objects_, context_.scene);
}

}  // namespace winnow
