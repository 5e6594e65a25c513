// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "scene/volumes/density_grid.h"

namespace winnow {

/// A part of the radiance that a medium emits: a function of the value of a grid, times a factor. A
/// medium emits where it absorbs: per metre, its absorption times the sum of its parts.
struct EmissionPart {
  uint32_t medium = 0;
  GridPlacement placement;  ///< grid of the values; without a grid, the value is 1 everywhere
  float step = 1.0f;        ///< between the values that have an entry
  /// [k], W sr^-1 m^-2, of the value k * step; linear between, and the last one beyond
  std::vector<glm::vec3> radiances;
  GridPlacement factors = {};  ///< grid of factors; without a grid, the factor is 1 everywhere

  bool operator==(const EmissionPart&) const = default;
};

/// Returns the largest value of a grid.
float largest_value(const DensityGrid& grid);

/// Returns a part whose radiance is a colour times the value of a grid.
/// @param largest  largest value
EmissionPart proportional_emission(glm::vec3 radiance, float largest);

/// How the values of a grid become the temperature of a black body.
struct BlackBodyScale {
  glm::vec3 radiance{1.0f};  ///< maximum of the spectrum of any temperature
  float kelvin = 1.0f;       ///< temperature per unit of the value, K
  float offset = 0.0f;       ///< value of the temperature 0

  /// K; what is colder does not emit.
  static constexpr float kColdest = 100.0f;
};

/// Returns a part that emits as black bodies do, each spectrum over its maximum.
/// @param largest  largest value
EmissionPart black_body_emission(const BlackBodyScale& scale, float largest);

}  // namespace winnow
