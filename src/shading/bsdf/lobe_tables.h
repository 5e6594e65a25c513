#pragma once

#include <vector>

#include "scene/material.h"
#include "shading/bsdf/albedo_table.h"

namespace winnow {

/// What lobes of FullScenes look up. Spans are empty where no material asks for them.
struct LobeTables {
  // White metal of GGX microfacets.
  AlbedoTable metal;     ///< share of the light that leaves after one reflection
  MeanTable metal_mean;  ///< its mean

  // A boundary of GGX microfacets, the light outside of it.
  AlbedoTable boundary;     ///< share that is reflected
  MeanTable boundary_mean;  ///< its mean

  // The same boundary: the share of light that neither leaves it nor passes it at once.
  AlbedoTable lost_outside, lost_inside;          ///< of light from outside, or from inside
  MeanTable lost_outside_mean, lost_inside_mean;  ///< their means

  // The boundary with separable masking, below which plastic lies; of either distribution.
  AlbedoTable plastic, beckmann_plastic;  ///< share of light from outside that passes
  /// Mean share of light from inside that passes, times ior^2.
  MeanTable plastic_passed, beckmann_plastic_passed;

  AlbedoTable sheen;  ///< share that white fibres reflect
};

/// Which of them a scene needs.
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

/// The numbers of an AlbedoTable and of its MeanTable.
struct AlbedoValues {
  std::vector<float> values, means;
};

// Computed once, when first asked for, by integrating the lobes themselves.
const AlbedoValues& metal_albedo();
const AlbedoValues& boundary_albedo();
const AlbedoValues& lost_outside_albedo();
const AlbedoValues& lost_inside_albedo();
const AlbedoValues& plastic_albedo();  ///< the means are LobeTables::plastic_passed
const AlbedoValues& beckmann_plastic_albedo();
const AlbedoValues& sheen_albedo();  ///< has no means

/// @param upload  returns where the device sees a vector
template <class Upload>
LobeTables make_lobe_tables(LobeNeeds needs, Upload upload) {
  LobeTables tables;
  if (needs.plastic) {
    tables.plastic = {upload(plastic_albedo().values)};
    tables.plastic_passed = {upload(plastic_albedo().means)};
  }
  if (needs.beckmann_plastic) {
    tables.beckmann_plastic = {upload(beckmann_plastic_albedo().values)};
    tables.beckmann_plastic_passed = {upload(beckmann_plastic_albedo().means)};
  }
  if (needs.principled) {
    tables.metal = {upload(metal_albedo().values)};
    tables.metal_mean = {upload(metal_albedo().means)};
    tables.boundary = {upload(boundary_albedo().values)};
    tables.boundary_mean = {upload(boundary_albedo().means)};
    tables.lost_outside = {upload(lost_outside_albedo().values)};
    tables.lost_outside_mean = {upload(lost_outside_albedo().means)};
    tables.lost_inside = {upload(lost_inside_albedo().values)};
    tables.lost_inside_mean = {upload(lost_inside_albedo().means)};
    tables.sheen = {upload(sheen_albedo().values)};
  }
  return tables;
}

}  // namespace winnow
