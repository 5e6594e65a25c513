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

/// Paths of a batch that hit rough conductors of one kind.
struct ConductorBatch {
  uint32_t count = 0;

  // Fields of Material, and the roughness of Ggx or Beckmann.
  VectorColumn reflectance, metal_n, metal_k;
  Column<float> alpha_x, alpha_y;

  // As in SurfaceBatch.
  VectorColumn wo, light_wi;
  Column<float> u, v;  ///< the numbers of sample_conductor()
  VectorColumn f;
  Column<float> f_pdf;
  VectorColumn sample_wi, sample_weight;
  Column<float> sample_pdf;

  void set_material(uint32_t i, const Material& material) {
    reflectance.set(i, material.reflectance);
    metal_n.set(i, material.metal_n);
    metal_k.set(i, material.metal_k);
    const Ggx facets = make_ggx(material);
    alpha_x[i] = facets.alpha_x;
    alpha_y[i] = facets.alpha_y;
  }
  BsdfValue value(uint32_t i) const { return {f[i], f_pdf[i]}; }
  BsdfSample sample(uint32_t i) const { return {sample_wi[i], sample_weight[i], sample_pdf[i]}; }
};

/// Evaluates and samples the BSDFs: eval_conductor() and sample_conductor().
///
/// @tparam kFeatures  kBasic, where there is one kind, or kExtended for all others
template <Features kFeatures>
void scatter_conductors(InstructionSet set, ConductorKind kind, ConductorBatch& batch);

}  // namespace winnow
