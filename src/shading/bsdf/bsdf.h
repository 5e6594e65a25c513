#pragma once

#include "scene/material.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/conductor.h"
#include "shading/bsdf/dielectric.h"
#include "shading/bsdf/diffuse.h"
#include "shading/bsdf/mirror.h"

namespace winnow {

/// True where all light scatters into single directions, which light sampling can never find.
SIMT_HOST_DEVICE inline bool is_specular(const Material& material) {
  return material.type == MaterialType::kMirror || material.type == MaterialType::kDielectric;
}

/// True where a path can only end: the surface is black.
SIMT_HOST_DEVICE inline bool reflects_nothing(const Material& material) {
  return material.type != MaterialType::kDielectric && material.reflectance.x == 0.0f &&
         material.reflectance.y == 0.0f && material.reflectance.z == 0.0f;
}

/// f in sr^-1, without the cosine; 0 for a specular material.
SIMT_HOST_DEVICE inline glm::vec3 eval_bsdf(const Material& material, glm::vec3 wo, glm::vec3 wi) {
  switch (material.type) {
    case MaterialType::kDiffuse:
      return eval_diffuse(material, wo, wi);
    case MaterialType::kConductor:
      return eval_conductor(material, wo, wi);
    default:
      break;
  }
  return glm::vec3(0.0f);
}

/// Density in sr^-1 with which sample_bsdf finds `wi`; 0 for a specular material.
SIMT_HOST_DEVICE inline float bsdf_pdf(const Material& material, glm::vec3 wo, glm::vec3 wi) {
  switch (material.type) {
    case MaterialType::kDiffuse:
      return diffuse_pdf(wo, wi);
    case MaterialType::kConductor:
      return conductor_pdf(material, wo, wi);
    default:
      break;
  }
  return 0.0f;
}

/// Chooses how a path goes on.
///
/// @param u  three independent uniforms in [0, 1)
SIMT_HOST_DEVICE inline BsdfSample sample_bsdf(const Material& material, glm::vec3 wo,
                                               glm::vec3 u) {
  switch (material.type) {
    case MaterialType::kDiffuse:
      return sample_diffuse(material, wo, {u.x, u.y});
    case MaterialType::kConductor:
      return sample_conductor(material, wo, {u.x, u.y});
    case MaterialType::kMirror:
      return sample_mirror(material, wo);
    case MaterialType::kDielectric:
      return sample_dielectric(material, wo, u.z);
    default:
      break;
  }
  return {};
}

/// The BSDFs of plain materials, which every kernel knows.
struct PlainLobes {
  SIMT_HOST_DEVICE bool is_specular(const Material& material) const {
    return winnow::is_specular(material);
  }
  SIMT_HOST_DEVICE bool reflects_nothing(const Material& material) const {
    return winnow::reflects_nothing(material);
  }
  SIMT_HOST_DEVICE BsdfValue eval(const Material& material, glm::vec3 wo, glm::vec3 wi) const {
    return {eval_bsdf(material, wo, wi), bsdf_pdf(material, wo, wi)};
  }
  SIMT_HOST_DEVICE BsdfSample sample(const Material& material, glm::vec3 wo, glm::vec3 u) const {
    return sample_bsdf(material, wo, u);
  }
};

}  // namespace winnow
