// SPDX-License-Identifier: MIT
#pragma once

#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/fresnel.h"
#include "shading/bsdf/lambert_lobe.h"
#include "shading/bsdf/lobe_tables.h"
#include "shading/bsdf/microfacets.h"

namespace winnow {

// A diffuse base below a smooth or rough dielectric boundary, as in Mitsuba's `plastic` and
// `roughplastic`. The boundary reflects a mean share r of the light from the base back to the base,
// repeatedly; the base tints only the first of these reflections, or each of them if it is
// `nonlinear`. Masking-shadowing of a rough boundary is separable.

/// Returns the transmittance of the boundary for light to or from a direction outside.
SIMT_HOST_DEVICE inline float plastic_transmittance(const Material& material,
                                                    const LobeTables& tables, float cosine) {
  if (material.roughness == 0.0f) return 1.0f - cross_dielectric(cosine, material.ior).reflected;
  const bool is_beckmann = material.distribution == MicrofacetDistribution::kBeckmann;
  const PlasticTable& table = is_beckmann ? tables.beckmann_plastic : tables.plastic;
  return table.transmittance(cosine, material.roughness, material.ior);
}

/// Returns f of the base with all interreflection below the boundary, sr^-1, without the
/// transmittances of the two crossings.
SIMT_HOST_DEVICE inline glm::vec3 plastic_base(const Material& material, const LobeTables& tables) {
  const float ior2 = material.ior * material.ior;
  const bool is_beckmann = material.distribution == MicrofacetDistribution::kBeckmann;
  const PlasticTable& boundary = is_beckmann ? tables.beckmann_plastic : tables.plastic;
  const float r = boundary.internal_reflectance(material.roughness, material.ior);
  const glm::vec3 ratio = material.nonlinear ? material.reflectance * r : glm::vec3(r);
  return material.reflectance * (kInvPi / ior2) / (1.0f - ratio);
}

/// Returns the probability of sampling the reflection at the boundary.
///
/// @param transmitted  transmittance of the boundary for `wo`
SIMT_HOST_DEVICE inline float plastic_specular_pmf(const Material& material, float transmitted) {
  const float specular = luminance(material.specular) * (1.0f - transmitted);
  const float base = luminance(material.reflectance) * transmitted;
  return specular > 0.0f ? specular / (specular + base) : 0.0f;
}

/// @param wo, wi         above z = 0
/// @param transmitted_o  transmittance of the boundary for `wo`
template <class Lobe>
SIMT_HOST_DEVICE BsdfValue plastic_value(const Material& material, const LobeTables& tables,
                                         glm::vec3 wo, glm::vec3 wi, const Lobe& lobe,
                                         float transmitted_o, float specular_pmf) {
  const float cosine = lobe.cosine(wi);
  const float transmitted_i = plastic_transmittance(material, tables, glm::min(cosine, 1.0f));
  BsdfValue value{
      .f = plastic_base(material, tables) * (transmitted_o * transmitted_i * lobe.gain(wi)),
      .pdf = (1.0f - specular_pmf) * cosine_hemisphere_pdf(cosine)};
  if (material.roughness == 0.0f) return value;
  const Microfacets facets = make_microfacets(material);
  const glm::vec3 h = glm::normalize(wo + wi);
  const float cos_h = glm::min(glm::dot(wo, h), 1.0f), density = facets.distribution(h);
  const float s_o = facets.smith_s(wo);
  value.f +=
      material.specular * (cross_dielectric(cos_h, material.ior).reflected * density *
                           visibility(Masking::kSeparable, wo.z, s_o, wi.z, facets.smith_s(wi)));
  value.pdf += specular_pmf * 0.5f * density / (wo.z + s_o);
  return value;
}

/// Evaluates plastic. Zero if the directions are on different sides.
template <class Lobe = LambertLobe>
SIMT_HOST_DEVICE BsdfValue eval_plastic(const Material& material, const LobeTables& tables,
                                        glm::vec3 wo, glm::vec3 wi, const Lobe& lobe = {}) {
  if (!turn_to_upper_side(wo, wi)) return {};
  const float transmitted = plastic_transmittance(material, tables, glm::min(wo.z, 1.0f));
  return plastic_value(material, tables, wo, wi, lobe, transmitted,
                       plastic_specular_pmf(material, transmitted));
}

/// Samples plastic. The reflection at a smooth boundary is specular.
///
/// @param u  three independent uniforms in [0, 1); z chooses between boundary and base
template <class Lobe = LambertLobe>
SIMT_HOST_DEVICE BsdfSample sample_plastic(const Material& material, const LobeTables& tables,
                                           glm::vec3 wo, glm::vec3 u, const Lobe& lobe = {}) {
  const bool below = wo.z < 0.0f;
  if (below) wo.z = -wo.z;
  if (!(wo.z > kMinMicrofacetCosine)) return {};
  const float transmitted = plastic_transmittance(material, tables, glm::min(wo.z, 1.0f));
  const float specular_pmf = plastic_specular_pmf(material, transmitted);

  BsdfSample sample;
  if (u.z >= specular_pmf) {
    sample.wi = lobe.sample({u.x, u.y});
  } else if (material.roughness == 0.0f) {
    return {.wi = {-wo.x, -wo.y, below ? -wo.z : wo.z},
            .weight = material.specular * ((1.0f - transmitted) / specular_pmf)};
  } else {
    const glm::vec3 h = make_microfacets(material).sample_visible(wo, {u.x, u.y});
    sample.wi = glm::normalize(2.0f * glm::dot(wo, h) * h - wo);
  }
  if (!(sample.wi.z > kMinMicrofacetCosine)) return {};
  const BsdfValue value =
      plastic_value(material, tables, wo, sample.wi, lobe, transmitted, specular_pmf);
  if (!(value.pdf > 0.0f)) return {};
  sample.weight = value.f * (sample.wi.z / value.pdf);
  sample.pdf = value.pdf;
  if (below) sample.wi.z = -sample.wi.z;
  return sample;
}

}  // namespace winnow
