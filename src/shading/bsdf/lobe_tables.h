// SPDX-License-Identifier: MIT
#pragma once

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

/// Table values for principled surfaces, named as in LobeTables.
struct PrincipledValues {
  AlbedoValues metal;
  std::vector<float> boundary, outside_loss, inside_loss, sheen;
};

// The following functions integrate the lobes numerically at their first call.
const PrincipledValues& principled_values();
/// Values of the tables of anisotropic surfaces.
struct BrushedValues {
  AlbedoValues white;
  std::vector<float> curve, outside_loss, inside_loss;
};
const BrushedValues& brushed_values();
/// Returns the values of a PlasticTable::Side; the means are its `internal`.
/// @param is_below  whether for indices below 1
const AlbedoValues& plastic_values(MicrofacetDistribution distribution, bool is_below);
/// Returns the values of a FilmTable, [path].
const std::vector<glm::vec3>& film_colors();

/// Uploads the tables that are needed.
///
/// @param upload  copies a vector to the device and returns its span there
template <class Upload>
LobeTables make_lobe_tables(LobeNeeds needs, Upload upload) {
  LobeTables tables;
  auto add_plastic = [&](MicrofacetDistribution distribution, PlasticNeeds sides,
                         PlasticTable& table) {
    auto side = [&](bool is_below) {
      const AlbedoValues& host = plastic_values(distribution, is_below);
      return PlasticTable::Side{upload(host.values), upload(host.means)};
    };
    if (sides.above) table.above = side(false);
    if (sides.below) table.below = side(true);
  };
  add_plastic(MicrofacetDistribution::kGgx, needs.plastic, tables.plastic);
  add_plastic(MicrofacetDistribution::kBeckmann, needs.beckmann_plastic, tables.beckmann_plastic);
  if (needs.principled) {
    const PrincipledValues& host = principled_values();
    tables.metal = {upload(host.metal.values)};
    tables.metal_mean = {upload(host.metal.means)};
    tables.boundary = {upload(host.boundary)};
    tables.outside_loss = {upload(host.outside_loss)};
    tables.inside_loss = {upload(host.inside_loss)};
    tables.sheen = {upload(host.sheen)};
  }
  if (needs.brushed) {
    const BrushedValues& host = brushed_values();
    tables.brushed = {upload(host.white.values)};
    tables.brushed_mean = {upload(host.white.means)};
    tables.brushed_curve = {upload(host.curve)};
    tables.brushed_outside = {upload(host.outside_loss)};
    tables.brushed_inside = {upload(host.inside_loss)};
  }
  if (needs.film) tables.film = {upload(film_colors())};
  return tables;
}

}  // namespace winnow
