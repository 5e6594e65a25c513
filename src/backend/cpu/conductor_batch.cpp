// SPDX-License-Identifier: MIT
#include "backend/cpu/conductor_batch.h"

#include "backend/cpu/run_with.h"

namespace winnow {
namespace {

/// scatter_conductors() of one kind.
template <Features kFeatures, class Facets, Masking kMasking, bool kMeasured>
void scatter_conductors_of(InstructionSet set, ConductorBatch& batch) {
  run_with(set, [&] {
    ConductorBatch* columns = &batch;
    const uint32_t end = full_vectors(batch.count);
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) {
      Facets facets;
      if constexpr (kFeatures.extended)
        facets = {columns->alpha_x[i], columns->alpha_y[i]};
      else
        facets = {columns->alpha_x[i]};
      Material material;
      material.reflectance = columns->reflectance[i];
      material.metal_n = columns->metal_n[i];
      material.metal_k = columns->metal_k[i];
      const auto fresnel = [&](float cosine) {
        return kMeasured ? measured_fresnel(material, cosine)
                         : schlick_fresnel(material.reflectance, cosine);
      };
      glm::vec3 wo = columns->wo[i], light_wi = columns->light_wi[i];
      const float side = wo.z < 0.0f ? -1.0f : 1.0f;
      wo.z *= side;
      light_wi.z *= side;

      const FacetReflection value = eval_facets<kFeatures>(facets, kMasking, wo, light_wi);
      glm::vec3 f = fresnel(value.cos_h) * value.factor;
      float f_pdf = value.pdf;
      const float lower = wo.z < light_wi.z ? wo.z : light_wi.z;
      f.x = lower > kMinMicrofacetCosine ? f.x : 0.0f;
      f.y = lower > kMinMicrofacetCosine ? f.y : 0.0f;
      f.z = lower > kMinMicrofacetCosine ? f.z : 0.0f;
      f_pdf = lower > kMinMicrofacetCosine ? f_pdf : 0.0f;
      columns->f.set(i, f);
      columns->f_pdf[i] = f_pdf;

      glm::vec3 wi;
      const FacetReflection sample =
          sample_facets<kFeatures>(facets, kMasking, wo, {columns->u[i], columns->v[i]}, wi);
      glm::vec3 weight = fresnel(sample.cos_h) * sample.factor;
      const float sample_lower = wo.z < wi.z ? wo.z : wi.z;
      weight.x = sample_lower > kMinMicrofacetCosine ? weight.x : 0.0f;
      weight.y = sample_lower > kMinMicrofacetCosine ? weight.y : 0.0f;
      weight.z = sample_lower > kMinMicrofacetCosine ? weight.z : 0.0f;
      wi.z *= side;
      columns->sample_wi.set(i, wi);
      columns->sample_weight.set(i, weight);
      columns->sample_pdf[i] = sample.pdf;
    }
  });
}

}  // namespace

template <Features kFeatures>
void scatter_conductors(InstructionSet set, ConductorKind kind, ConductorBatch& batch) {
  if constexpr (!kFeatures.extended) {
    scatter_conductors_of<kFeatures, IsotropicGgx, Masking::kCorrelated, false>(set, batch);
  } else {
    const auto with_fresnel = [&]<class Facets, Masking kMasking>() {
      if (kind.measured)
        scatter_conductors_of<kFeatures, Facets, kMasking, true>(set, batch);
      else
        scatter_conductors_of<kFeatures, Facets, kMasking, false>(set, batch);
    };
    const auto with_masking = [&]<class Facets>() {
      if (kind.masking == Masking::kSeparable)
        with_fresnel.template operator()<Facets, Masking::kSeparable>();
      else
        with_fresnel.template operator()<Facets, Masking::kCorrelated>();
    };
    if (kind.distribution == MicrofacetDistribution::kBeckmann)
      with_masking.template operator()<Beckmann>();
    else
      with_masking.template operator()<Ggx>();
  }
}
template void scatter_conductors<kBasic>(InstructionSet, ConductorKind, ConductorBatch&);
template void scatter_conductors<kExtended>(InstructionSet, ConductorKind, ConductorBatch&);

}  // namespace winnow
