// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "backend/cpu/path_batch.h"
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

/// Members of Material.
struct PrincipledSurface {
  glm::vec3 reflectance, specular;
  float roughness, ior;
};

/// Values of LobeTables for a surface and a direction, with their names.
struct PrincipledAlbedos {
  float metal, metal_mean, boundary;
};

struct PrincipledBatch {
  uint32_t count = 0;
  bool is_lit = true;  ///< whether `value` is needed
  Columns<PrincipledSurface> surface;
  Columns<LocalDirections> directions;
  Columns<glm::vec4> u;  ///< numbers of scatter_dimension(), xyz for sample_principled()
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
