// SPDX-License-Identifier: MIT
#pragma once

#include "scene/material.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/conductor.h"
#include "shading/bsdf/dielectric.h"
#include "shading/bsdf/diffuse.h"
#include "shading/bsdf/lobe_tables.h"
#include "shading/bsdf/plastic.h"
#include "shading/bsdf/principled.h"
#include "shading/bsdf/rough_dielectric.h"
#include "shading/features.h"

namespace winnow {

/// The BSDFs of all materials that kernels with these features shade.
template <Features kFeatures>
struct Bsdfs {
  FieldIf<kFeatures.extended, LobeTables> tables;

  /// Returns whether all scattering is into single directions, which light sampling cannot find.
  SIMT_HOST_DEVICE static bool is_specular(const Material& material) {
    return material.type == MaterialType::kMirror || material.type == MaterialType::kDielectric ||
           (kFeatures.extended && material.type == MaterialType::kThinDielectric);
  }

  /// Returns whether the surface scatters no light, so that a path ends there. Only types before
  /// kDielectric have no lobe besides `reflectance`.
  SIMT_HOST_DEVICE static bool is_black(const Material& material) {
    return material.type < MaterialType::kDielectric && material.reflectance.x == 0.0f &&
           material.reflectance.y == 0.0f && material.reflectance.z == 0.0f;
  }

  /// Evaluates f and pdf for a pair of directions; both are 0 for a specular material.
  SIMT_HOST_DEVICE BsdfValue eval(const Material& material, glm::vec3 wo, glm::vec3 wi) const {
    switch (material.type) {
      case MaterialType::kDiffuse:
        return eval_diffuse(material, wo, wi);
      case MaterialType::kConductor:
        return eval_conductor<kFeatures>(material, wo, wi);
      case MaterialType::kRoughDielectric:
        if constexpr (kFeatures.extended) return eval_rough_dielectric(material, wo, wi);
        break;
      case MaterialType::kPlastic:
        if constexpr (kFeatures.extended) return eval_plastic(material, tables, wo, wi);
        break;
      case MaterialType::kPrincipled:
        if constexpr (kFeatures.extended)
          return eval_principled<kFeatures>(material, tables, wo, wi);
        break;
      default:
        break;
    }
    return {};
  }

  /// Samples the direction in which a path continues.
  ///
  /// @param u  three independent uniforms in [0, 1)
  SIMT_HOST_DEVICE BsdfSample sample(const Material& material, glm::vec3 wo, glm::vec3 u) const {
    switch (material.type) {
      case MaterialType::kDiffuse:
        return sample_diffuse(material, wo, {u.x, u.y});
      case MaterialType::kMirror:
        return sample_mirror<kFeatures>(material, wo);
      case MaterialType::kConductor:
        return sample_conductor<kFeatures>(material, wo, {u.x, u.y});
      case MaterialType::kDielectric:
        return sample_dielectric<kFeatures>(material, wo, u.z);
      case MaterialType::kRoughDielectric:
        if constexpr (kFeatures.extended) return sample_rough_dielectric(material, wo, u);
        break;
      case MaterialType::kThinDielectric:
        if constexpr (kFeatures.extended) return sample_thin_dielectric(material, wo, u.z);
        break;
      case MaterialType::kPlastic:
        if constexpr (kFeatures.extended) return sample_plastic(material, tables, wo, u);
        break;
      case MaterialType::kPrincipled:
        if constexpr (kFeatures.extended)
          return sample_principled<kFeatures>(material, tables, wo, u);
        break;
      default:
        break;
    }
    return {};
  }
};

}  // namespace winnow
