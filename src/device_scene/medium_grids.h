// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "compaction/simt/span.h"
#include "device_scene/device_scene.h"
#include "math/ray.h"
#include "scene/host_scene.h"
#include "scene/volumes/density_grid.h"

namespace winnow {

/// A DensityGrid as stages read it.
struct PlacedGrid {
  glm::mat4x3 to_grid{1.0f};          ///< from the world (m) to grid space
  glm::vec3 low{0.0f}, high{0.0f};    ///< the medium is clear outside of this box in grid space
  glm::ivec3 brick_counts{0};         ///< along each axis
  Span<const GridBrick> bricks = {};  ///< [brick]; empty: there is no grid
  Span<const float> values = {};      ///< [stored brick][GridBrick::kValues]

  SIMT_HOST_DEVICE bool has_brick(glm::ivec3 place) const {
    const glm::uvec3 p(place), counts(brick_counts);  // a negative place becomes a large one
    return p.x < counts.x && p.y < counts.y && p.z < counts.z;
  }
  SIMT_HOST_DEVICE size_t brick_index(glm::ivec3 place) const {
    const glm::uvec3 p(place), counts(brick_counts);
    return (size_t(p.z) * counts.y + p.y) * counts.x + p.x;
  }
};

/// An EmissionPart as stages read it.
struct PlacedEmission {
  PlacedGrid values;                     ///< without a grid, the value is 1 everywhere
  float per_step = 1.0f;                 ///< 1 / EmissionPart::step
  Span<const glm::vec3> radiances = {};  ///< [k], not empty
  PlacedGrid factors = {};               ///< factors of the radiance; no grid: 1 everywhere
};

/// The densities of a medium, what it emits, and how its scattering varies.
struct MediumGrid : PlacedGrid {
  Span<const PlacedEmission> emission = {};
  /// Lower limit of the bounds by which a medium that emits is tracked. It gives rays through thin
  /// media more tentative collisions, each of which adds a term to the estimate of their light.
  float least_bound = 0.0f;
  Span<const PlacedGrid> scattering_factors = {};  ///< [channel]; empty: 1 everywhere
};

/// A ray in grid space. Its direction is not normalised, so that t is the same as in the world.
struct GridRay {
  glm::vec3 origin, direction;

