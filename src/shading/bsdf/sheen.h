// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "math/constants.h"
#include "math/sampling.h"
#include "shading/bsdf/albedo_table.h"

namespace winnow {

// Sheen: fibres that stand up from a surface, such as velvet, and brighten it at grazing angles.
//
// Estevez & Kulla, "Production Friendly Microfacet Sheen BRDF", 2017, with their fitted masking
// function. Their roughness is the square of ours, as in glTF.

/// Minimum alpha, below which the fit reflects more light than arrives.
inline constexpr float kMinSheenAlpha = 0.07f;

/// The fit L(x) = a / (1 + b x^c) + d x + e of the logarithm of Smith's Lambda.
struct SheenMasking {
  float a, b, c, d, e;

  SIMT_HOST_DEVICE float curve(float x) const {
    return a / (1.0f + b * std::pow(x, c)) + d * x + e;
  }

  SIMT_HOST_DEVICE float lambda(float cosine) const {
    constexpr float kSymmetry = 0.5f;
    if (cosine < kSymmetry) return std::exp(curve(cosine));
    return std::exp(2.0f * curve(kSymmetry) - curve(glm::max(1.0f - cosine, 0.0f)));
  }
};

/// Interpolates the parameters that the paper gives for alpha 0 and 1.
SIMT_HOST_DEVICE inline SheenMasking sheen_masking(float alpha) {
  const float w = (1.0f - alpha) * (1.0f - alpha);  // weight of alpha 0
  return {glm::mix(21.5473f, 25.3245f, w), glm::mix(3.82987f, 3.32435f, w),
          glm::mix(0.19823f, 0.16801f, w), glm::mix(-1.97760f, -1.27393f, w),
          glm::mix(-4.32054f, -4.85967f, w)};
}

/// Evaluates f of white fibres, sr^-1.
///
/// @param wo, wi  above z = 0
SIMT_HOST_DEVICE inline float eval_sheen(float roughness, glm::vec3 wo, glm::vec3 wi) {
  const float alpha = glm::max(roughness * roughness, kMinSheenAlpha);
  const glm::vec3 h = glm::normalize(wo + wi);
  const float sine = std::sqrt(glm::clamp(h.x * h.x + h.y * h.y, 0.0f, 1.0f));
  const float distribution = (2.0f + 1.0f / alpha) * kInvTwoPi * std::pow(sine, 1.0f / alpha);
  const SheenMasking masking = sheen_masking(alpha);
  return distribution / (4.0f * wo.z * wi.z * (1.0f + masking.lambda(wo.z) + masking.lambda(wi.z)));
}

}  // namespace winnow
