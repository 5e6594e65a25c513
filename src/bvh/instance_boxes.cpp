#include "bvh/instance_boxes.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <glm/mat3x3.hpp>

#include "bvh/offset_origin.h"
#include "scene/scene_bounds.h"

namespace winnow {
namespace {

glm::dmat3 abs_of(const glm::dmat3& m) {
  return {glm::abs(m[0]), glm::abs(m[1]), glm::abs(m[2])};
}

/// Boxes of the triangles in each cell of a coarse grid. Turned, they stay closer to the mesh than
/// one box around all does.
std::vector<Bounds> parts_of(const HostScene& scene, const SharedMesh& mesh, const Bounds& whole) {
  constexpr uint32_t kCells = 4;  // along an axis
  std::vector<Bounds> cells(kCells * kCells * kCells);
  std::vector<bool> used(cells.size());
  for (uint32_t i = 0; i < mesh.triangle_count; ++i) {
    const glm::uvec3 t = scene.shared.triangles[mesh.first_triangle + i];
    const glm::vec3 p = scene.shared.positions[t.x];
    uint32_t cell = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const float size = whole.size()[axis];
      const float part = size > 0.0f ? (p[axis] - whole.min[axis]) / size : 0.0f;
      cell = cell * kCells + std::min(uint32_t(part * float(kCells)), kCells - 1);
    }
    used[cell] = true;
    for (int corner = 0; corner < 3; ++corner)
      cells[cell].extend(scene.shared.positions[t[corner]]);
  }
  std::vector<Bounds> parts;
  for (size_t cell = 0; cell < cells.size(); ++cell)
    if (used[cell]) parts.push_back(cells[cell]);
  return parts;
}

/// How far from the camera's position its rays start at most, m.
float ray_start_radius(const HostScene& scene) {
  const CameraDescription& camera = scene.camera;
  if (camera.projection == Projection::kPerspective) return camera.lens_radius;
  const float aspect = float(scene.width) / float(scene.height);
  const float beyond = 2.0f * scene.filter.radius / float(scene.height);  // the film, at an edge
  return camera.lens_radius +
         camera.view_height * (0.5f * std::sqrt(1.0f + aspect * aspect) + beyond);
}

}  // namespace

std::vector<BvhBox> instance_boxes(const HostScene& scene, const InstanceTable& table) {
  std::vector<std::vector<Bounds>> parts;  // [mesh]
  const std::vector<Bounds> meshes = shared_mesh_bounds(scene);
  for (size_t i = 0; i < meshes.size(); ++i)
    parts.push_back(parts_of(scene, scene.meshes[i], meshes[i]));
  Bounds world = scene_bounds(scene);
  const float radius = ray_start_radius(scene);
  world.extend(scene.camera.position - radius);
  world.extend(scene.camera.position + radius);
  // Of the ray's origin, and of its direction on the way.
  const double kAside = 2.0 * double(error_bound(kToObjectSteps));

  std::vector<BvhBox> boxes(table.instances.size());
  tbb::parallel_for(size_t(0), boxes.size(), [&](size_t i) {
    const Instance& instance = table.instances[i];
    const glm::dmat3 linear(instance.linear), size = abs_of(linear);
    const glm::dvec3 translation(instance.to_object.translation);
    const glm::dvec3 farthest = glm::max(glm::abs(glm::dvec3(world.min) - translation),
                                         glm::abs(glm::dvec3(world.max) - translation));
    const glm::dvec3 aside =
        kAside * (size * (abs_of(glm::dmat3(instance.to_object.inverse)) * farthest));
    for (const Bounds& part : parts[scene.instances[i].mesh]) {
      const glm::dvec3 lower(part.min), upper(part.max);
      const glm::dvec3 middle = linear * (0.5 * (lower + upper)) + translation;
      const glm::dvec3 half = size * (0.5 * (upper - lower)) + aside;
      for (int axis = 0; axis < 3; ++axis) {
        BvhBox& box = boxes[i];
        box.lower[axis] = std::min(box.lower[axis], float_at_most(middle[axis] - half[axis]));
        box.upper[axis] = std::max(box.upper[axis], float_at_least(middle[axis] + half[axis]));
      }
    }
  });
  return boxes;
}

}  // namespace winnow
