// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <functional>
#include <glm/common.hpp>
#include <random>
#include <vector>

#include "scene/volumes/density_grid.h"

namespace winnow {

/// Makes a grid whose samples are density(i, j, k).
template <class Density>
DensityGrid grid_of(glm::uvec3 size, GridBorder border, Density density) {
  std::vector<float> samples;
  for (uint32_t k = 0; k < size.z; ++k)
    for (uint32_t j = 0; j < size.y; ++j)
      for (uint32_t i = 0; i < size.x; ++i) samples.push_back(density(i, j, k));
  return make_density_grid(size, samples, border);
}

/// A grid of random densities, a part of which are 0.
inline DensityGrid random_grid(glm::uvec3 size, GridBorder border, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-0.4f, 1.0f);
  return grid_of(size, border, [&](auto...) { return std::max(uniform(random), 0.0f); });
}

/// Returns the density at a point of the space in which sample i of an axis is at the coordinate i:
/// interpolates linearly along each axis.
inline double reference_density(const DensityGrid& grid, glm::dvec3 p) {
  double sum = 0.0;
  const glm::ivec3 size(grid.size), first(glm::floor(p));
  for (int corner = 0; corner < 8; ++corner) {
    const glm::ivec3 offset{corner & 1, corner >> 1 & 1, corner >> 2};
    const glm::ivec3 place = first + offset, inside = glm::clamp(place, glm::ivec3(0), size - 1);
    if (grid.border != GridBorder::kClamp && place != inside) continue;
    const glm::dvec3 f = p - glm::dvec3(first);
    const glm::dvec3 weight = glm::mix(1.0 - f, f, glm::dvec3(offset));
    sum += weight.x * weight.y * weight.z * double(grid.sample(glm::uvec3(inside)));
  }
  return sum;
}

}  // namespace winnow
