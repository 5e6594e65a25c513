// SPDX-License-Identifier: MIT
#include "backend/cpu/principled_batch.h"

#include "shading/bsdf/principled.h"

namespace winnow {
namespace {

struct KnownAlbedo {
  float value;

  template <class... Arguments>
  float at(Arguments...) const {
    return value;
  }
};

/// Albedos that have been looked up, in place of their tables.
struct KnownAlbedos : LobeTables {
  KnownAlbedo metal, metal_mean, boundary;
};

/// Looks up albedos path by path: loads from tables would keep a loop from being vectorized. Most
/// paths have the material of the path before them.
void look_up_albedos(const LobeTables& tables, PrincipledKind kind, PrincipledBatch& batch) {
  TableStep roughness{}, index{};
  float mean = 0.0f;
  for (uint32_t i = 0; i < batch.count; ++i) {
    const PrincipledInput in = batch.input[i];
    if (i == 0 || in.roughness != batch.input[i - 1].roughness ||
        in.ior != batch.input[i - 1].ior) {
      roughness = AlbedoTable::roughness_step(in.roughness);
      index = AlbedoTable::index_step(principled_ior(in.ior));
      mean = tables.metal_mean.at(in.roughness);
    }
    const TableStep cosine = AlbedoTable::cosine_step(principled_cosine(in.wo));
    const bool has_boundary = kind == PrincipledKind::kDielectric;
    batch.albedos.set(i, {tables.metal.at(cosine, roughness), mean,
                          has_boundary ? tables.boundary.at(cosine, roughness, index) : 0.0f});
  }
}

template <PrincipledKind kKind>
Material material_of(const PrincipledInput& in) {
  Material material;
  material.reflectance = in.reflectance;
  material.specular = in.specular;
  material.roughness = in.roughness;
  material.ior = in.ior;
  material.metallic = kKind == PrincipledKind::kMetal ? 1.0f : 0.0f;
  return material;
}

KnownAlbedos known(const PrincipledAlbedos& albedos) {
  KnownAlbedos known;
  known.metal.value = albedos.metal;
  known.metal_mean.value = albedos.metal_mean;
  known.boundary.value = albedos.boundary;
  return known;
}

/// Calls step(i, in, material, albedos, view) for each surface, in lanes.
template <PrincipledKind kKind, class Step>
void for_each_surface(InstructionSet set, const PrincipledBatch& batch, const Step& step) {
  in_lanes(set, batch.count, [&batch, step](uint32_t i) {
    const PrincipledInput in = batch.input[i];
    const Material material = material_of<kKind>(in);
    const KnownAlbedos albedos = known(batch.albedos[i]);
    step(i, in, material, albedos, view_principled<kExtended>(material, albedos, in.wo));
  });
}

// Several loops, as the compiler would unite their conditions in one and leave branches.
template <PrincipledKind kKind>
void scatter_principled_of(InstructionSet set, PrincipledBatch& batch) {
  const auto for_each = [&](const auto& step) { for_each_surface<kKind>(set, batch, step); };
  for_each([&batch](uint32_t i, const PrincipledInput& in, const Material& material,
                    const KnownAlbedos& albedos, const PrincipledView& view) {
    batch.wi.set(i, sample_principled_direction<kExtended>(material, albedos, view,
                                                           {in.u.x, in.u.y}, in.u.z));
  });
  for_each([&batch](uint32_t i, const PrincipledInput&, const Material& material,
                    const KnownAlbedos& albedos, const PrincipledView& view) {
    batch.value.set(i, principled_value<kExtended>(material, albedos, view, batch.wi[i]));
  });
  in_lanes(set, batch.count, [&batch](uint32_t i) {
    batch.sample.set(i, weigh_principled(batch.input[i].wo, batch.wi[i], batch.value[i], 1.0f));
  });
  if (!batch.is_lit) return;
  for_each([&batch](uint32_t i, const PrincipledInput& in, const Material& material,
                    const KnownAlbedos& albedos, const PrincipledView& view) {
    batch.value.set(i, eval_principled<kExtended>(material, albedos, view, in.wo, in.light_wi));
  });
}

}  // namespace

void scatter_principled(InstructionSet set, PrincipledKind kind, const LobeTables& tables,
                        PrincipledBatch& batch) {
  look_up_albedos(tables, kind, batch);
  if (kind == PrincipledKind::kMetal)
    scatter_principled_of<PrincipledKind::kMetal>(set, batch);
  else
    scatter_principled_of<PrincipledKind::kDielectric>(set, batch);
}

}  // namespace winnow
