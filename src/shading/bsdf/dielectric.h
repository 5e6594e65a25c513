// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "scene/material.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/fresnel.h"
#include "shading/features.h"

namespace winnow {

/// Samples a smooth dielectric boundary: reflects or refracts, with the probabilities that
/// Fresnel's equations give. Basic shading ignores Material::specular, which is white there.
///
/// @param wo  z > 0 is outside
/// @param u   uniform in [0, 1) that chooses between the two
/// Radiance grows with the squared index of its medium, hence the weight of refraction.
template <Features kFeatures>
SIMT_HOST_DEVICE BsdfSample sample_dielectric(const Material& material, glm::vec3 wo, float u) {
  const float eta = relative_index(material.ior, wo.z > 0.0f);
  const float cos_i = std::abs(wo.z);
  const float sin2_t = (wo.x * wo.x + wo.y * wo.y) / (eta * eta);
  const bool total_reflection = sin2_t >= 1.0f;
  const float cos_t = total_reflection ? 0.0f : std::sqrt(1.0f - sin2_t);

  if (total_reflection || u < dielectric_fresnel(cos_i, cos_t, eta)) {
    BsdfSample sample{.wi = {-wo.x, -wo.y, wo.z}, .weight = glm::vec3(1.0f)};
    if constexpr (kFeatures.extended) sample.weight = material.specular;
    return sample;
  }
  return {.wi = {-wo.x / eta, -wo.y / eta, wo.z > 0.0f ? -cos_t : cos_t},
          .weight = material.reflectance / (eta * eta),
          .eta_scale = eta * eta};
}

/// Samples a pane: two smooth parallel boundaries at zero distance. Reflects, or transmits without
/// a change of direction.
///
/// @param u  uniform in [0, 1) that chooses between the two
/// With the reflectance R and the transmittance T = 1 - R of one boundary, interreflection between
/// the two gives R + T^2 R (1 + R^2 + R^4 + ...) = 2 R / (1 + R).
SIMT_HOST_DEVICE inline BsdfSample sample_thin_dielectric(const Material& material, glm::vec3 wo,
                                                          float u) {
  const float single = cross_dielectric(glm::min(std::abs(wo.z), 1.0f), material.ior).reflected;
  const float reflected = 2.0f * single / (1.0f + single);
  if (u < reflected) return {.wi = {-wo.x, -wo.y, wo.z}, .weight = material.specular};
  return {.wi = -wo, .weight = material.reflectance};
}

}  // namespace winnow
