// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "scene/material.h"
#include "shading/bsdf/albedo_table.h"
#include "shading/bsdf/plastic_table.h"
#include "shading/bsdf/thin_film.h"

namespace winnow {

/// Index of the boundary whose Fresnel curve the table of anisotropic boundaries has.
inline constexpr float kBrushedCurve = 1.5f;

/// Tables of directional albedos E that lobes read. Empty if no material needs them.
struct LobeTables {
  AlbedoTable metal;     ///< E of a white GGX conductor, single scattering
  MeanTable metal_mean;  ///< its mean
  // E of anisotropic conductors, single scattering: a white one, and one whose reflectance rises
  // from 0 at normal incidence to 1, as that of a boundary of index kBrushedCurve does.
  BrushedTable brushed, brushed_curve;
  BrushedMeanTable brushed_mean;  ///< mean of the white one
  // 1 - E of an anisotropic boundary of that index, like outside_loss and inside_loss.
  BrushedTable brushed_outside, brushed_inside;

  AlbedoTable boundary;  ///< E of reflection at a GGX dielectric boundary, from outside

  // 1 - E of that boundary, reflection and refraction together: what single scattering loses.
  AlbedoTable outside_loss, inside_loss;  ///< for light from outside, from inside

  /// Boundary of plastic, which has separable masking, for each distribution.
  PlasticTable plastic, beckmann_plastic;

  AlbedoTable sheen;  ///< E of white fibres
  FilmTable film;     ///< colours of interference
};

/// Which tables of plastic of one distribution are needed: PlasticTable::above and below.
struct PlasticNeeds {
  bool above = false, below = false;
};

struct LobeNeeds {
  PlasticNeeds plastic = {}, beckmann_plastic = {};
  bool principled = false, film = false, brushed = false;
};

template <class Materials>
LobeNeeds lobe_needs(const Materials& materials) {
  LobeNeeds needs;
  for (const Material& material : materials) {
    if (material.type == MaterialType::kPlastic) {
      const bool is_beckmann = material.distribution == MicrofacetDistribution::kBeckmann;
      PlasticNeeds& plastic = is_beckmann ? needs.beckmann_plastic : needs.plastic;
      (material.ior < 1.0f ? plastic.below : plastic.above) = true;
    }
    needs.principled |= material.type == MaterialType::kPrincipled;
    needs.brushed |= material.type == MaterialType::kPrincipled && material.anisotropy != 0.0f;
    needs.film |= material.type == MaterialType::kPrincipled && material.iridescence > 0.0f;
  }
  return needs;
}

/// Values of an AlbedoTable or BrushedTable and of its means, on the host.
struct AlbedoValues {
  std::vector<float> values, means;
};

/// Values of the tables on the host, named as in LobeTables.
struct LobeValues {
  AlbedoValues metal;
  std::vector<float> boundary, outside_loss, inside_loss, sheen;
  AlbedoValues brushed;
  std::vector<float> brushed_curve, brushed_outside, brushed_inside;
  /// [is the distribution kBeckmann][is the index below 1]: a PlasticTable::Side each, whose
  /// `internal` are the means.
  std::array<std::array<AlbedoValues, 2>, 2> plastic;
};

/// Calls visit() for each table of `values`.
template <class Values, class Visit>
void for_each_table(Values& values, Visit visit) {
  auto visit_both = [&](auto& albedo) {
    visit(albedo.values);
    visit(albedo.means);
  };
  visit_both(values.metal);
  for (auto* table : {&values.boundary, &values.outside_loss, &values.inside_loss, &values.sheen})
    visit(*table);
  visit_both(values.brushed);
  for (auto* table : {&values.brushed_curve, &values.brushed_outside, &values.brushed_inside})
    visit(*table);
  for (auto& sides : values.plastic)
    for (auto& side : sides) visit_both(side);
}

/// The number of values of each table and the values, which make_lobe_values.cpp integrates when
/// Winnow is built.
extern const float kLobeValues[];

const LobeValues& lobe_values();
/// Returns the values of a FilmTable, [path].
const std::vector<glm::vec3>& film_colors();

/// Uploads the tables that are needed.
///
/// @param upload  copies a vector to the device and returns its span there
template <class Upload>
LobeTables make_lobe_tables(LobeNeeds needs, Upload upload) {
  LobeTables tables;
  const LobeValues& host = lobe_values();
  auto add_side = [&](bool is_needed, const AlbedoValues& values, PlasticTable::Side& side) {
    if (is_needed) side = {upload(values.values), upload(values.means)};
  };
  add_side(needs.plastic.above, host.plastic[0][0], tables.plastic.above);
  add_side(needs.plastic.below, host.plastic[0][1], tables.plastic.below);
  add_side(needs.beckmann_plastic.above, host.plastic[1][0], tables.beckmann_plastic.above);
  add_side(needs.beckmann_plastic.below, host.plastic[1][1], tables.beckmann_plastic.below);
  if (needs.principled) {
    tables.metal = {upload(host.metal.values)};
    tables.metal_mean = {upload(host.metal.means)};
    tables.boundary = {upload(host.boundary)};
    tables.outside_loss = {upload(host.outside_loss)};
    tables.inside_loss = {upload(host.inside_loss)};
    tables.sheen = {upload(host.sheen)};
  }
  if (needs.brushed) {
    tables.brushed = {upload(host.brushed.values)};
    tables.brushed_mean = {upload(host.brushed.means)};
    tables.brushed_curve = {upload(host.brushed_curve)};
    tables.brushed_outside = {upload(host.brushed_outside)};
    tables.brushed_inside = {upload(host.brushed_inside)};
  }
  if (needs.film) tables.film = {upload(film_colors())};
  return tables;
}

}  // namespace winnow
