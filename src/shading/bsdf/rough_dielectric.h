#pragma once

#include "shading/bsdf/fresnel.h"
#include "shading/bsdf/microfacets.h"

namespace winnow {

// A boundary of microfacets, each of which reflects and refracts as a smooth one does.
//
// Walter et al., "Microfacet Models for Refraction through Rough Surfaces", EGSR 2007.
//
// Facets that refract are masked each way for itself. As everywhere, f scatters radiance, which
// grows with the squared index of the medium it is in.

/// Beyond it a boundary bends light too little for floats to tell how much: then it goes on as
/// through smooth glass, in a direction without a density.
inline constexpr float kMaxDensity = 1e30f;  // sr^-1

/// The facet that sends `wi` to `wo`, with the Jacobian of the way from facet to direction.
struct RefractingFacet {
  glm::vec3 h;      ///< on the side of `wo`, above z = 0
  float cos_o;      ///< between `wo` and h; not above 0 where the facet is not seen
  float cos_i;      ///< between -`wi` and h; likewise
  float jacobian;   ///< solid angle of facets over solid angle of `wi`
  float reflected;  ///< share of light that it reflects, where it is seen from both sides. From
                    ///< both cosines: one of them alone has too few digits at the critical angle
};

/// @param wo   above z = 0
/// @param wi   below it
/// @param eta  index on the side of `wi` over that on the side of `wo`
SIMT_HOST_DEVICE inline RefractingFacet refracting_facet(glm::vec3 wo, glm::vec3 wi, float eta) {
  glm::vec3 h = glm::normalize(wo + eta * wi);
  if (h.z < 0.0f) h = -h;
  const float cos_o = glm::dot(wo, h), cos_i = -glm::dot(wi, h);
  const float apart = cos_o - eta * cos_i;
  return {h, cos_o, cos_i, eta * eta * cos_i / (apart * apart),
          dielectric_fresnel(cos_o, cos_i, eta)};
}

/// @param cos_o, cos_t  of the directions before and behind the facet, above 0
SIMT_HOST_DEVICE inline glm::vec3 refract(glm::vec3 wo, glm::vec3 h, float cos_o, float cos_t,
                                          float eta) {
  return glm::normalize((cos_o / eta - cos_t) * h - wo / eta);
}

SIMT_HOST_DEVICE inline BsdfValue eval_rough_dielectric(const Material& material, glm::vec3 wo,
                                                        glm::vec3 wi) {
  const float eta = relative_index(material.ior, wo.z > 0.0f);
  if (wo.z < 0.0f) wo.z = -wo.z, wi.z = -wi.z;
  if (!(wo.z > kMinConductorCosine && std::abs(wi.z) > kMinConductorCosine)) return {};

  const Microfacets facets = make_microfacets(material);
  const float stretch_o = facets.stretch(wo), stretch_i = facets.stretch(wi);
  if (wi.z > 0.0f) {
    const glm::vec3 h = glm::normalize(wo + wi);
    const float reflected = cross_dielectric(glm::min(glm::dot(wo, h), 1.0f), eta).reflected;
    const float density = reflected * facets.distribution(h);
    return {.f = material.specular *
                 (density * visibility(material.masking, wo.z, stretch_o, wi.z, stretch_i)),
            .pdf = 0.5f * density / (wo.z + stretch_o)};
  }
  const RefractingFacet facet = refracting_facet(wo, wi, eta);
  if (!(facet.cos_o > 0.0f && facet.cos_i > 0.0f)) return {};
  const float passed = 1.0f - facet.reflected;
  const float pdf = 2.0f * passed * facets.distribution(facet.h) * facet.cos_o * facet.jacobian /
                    (wo.z + stretch_o);
  const float share = 2.0f / (-wi.z + stretch_i);  // G1(i) / cos_i
  if (!(pdf < kMaxDensity)) return {};
  return {.f = material.reflectance * (pdf * share / (eta * eta)), .pdf = pdf};
}

/// @param u  z chooses between reflection and refraction
SIMT_HOST_DEVICE inline BsdfSample sample_rough_dielectric(const Material& material, glm::vec3 wo,
                                                           glm::vec3 u) {
  const bool below = wo.z < 0.0f;
  const float eta = relative_index(material.ior, !below);
  if (below) wo.z = -wo.z;
  if (!(wo.z > kMinConductorCosine)) return {};

  const Microfacets facets = make_microfacets(material);
  const glm::vec3 h = facets.sample_visible(wo, {u.x, u.y});
  const float cos_o = glm::dot(wo, h);
  const Crossing crossing = cross_dielectric(glm::min(cos_o, 1.0f), eta);
  const float stretch_o = facets.stretch(wo);
  const float density = facets.distribution(h) / (wo.z + stretch_o);

  BsdfSample sample;
  if (u.z < crossing.reflected) {
    sample.wi = glm::normalize(2.0f * cos_o * h - wo);
    if (!(sample.wi.z > kMinConductorCosine)) return {};
    sample.weight = material.specular * unshadowed(material.masking, wo.z, stretch_o, sample.wi.z,
                                                   facets.stretch(sample.wi));
    sample.pdf = 0.5f * crossing.reflected * density;
  } else {
    sample.wi = refract(wo, h, cos_o, crossing.cos_t, eta);
    if (!(sample.wi.z < -kMinConductorCosine)) return {};
    const float cos_i = -sample.wi.z;
    const float apart = cos_o - eta * crossing.cos_t;
    sample.pdf = 2.0f * (1.0f - crossing.reflected) * density * cos_o * eta * eta * crossing.cos_t /
                 (apart * apart);
    if (!(sample.pdf < kMaxDensity)) sample.pdf = 0.0f;
    sample.weight =
        material.reflectance * (2.0f * cos_i / ((cos_i + facets.stretch(sample.wi)) * eta * eta));
    sample.eta_scale = eta * eta;
  }
  if (below) sample.wi.z = -sample.wi.z;
  return sample;
}

}  // namespace winnow
