// SPDX-License-Identifier: MIT
#include "device_scene/volume_light.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "math/sampling.h"

namespace winnow {
namespace {

constexpr int kSide = int(GridBrick::kSide);
constexpr uint32_t kMaxCells = 1u << 18;

/// A medium with a grid, from which light comes.
struct Source {
  const Medium& medium;
  const MediumGrid& grid;
  glm::dmat4x3 to_world;  ///< from grid space to the world (m)
};

glm::dmat4x3 grid_to_world(const PlacedGrid& grid) {
  const glm::dmat3 turn = glm::inverse(glm::dmat3(glm::mat3(grid.to_grid)));
  glm::dmat4x3 to_world(turn);
  to_world[3] = -(turn * glm::dvec3(grid.to_grid[3]));
  return to_world;
}

/// Returns the density at a point of a brick of a grid; 0 outside of the box of the grid.
float density_at(const PlacedGrid& grid, const GridBrick& brick, glm::ivec3 low, glm::vec3 p) {
  for (int axis = 0; axis < 3; ++axis)
    if (p[axis] < grid.low[axis] || p[axis] > grid.high[axis]) return 0.0f;
  return density_in_brick(grid, brick, low, p);
}

/// Sums of the emission of one medium, for the length of a ray through it.
struct Moments {
  double weight = 0.0, extinction = 0.0;
  glm::dvec3 first{0.0}, second{0.0};

  void add(double emitted, double per_meter, glm::dvec3 p) {
    weight += emitted;
    extinction += emitted * per_meter;
    first += emitted * p;
    second += emitted * p * p;
  }

  /// Returns the length of a ray that light comes from, m: across a cube of the same variance or,
  /// if that is dense, down to an optical depth of about 1.
  double length() const {
    const glm::dvec3 mean = first / weight, variance = second / weight - mean * mean;
    const double across = std::sqrt(12.0 / 3.0 * (variance.x + variance.y + variance.z));
    const double length = 1.0 / (1.0 / across + extinction / weight);
    return std::isfinite(length) ? length : 0.0;
  }
};

/// Collects the bricks and cells that emit.
class VolumeLightBuilder {
 public:
  VolumeLightBuilder(const HostScene& scene, const MediumGridTables& grids) {
    size_t bricks = 0;  // with values
    for (const MediumGrid& grid : grids.media)
      if (emits(grid))
        bricks += size_t(std::count_if(grid.bricks.data, grid.bricks.data + grid.bricks.size,
                                       [](const GridBrick& b) { return b.max_density > 0.0f; }));
    table_.log2_side = 3;
    while (table_.log2_side > 0 && (bricks << 3 * table_.log2_side) > kMaxCells) --table_.log2_side;
    table_.media.resize(grids.media.size());
    for (size_t medium = 0; medium < grids.media.size(); ++medium)
      if (const MediumGrid& grid = grids.media[medium]; emits(grid))
        add({scene.media[medium], grid, grid_to_world(grid)}, uint32_t(medium));
  }

  /// Returns the table; without cells if nothing emits.
  VolumeLightTable finish() {
    if (weights_.empty()) return {};
    append_cdf_table(weights_, table_.cells);
    return std::move(table_);
  }

 private:
  static bool emits(const MediumGrid& grid) { return grid.bricks.data && grid.emission.size > 0; }

  void add(const Source& source, uint32_t medium) {
    const PlacedGrid& grid = source.grid;
    EmittingMedium& emitting = table_.media[medium];
    emitting.to_world = glm::mat4x3(source.to_world);
    emitting.first_brick = uint32_t(table_.brick_ranks.size());
    moments_ = {};
    for (int z = 0; z < grid.brick_counts.z; ++z)
      for (int y = 0; y < grid.brick_counts.y; ++y)
        for (int x = 0; x < grid.brick_counts.x; ++x)
          table_.brick_ranks.push_back(add_brick(source, grid.bricks[grid.brick_index({x, y, z})],
                                                 kSide * glm::ivec3(x, y, z), medium));
    const double side = double(kSide >> table_.log2_side);
    const double volume =
        std::abs(glm::determinant(glm::dmat3(source.to_world))) * side * side * side;
    emitting.pdf_per_interval = float(0x1p-32 / volume);
    emitting.length = float(moments_.length());
  }

  /// Adds the cells of a brick. Returns its rank, or kDark if none of them emits.
  uint32_t add_brick(const Source& source, const GridBrick& brick, glm::ivec3 low,
                     uint32_t medium) {
    if (brick.max_density == 0.0f) return EmittingMedium::kDark;
    const int per_side = 1 << table_.log2_side;
    const double volume = std::abs(glm::determinant(glm::dmat3(source.to_world)));
    const size_t first = weights_.size();
    double sum = 0.0;
    for (int cell = 0; cell < per_side * per_side * per_side; ++cell) {
      const glm::ivec3 place(cell % per_side, cell / per_side % per_side,
                             cell / (per_side * per_side));
      const auto power = float(volume * add_cell(source, brick, low, glm::vec3(place)));
      weights_.push_back(std::isfinite(power) ? power : 0.0f);
      sum += weights_.back();
    }
    if (!(sum > 0.0)) {
      weights_.resize(first);
      return EmittingMedium::kDark;
    }
    table_.bricks.push_back({low, medium});
    return uint32_t(table_.bricks.size() - 1);
  }

  /// Returns the mean luminance that a cell emits per metre.
  double add_cell(const Source& source, const GridBrick& brick, glm::ivec3 low, glm::vec3 place) {
    const float side = float(kSide >> table_.log2_side);
    double sum = 0.0;
    for (int octant = 0; octant < 8; ++octant) {
      const glm::vec3 in_cell = 0.25f + 0.5f * glm::vec3(octant & 1, octant >> 1 & 1, octant >> 2);
      const glm::vec3 p = glm::vec3(low) + side * (place + in_cell);
      const float density = density_at(source.grid, brick, low, p);
      if (density == 0.0f) continue;
      const glm::dvec3 point = source.to_world * glm::dvec4(p, 1.0);
      const glm::vec3 radiance = emitted_at(source.grid.emission, glm::vec3(point));
      const double emitted = double(density * luminance(source.medium.absorption * radiance));
      if (!(emitted > 0.0) || !std::isfinite(emitted)) continue;
      const glm::vec3 per_meter = source.medium.absorption + source.medium.scattering;
      moments_.add(emitted, double(density * luminance(per_meter)), point);
      sum += emitted;
    }
    return sum / 8.0;
  }

  VolumeLightTable table_;
  std::vector<float> weights_;  ///< [cell], up to a factor
  Moments moments_;
};

}  // namespace

VolumeLightTable build_volume_light(const HostScene& scene) {
  const MediumGridTables grids = make_medium_grids(scene);
  if (!grids.emit()) return {};
  return VolumeLightBuilder(scene, grids).finish();
}

}  // namespace winnow
