// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include "math/sampling.h"
#include "scene/material.h"
#include "shading/bsdf/beckmann.h"

namespace winnow {

// Microfacet distributions with Smith's masking-shadowing functions.
//
// Walter et al., "Microfacet Models for Refraction through Rough Surfaces", EGSR 2007;
// Heitz, "Understanding the Masking-Shadowing Function in Microfacet-Based BRDFs", JCGT 2014.
//
// Smith's functions are written with S(w) = (1 + 2 Lambda(w)) cos(w), for directions above z = 0:
//
//   G1(o)    = 2 cos_o / (cos_o + S_o)
//   G2(o, i) = 2 cos_o cos_i / (cos_i S_o + cos_o S_i)    height-correlated
//   G2(o, i) = G1(o) G1(i)                                separable
//
// With S, no term of f, pdf or weight divides zero by zero at grazing angles. Reflection has the
// density D G1(o) / (4 cos_o) = 0.5 D / (cos_o + S_o). For GGX, S^2 is (alpha sin)^2 + cos^2.

/// A direction whose cosine is at most this counts as below the surface.
inline constexpr float kMinMicrofacetCosine = 1e-7f;

SIMT_HOST_DEVICE inline float ggx_alpha(float roughness) {
  return glm::max(roughness * roughness, kMinGgxAlpha);
}

/// Samples a GGX microfacet normal with the density of the normals visible from `wo`.
///
/// @param wo  z > 0
/// @param u   two independent uniforms in [0, 1)
/// Dupuy & Benyoub, "Sampling Visible GGX Normals with Spherical Caps", 2023.
SIMT_HOST_DEVICE inline glm::vec3 sample_visible_ggx_normal(glm::vec3 wo, float alpha_x,
                                                            float alpha_y, glm::vec2 u) {
  // Scaling turns the microsurface into a hemisphere, whose normals reflect `wo` uniformly into the
  // cap of directions above -z.
  const glm::vec3 w = glm::normalize(glm::vec3{alpha_x * wo.x, alpha_y * wo.y, wo.z});
  const float z = (1.0f - u.x) * (1.0f + w.z) - w.z;
  const float r = std::sqrt(glm::clamp(1.0f - z * z, 0.0f, 1.0f));
  const glm::vec3 h = glm::vec3{r * unit_circle(u.y), z} + w;
  return glm::normalize(glm::vec3{alpha_x * h.x, alpha_y * h.y, h.z});
}

/// GGX microfacets that are equally rough along x and y: fewer instructions than Ggx.
struct IsotropicGgx {
  float alpha;

  /// Returns D(h), the density of microfacet normals, sr^-1 per projected area.
  SIMT_HOST_DEVICE float distribution(glm::vec3 h) const {
    // sin^2 + alpha^2 cos^2, from x and y because 1 - z^2 loses the digits of a narrow lobe
    const float t = h.x * h.x + h.y * h.y + alpha * alpha * h.z * h.z;
    return alpha * alpha / (kPi * t * t);
  }

  SIMT_HOST_DEVICE float smith_s(glm::vec3 w) const {
    return std::sqrt(alpha * alpha * (w.x * w.x + w.y * w.y) + w.z * w.z);
  }

  /// Samples a microfacet normal visible from `wo`, which has z > 0.
  SIMT_HOST_DEVICE glm::vec3 sample_visible(glm::vec3 wo, glm::vec2 u) const {
    return sample_visible_ggx_normal(wo, alpha, alpha, u);
  }
};

/// GGX microfacets whose roughness may differ between x and y. Functions as in IsotropicGgx.
struct Ggx {
  float alpha_x, alpha_y;

