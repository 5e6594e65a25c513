// SPDX-License-Identifier: MIT
#pragma once

#include "scene/material.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/lambert_lobe.h"
#include "shading/bsdf/lobe_tables.h"
#include "shading/features.h"
#include "shading/hit_class.h"

namespace winnow {

/// The BSDFs of all materials that kernels with these features shade.
template <Features kFeatures>
struct Bsdfs {
  FieldIf<kFeatures.extended, LobeTables> tables;

  /// Returns whether all scattering is into single directions, which light sampling cannot find.
  SIMT_HOST_DEVICE static bool is_specular(const Material& material) {
    constexpr uint32_t kSpecular = types_with(&MaterialTraits::specular),
                       kOthers = kFeatures.extended ? 0 : types_with(&MaterialTraits::extended);
    return is_one_of<(kSpecular & ~kOthers)>(material.type);
  }

  /// Returns whether the surface scatters no light, so that a path ends there. Only types before
  /// kDielectric have no lobe besides `reflectance`.
  SIMT_HOST_DEVICE static bool is_black(const Material& material) {
    return material.type < MaterialType::kDielectric && material.reflectance.x == 0.0f &&
           material.reflectance.y == 0.0f && material.reflectance.z == 0.0f;
  }

  // Defined in bsdf_by_type.h, which only code that evaluates or samples BSDFs includes. kHits is
  // what is known of the hit, `lobe` the directions of diffuse lobes.

  /// Returns f and pdf for a pair of directions; both are 0 for a specular material.
  template <ShadedHits kHits = ShadedHits::kAny, class Lobe = LambertLobe>
  SIMT_HOST_DEVICE BsdfValue eval(const Material& material, glm::vec3 wo, glm::vec3 wi,
                                  const Lobe& lobe = {}) const;

  /// Samples the direction in which a path continues.
  ///
  /// @param u  three independent uniforms in [0, 1)
  template <ShadedHits kHits = ShadedHits::kAny, class Lobe = LambertLobe>
  SIMT_HOST_DEVICE BsdfSample sample(const Material& material, glm::vec3 wo, glm::vec3 u,
                                     const Lobe& lobe = {}) const;

  /// Returns the results of eval() and sample(); what they share is computed once. For code with
  /// room for both: kernels keep them apart.
  BsdfScattering eval_and_sample(const Material& material, glm::vec3 wo, glm::vec3 wi,
                                 glm::vec3 u) const;
};

}  // namespace winnow
