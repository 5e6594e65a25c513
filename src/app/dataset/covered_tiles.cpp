// SPDX-License-Identifier: MIT
#include "app/dataset/covered_tiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "scene/scene_bounds.h"

namespace winnow {
namespace {

/// Largest distance on the film by which rounding moves a camera ray, in pixels.
constexpr double kMaxMove = 0.5;

/// Projects points of a scene onto the pixels of a view.
class ViewProjection {
 public:
  ViewProjection(const DataCamera& camera, const Placement& placement)
      : camera_(camera), placement_(placement) {
    // camera_of() rounds the position of the camera, and that of what it looks at.
    constexpr double kRounding = 4.0 * std::numeric_limits<float>::epsilon();
    const double moved = kRounding * std::max(camera.fl_x, camera.fl_y) *
                         glm::length(camera.position + placement.center * placement.scale);
    const double left = kMaxMove - moved / std::max(glm::length(camera.position), 1.0);
    least_depth_ = left > 0.0 ? moved / left : std::numeric_limits<double>::infinity();
  }

  /// Returns a position in pixels; NaN for a point that is not well in front of the camera.
  glm::dvec2 operator()(glm::vec3 point) const {
    const glm::dvec3 placed = (glm::dvec3(point) - placement_.center) * placement_.scale;
    const glm::dvec3 from = placed - camera_.position;
    const double depth = -glm::dot(from, camera_.axes[2]);
    if (!(depth > least_depth_)) return glm::dvec2(std::numeric_limits<double>::quiet_NaN());
    return {camera_.cx + camera_.fl_x * glm::dot(from, camera_.axes[0]) / depth,
            camera_.cy - camera_.fl_y * glm::dot(from, camera_.axes[1]) / depth};
  }

 private:
  const DataCamera& camera_;
  const Placement& placement_;
  double least_depth_;  ///< at which rounding moves rays by kMaxMove
};

/// Marks tiles around projections.
class TileMarker {
 public:
  /// @param margin  around each projection, in pixels
  TileMarker(Size size, double margin)
      : tiles_(make_film_tiles(size.width, size.height, false)), margin_(margin) {}

  /// Marks the tiles of the box around positions in pixels.
  void mark(std::span<const glm::dvec2> positions) {
    glm::dvec2 low = positions[0], high = positions[0];
    for (const glm::dvec2 position : positions) {
      // NaN compares false.
      if (!(std::abs(position.x) < kFarthest && std::abs(position.y) < kFarthest))
        is_bounded_ = false;
      low = glm::min(low, position), high = glm::max(high, position);
    }
    if (!is_bounded_) return;
    const auto [first_column, end_column] = range(low.x, high.x, tiles_.columns());
    const auto [first_row, end_row] = range(low.y, high.y, tiles_.rows());
    for (uint32_t row = first_row; row < end_row; ++row)
      for (uint32_t column = first_column; column < end_column; ++column)
        tiles_.present[size_t{row} * tiles_.columns() + column] = 1;
  }

  bool is_bounded() const { return is_bounded_; }
  FilmTiles tiles() const { return tiles_; }

 private:
  static constexpr double kFarthest = 1e9;  // pixels

  /// Returns the tiles [first, end) of a range of pixels along one axis.
  std::pair<uint32_t, uint32_t> range(double low, double high, uint32_t count) const {
    const double first = std::floor((low - margin_) / kFilmTileSide);
    const double last = std::floor((high + margin_) / kFilmTileSide);
    return {uint32_t(std::clamp(first, 0.0, double(count))),
            uint32_t(std::clamp(last + 1.0, 0.0, double(count)))};
  }

  FilmTiles tiles_;
  double margin_;
  bool is_bounded_ = true;
};

}  // namespace

FilmTiles covered_tiles(const HostScene& scene, const DataCamera& camera,
                        const Placement& placement, Size size) {
  const FilmTiles all = make_film_tiles(size.width, size.height, true);
  if (!scene.media.empty()) return all;
  constexpr double kHalfPixel = 0.5;  // from the centre of a pixel to its edge
  const ViewProjection project(camera, placement);
  TileMarker marker(size, double(scene.filter.radius) + kHalfPixel + kMaxMove);

  std::vector<glm::dvec2> positions(scene.positions.size());
  std::ranges::transform(scene.positions, positions.begin(), project);
  for (const glm::uvec3 corners : scene.triangles)
    marker.mark(std::array{positions[corners.x], positions[corners.y], positions[corners.z]});

  std::array<glm::dvec2, 8> box;
  auto mark_box = [&](const Bounds& bounds, const glm::mat4x3& to_world) {
    std::ranges::transform(placed_corners(bounds, to_world), box.begin(), project);
    marker.mark(box);
  };
  for (const Sphere& sphere : scene.spheres)
    mark_box({sphere.center - sphere.radius, sphere.center + sphere.radius}, glm::mat4x3(1.0f));
  const std::vector<Bounds> meshes = shared_mesh_bounds(scene);
  for (const MeshInstance& instance : scene.instances)
    mark_box(meshes[instance.mesh], instance.to_world);
  return marker.is_bounded() ? marker.tiles() : all;
}

}  // namespace winnow
