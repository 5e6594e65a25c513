// SPDX-License-Identifier: MIT
#include "device_scene/medium_grids.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <utility>
#include <vector>

#include "math/sampling.h"

namespace winnow {

glm::mat4x3 world_to_grid(glm::uvec3 size, const glm::mat4x3& to_world) {
  // The box begins half a cell before the first sample, whose coordinate is 1.
  constexpr double kBoxBegin = 0.5;
  const glm::dmat3 turn = glm::inverse(glm::dmat3(glm::dmat4x3(to_world)));
  const glm::dvec3 shift = -(turn * glm::dvec3(to_world[3]));
  const glm::dvec3 scale(size);
  glm::mat4x3 to_grid;
  for (int column = 0; column < 3; ++column) to_grid[column] = scale * turn[column];
  to_grid[3] = scale * shift + kBoxBegin;
  return to_grid;
}

float least_bound_of(const Medium& medium, const PlacedGrid& grid) {
  constexpr float kCollisions = 16.0f;  // expected on a way through the box
  const glm::vec3 per_meter = medium.absorption + medium.scattering;
  const float largest = glm::max(per_meter.x, glm::max(per_meter.y, per_meter.z));
  if (largest == 0.0f) return 0.0f;
  const glm::mat3 to_world = glm::inverse(glm::mat3(grid.to_grid));
  const glm::vec3 size = grid.high - grid.low;
  float way = 0.0f;  // m, along the longest side of the box
  for (int axis = 0; axis < 3; ++axis)
    way = glm::max(way, glm::length(to_world[axis]) * size[axis]);
  return kCollisions / (largest * way);
}

namespace {

/// A cube of cells of a medium that emits.
struct CubeLight {
  glm::dvec3 middle{0.0};  ///< m
  double reach = 0.0;      ///< m, half its diagonal
  double intensity = 0.0;  ///< W sr^-1, luminance, without absorption on the way
};

/// Adds the cubes of a medium that emit. Returns the largest radiance in their middles, luminance.
double add_cube_lights(const Medium& medium, const MediumGrid& grid,
                       std::vector<CubeLight>& lights) {
  constexpr size_t kFewBricks = 1 << 14;
  constexpr int kSide = int(GridBrick::kSide);
  const int per_side = grid.bricks.size <= kFewBricks ? kSide : 2;  // cubes along a side of a brick
  const double side = double(kSide) / per_side;
  const glm::dmat3 to_world = glm::inverse(glm::dmat3(glm::mat3(grid.to_grid)));
  const double volume = std::abs(glm::determinant(to_world)) * side * side * side;
  double reach = 0.0;
  for (const glm::dvec3 diagonal :
       {glm::dvec3(1, 1, 1), glm::dvec3(-1, 1, 1), glm::dvec3(1, -1, 1), glm::dvec3(1, 1, -1)})
    reach = std::max(reach, 0.5 * side * glm::length(to_world * diagonal));
  double brightest = 0.0;
  for (int z = 0; z < grid.brick_counts.z; ++z)
    for (int y = 0; y < grid.brick_counts.y; ++y)
      for (int x = 0; x < grid.brick_counts.x; ++x) {
        const GridBrick& brick = grid.bricks[grid.brick_index({x, y, z})];
        if (brick.max_density == 0.0f) continue;
        const glm::ivec3 low = kSide * glm::ivec3(x, y, z);
        for (int i = 0; i < per_side * per_side * per_side; ++i) {
          const glm::dvec3 place(i % per_side, i / per_side % per_side, i / (per_side * per_side));
          const glm::dvec3 p = glm::dvec3(low) + side * (place + 0.5);
          const glm::dvec3 middle = to_world * (p - glm::dvec3(grid.to_grid[3]));
          const glm::vec3 radiance = emitted_at(grid.emission, glm::vec3(middle));
          const float density = density_in_brick(grid, brick, low, glm::vec3(p));
          const double emitted = double(density * luminance(medium.absorption * radiance));
          if (!(emitted > 0.0)) continue;
          brightest = std::max(brightest, double(luminance(radiance)));
          lights.push_back({middle, reach, volume * emitted});
        }
      }
  return brightest;
}

}  // namespace

VolumeLight find_volume_light(const HostScene& scene) {
  constexpr double kShare = 0.999;  // of the light that the sphere contains
  const MediumGridTables tables = make_medium_grids(scene);
  std::vector<CubeLight> lights;
  double brightest = 0.0, total = 0.0;
  for (size_t medium = 0; medium < tables.media.size(); ++medium)
    if (const MediumGrid& grid = tables.media[medium]; grid.bricks.data && grid.emission.size > 0)
      brightest = std::max(brightest, add_cube_lights(scene.media[medium], grid, lights));
  glm::dvec3 center(0.0);
  for (const CubeLight& light : lights) {
    center += light.intensity * light.middle;
    total += light.intensity;
  }
  if (!(total > 0.0) || !std::isfinite(total)) return {};
  center /= total;

  std::vector<std::pair<double, double>> order;  // distance of the far end, intensity
  for (const CubeLight& light : lights)
    order.emplace_back(glm::length(light.middle - center) + light.reach, light.intensity);
  std::sort(order.begin(), order.end());
  double radius = 0.0, inside = 0.0;
  for (const auto& [distance, intensity] : order) {
    radius = distance;
    if ((inside += intensity) >= kShare * total) break;
  }
  // No medium is brighter than a black body of its temperature.
  const double largest = kPi * radius * radius * brightest;
  return {glm::vec3(center), float(radius), float(std::min(total, largest))};
}

}  // namespace winnow
