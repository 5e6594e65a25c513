// SPDX-License-Identifier: MIT
#include "bvh/instances.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <glm/matrix.hpp>

#include "bvh/offset_origin.h"
#include "math/rounded.h"
#include "scene/camera_motion.h"
#include "scene/scene_bounds.h"

namespace winnow {
namespace {

/// Returns the bounds of the triangles in each cell of a coarse grid. Rotated, their union is
/// tighter than one rotated box around the mesh.
std::vector<Bounds> bounds_of_cells(const HostScene& scene, const SharedMesh& mesh,
                                    const Bounds& whole) {
  constexpr uint32_t kCells = 4;  // along an axis
  std::vector<Bounds> cells(kCells * kCells * kCells);
  for (uint32_t i = 0; i < mesh.triangle_count; ++i) {
    const glm::uvec3 t = scene.shared.triangles[mesh.first_triangle + i];
    const glm::vec3 p = scene.shared.positions[t.x];
    uint32_t cell = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const float size = whole.size()[axis];
      const float part = size > 0.0f ? (p[axis] - whole.min[axis]) / size : 0.0f;
      cell = cell * kCells + std::min(uint32_t(part * float(kCells)), kCells - 1);
    }
    for (int corner = 0; corner < 3; ++corner)
      cells[cell].extend(scene.shared.positions[t[corner]]);
  }
  std::erase_if(cells, [](const Bounds& cell) { return cell.is_empty(); });
  return cells;
}

}  // namespace

InstanceTable build_instance_table(const HostScene& scene) {
  InstanceTable table;
  table.instances.reserve(scene.instances.size());
  table.first_primitives.reserve(scene.instances.size());
  auto next = uint32_t(scene.triangles.size() + scene.spheres.size());
  for (const MeshInstance& placed : scene.instances) {
    const SharedMesh& mesh = scene.meshes[placed.mesh];
    const glm::mat3 linear(placed.to_world);
    table.instances.push_back({.linear = linear,
                               .to_object = {.inverse = glm::mat3(glm::inverse(glm::dmat3(linear))),
                                             .translation = placed.to_world[3]},
                               .first_triangle = mesh.first_triangle,
                               .material = placed.material});
    table.first_primitives.push_back(next);
    next += mesh.triangle_count;
  }
  return table;
}

std::vector<Bounds> instance_bounds(const HostScene& scene, const InstanceTable& table) {
  std::vector<std::vector<Bounds>> cells;  // [mesh]
  const std::vector<Bounds> meshes = shared_mesh_bounds(scene);
  for (size_t i = 0; i < meshes.size(); ++i)
    cells.push_back(bounds_of_cells(scene, scene.meshes[i], meshes[i]));
  Bounds world = scene_bounds(scene);
  const float aspect = float(scene.width) / float(scene.height);
  const float filter = 2.0f * scene.filter.radius / float(scene.height);  // beyond the film's edge
  const float radius = ray_start_radius(scene.camera, aspect, filter);
  const Bounds camera = camera_positions(scene.camera);
  world.extend(camera.min - radius);
  world.extend(camera.max + radius);
  // One error bound for the ray's origin and one for its direction.
  const double kRelativeError = 2.0 * double(error_bound(kToObjectSteps));

  std::vector<Bounds> boxes(table.instances.size());
  tbb::parallel_for(size_t(0), boxes.size(), [&](size_t i) {
    const Instance& instance = table.instances[i];
    const glm::dmat3 linear(instance.linear), size = abs_of(linear);
    const glm::dvec3 translation(instance.to_object.translation);
    const glm::dvec3 farthest = glm::max(glm::abs(glm::dvec3(world.min) - translation),
                                         glm::abs(glm::dvec3(world.max) - translation));
    const glm::dvec3 error =
        kRelativeError * (size * (abs_of(glm::dmat3(instance.to_object.inverse)) * farthest));
    for (const Bounds& cell : cells[scene.instances[i].mesh]) {
      const glm::dvec3 lower(cell.min), upper(cell.max);
      const glm::dvec3 center = linear * (0.5 * (lower + upper)) + translation;
      const glm::dvec3 half = size * (0.5 * (upper - lower)) + error;
      for (int axis = 0; axis < 3; ++axis) {
        Bounds& box = boxes[i];
        box.min[axis] = std::min(box.min[axis], float_at_most(center[axis] - half[axis]));
        box.max[axis] = std::max(box.max[axis], float_at_least(center[axis] + half[axis]));
      }
    }
  });
  return boxes;
}

}  // namespace winnow
