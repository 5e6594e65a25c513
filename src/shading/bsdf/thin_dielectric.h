#pragma once

#include <cmath>

#include "scene/material.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/fresnel.h"

namespace winnow {

/// Reflects, or lets straight through, at a pane: two smooth boundaries at no distance.
///
/// @param u  [0, 1), chooses
/// Light between the two boundaries goes back and forth: with R and T = 1 - R of one, the pane
/// reflects R + T^2 R (1 + R^2 + R^4 + ...) = 2 R / (1 + R).
SIMT_HOST_DEVICE inline BsdfSample sample_thin_dielectric(const Material& material, glm::vec3 wo,
                                                          float u) {
  const float once = cross_dielectric(glm::min(std::abs(wo.z), 1.0f), material.ior).reflected;
  const float reflected = 2.0f * once / (1.0f + once);
  if (u < reflected) return {.wi = {-wo.x, -wo.y, wo.z}, .weight = material.specular};
  return {.wi = -wo, .weight = material.reflectance};
}

}  // namespace winnow
