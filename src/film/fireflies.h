// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "film/brightness_layers.h"
#include "film/film_source.h"
#include "image/image.h"

namespace winnow {

// Images in which rare samples that are much brighter than all others around them get less weight.
// Zirr, Hanika & Dachsbacher, "Re-weighting Firefly Samples for Improved Finite-Sample Monte Carlo
// Estimates", 2018.

/// Samples of a pixel and its neighbours.
struct Neighbourhood {
  std::array<double, kBrightnessLayerCount> counts = {};  ///< [layer], number of samples
  uint64_t samples = 0;
  uint32_t pixels = 0;  ///< pixels with samples, at most kNeighbourhoodPixels
};
inline constexpr uint32_t kNeighbourhoodPixels = 9;

/// Samples of a neighbourhood that make a layer reliable, counted in the layer and in the two
/// beside it, with which it shares samples. With 16, errors decrease by a third less
/// (scenes/glass-and-metal.json); with 64, by little more, and the image loses more light.
inline constexpr double kReliableCount = 32.0;
/// Share of all samples that makes a layer reliable, however few samples there are.
inline constexpr double kReliableShare = 0.25;

/// Returns the weights of the samples of each layer: [layer], [0, 1]. They approach 1 as samples
/// are added, unless no sample falls into the layer. Layer 0 holds the darkest samples and has
/// weight 1.
std::array<double, kBrightnessLayerCount> layer_weights(const Neighbourhood& around);

/// Returns the mean of each pixel's samples, with less weight for samples in unreliable layers;
/// black for pixels without samples. Where all layers are reliable it has the bits of
/// mean_radiance().
/// @param film  has FilmFeatures::layers; read in bands by this thread only
Image reweighted_radiance(const FilmSource& film);

}  // namespace winnow
