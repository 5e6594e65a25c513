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
    const PrincipledSurface surface = batch.surface[i];
    if (i == 0 || surface.roughness != batch.surface[i - 1].roughness ||
        surface.ior != batch.surface[i - 1].ior) {
      roughness = AlbedoTable::roughness_step(surface.roughness);
      index = AlbedoTable::index_step(principled_ior(surface.ior));
      mean = tables.metal_mean.at(surface.roughness);
    }
    const TableStep cosine = AlbedoTable::cosine_step(principled_cosine(batch.directions[i].wo));
    const bool has_boundary = kind == PrincipledKind::kDielectric;
    batch.albedos.set(i, {tables.metal.at(cosine, roughness), mean,
                          has_boundary ? tables.boundary.at(cosine, roughness, index) : 0.0f});
  }
}

template <PrincipledKind kKind>
Material material_of(const PrincipledSurface& surface) {
  Material material;
  material.reflectance = surface.reflectance;
  material.specular = surface.specular;
  material.roughness = surface.roughness;
  material.ior = surface.ior;
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

/// Calls step(i, directions, material, albedos, view) for each surface, in lanes.
template <PrincipledKind kKind, class Step>
void for_each_surface(InstructionSet set, const PrincipledBatch& batch, const Step& step) {
  in_lanes(set, batch.count, [&batch, step](uint32_t i) {
    const LocalDirections directions = batch.directions[i];
    const Material material = material_of<kKind>(batch.surface[i]);
    const KnownAlbedos albedos = known(batch.albedos[i]);
    step(i, directions, material, albedos,
         view_principled<kExtended>(material, albedos, directions.wo));
  });
}

// Several loops, as the compiler would unite their conditions in one and leave branches.
template <PrincipledKind kKind>
void scatter_principled_of(InstructionSet set, PrincipledBatch& batch) {
  const auto for_each = [&](const auto& step) { for_each_surface<kKind>(set, batch, step); };
  for_each([&batch](uint32_t i, const LocalDirections&, const Material& material,
                    const KnownAlbedos& albedos, const PrincipledView& view) {
    const glm::vec4 u = batch.u[i];
    batch.wi.set(i,
                 sample_principled_direction<kExtended>(material, albedos, view, {u.x, u.y}, u.z));
  });
  for_each([&batch](uint32_t i, const LocalDirections&, const Material& material,
                    const KnownAlbedos& albedos, const PrincipledView& view) {
    batch.value.set(i, principled_value<kExtended>(material, albedos, view, batch.wi[i]));
  });
  in_lanes(set, batch.count, [&batch](uint32_t i) {
    batch.sample.set(i,
                     weigh_principled(batch.directions[i].wo, batch.wi[i], batch.value[i], 1.0f));
  });
  if (!batch.is_lit) return;
  for_each([&batch](uint32_t i, const LocalDirections& local, const Material& material,
                    const KnownAlbedos& albedos, const PrincipledView& view) {
    batch.value.set(i,
                    eval_principled<kExtended>(material, albedos, view, local.wo, local.light_wi));
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
