// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "math/sampling.h"
#include "scene/material.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/lambert_lobe.h"

namespace winnow {

/// Evaluates Lambertian reflection: the same radiance in all directions on the side of `wo`.
template <class Lobe = LambertLobe>
SIMT_HOST_DEVICE BsdfValue eval_diffuse(const Material& material, glm::vec3 wo, glm::vec3 wi,
                                        const Lobe& lobe = {}) {
  if (!(wo.z * wi.z > 0.0f)) return {};
  wi.z = std::abs(wi.z);
  return {.f = material.reflectance * (kInvPi * lobe.gain(wi)),
          .pdf = cosine_hemisphere_pdf(lobe.cosine(wi))};
}

/// Samples Lambertian reflection in proportion to the cosine.
///
/// @param u  two independent uniforms in [0, 1)
template <class Lobe = LambertLobe>
SIMT_HOST_DEVICE BsdfSample sample_diffuse(const Material& material, glm::vec3 wo, glm::vec2 u,
                                           const Lobe& lobe = {}) {
  glm::vec3 wi = lobe.sample(u);
  const float lit = lobe.shadowing(wi);
  if (wo.z < 0.0f) wi.z = -wi.z;
  const float pdf = eval_diffuse(material, wo, wi, lobe).pdf;
  if (pdf == 0.0f) return {};
  return {.wi = wi, .weight = material.reflectance * lit, .pdf = pdf};
}

}  // namespace winnow
