// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "backend/cpu/columns.h"
#include "base/instruction_set.h"
#include "scene/material.h"
#include "shading/bsdf/bsdf_sample.h"
#include "shading/features.h"

namespace winnow {

/// Specular surfaces that one loop samples.
enum class SpecularKind : uint32_t { kMirror, kMeasuredMirror, kDielectric, kThinDielectric };
inline constexpr uint32_t kSpecularKindCount = 4;

/// @param material  of a type that is specular
inline SpecularKind specular_kind_of(const Material& material) {
  if (material.type == MaterialType::kDielectric) return SpecularKind::kDielectric;
  if (material.type == MaterialType::kThinDielectric) return SpecularKind::kThinDielectric;
  return is_measured(material) ? SpecularKind::kMeasuredMirror : SpecularKind::kMirror;
}

struct SpecularInput {
  glm::vec3 reflectance, specular;  ///< as in Material
  glm::vec3 metal_n, metal_k;       ///< as in Material
  float ior;                        ///< as in Material
  glm::vec3 ns, direction;          ///< shading normal, and direction of the ray
  float u;                          ///< uniform that chooses between reflection and refraction
};

struct SpecularBatch {
  uint32_t count = 0;
  Columns<SpecularInput> input;
  Columns<BsdfSample> sample;
};

/// Samples the BSDFs in lanes, as Bsdfs::sample() does.
///
/// @tparam kFeatures  kBasic or kExtended
template <Features kFeatures>
void scatter_specular(InstructionSet set, SpecularKind kind, SpecularBatch& batch);

}  // namespace winnow
