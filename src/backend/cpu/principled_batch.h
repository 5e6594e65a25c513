// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "backend/cpu/columns.h"
#include "base/instruction_set.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/bsdf/lobe_tables.h"

namespace winnow {

/// Principled surfaces that one loop evaluates and samples: opaque dielectrics or metals, without
/// other layers.
enum class PrincipledKind : uint32_t { kDielectric, kMetal };
inline constexpr uint32_t kPrincipledKindCount = 2;

/// Returns whether a principled material is of one of these kinds.
inline bool has_principled_kind(const Material& material) {
  return (material.metallic == 0.0f || material.metallic == 1.0f) &&
         material.transmission == 0.0f && material.coat == 0.0f &&
         material.sheen == glm::vec3(0.0f) && material.anisotropy == 0.0f &&
         material.iridescence == 0.0f && material.diffuse_transmission == 0.0f && !material.thin &&
         material.specular_tint == glm::vec3(1.0f) && material.masking == Masking::kCorrelated;
}

inline PrincipledKind principled_kind_of(const Material& material) {
  return material.metallic == 0.0f ? PrincipledKind::kDielectric : PrincipledKind::kMetal;
}

struct PrincipledInput {
  glm::vec3 reflectance, specular;  ///< as in Material
  float roughness, ior;             ///< as in Material
  glm::vec3 wo, light_wi;           ///< in the frame around the shading normal
  glm::vec3 u;                      ///< for sample_principled()
};

/// Values of LobeTables for a surface and a direction, with their names.
struct PrincipledAlbedos {
  float metal, metal_mean, boundary;
};

struct PrincipledBatch {
  uint32_t count = 0;
  bool is_lit = true;  ///< whether `value` is needed
  Columns<PrincipledInput> input;
  // Set by scatter_principled():
  Columns<PrincipledAlbedos> albedos;
  VectorColumn wi;  ///< sampled directions on the side of `wo`, with z > 0
  Columns<BsdfValue> value;
  Columns<BsdfSample> sample;
};

/// Evaluates and samples the BSDFs in lanes, as eval_principled() and sample_principled() do.
void scatter_principled(InstructionSet set, PrincipledKind kind, const LobeTables& tables,
                        PrincipledBatch& batch);

}  // namespace winnow