  SIMT_HOST_DEVICE float distribution(glm::vec3 h) const {
    const float area = alpha_x * alpha_y, ratio = alpha_x / alpha_y;
    const float t = h.x * h.x / ratio + h.y * h.y * ratio + area * h.z * h.z;
    return area / (kPi * t * t);
  }
  SIMT_HOST_DEVICE float smith_s(glm::vec3 w) const {
    const float x = alpha_x * w.x, y = alpha_y * w.y;
    return std::sqrt(x * x + y * y + w.z * w.z);
  }
  SIMT_HOST_DEVICE glm::vec3 sample_visible(glm::vec3 wo, glm::vec2 u) const {
    return sample_visible_ggx_normal(wo, alpha_x, alpha_y, u);
  }
};

/// Returns whether both alphas are the smallest ones.
SIMT_HOST_DEVICE inline bool is_smooth(const Ggx& ggx) {
  return ggx.alpha_x <= kMinGgxAlpha && ggx.alpha_y <= kMinGgxAlpha;
}

SIMT_HOST_DEVICE inline Ggx make_ggx(const Material& material) {
  const float alpha = ggx_alpha(material.roughness);
  if (material.anisotropy == 0.0f) return {alpha, alpha};
  const float stretch = std::sqrt((1.0f + material.anisotropy) / (1.0f - material.anisotropy));
  return {glm::clamp(alpha * stretch, kMinGgxAlpha, 1.0f),
          glm::clamp(alpha / stretch, kMinGgxAlpha, 1.0f)};
}

/// GGX or Beckmann microfacets, chosen at run time. Functions as in IsotropicGgx.
struct Microfacets {
  MicrofacetDistribution type;
  float alpha_x, alpha_y;

  SIMT_HOST_DEVICE float distribution(glm::vec3 h) const {
    return is_beckmann() ? beckmann().distribution(h) : ggx().distribution(h);
  }
  SIMT_HOST_DEVICE float smith_s(glm::vec3 w) const {
    return is_beckmann() ? beckmann().smith_s(w) : ggx().smith_s(w);
  }
  SIMT_HOST_DEVICE glm::vec3 sample_visible(glm::vec3 wo, glm::vec2 u) const {
    return is_beckmann() ? beckmann().sample_visible(wo, u) : ggx().sample_visible(wo, u);
  }

 private:
  SIMT_HOST_DEVICE bool is_beckmann() const { return type == MicrofacetDistribution::kBeckmann; }
  SIMT_HOST_DEVICE Beckmann beckmann() const { return {alpha_x, alpha_y}; }
  SIMT_HOST_DEVICE Ggx ggx() const { return {alpha_x, alpha_y}; }
};

SIMT_HOST_DEVICE inline Microfacets make_microfacets(const Material& material) {
  const Ggx ggx = make_ggx(material);
  return {material.distribution, ggx.alpha_x, ggx.alpha_y};
}

/// Returns G2(o, i) / (4 cos_o cos_i).
///
/// @param cos_o, s_o, cos_i, s_i  cosines and S of two directions above z = 0
SIMT_HOST_DEVICE inline float visibility(Masking masking, float cos_o, float s_o, float cos_i,
                                         float s_i) {
  if (masking == Masking::kSeparable) return 1.0f / ((cos_o + s_o) * (cos_i + s_i));
  return 0.5f / (cos_i * s_o + cos_o * s_i);
}

/// Returns G2(o, i) / G1(o): f cos / pdf of a reflection from visible normals, without the Fresnel
/// term.
SIMT_HOST_DEVICE inline float g2_over_g1(Masking masking, float cos_o, float s_o, float cos_i,
                                         float s_i) {
  return 2.0f * cos_i * (cos_o + s_o) * visibility(masking, cos_o, s_o, cos_i, s_i);
}

/// Mirrors both directions so that `wo` is above z = 0. Returns whether both are then above it.
SIMT_HOST_DEVICE inline bool turn_to_upper_side(glm::vec3& wo, glm::vec3& wi) {
  if (wo.z < 0.0f) wo.z = -wo.z, wi.z = -wi.z;
  return wo.z > kMinMicrofacetCosine && wi.z > kMinMicrofacetCosine;
}

}  // namespace winnow
