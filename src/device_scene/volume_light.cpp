// SPDX-License-Identifier: MIT
#include "device_scene/volume_light.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <vector>

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

  void add(const Moments& other) {
    weight += other.weight;
    extinction += other.extinction;
    first += other.first;
    second += other.second;
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
    const size_t count = std::min(grids.media.size(), size_t(VolumeLight::kMaxMedia));
    for (size_t medium = 0; medium < count; ++medium)
      if (const MediumGrid& grid = grids.media[medium]; emits(grid))
        add({scene.media[medium], grid, grid_to_world(grid)}, uint32_t(medium));
  }

  /// Returns the table; without cells unless several cells emit.
  VolumeLightTable finish() {
    // The interval of a single cell would hold all 2^32 uniforms: see cdf_probability().
    const auto emitting =
        std::count_if(weights_.begin(), weights_.end(), [](float weight) { return weight > 0.0f; });
    if (emitting < 2) return {};
    append_cdf_table(weights_, table_.cells);
    return std::move(table_);
  }

 private:
  static bool emits(const MediumGrid& grid) { return grid.bricks.data && grid.emission.size > 0; }

  /// What the cells of a brick emit.
  struct BrickCells {
    std::vector<float> weights;  ///< [cell]; empty if none of them emits
    Moments moments;
  };

  void add(const Source& source, uint32_t medium) {
    const PlacedGrid& grid = source.grid;
    EmittingMedium& emitting = table_.media[medium];
    emitting.to_world = glm::mat4x3(source.to_world);
    emitting.first_brick = uint32_t(table_.brick_ranks.size());
    const glm::uvec3 counts(grid.brick_counts);
    const uint32_t brick_count = counts.x * counts.y * counts.z;
    std::vector<uint32_t> places;  // places of the bricks with values
    for (uint32_t i = 0; i < brick_count; ++i)
      if (grid.bricks[i].max_density > 0.0f) places.push_back(i);
    const auto low_of = [counts](uint32_t i) {
      return kSide * glm::ivec3(i % counts.x, i / counts.x % counts.y, i / counts.x / counts.y);
    };
    std::vector<BrickCells> bricks(places.size());
    oneapi::tbb::parallel_for(size_t(0), bricks.size(), [&](size_t i) {
      bricks[i] = cells_of(source, grid.bricks[places[i]], low_of(places[i]));
    });
    table_.brick_ranks.resize(emitting.first_brick + brick_count, EmittingMedium::kDark);
    Moments moments;
    for (size_t i = 0; i < bricks.size(); ++i) {
      const std::vector<float>& weights = bricks[i].weights;
      if (weights.empty()) continue;
      moments.add(bricks[i].moments);
      table_.brick_ranks[emitting.first_brick + places[i]] = uint32_t(table_.bricks.size());
      table_.bricks.push_back({low_of(places[i]), medium});
      weights_.insert(weights_.end(), weights.begin(), weights.end());
    }
    const double side = double(kSide >> table_.log2_side);
    const double volume =
        std::abs(glm::determinant(glm::dmat3(source.to_world))) * side * side * side;
    emitting.pdf_per_interval = float(0x1p-32 / volume);
    emitting.length = float(moments.length());
  }

  BrickCells cells_of(const Source& source, const GridBrick& brick, glm::ivec3 low) const {
    BrickCells cells;
    const int per_side = 1 << table_.log2_side;
    const double volume = std::abs(glm::determinant(glm::dmat3(source.to_world)));
    double sum = 0.0;
    for (int cell = 0; cell < per_side * per_side * per_side; ++cell) {
      const glm::ivec3 place(cell % per_side, cell / per_side % per_side,
                             cell / (per_side * per_side));
      const auto power =
          float(volume * emission_of(source, brick, low, glm::vec3(place), cells.moments));
      cells.weights.push_back(std::isfinite(power) ? power : 0.0f);
      sum += cells.weights.back();
    }
    if (!(sum > 0.0)) cells.weights.clear();
    return cells;
  }

  /// Returns the mean luminance that a cell emits per metre, and adds its moments.
  double emission_of(const Source& source, const GridBrick& brick, glm::ivec3 low, glm::vec3 place,
                     Moments& moments) const {
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
      moments.add(emitted, double(density * luminance(per_meter)), point);
      sum += emitted;
    }
    return sum / 8.0;
  }

  VolumeLightTable table_;
  std::vector<float> weights_;  ///< [cell], up to a factor
};

}  // namespace

VolumeLightTable build_volume_light(const HostScene& scene) {
  const MediumGridTables grids = make_medium_grids(scene);
  if (!grids.emit()) return {};
  return VolumeLightBuilder(scene, grids).finish();
}

}  // namespace winnow
