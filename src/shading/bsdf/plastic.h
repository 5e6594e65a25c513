#pragma once

#include "shading/bsdf/fresnel.h"
#include "shading/bsdf/lobe_tables.h"
#include "shading/bsdf/microfacets.h"

namespace winnow {

// A diffuse base below a smooth or rough boundary. Light that the boundary reflects back inside
// meets the base again and again; of what the base sends up, the mean share r gets no further.
// As Mitsuba's `plastic` and `roughplastic`: the microfacets of a rough one are masked each way for
// itself, and what comes back is white, unless it is `nonlinear`.

/// Share of light from outside, or to it, that passes the boundary.
SIMT_HOST_DEVICE inline float plastic_passes(const Material& material, const LobeTables& tables,
                                             float cosine) {
  if (material.roughness == 0.0f) return 1.0f - cross_dielectric(cosine, material.ior).reflected;
  const bool is_beckmann = material.distribution == MicrofacetDistribution::kBeckmann;
  const AlbedoTable& passes = is_beckmann ? tables.beckmann_plastic : tables.plastic;
  return passes.at(cosine, material.roughness, material.ior);
}

/// f of the base, without what the two ways through the boundary let pass.
SIMT_HOST_DEVICE inline glm::vec3 plastic_base(const Material& material, const LobeTables& tables) {
  const float ior2 = material.ior * material.ior;
  const bool is_beckmann = material.distribution == MicrofacetDistribution::kBeckmann;
  const MeanTable& passed = is_beckmann ? tables.beckmann_plastic_passed : tables.plastic_passed;
  const float r = 1.0f - passed.at(material.roughness, material.ior) / ior2;
  const glm::vec3 again = material.nonlinear ? material.reflectance * r : glm::vec3(r);
  return material.reflectance * (kInvPi / ior2) / (1.0f - again);
}

/// Chance that sampling looks for what the boundary reflects, of `wo`.
SIMT_HOST_DEVICE inline float plastic_gloss_chance(const Material& material, float passes) {
  const float gloss = luminance(material.specular) * (1.0f - passes);
  const float base = luminance(material.reflectance) * passes;
  return gloss > 0.0f ? gloss / (gloss + base) : 0.0f;
}

/// @param wo, wi  above z = 0
SIMT_HOST_DEVICE inline BsdfValue plastic_value(const Material& material, const LobeTables& tables,
                                                glm::vec3 wo, glm::vec3 wi, float passes_o,
                                                float gloss_chance) {
  const float passes_i = plastic_passes(material, tables, glm::min(wi.z, 1.0f));
  BsdfValue value{.f = plastic_base(material, tables) * (passes_o * passes_i),
                  .pdf = (1.0f - gloss_chance) * cosine_hemisphere_pdf(wi.z)};
  if (material.roughness == 0.0f) return value;
  const Microfacets facets = make_microfacets(material);
  const glm::vec3 h = glm::normalize(wo + wi);
  const float cos_h = glm::min(glm::dot(wo, h), 1.0f), density = facets.distribution(h);
  const float stretch_o = facets.stretch(wo);
  value.f += material.specular *
             (cross_dielectric(cos_h, material.ior).reflected * density *
              visibility(Masking::kSeparable, wo.z, stretch_o, wi.z, facets.stretch(wi)));
  value.pdf += gloss_chance * 0.5f * density / (wo.z + stretch_o);
  return value;
}

SIMT_HOST_DEVICE inline BsdfValue eval_plastic(const Material& material, const LobeTables& tables,
                                               glm::vec3 wo, glm::vec3 wi) {
  if (!face_conductor(wo, wi)) return {};
  const float passes = plastic_passes(material, tables, glm::min(wo.z, 1.0f));
  return plastic_value(material, tables, wo, wi, passes, plastic_gloss_chance(material, passes));
}

/// @param u  z chooses between boundary and base
SIMT_HOST_DEVICE inline BsdfSample sample_plastic(const Material& material,
                                                  const LobeTables& tables, glm::vec3 wo,
                                                  glm::vec3 u) {
  const bool below = wo.z < 0.0f;
  if (below) wo.z = -wo.z;
  if (!(wo.z > kMinConductorCosine)) return {};
  const float passes = plastic_passes(material, tables, glm::min(wo.z, 1.0f));
  const float gloss_chance = plastic_gloss_chance(material, passes);

  BsdfSample sample;
  if (u.z >= gloss_chance) {
    sample.wi = sample_cosine_hemisphere({u.x, u.y});
  } else if (material.roughness == 0.0f) {
    return {.wi = {-wo.x, -wo.y, below ? -wo.z : wo.z},
            .weight = material.specular * ((1.0f - passes) / gloss_chance)};
  } else {
    const glm::vec3 h = make_microfacets(material).sample_visible(wo, {u.x, u.y});
    sample.wi = glm::normalize(2.0f * glm::dot(wo, h) * h - wo);
  }
  if (!(sample.wi.z > kMinConductorCosine)) return {};
  const BsdfValue value = plastic_value(material, tables, wo, sample.wi, passes, gloss_chance);
  if (!(value.pdf > 0.0f)) return {};
  sample.weight = value.f * (sample.wi.z / value.pdf);
  sample.pdf = value.pdf;
  if (below) sample.wi.z = -sample.wi.z;
  return sample;
}

}  // namespace winnow
