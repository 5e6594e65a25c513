#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// What a metal reflects, from `reflectance` at normal incidence towards white at grazing.
///
/// @param cos_theta  between direction and (micro)normal, [0, 1]
/// Schlick, "An Inexpensive BRDF Model for Physically-based Rendering", 1994.
SIMT_HOST_DEVICE inline glm::vec3 schlick_fresnel(glm::vec3 reflectance, float cos_theta) {
  // No real surface reflects less than 2 %. A darker one fades at grazing too, so that black is
  // black from everywhere.
  constexpr float kLeastReal = 0.02f;
  float brightest = glm::max(reflectance.x, glm::max(reflectance.y, reflectance.z));
  float grazing = glm::min(brightest / kLeastReal, 1.0f);

  float m = 1.0f - glm::clamp(cos_theta, 0.0f, 1.0f);
  float m2 = m * m;
  return reflectance + (glm::vec3(grazing) - reflectance) * (m2 * m2 * m);
}

/// Share of unpolarised light that a smooth boundary reflects.
///
/// @param cos_i  of the incident direction, [0, 1]
/// @param cos_t  of the refracted direction, [0, 1]; 0 at total reflection
/// @param eta    index on the far side over that on the near side
SIMT_HOST_DEVICE inline float dielectric_fresnel(float cos_i, float cos_t, float eta) {
  float parallel = (eta * cos_i - cos_t) / (eta * cos_i + cos_t);
  float perpendicular = (cos_i - eta * cos_t) / (cos_i + eta * cos_t);
  return 0.5f * (parallel * parallel + perpendicular * perpendicular);
}

}  // namespace winnow
