// SPDX-License-Identifier: MIT
#pragma once

#include "shading/bsdf/bsdf.h"
#include "shading/bsdf/conductor.h"
#include "shading/bsdf/dielectric.h"
#include "shading/bsdf/diffuse.h"
#include "shading/bsdf/plastic.h"
#include "shading/bsdf/principled.h"
#include "shading/bsdf/rough_dielectric.h"

namespace winnow {

// The BSDF of each MaterialType: the definitions of Bsdfs.

template <Features kFeatures>
template <ShadedHits kHits, class Lobe>
SIMT_HOST_DEVICE BsdfValue Bsdfs<kFeatures>::eval(const Material& material, glm::vec3 wo,
                                                  glm::vec3 wi, const Lobe& lobe) const {
  using enum MaterialType;
  const MaterialType type = type_of<kHits>(material);
  switch (type) {
    case kDiffuse:
      return eval_diffuse(material, wo, wi, lobe);
    case kConductor:
      return eval_conductor<kFeatures>(material, wo, wi);
    default:
      break;
  }
  if constexpr (kFeatures.extended) {
    switch (type) {
      case kRoughDielectric:
        return eval_rough_dielectric(material, wo, wi);
      case kPlastic:
        return eval_plastic(material, tables, wo, wi, lobe);
      case kPrincipled:
        return eval_principled<kFeatures>(
            material, tables, view_principled<kFeatures>(material, tables, wo), wo, wi, lobe);
      default:
        break;
    }
  }
  return {};
}

template <Features kFeatures>
template <ShadedHits kHits, class Lobe>
SIMT_HOST_DEVICE BsdfSample Bsdfs<kFeatures>::sample(const Material& material, glm::vec3 wo,
                                                     glm::vec3 u, const Lobe& lobe) const {
  using enum MaterialType;
  const MaterialType type = type_of<kHits>(material);
  switch (type) {
    case kDiffuse:
      return sample_diffuse(material, wo, {u.x, u.y}, lobe);
    case kMirror:
      return sample_mirror<kFeatures>(material, wo);
    case kConductor:
      return sample_conductor<kFeatures>(material, wo, {u.x, u.y});
    case kDielectric:
      return sample_dielectric<kFeatures>(material, wo, u.z);
    default:
      break;
  }
  if constexpr (kFeatures.extended) {
    switch (type) {
      case kRoughDielectric:
        return sample_rough_dielectric(material, wo, u);
      case kThinDielectric:
        return sample_thin_dielectric(material, wo, u.z);
      case kPlastic:
        return sample_plastic(material, tables, wo, u, lobe);
      case kPrincipled:
        return sample_principled<kFeatures>(
            material, tables, view_principled<kFeatures>(material, tables, wo), wo, u, lobe);
      default:
        break;
    }
  }
  return {};
}

template <Features kFeatures>
BsdfScattering Bsdfs<kFeatures>::eval_and_sample(const Material& material, glm::vec3 wo,
                                                 glm::vec3 wi, glm::vec3 u) const {
  if constexpr (kFeatures.extended)
    if (material.type == MaterialType::kPrincipled) {
      const auto view = view_principled<kFeatures>(material, tables, wo);
      return {eval_principled<kFeatures>(material, tables, view, wo, wi),
              sample_principled<kFeatures>(material, tables, view, wo, u)};
    }
  return {eval(material, wo, wi), sample(material, wo, u)};
}

}  // namespace winnow
