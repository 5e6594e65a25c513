// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include "math/sampling.h"
#include "shading/bsdf/fresnel.h"
#include "shading/bsdf/microfacets.h"

namespace winnow {

// Lobes of principled surfaces with Masking::kSeparable.
//
// Burley, "Physically Based Shading at Disney", 2012; "Extending the Disney BRDF to a BSDF with
// Integrated Subsurface Scattering", 2015.
//
// cos_h is the cosine between a direction and the vector halfway between both.

/// Returns f pi of a white base: darker towards grazing angles, with reflection back to the light
/// where it is rough.
SIMT_HOST_DEVICE inline float burley_diffuse(float roughness, float cos_h, float cos_o,
                                             float cos_i) {
  const float o = schlick_weight(cos_o), i = schlick_weight(cos_i);
  const float back = 2.0f * roughness * cos_h * cos_h;
  return (1.0f - 0.5f * o) * (1.0f - 0.5f * i) + back * (o + i + o * i * (back - 1.0f));
}

/// Returns f of white sheen.
SIMT_HOST_DEVICE inline float burley_sheen(float cos_h) {
  return schlick_weight(cos_h);
}

/// Returns the weight at which a cosine lobe samples white sheen well: nearly the root of the mean
/// square of f pi.
SIMT_HOST_DEVICE inline float burley_sheen_weight(float cos_o) {
  constexpr float kNormal = 0.001f, kGrazing = 0.24f;
  return glm::mix(kNormal, kGrazing, (1.0f - cos_o) * (1.0f - cos_o));
}

/// Returns f of a coat of weight 1: microfacets whose distribution has longer tails than GGX, with
/// the masking of GGX of an alpha of 1/4.
///
/// @param h  halfway between `wo` and `wi`, which are above z = 0
SIMT_HOST_DEVICE inline float burley_coat(float alpha, glm::vec3 h, float cos_h, glm::vec3 wo,
                                          glm::vec3 wi) {
  constexpr float kNormal = 0.04f;
  const IsotropicGgx mask{0.25f};
  constexpr float kMaxSquared = 0.999f;  // the formula divides zero by zero at 1
  const float squared = glm::min(alpha * alpha, kMaxSquared);
  // sin^2 + alpha^2 cos^2, as in IsotropicGgx
  const float t = h.x * h.x + h.y * h.y + squared * h.z * h.z;
  const float density = (squared - 1.0f) / (kPi * std::log(squared) * t);
  return 4.0f * wo.z * wi.z * density * glm::mix(kNormal, 1.0f, schlick_weight(cos_h)) *
         visibility(Masking::kSeparable, wo.z, mask.smith_s(wo), wi.z, mask.smith_s(wi));
}

}  // namespace winnow
