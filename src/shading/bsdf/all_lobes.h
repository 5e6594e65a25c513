#pragma once

#include "shading/bsdf/bsdf.h"
#include "shading/bsdf/lobe_tables.h"
#include "shading/bsdf/metal.h"
#include "shading/bsdf/plastic.h"
#include "shading/bsdf/principled.h"
#include "shading/bsdf/rough_dielectric.h"
#include "shading/bsdf/thin_dielectric.h"

namespace winnow {

/// The BSDFs of all materials, for a FullScene.
struct AllLobes {
  LobeTables tables;

  /// True where all light scatters into single directions, which light sampling can never find.
  SIMT_HOST_DEVICE bool is_specular(const Material& material) const {
    return winnow::is_specular(material) || material.type == MaterialType::kThinDielectric;
  }

  /// True where a path can only end: the surface is black.
  SIMT_HOST_DEVICE bool reflects_nothing(const Material& material) const {
    return material.type < MaterialType::kDielectric && winnow::reflects_nothing(material);
  }

  SIMT_HOST_DEVICE BsdfValue eval(const Material& material, glm::vec3 wo, glm::vec3 wi) const {
    switch (material.type) {
      case MaterialType::kDiffuse:
        return {eval_diffuse(material, wo, wi), diffuse_pdf(wo, wi)};
      case MaterialType::kConductor:
        return eval_metal(material, wo, wi);
      case MaterialType::kRoughDielectric:
        return eval_rough_dielectric(material, wo, wi);
      case MaterialType::kPlastic:
        return eval_plastic(material, tables, wo, wi);
      case MaterialType::kPrincipled:
        return eval_principled(material, tables, wo, wi);
      default:
        break;
    }
    return {};
  }

  /// @param u  three independent uniforms in [0, 1)
  SIMT_HOST_DEVICE BsdfSample sample(const Material& material, glm::vec3 wo, glm::vec3 u) const {
    switch (material.type) {
      case MaterialType::kDiffuse:
        return sample_diffuse(material, wo, {u.x, u.y});
      case MaterialType::kMirror:
        return sample_metal_mirror(material, wo);
      case MaterialType::kConductor:
        return sample_metal(material, wo, {u.x, u.y});
      case MaterialType::kDielectric:
        return sample_tinted_dielectric(material, wo, u.z);
      case MaterialType::kRoughDielectric:
        return sample_rough_dielectric(material, wo, u);
      case MaterialType::kThinDielectric:
        return sample_thin_dielectric(material, wo, u.z);
      case MaterialType::kPlastic:
        return sample_plastic(material, tables, wo, u);
      case MaterialType::kPrincipled:
        return sample_principled(material, tables, wo, u);
      default:
        break;
    }
    return {};
  }

 private:
  SIMT_HOST_DEVICE static BsdfSample sample_tinted_dielectric(const Material& material,
                                                              glm::vec3 wo, float u) {
    BsdfSample sample = sample_dielectric(material, wo, u);
    if (sample.wi.z * wo.z > 0.0f) sample.weight *= material.specular;
    return sample;
  }
};

}  // namespace winnow
