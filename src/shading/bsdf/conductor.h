#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "math/sampling.h"
#include "scene/material.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/fresnel.h"

namespace winnow {

// Metal of GGX microfacets that shadow and mask each other, lit by a single reflection.
//
// Walter et al., "Microfacet Models for Refraction through Rough Surfaces", EGSR 2007;
// Heitz, "Understanding the Masking-Shadowing Function in Microfacet-Based BRDFs", JCGT 2014.
//
// With S(w) = sqrt(alpha^2 sin^2 + cos^2), Smith's G1(o) is 2 cos_o / (cos_o + S_o) and the
// height-correlated G2(o, i) is 2 cos_o cos_i / (cos_i S_o + cos_o S_i). Written so, no term of f,
// pdf or weight divides zero by zero at grazing.

/// A direction this close to the surface counts as inside of it.
inline constexpr float kMinConductorCosine = 1e-7f;

SIMT_HOST_DEVICE inline float ggx_alpha(float roughness) {
  return glm::max(roughness * roughness, kMinGgxAlpha);
}

/// Density of microfacet normals, sr^-1 per projected area.
SIMT_HOST_DEVICE inline float ggx_distribution(glm::vec3 h, float alpha) {
  // sin^2 + alpha^2 cos^2, from x and y because 1 - z^2 loses the digits of a narrow lobe
  float t = h.x * h.x + h.y * h.y + alpha * alpha * h.z * h.z;
  return alpha * alpha / (kPi * t * t);
}

/// S(w) of the note above.
SIMT_HOST_DEVICE inline float ggx_stretch(glm::vec3 w, float alpha) {
  return std::sqrt(alpha * alpha * (w.x * w.x + w.y * w.y) + w.z * w.z);
}

/// Samples a microfacet normal with the density with which `wo` sees them.
///
/// @param wo  z > 0
/// Dupuy & Benyoub, "Sampling Visible GGX Normals with Spherical Caps", 2023.
SIMT_HOST_DEVICE inline glm::vec3 sample_visible_ggx_normal(glm::vec3 wo, float alpha,
                                                            glm::vec2 u) {
  // The stretch that turns the microsurface into a hemisphere, whose facets reflect `wo` evenly
  // into the cap of directions above -z.
  glm::vec3 w = glm::normalize(glm::vec3{alpha * wo.x, alpha * wo.y, wo.z});
  float z = (1.0f - u.x) * (1.0f + w.z) - w.z;
  float r = std::sqrt(glm::clamp(1.0f - z * z, 0.0f, 1.0f));
  glm::vec3 h = glm::vec3{r * unit_circle(u.y), z} + w;
  return glm::normalize(glm::vec3{alpha * h.x, alpha * h.y, h.z});
}

/// Both directions on the side of `wo`, above z = 0; false where they are on different sides.
SIMT_HOST_DEVICE inline bool face_conductor(glm::vec3& wo, glm::vec3& wi) {
  if (wo.z < 0.0f) wo.z = -wo.z, wi.z = -wi.z;
  return wo.z > kMinConductorCosine && wi.z > kMinConductorCosine;
}

SIMT_HOST_DEVICE inline glm::vec3 eval_conductor(const Material& material, glm::vec3 wo,
                                                 glm::vec3 wi) {
  if (!face_conductor(wo, wi)) return glm::vec3(0.0f);
  float alpha = ggx_alpha(material.roughness);
  glm::vec3 h = glm::normalize(wo + wi);
  float shadowing = wi.z * ggx_stretch(wo, alpha) + wo.z * ggx_stretch(wi, alpha);
  return schlick_fresnel(material.reflectance, glm::dot(wo, h)) *
         (0.5f * ggx_distribution(h, alpha) / shadowing);
}

SIMT_HOST_DEVICE inline float conductor_pdf(const Material& material, glm::vec3 wo, glm::vec3 wi) {
  if (!face_conductor(wo, wi)) return 0.0f;
  float alpha = ggx_alpha(material.roughness);
  glm::vec3 h = glm::normalize(wo + wi);
  return 0.5f * ggx_distribution(h, alpha) / (wo.z + ggx_stretch(wo, alpha));
}

SIMT_HOST_DEVICE inline BsdfSample sample_conductor(const Material& material, glm::vec3 wo,
                                                    glm::vec2 u) {
  bool below = wo.z < 0.0f;
  if (below) wo.z = -wo.z;
  if (!(wo.z > kMinConductorCosine)) return {};

  float alpha = ggx_alpha(material.roughness);
  glm::vec3 h = sample_visible_ggx_normal(wo, alpha, u);
  float cos_h = glm::dot(wo, h);
  glm::vec3 wi = glm::normalize(2.0f * cos_h * h - wo);
  if (!(wi.z > kMinConductorCosine)) return {};  // would meet the surface again

  // f cos / pdf: the distribution cancels.
  float stretch_o = ggx_stretch(wo, alpha), stretch_i = ggx_stretch(wi, alpha);
  float unshadowed = wi.z * (wo.z + stretch_o) / (wi.z * stretch_o + wo.z * stretch_i);
  float pdf = 0.5f * ggx_distribution(h, alpha) / (wo.z + stretch_o);
  if (below) wi.z = -wi.z;
  return {
      .wi = wi, .weight = schlick_fresnel(material.reflectance, cos_h) * unshadowed, .pdf = pdf};
}

}  // namespace winnow
