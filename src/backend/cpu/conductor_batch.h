// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "backend/cpu/columns.h"
#include "base/instruction_set.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/conductor.h"
#include "shading/features.h"

namespace winnow {

/// Rough conductors that one loop evaluates and samples.
struct ConductorKind {
  MicrofacetDistribution distribution;
  Masking masking;
  bool measured;  ///< is_measured()

  static constexpr uint32_t kCount = 8;

  explicit ConductorKind(const Material& material)
      : distribution(material.distribution),
        masking(material.masking),
        measured(is_measured(material)) {}

  uint32_t index() const { return uint32_t(distribution) << 2 | uint32_t(masking) << 1 | measured; }
};

struct ConductorInput {
  glm::vec3 reflectance, metal_n, metal_k;  ///< as in Material
  Ggx facets;                               ///< or, for Beckmann, its roughness
  glm::vec3 wo, light_wi;                   ///< in the frame around the shading normal
  glm::vec2 u;                              ///< for sample_conductor()
};

struct ConductorBatch {
  uint32_t count = 0;
  Columns<ConductorInput> input;
  Columns<BsdfValue> value;
  Columns<BsdfSample> sample;
};

/// Evaluates and samples the BSDFs in lanes, as eval_conductor() and sample_conductor() do.
///
/// @tparam kFeatures  kBasic if there is one kind, otherwise kExtended
template <Features kFeatures>
void scatter_conductors(InstructionSet set, ConductorKind kind, ConductorBatch& batch);

}  // namespace winnow
