#pragma once

#include <cmath>

#include "scene/material.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/fresnel.h"

namespace winnow {

/// Reflects or refracts at a smooth boundary, by chance in the proportion of Fresnel's equations.
///
/// @param wo  z > 0 is outside
/// @param u   [0, 1), chooses
/// Radiance grows with the squared index of the medium it is in, hence the weight of refraction.
SIMT_HOST_DEVICE inline BsdfSample sample_dielectric(const Material& material, glm::vec3 wo,
                                                     float u) {
  float eta = relative_index(material.ior, wo.z > 0.0f);
  float cos_i = std::abs(wo.z);
  float sin2_t = (wo.x * wo.x + wo.y * wo.y) / (eta * eta);
  bool total_reflection = sin2_t >= 1.0f;
  float cos_t = total_reflection ? 0.0f : std::sqrt(1.0f - sin2_t);

  if (total_reflection || u < dielectric_fresnel(cos_i, cos_t, eta))
    return {.wi = {-wo.x, -wo.y, wo.z}, .weight = glm::vec3(1.0f)};

  float far_z = wo.z > 0.0f ? -cos_t : cos_t;
  return {.wi = {-wo.x / eta, -wo.y / eta, far_z},
          .weight = material.reflectance / (eta * eta),
          .eta_scale = eta * eta};
}

}  // namespace winnow
