// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "scene/material.h"
#include "shading/bsdf/albedo_table.h"

namespace winnow {

/// Tables of directional albedos E that lobes read. Empty where no material needs them.
struct LobeTables {
  AlbedoTable metal;     ///< E of a white GGX conductor, single scattering
  MeanTable metal_mean;  ///< its mean

  AlbedoTable boundary;     ///< E of reflection at a GGX dielectric boundary, from outside
  MeanTable boundary_mean;  ///< its mean

  // 1 - E of the same boundary, reflection and refraction together: what single scattering loses.
  AlbedoTable outside_loss, inside_loss;          ///< of light from outside, from inside
  MeanTable outside_loss_mean, inside_loss_mean;  ///< their means

  // Of plastic's boundary, which has separable masking, with each distribution.
  AlbedoTable plastic, beckmann_plastic;  ///< transmittance from outside
  /// Mean transmittance from inside, times ior^2.
  MeanTable plastic_inside, beckmann_plastic_inside;

  AlbedoTable sheen;  ///< E of white fibres
};

/// Groups of tables that a scene needs.
struct LobeNeeds {
  bool plastic = false, beckmann_plastic = false, principled = false;
};

template <class Materials>
LobeNeeds lobe_needs(const Materials& materials) {
  LobeNeeds needs;
  for (const Material& material : materials) {
    const bool is_plastic = material.type == MaterialType::kPlastic;
    const bool is_beckmann = material.distribution == MicrofacetDistribution::kBeckmann;
    needs.plastic |= is_plastic && !is_beckmann;
    needs.beckmann_plastic |= is_plastic && is_beckmann;
    needs.principled |= material.type == MaterialType::kPrincipled;
  }
  return needs;
}

/// Values of an AlbedoTable and of its MeanTable, on the host.
struct AlbedoValues {
  std::vector<float> values, means;
};

// Computed at the first call, by numerical integration of the lobes.
const AlbedoValues& metal_albedo();
const AlbedoValues& boundary_albedo();
const AlbedoValues& outside_loss();
const AlbedoValues& inside_loss();
const AlbedoValues& plastic_transmittance();  ///< with the means of LobeTables::plastic_inside
const AlbedoValues& beckmann_plastic_transmittance();
const AlbedoValues& sheen_albedo();  ///< without means

/// Uploads the tables that are needed.
///
/// @param upload  copies a vector to the device and returns its span there
template <class Upload>
LobeTables make_lobe_tables(LobeNeeds needs, Upload upload) {
  LobeTables tables;
  auto add = [&](const AlbedoValues& host, AlbedoTable& table, MeanTable& mean) {
    table = {upload(host.values)};
    mean = {upload(host.means)};
  };
  if (needs.plastic) add(plastic_transmittance(), tables.plastic, tables.plastic_inside);
  if (needs.beckmann_plastic)
    add(beckmann_plastic_transmittance(), tables.beckmann_plastic, tables.beckmann_plastic_inside);
  if (needs.principled) {
    add(metal_albedo(), tables.metal, tables.metal_mean);
    add(boundary_albedo(), tables.boundary, tables.boundary_mean);
    add(outside_loss(), tables.outside_loss, tables.outside_loss_mean);
    add(inside_loss(), tables.inside_loss, tables.inside_loss_mean);
    tables.sheen = {upload(sheen_albedo().values)};
  }
  return tables;
}

}  // namespace winnow
