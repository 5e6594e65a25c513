// SPDX-License-Identifier: MIT
#pragma once

#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/fresnel.h"
#include "shading/bsdf/microfacets.h"

namespace winnow {

// A boundary of microfacets, each of which reflects and refracts like a smooth boundary.
//
// Walter et al., "Microfacet Models for Refraction through Rough Surfaces", EGSR 2007.
//
// Masking-shadowing of refraction is separable. f scatters radiance, as in all BSDFs here, and
// radiance grows with the squared index of its medium.

/// Limit of the density of refraction, above which the boundary deflects light by less than floats
/// resolve. Refraction is then specular: it has no density.
inline constexpr float kMaxDensity = 1e30f;  // sr^-1

/// The microfacet that refracts `wi` to `wo`.
struct RefractingFacet {
  glm::vec3 h;      ///< normal on the side of `wo`, above z = 0
  float cos_o;      ///< cosine between `wo` and h; positive where the facet faces `wo`
  float cos_i;      ///< cosine between -`wi` and h; positive where its back faces `wi`
  float jacobian;   ///< |d h / d wi|, solid angle of normals over that of directions
  float reflected;  ///< Fresnel reflectance, valid where both cosines are positive. Computed from
                    ///< both: one alone has too few digits near the critical angle
};

/// @param wo   above z = 0
/// @param wi   below z = 0
/// @param eta  index on the side of `wi` over that on the side of `wo`
SIMT_HOST_DEVICE inline RefractingFacet refracting_facet(glm::vec3 wo, glm::vec3 wi, float eta) {
  glm::vec3 h = glm::normalize(wo + eta * wi);
  if (h.z < 0.0f) h = -h;
  const float cos_o = glm::dot(wo, h), cos_i = -glm::dot(wi, h);
  const float denominator = cos_o - eta * cos_i;
  return {h, cos_o, cos_i, eta * eta * cos_i / (denominator * denominator),
          dielectric_fresnel(cos_o, cos_i, eta)};
}

/// @param cos_o, cos_t  positive cosines between h and the directions on its two sides
SIMT_HOST_DEVICE inline glm::vec3 refract(glm::vec3 wo, glm::vec3 h, float cos_o, float cos_t,
                                          float eta) {
  return glm::normalize((cos_o / eta - cos_t) * h - wo / eta);
}

/// Evaluates a rough dielectric boundary, in reflection and refraction.
///
/// @param wo, wi  z > 0 is outside
SIMT_HOST_DEVICE inline BsdfValue eval_rough_dielectric(const Material& material, glm::vec3 wo,
                                                        glm::vec3 wi) {
  const float eta = relative_index(material.ior, wo.z > 0.0f);
  if (wo.z < 0.0f) wo.z = -wo.z, wi.z = -wi.z;
  if (!(wo.z > kMinMicrofacetCosine && std::abs(wi.z) > kMinMicrofacetCosine)) return {};

  const Microfacets facets = make_microfacets(material);
  const float s_o = facets.smith_s(wo), s_i = facets.smith_s(wi);
  if (wi.z > 0.0f) {
    const glm::vec3 h = glm::normalize(wo + wi);
    const float reflected = cross_dielectric(glm::min(glm::dot(wo, h), 1.0f), eta).reflected;
    const float density = reflected * facets.distribution(h);
    return {.f = material.specular * (density * visibility(material.masking, wo.z, s_o, wi.z, s_i)),
            .pdf = 0.5f * density / (wo.z + s_o)};
  }
  const RefractingFacet facet = refracting_facet(wo, wi, eta);
  if (!(facet.cos_o > 0.0f && facet.cos_i > 0.0f)) return {};
  const float transmitted = 1.0f - facet.reflected;
  const float pdf = 2.0f * transmitted * facets.distribution(facet.h) * facet.cos_o *
                    facet.jacobian / (wo.z + s_o);
  const float g1_over_cos = 2.0f / (-wi.z + s_i);
  if (!(pdf < kMaxDensity)) return {};
  return {.f = material.reflectance * (pdf * g1_over_cos / (eta * eta)), .pdf = pdf};
}

/// Samples a rough dielectric boundary by its visible normals.
///
/// @param wo  z > 0 is outside
/// @param u   three independent uniforms in [0, 1); z chooses between reflection and refraction
SIMT_HOST_DEVICE inline BsdfSample sample_rough_dielectric(const Material& material, glm::vec3 wo,
                                                           glm::vec3 u) {
  const bool below = wo.z < 0.0f;
  const float eta = relative_index(material.ior, !below);
  if (below) wo.z = -wo.z;
  if (!(wo.z > kMinMicrofacetCosine)) return {};

  const Microfacets facets = make_microfacets(material);
  const glm::vec3 h = facets.sample_visible(wo, {u.x, u.y});
  const float cos_o = glm::dot(wo, h);
  const Crossing crossing = cross_dielectric(glm::min(cos_o, 1.0f), eta);
  const float s_o = facets.smith_s(wo);
  const float density = facets.distribution(h) / (wo.z + s_o);

  BsdfSample sample;
  if (u.z < crossing.reflected) {
    sample.wi = glm::normalize(2.0f * cos_o * h - wo);
    if (!(sample.wi.z > kMinMicrofacetCosine)) return {};
    sample.weight = material.specular *
                    g2_over_g1(material.masking, wo.z, s_o, sample.wi.z, facets.smith_s(sample.wi));
    sample.pdf = 0.5f * crossing.reflected * density;
  } else {
    sample.wi = refract(wo, h, cos_o, crossing.cos_t, eta);
    if (!(sample.wi.z < -kMinMicrofacetCosine)) return {};
    const float cos_i = -sample.wi.z;
    const float denominator = cos_o - eta * crossing.cos_t;
    sample.pdf = 2.0f * (1.0f - crossing.reflected) * density * cos_o * eta * eta * crossing.cos_t /
                 (denominator * denominator);
    if (!(sample.pdf < kMaxDensity)) sample.pdf = 0.0f;
    sample.weight =
        material.reflectance * (2.0f * cos_i / ((cos_i + facets.smith_s(sample.wi)) * eta * eta));
    sample.eta_scale = eta * eta;
  }
  if (below) sample.wi.z = -sample.wi.z;
  return sample;
}

}  // namespace winnow