  SIMT_HOST_DEVICE GridRay(const PlacedGrid& grid, const Ray& ray)
      : origin(grid.to_grid * glm::vec4(ray.origin, 1.0f)),
        direction(grid.to_grid * glm::vec4(ray.direction, 0.0f)) {}
};

/// Returns the density at a point of grid space, by trilinear interpolation.
///
/// @param brick  a brick with values
/// @param low    its corner
/// @param p      a point in the brick, up to rounding
SIMT_HOST_DEVICE inline float density_in_brick(const PlacedGrid& grid, const GridBrick& brick,
                                               glm::ivec3 low, glm::vec3 p) {
  constexpr int kSide = int(GridBrick::kSide), kRow = int(GridBrick::kValuesPerSide),
                kSlice = kRow * kRow;
  const glm::vec3 inside = glm::clamp(p - glm::vec3(low), glm::vec3(0.0f), glm::vec3(kSide));
  const glm::ivec3 cell = glm::min(glm::ivec3(inside), glm::ivec3(kSide - 1));
  const glm::vec3 f = inside - glm::vec3(cell);
  const size_t first = size_t(brick.stored) * GridBrick::kValues +
                       uint32_t(cell.z * kSlice + cell.y * kRow + cell.x);
  const auto between = [](float a, float b, float weight) { return a + weight * (b - a); };
  const auto along_x = [&](size_t at) {
    return between(grid.values[at], grid.values[at + 1], f.x);
  };
  return between(between(along_x(first), along_x(first + kRow), f.y),
                 between(along_x(first + kSlice), along_x(first + kSlice + kRow), f.y), f.z);
}

/// Returns the value of a grid at a point of grid space in its box.
SIMT_HOST_DEVICE inline float value_in_box(const PlacedGrid& grid, glm::vec3 p) {
  constexpr int kSide = int(GridBrick::kSide);
  const glm::ivec3 place = glm::min(glm::ivec3(p) / kSide, grid.brick_counts - 1);
  const GridBrick brick = grid.bricks[grid.brick_index(place)];
  return brick.max_density == 0.0f ? 0.0f : density_in_brick(grid, brick, kSide * place, p);
}

/// Returns the value of a grid at a point of the world; 0 outside of its box.
SIMT_HOST_DEVICE inline float value_at(const PlacedGrid& grid, glm::vec3 point) {
  const glm::vec3 p = grid.to_grid * glm::vec4(point, 1.0f);
  for (int axis = 0; axis < 3; ++axis)
    if (!(p[axis] >= grid.low[axis] && p[axis] <= grid.high[axis])) return 0.0f;
  return value_in_box(grid, p);
}

/// Returns the factors of the scattering coefficient at a point of the world, see
/// ScatteringFactors.
SIMT_HOST_DEVICE inline glm::vec3 scattering_factors_at(const MediumGrid& medium, glm::vec3 point) {
  glm::vec3 factors(1.0f);
  if (medium.scattering_factors.size == 0) return factors;
  for (int channel = 0; channel < 3; ++channel) {
    const PlacedGrid& grid = medium.scattering_factors[size_t(channel)];
    glm::vec3 p = grid.to_grid * glm::vec4(point, 1.0f);
    for (int axis = 0; axis < 3; ++axis)  // a coordinate that is not a number becomes the lowest
      p[axis] = p[axis] > grid.low[axis] ? glm::min(p[axis], grid.high[axis]) : grid.low[axis];
    factors[channel] = value_in_box(grid, p);
  }
  return factors;
}

/// Returns the radiance that a medium emits at a point of the world, see EmissionPart.
SIMT_HOST_DEVICE inline glm::vec3 emitted_at(Span<const PlacedEmission> emission, glm::vec3 point) {
  glm::vec3 sum(0.0f);
  for (size_t i = 0; i < emission.size; ++i) {
    const PlacedEmission& part = emission[i];
    const float value = part.values.bricks.data ? value_at(part.values, point) : 1.0f;
    const float last = float(part.radiances.size - 1);
    const float at = glm::min(value * part.per_step, last), below = std::floor(at);
    const glm::vec3 low = part.radiances[size_t(below)];
    const glm::vec3 high = part.radiances[size_t(glm::min(below + 1.0f, last))];
    const float factor = part.factors.bricks.data ? value_at(part.factors, point) : 1.0f;
    sum += factor * (low + (at - below) * (high - low));
  }
  return sum;
}

/// Calls visit(brick, low, t_first, t_last) for each brick with values that a ray passes, in order,
/// until it returns true. Returns whether it did.
///
/// Amanatides & Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing", Eurographics 1987.
/// @param t_first, t_last  part of the ray, m
template <class Visit>
SIMT_HOST_DEVICE bool visit_bricks(const PlacedGrid& grid, const GridRay& ray, float t_first,
                                   float t_last, Visit visit) {
  constexpr int kSide = int(GridBrick::kSide);
  for (int axis = 0; axis < 3; ++axis) {
    const float o = ray.origin[axis], d = ray.direction[axis];
    if (d == 0.0f) {
      if (!(o >= grid.low[axis] && o <= grid.high[axis])) return false;
      continue;
    }
    const float a = (grid.low[axis] - o) / d, b = (grid.high[axis] - o) / d;
    t_first = glm::max(t_first, glm::min(a, b));
    t_last = glm::min(t_last, glm::max(a, b));
  }
  if (!(t_first < t_last)) return false;

  const glm::vec3 start = ray.origin + t_first * ray.direction;
  glm::ivec3 place =
      glm::clamp(glm::ivec3(start * (1.0f / float(kSide))), glm::ivec3(0), grid.brick_counts - 1);
  const auto step = [](float d) { return d > 0.0f ? 1 : -1; };
  while (true) {
    const glm::ivec3 low = kSide * place;
    glm::vec3 ends(INFINITY);  // where the ray leaves the brick, by axis
    for (int axis = 0; axis < 3; ++axis)
      if (const float d = ray.direction[axis]; d != 0.0f)
        ends[axis] = (float(d > 0.0f ? low[axis] + kSide : low[axis]) - ray.origin[axis]) / d;
    const float t_next = glm::min(ends.x, glm::min(ends.y, ends.z));
    const float t_end = glm::clamp(t_next, t_first, t_last);
    const GridBrick brick = grid.bricks[grid.brick_index(place)];
    if (brick.max_density > 0.0f && visit(brick, low, t_first, t_end)) return true;
    if (!(t_end < t_last)) return false;
    t_first = t_end;
    if (ends.x == t_next)
      place.x += step(ray.direction.x);
    else if (ends.y == t_next)
      place.y += step(ray.direction.y);
    else
      place.z += step(ray.direction.z);
    if (!grid.has_brick(place)) return false;
  }
}

/// Returns the matrix from the world (m) to grid space.
glm::mat4x3 world_to_grid(glm::uvec3 size, const glm::mat4x3& to_world);

/// Returns the smallest bound for tracking a medium that emits.
/// @param grid  of the densities
float least_bound_of(const Medium& medium, const PlacedGrid& grid);

/// What MediumGrids view.
struct MediumGridTables {
  std::vector<PlacedEmission> emission;        ///< by medium
  std::vector<PlacedGrid> scattering_factors;  ///< [factors of a medium][channel]
  std::vector<MediumGrid> media;               ///< [medium]
  bool emit() const { return !emission.empty(); }
};

/// Builds the grids of a scene; none if no path meets them. `upload` copies a vector to the device
/// and returns its span there.
template <class Upload = InHostMemory>
MediumGridTables make_medium_grids(const HostScene& scene, Upload upload = {}) {
  MediumGridTables tables;
  if ((scene.grids.empty() && scene.emission.empty()) || !has_media(scene)) return tables;
  std::vector<PlacedGrid> shared;
  for (const DensityGrid& grid : scene.grids) {
    const float margin = grid.border == GridBorder::kFade ? 0.0f : 0.5f;
    const glm::vec3 last(grid.size + 1u);
    shared.push_back({.low = glm::vec3(margin),
                      .high = last - margin,
                      .brick_counts = glm::ivec3(grid.brick_counts),
                      .bricks = upload(grid.bricks),
                      .values = upload(grid.values)});
  }
  const auto place = [&](const GridPlacement& placement) {
    if (placement.grid == GridPlacement::kNone) return PlacedGrid();
    PlacedGrid placed = shared[placement.grid];
    placed.to_grid = world_to_grid(scene.grids[placement.grid].size, placement.to_world);
    return placed;
  };
  std::vector<size_t> part_counts(scene.media.size());
  for (size_t medium = 0; medium < scene.media.size(); ++medium)
    for (const EmissionPart& part : scene.emission)
      if (part.medium == medium && scene.media[medium].absorption != glm::vec3(0.0f)) {
        tables.emission.push_back(
            {place(part.placement), 1.0f / part.step, upload(part.radiances), place(part.factors)});
        ++part_counts[medium];
      }
  const Span<const PlacedEmission> emission = upload(tables.emission);
  size_t first = 0;
  for (size_t medium = 0; medium < scene.media.size(); ++medium) {
    MediumGrid& grid = tables.media.emplace_back();
    if (has_grid(scene, medium))
      static_cast<PlacedGrid&>(grid) = place(scene.grid_placements[medium]);
    if (part_counts[medium] == 0) continue;
    if (emission.data) grid.emission = {emission.data + first, part_counts[medium]};
    first += part_counts[medium];
    if (has_grid(scene, medium)) grid.least_bound = least_bound_of(scene.media[medium], grid);
  }
  for (const ScatteringFactors& factors : scene.scattering_factors)
    for (const GridPlacement& channel : factors.channels)
      tables.scattering_factors.push_back(place(channel));
  const Span<const PlacedGrid> factors = upload(tables.scattering_factors);
  for (size_t i = 0; i < scene.scattering_factors.size() && factors.data; ++i)
    tables.media[scene.scattering_factors[i].medium].scattering_factors = {factors.data + 3 * i, 3};
  return tables;
}

}  // namespace winnow
