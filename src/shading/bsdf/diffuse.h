// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "math/sampling.h"
#include "scene/material.h"
#include "shading/bsdf/bsdf_sample.h"

namespace winnow {

/// Evaluates Lambertian reflection: the same radiance in all directions on the side of `wo`.
SIMT_HOST_DEVICE inline BsdfValue eval_diffuse(const Material& material, glm::vec3 wo,
                                               glm::vec3 wi) {
  if (!(wo.z * wi.z > 0.0f)) return {};
  return {.f = material.reflectance * kInvPi, .pdf = cosine_hemisphere_pdf(std::abs(wi.z))};
}

/// Samples Lambertian reflection in proportion to the cosine.
///
/// @param u  two independent uniforms in [0, 1)
SIMT_HOST_DEVICE inline BsdfSample sample_diffuse(const Material& material, glm::vec3 wo,
                                                  glm::vec2 u) {
  glm::vec3 wi = sample_cosine_hemisphere(u);
  if (wo.z < 0.0f) wi.z = -wi.z;
  const float pdf = eval_diffuse(material, wo, wi).pdf;
  if (pdf == 0.0f) return {};
  return {.wi = wi, .weight = material.reflectance, .pdf = pdf};
}

}  // namespace winnow
