// SPDX-License-Identifier: MIT
#include "backend/cpu/conductor_batch.h"

namespace winnow {
namespace {

template <Features kFeatures, class Facets, Masking kMasking, bool kMeasured>
void scatter_conductors_of(InstructionSet set, ConductorBatch& batch) {
  in_lanes(set, batch.count, [&batch](uint32_t i) {
    const ConductorInput in = batch.input[i];
    Facets facets;
    if constexpr (kFeatures.extended)
      facets = {in.facets.alpha_x, in.facets.alpha_y};
    else
      facets = {in.facets.alpha_x};
    Material material;
    material.reflectance = in.reflectance;
    material.metal_n = in.metal_n;
    material.metal_k = in.metal_k;
    const auto fresnel = [&](float cosine) {
      return kMeasured ? measured_fresnel(material, cosine)
                       : schlick_fresnel(material.reflectance, cosine);
    };
    batch.value.set(i, eval_conductor<kFeatures>(facets, kMasking, fresnel, in.wo, in.light_wi));
    batch.sample.set(i, sample_conductor<kFeatures>(facets, kMasking, fresnel, in.wo, in.u));
  });
}

}  // namespace

template <Features kFeatures>
void scatter_conductors(InstructionSet set, ConductorKind kind, ConductorBatch& batch) {
  constexpr Masking kCorrelated = Masking::kCorrelated, kSeparable = Masking::kSeparable;
  if constexpr (!kFeatures.extended) {
    scatter_conductors_of<kFeatures, IsotropicGgx, kCorrelated, false>(set, batch);
  } else {
    constexpr decltype(&scatter_conductors_of<kFeatures, Ggx, kCorrelated, false>) kLoops[] = {
        scatter_conductors_of<kFeatures, Ggx, kCorrelated, false>,
        scatter_conductors_of<kFeatures, Ggx, kCorrelated, true>,
        scatter_conductors_of<kFeatures, Ggx, kSeparable, false>,
        scatter_conductors_of<kFeatures, Ggx, kSeparable, true>,
        scatter_conductors_of<kFeatures, Beckmann, kCorrelated, false>,
        scatter_conductors_of<kFeatures, Beckmann, kCorrelated, true>,
        scatter_conductors_of<kFeatures, Beckmann, kSeparable, false>,
        scatter_conductors_of<kFeatures, Beckmann, kSeparable, true>};
    kLoops[kind.index()](set, batch);
  }
}
template void scatter_conductors<kBasic>(InstructionSet, ConductorKind, ConductorBatch&);
template void scatter_conductors<kExtended>(InstructionSet, ConductorKind, ConductorBatch&);

}  // namespace winnow
