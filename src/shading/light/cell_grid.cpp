// SPDX-License-Identifier: MIT
#include "shading/light/cell_grid.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "scene/scene_bounds.h"
#include "shading/features.h"

namespace winnow {
namespace {

/// Approximate number of cells of the grid. In a room, a cell has a side of 20
/// to 40 cm.
constexpr float kCells = 4096.0f;
/// Largest number of cells along an axis, for flat scenes.
constexpr float kMaxCellsAlongAxis = 64.0f;

}  // namespace

CellGrid::CellGrid(const Bounds& bounds) : box(bounds) {
  const glm::vec3 extents = box.size();
  const float longest = std::max({extents.x, extents.y, extents.z});
  // The volume of a flat scene is that of a slab.
  const glm::vec3 thick = glm::max(extents, longest / kMaxCellsAlongAxis);
  const float side = std::cbrt(thick.x * thick.y * thick.z / kCells);
  for (int axis = 0; axis < 3; ++axis) {
    const float cells = std::round(extents[axis] / side);  // NaN without extent
    size[axis] = cells > 1.0f ? uint32_t(std::min(cells, kMaxCellsAlongAxis)) : 1;
  }
}

namespace {

std::vector<uint32_t> cells_with_surfaces(const HostScene& scene, const CellGrid& grid) {
  std::vector<std::atomic<bool>> marks(grid.count());
  const bool marks_all = has_media(scene);  // visits all materials
  for (std::atomic<bool>& mark : marks) mark.store(marks_all, std::memory_order_relaxed);
  const GuideCells cells_of = grid.guide_cells();
  const auto mark = [&](const Bounds& box) {
    const glm::uvec3 first = grid.place(guide_cell(cells_of, box.min)),
                     last = grid.place(guide_cell(cells_of, box.max));
    for (uint32_t z = first.z; z <= last.z; ++z)
      for (uint32_t y = first.y; y <= last.y; ++y)
        for (uint32_t x = first.x; x <= last.x; ++x)
          marks[grid.cell({x, y, z})].store(true, std::memory_order_relaxed);
  };
  oneapi::tbb::parallel_for(size_t(0), scene.triangles.size(), [&](size_t i) {
    Bounds box;
    for (int corner = 0; corner < 3; ++corner)
      box.extend(scene.positions[scene.triangles[i][corner]]);
    mark(box);
  });
  for (const Sphere& sphere : scene.spheres)
    mark({sphere.center - sphere.radius, sphere.center + sphere.radius});
  const std::vector<Bounds> meshes = shared_mesh_bounds(scene);
  for (const MeshInstance& instance : scene.instances) {
    Bounds box;
    for (glm::vec3 corner : placed_corners(meshes[instance.mesh], instance.to_world))
      box.extend(corner);
    mark(box);
  }
  std::vector<uint32_t> cells;
  for (uint32_t cell = 0; cell < marks.size(); ++cell)
    if (marks[cell]) cells.push_back(cell);
  return cells;
}

}  // namespace

SceneCells::SceneCells(const HostScene& scene) : scene_(scene) {}

const CellGrid& SceneCells::grid() {
  if (!grid_) grid_.emplace(scene_bounds(scene_));
  return *grid_;
}

const std::vector<uint32_t>& SceneCells::with_surfaces() {
  if (!with_surfaces_) with_surfaces_ = cells_with_surfaces(scene_, grid());
  return *with_surfaces_;
}

}  // namespace winnow
