#pragma once

#include "shading/bsdf/fresnel.h"
#include "shading/bsdf/microfacets.h"

namespace winnow {

// Conductors and mirrors with all that a FullScene knows of them: measured n and k, roughness that
// differs between two axes, either distribution of microfacets, either kind of masking. Otherwise
// as conductor.h and mirror.h.

/// @param cos_theta  between direction and (micro)normal, [0, 1]
SIMT_HOST_DEVICE inline glm::vec3 metal_reflectance(const Material& material, float cos_theta) {
  if (!is_measured(material)) return schlick_fresnel(material.reflectance, cos_theta);
  const float cosine = glm::clamp(cos_theta, 0.0f, 1.0f);
  const glm::vec3 n = material.metal_n, k = material.metal_k;
  return material.reflectance * glm::vec3(metal_fresnel(cosine, n.x, k.x),
                                          metal_fresnel(cosine, n.y, k.y),
                                          metal_fresnel(cosine, n.z, k.z));
}

SIMT_HOST_DEVICE inline BsdfValue eval_metal(const Material& material, glm::vec3 wo, glm::vec3 wi) {
  if (!face_conductor(wo, wi)) return {};
  const Microfacets facets = make_microfacets(material);
  const glm::vec3 h = glm::normalize(wo + wi);
  const float density = facets.distribution(h);
  const float stretch_o = facets.stretch(wo), stretch_i = facets.stretch(wi);
  return {.f = metal_reflectance(material, glm::dot(wo, h)) *
               (density * visibility(material.masking, wo.z, stretch_o, wi.z, stretch_i)),
          .pdf = 0.5f * density / (wo.z + stretch_o)};
}

SIMT_HOST_DEVICE inline BsdfSample sample_metal(const Material& material, glm::vec3 wo,
                                                glm::vec2 u) {
  const bool below = wo.z < 0.0f;
  if (below) wo.z = -wo.z;
  if (!(wo.z > kMinConductorCosine)) return {};

  const Microfacets facets = make_microfacets(material);
  const glm::vec3 h = facets.sample_visible(wo, u);
  const float cos_h = glm::dot(wo, h);
  glm::vec3 wi = glm::normalize(2.0f * cos_h * h - wo);
  if (!(wi.z > kMinConductorCosine)) return {};  // would meet the surface again

  // f cos / pdf: the distribution cancels.
  const float stretch_o = facets.stretch(wo);
  const float share = unshadowed(material.masking, wo.z, stretch_o, wi.z, facets.stretch(wi));
  const float pdf = 0.5f * facets.distribution(h) / (wo.z + stretch_o);
  if (below) wi.z = -wi.z;
  return {.wi = wi, .weight = metal_reflectance(material, cos_h) * share, .pdf = pdf};
}

SIMT_HOST_DEVICE inline BsdfSample sample_metal_mirror(const Material& material, glm::vec3 wo) {
  return {.wi = {-wo.x, -wo.y, wo.z}, .weight = metal_reflectance(material, std::abs(wo.z))};
}

}  // namespace winnow
