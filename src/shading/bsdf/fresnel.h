// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"
#include "math/rounded.h"

namespace winnow {

/// Returns the reflectance of a metal at grazing incidence in Schlick's approximation.
SIMT_HOST_DEVICE inline float schlick_grazing(glm::vec3 reflectance) {
  // No real surface reflects less than 2 %. Below that the grazing reflectance fades to 0, so that
  // black is black from all directions.
  constexpr float kMinReal = 0.02f;
  float brightest = glm::max(reflectance.x, glm::max(reflectance.y, reflectance.z));
  return glm::min(brightest / kMinReal, 1.0f);
}

/// Returns the share of the way from normal to grazing reflectance in Schlick's approximation.
///
/// @param cos_theta  cosine between direction and (micro)normal, [0, 1]
SIMT_HOST_DEVICE inline float schlick_weight(float cos_theta) {
  float m = 1.0f - glm::clamp(cos_theta, 0.0f, 1.0f);
  float m2 = m * m;
  return m2 * m2 * m;
}

/// Returns the Fresnel reflectance of a metal: `reflectance` at normal incidence, white at grazing.
///
/// @param cos_theta  cosine between direction and (micro)normal, [0, 1]
/// Schlick, "An Inexpensive BRDF Model for Physically-based Rendering", 1994.
SIMT_HOST_DEVICE inline glm::vec3 schlick_fresnel(glm::vec3 reflectance, float cos_theta) {
  float grazing = schlick_grazing(reflectance);
  return reflectance + (glm::vec3(grazing) - reflectance) * schlick_weight(cos_theta);
}

/// Returns the cosine-weighted mean of schlick_fresnel(): the integral of 2 (1 - x)^5 x is 1 / 21.
SIMT_HOST_DEVICE inline glm::vec3 schlick_mean(glm::vec3 reflectance) {
  constexpr float kShareOfGrazing = 1.0f / 21.0f;
  return reflectance + (glm::vec3(schlick_grazing(reflectance)) - reflectance) * kShareOfGrazing;
}

/// Returns the index of refraction on the far side over that on the near side, correctly rounded so
/// that both sides of a boundary agree, even at the critical angle.
///
/// @param ior      inside over outside
/// @param outside  whether the near side is outside
SIMT_HOST_DEVICE inline float relative_index(float ior, bool outside) {
  return outside ? ior : rounded_reciprocal(ior);
}

/// Returns the reflectance of a smooth dielectric boundary for unpolarised light.
///
/// @param cos_i  cosine of the incident direction, [0, 1]
/// @param cos_t  cosine of the refracted direction, [0, 1]; 0 at total reflection
/// @param eta    index on the far side over that on the near side
SIMT_HOST_DEVICE inline float dielectric_fresnel(float cos_i, float cos_t, float eta) {
  float parallel = (eta * cos_i - cos_t) / (eta * cos_i + cos_t);
  float perpendicular = (cos_i - eta * cos_t) / (cos_i + eta * cos_t);
  return 0.5f * (parallel * parallel + perpendicular * perpendicular);
}

/// Returns the reflectance of a boundary of index `ior` at normal incidence.
SIMT_HOST_DEVICE inline float normal_fresnel(float ior) {
  const float root = (ior - 1.0f) / (ior + 1.0f);
  return root * root;
}

/// Returns the cosine-weighted mean reflectance of a boundary, from outside, to 0.007.
///
/// @param ior  inside over outside, at least 1
/// Fit of Kulla & Conty, "Revisiting Physically Based Shading at Imageworks", 2017.
SIMT_HOST_DEVICE inline float mean_fresnel(float ior) {
  return (ior - 1.0f) / (4.08567f + 1.00071f * ior);
}

struct Crossing {
  float cos_t;      ///< cosine of the refracted direction; 0 at total reflection
  float reflected;  ///< reflectance for unpolarised light
};

/// Refracts at a smooth boundary.
///
/// @param cos_i  cosine of the incident direction, [0, 1]
/// @param eta    index on the far side over that on the near side
SIMT_HOST_DEVICE inline Crossing cross_dielectric(float cos_i, float eta) {
  // This is eta^2 cos_t^2; a quotient's rounding error would be amplified near the critical angle.
  const float squared = eta * eta - (1.0f - cos_i * cos_i);
  if (!(squared > 0.0f)) return {0.0f, 1.0f};
  const float cos_t = std::sqrt(squared) / eta;
  return {cos_t, dielectric_fresnel(cos_i, cos_t, eta)};
}

/// Returns the reflectance of a smooth metal for unpolarised light.
///
/// @param cos_i  cosine of the incident direction, [0, 1]
/// @param n, k   complex index of refraction, relative to the medium of the incident light
/// Born & Wolf, "Principles of Optics", section 14.2, where a + i b is the complex index times the
/// complex cosine of the refracted wave.
SIMT_HOST_DEVICE inline float metal_fresnel(float cos_i, float n, float k) {
  const float cos2 = cos_i * cos_i, sin2 = 1.0f - cos2;
  const float difference = n * n - k * k - sin2;
  const float a2_plus_b2 = std::sqrt(difference * difference + 4.0f * n * n * k * k);
  const float a = std::sqrt(glm::max(0.5f * (a2_plus_b2 + difference), 0.0f));
  const float even = a2_plus_b2 + cos2, odd = 2.0f * a * cos_i;
  const float perpendicular = (even - odd) / (even + odd);
  const float even_p = cos2 * a2_plus_b2 + sin2 * sin2, odd_p = odd * sin2;
  const float parallel = perpendicular * (even_p - odd_p) / (even_p + odd_p);
  return 0.5f * (perpendicular + parallel);
}

}  // namespace winnow
