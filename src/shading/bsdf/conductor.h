// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/geometric.hpp>

#include "scene/material.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/fresnel.h"
#include "shading/bsdf/microfacets.h"
#include "shading/features.h"

namespace winnow {

// Smooth and rough metals, with single scattering between microfacets. Basic shading has isotropic
// GGX with height-correlated masking and Schlick's Fresnel term; extended shading also has
// anisotropy, Beckmann's distribution, separable masking and measured n and k.

/// Returns the reflectance of a smooth metal with measured n and k.
///
/// @param cos_theta  cosine between direction and (micro)normal, [0, 1]
SIMT_HOST_DEVICE inline glm::vec3 measured_fresnel(const Material& material, float cos_theta) {
  const float cosine = glm::clamp(cos_theta, 0.0f, 1.0f);
  const glm::vec3 n = material.metal_n, k = material.metal_k;
  return material.reflectance * glm::vec3(metal_fresnel(cosine, n.x, k.x),
                                          metal_fresnel(cosine, n.y, k.y),
                                          metal_fresnel(cosine, n.z, k.z));
}

/// Returns the reflectance of a smooth metal; `cos_theta` as in measured_fresnel().
template <Features kFeatures>
SIMT_HOST_DEVICE glm::vec3 conductor_fresnel(const Material& material, float cos_theta) {
  if constexpr (kFeatures.extended)
    if (is_measured(material)) return measured_fresnel(material, cos_theta);
  return schlick_fresnel(material.reflectance, cos_theta);
}

template <Features kFeatures>
SIMT_HOST_DEVICE auto conductor_microfacets(const Material& material) {
  if constexpr (kFeatures.extended)
    return make_microfacets(material);
  else
    return IsotropicGgx{ggx_alpha(material.roughness)};
}

/// Reflection by the microfacets of a conductor, without the Fresnel term.
struct FacetReflection {
  float cos_h;   ///< cosine between either direction and the microfacets' normal
  float factor;  ///< f, or f cos / pdf
  float pdf;     ///< sr^-1
};

// The next two functions have no branches, so that a CPU's loops over paths are vectorized.

/// Evaluates f and pdf for a pair of directions above z = 0.
template <Features kFeatures, class Facets>
SIMT_HOST_DEVICE FacetReflection eval_facets(const Facets& facets, [[maybe_unused]] Masking masking,
                                             glm::vec3 wo, glm::vec3 wi) {
  const glm::vec3 h = glm::normalize(wo + wi);
  const float density = facets.distribution(h);
  const float s_o = facets.smith_s(wo), s_i = facets.smith_s(wi);
  float d_g2;  // D G2 / (4 cos_o cos_i)
  if constexpr (kFeatures.extended)
    d_g2 = density * visibility(masking, wo.z, s_o, wi.z, s_i);
  else
    d_g2 = 0.5f * density / (wi.z * s_o + wo.z * s_i);
  return {glm::dot(wo, h), d_g2, 0.5f * density / (wo.z + s_o)};
}

/// Reflects `wo` at a sampled visible normal of the microfacets.
///
/// @param wo  above z = 0
/// @param wi  receives the reflected direction; if it is below z = 0, there is no sample
/// @param u   two independent uniforms in [0, 1)
template <Features kFeatures, class Facets>
SIMT_HOST_DEVICE FacetReflection sample_facets(const Facets& facets,
                                               [[maybe_unused]] Masking masking, glm::vec3 wo,
                                               glm::vec2 u, glm::vec3& wi) {
  const glm::vec3 h = facets.sample_visible(wo, u);
  const float cos_h = glm::dot(wo, h);
  wi = glm::normalize(2.0f * cos_h * h - wo);
  // f cos / pdf: the distribution cancels.
  const float s_o = facets.smith_s(wo), s_i = facets.smith_s(wi);
  float g2_g1;
  if constexpr (kFeatures.extended)
    g2_g1 = g2_over_g1(masking, wo.z, s_o, wi.z, s_i);
  else
    g2_g1 = wi.z * (wo.z + s_o) / (wi.z * s_o + wo.z * s_i);
  return {cos_h, g2_g1, 0.5f * facets.distribution(h) / (wo.z + s_o)};
}

/// Evaluates a rough conductor. Zero if the directions are on different sides.
///
/// @param fresnel  fresnel(cos_theta): see conductor_fresnel()
template <Features kFeatures, class Facets, class Fresnel>
SIMT_HOST_DEVICE BsdfValue eval_conductor(const Facets& facets, Masking masking,
                                          const Fresnel& fresnel, glm::vec3 wo, glm::vec3 wi) {
  if (!turn_to_upper_side(wo, wi)) return {};
  const FacetReflection reflection = eval_facets<kFeatures>(facets, masking, wo, wi);
  return {.f = fresnel(reflection.cos_h) * reflection.factor, .pdf = reflection.pdf};
}
template <Features kFeatures>
SIMT_HOST_DEVICE BsdfValue eval_conductor(const Material& material, glm::vec3 wo, glm::vec3 wi) {
  auto fresnel = [&](float cosine) { return conductor_fresnel<kFeatures>(material, cosine); };
  return eval_conductor<kFeatures>(conductor_microfacets<kFeatures>(material), material.masking,
                                   fresnel, wo, wi);
}

/// Samples a rough conductor by its visible normals. Returns no sample if the reflected direction
/// is below the surface.
///
/// @param fresnel  as in eval_conductor()
/// @param u        two independent uniforms in [0, 1)
template <Features kFeatures, class Facets, class Fresnel>
SIMT_HOST_DEVICE BsdfSample sample_conductor(const Facets& facets, Masking masking,
                                             const Fresnel& fresnel, glm::vec3 wo, glm::vec2 u) {
  const bool below = wo.z < 0.0f;
  if (below) wo.z = -wo.z;
  if (!(wo.z > kMinMicrofacetCosine)) return {};
  glm::vec3 wi;
  const FacetReflection reflection = sample_facets<kFeatures>(facets, masking, wo, u, wi);
  if (!(wi.z > kMinMicrofacetCosine)) return {};
  if (below) wi.z = -wi.z;
  return {.wi = wi, .weight = fresnel(reflection.cos_h) * reflection.factor, .pdf = reflection.pdf};
}
template <Features kFeatures>
SIMT_HOST_DEVICE BsdfSample sample_conductor(const Material& material, glm::vec3 wo, glm::vec2 u) {
  auto fresnel = [&](float cosine) { return conductor_fresnel<kFeatures>(material, cosine); };
  return sample_conductor<kFeatures>(conductor_microfacets<kFeatures>(material), material.masking,
                                     fresnel, wo, u);
}

/// Samples a smooth conductor: perfect specular reflection.
template <Features kFeatures>
SIMT_HOST_DEVICE BsdfSample sample_mirror(const Material& material, glm::vec3 wo) {
  return {.wi = {-wo.x, -wo.y, wo.z},
          .weight = conductor_fresnel<kFeatures>(material, std::abs(wo.z))};
}

}  // namespace winnow
