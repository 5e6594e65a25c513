// SPDX-License-Identifier: MIT
#include "backend/cpu/specular_batch.h"

#include "math/frame.h"
#include "shading/bsdf/conductor.h"
#include "shading/bsdf/dielectric.h"

namespace winnow {
namespace {

template <Features kFeatures, SpecularKind kKind>
BsdfSample sample_specular(const Material& material, glm::vec3 wo, float u) {
  if constexpr (kKind == SpecularKind::kDielectric)
    return sample_dielectric<kFeatures>(material, wo, u);
  else if constexpr (kKind == SpecularKind::kThinDielectric)
    return sample_thin_dielectric(material, wo, u);
  else
    return sample_mirror<kFeatures>(material, wo);
}

template <Features kFeatures, SpecularKind kKind>
void scatter_specular_of(InstructionSet set, SpecularBatch& batch) {
  in_lanes(set, batch.count, [&batch](uint32_t i) {
    const SpecularInput in = batch.input[i];
    Material material;
    material.reflectance = in.reflectance;
    // One by one: a copy of the vector would keep g++ from vectorizing the loop.
    material.specular = {in.specular.x, in.specular.y, in.specular.z};
    material.ior = in.ior;
    if constexpr (kKind == SpecularKind::kMeasuredMirror) {
      material.metal_n = in.metal_n;
      material.metal_k = in.metal_k;
    }
    const glm::vec3 wo = Frame(in.ns).to_local(-in.direction);
    batch.sample.set(i, sample_specular<kFeatures, kKind>(material, wo, in.u));
  });
}

}  // namespace

template <Features kFeatures>
void scatter_specular(InstructionSet set, SpecularKind kind, SpecularBatch& batch) {
  switch (kind) {
    case SpecularKind::kMirror:
      return scatter_specular_of<kFeatures, SpecularKind::kMirror>(set, batch);
    case SpecularKind::kDielectric:
      return scatter_specular_of<kFeatures, SpecularKind::kDielectric>(set, batch);
    case SpecularKind::kMeasuredMirror:
      if constexpr (kFeatures.extended)
        scatter_specular_of<kFeatures, SpecularKind::kMeasuredMirror>(set, batch);
      return;
    case SpecularKind::kThinDielectric:
      if constexpr (kFeatures.extended)
        scatter_specular_of<kFeatures, SpecularKind::kThinDielectric>(set, batch);
      return;
  }
}
template void scatter_specular<kBasic>(InstructionSet, SpecularKind, SpecularBatch&);
template void scatter_specular<kExtended>(InstructionSet, SpecularKind, SpecularBatch&);

}  // namespace winnow
