#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include "math/sampling.h"
#include "scene/material.h"
#include "shading/bsdf/conductor.h"

namespace winnow {

/// GGX microfacets that may be rougher along x than along y. Where they are not, everything is what
/// conductor.h has: the notes there say what S(w) is.
///
/// Heitz, "Understanding the Masking-Shadowing Function in Microfacet-Based BRDFs", JCGT 2014.
struct Ggx {
  float alpha_x, alpha_y;

  /// Density of microfacet normals, sr^-1 per projected area.
  SIMT_HOST_DEVICE float distribution(glm::vec3 h) const {
    const float area = alpha_x * alpha_y, ratio = alpha_x / alpha_y;
    const float t = h.x * h.x / ratio + h.y * h.y * ratio + area * h.z * h.z;
    return area / (kPi * t * t);
  }

  /// S(w).
  SIMT_HOST_DEVICE float stretch(glm::vec3 w) const {
    const float x = alpha_x * w.x, y = alpha_y * w.y;
    return std::sqrt(x * x + y * y + w.z * w.z);
  }

  /// Samples a microfacet normal with the density with which `wo`, above z = 0, sees them. As
  /// sample_visible_ggx_normal().
  SIMT_HOST_DEVICE glm::vec3 sample_visible(glm::vec3 wo, glm::vec2 u) const {
    const glm::vec3 w = glm::normalize(glm::vec3{alpha_x * wo.x, alpha_y * wo.y, wo.z});
    const float z = (1.0f - u.x) * (1.0f + w.z) - w.z;
    const float r = std::sqrt(glm::clamp(1.0f - z * z, 0.0f, 1.0f));
    const glm::vec3 h = glm::vec3{r * unit_circle(u.y), z} + w;
    return glm::normalize(glm::vec3{alpha_x * h.x, alpha_y * h.y, h.z});
  }
};

SIMT_HOST_DEVICE inline Ggx make_ggx(const Material& material) {
  const float alpha = ggx_alpha(material.roughness);
  if (material.anisotropy == 0.0f) return {alpha, alpha};
  const float stretch = std::sqrt((1.0f + material.anisotropy) / (1.0f - material.anisotropy));
  return {glm::clamp(alpha * stretch, kMinGgxAlpha, 1.0f),
          glm::clamp(alpha / stretch, kMinGgxAlpha, 1.0f)};
}

/// G2(o, i) / (4 cos_o cos_i), from cosines and stretches of the two directions, which are above
/// z = 0.
SIMT_HOST_DEVICE inline float visibility(Masking masking, float cos_o, float stretch_o, float cos_i,
                                         float stretch_i) {
  if (masking == Masking::kSeparable) return 1.0f / ((cos_o + stretch_o) * (cos_i + stretch_i));
  return 0.5f / (cos_i * stretch_o + cos_o * stretch_i);
}

/// G2(o, i) / G1(o): the part of what `wo` sees reflected that no facet keeps from leaving.
SIMT_HOST_DEVICE inline float unshadowed(Masking masking, float cos_o, float stretch_o, float cos_i,
                                         float stretch_i) {
  return 2.0f * cos_i * (cos_o + stretch_o) *
         visibility(masking, cos_o, stretch_o, cos_i, stretch_i);
}

}  // namespace winnow
