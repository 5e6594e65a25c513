#pragma once

#include <cmath>

#include "math/sampling.h"
#include "scene/material.h"
#include "shading/bsdf/bsdf_sample.h"

namespace winnow {

// Lambert: the same radiance in all directions of the side that `wo` is on.

SIMT_HOST_DEVICE inline glm::vec3 eval_diffuse(const Material& material, glm::vec3 wo,
                                               glm::vec3 wi) {
  if (!(wo.z * wi.z > 0.0f)) return glm::vec3(0.0f);
  return material.reflectance * kInvPi;
}

SIMT_HOST_DEVICE inline float diffuse_pdf(glm::vec3 wo, glm::vec3 wi) {
  if (!(wo.z * wi.z > 0.0f)) return 0.0f;
  return cosine_hemisphere_pdf(std::abs(wi.z));
}

SIMT_HOST_DEVICE inline BsdfSample sample_diffuse(const Material& material, glm::vec3 wo,
                                                  glm::vec2 u) {
  glm::vec3 wi = sample_cosine_hemisphere(u);
  if (wo.z < 0.0f) wi.z = -wi.z;
  float pdf = diffuse_pdf(wo, wi);
  if (pdf == 0.0f) return {};
  return {.wi = wi, .weight = material.reflectance, .pdf = pdf};
}

}  // namespace winnow
