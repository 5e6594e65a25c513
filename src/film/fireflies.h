// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "film/brightness_layers.h"
#include "film/film_source.h"
#include "image/image.h"

namespace winnow {

// An image in which rare samples that are much brighter than all others around them count less.
// After Zirr, Hanika & Dachsbacher, "Re-weighting Firefly Samples for Improved Finite-Sample Monte
// Carlo Estimates", 2018.

/// The samples of a pixel and its neighbours.
struct Neighbourhood {
  std::array<double, kBrightnessLayerCount> counts = {};  ///< [layer], number of samples in it
  uint64_t samples = 0;
  uint32_t pixels = 0;  ///< that have samples, at most kNeighbourhoodPixels
};
inline constexpr uint32_t kNeighbourhoodPixels = 9;

/// So many samples of a neighbourhood in a layer and in the two beside it, with which it shares
/// samples, make it reliable. With 16, errors decrease by a third less
/// (scenes/glass-and-metal.json); with 64, little more, and the image loses more light.
inline constexpr double kReliableCount = 32.0;
/// A layer that holds this part of all samples is reliable, however few there are.
inline constexpr double kReliableShare = 0.25;

/// [layer], [0, 1], by which the samples of a layer count. Approaches 1 as samples are added,
/// unless no sample falls into the layer. Layer 0 holds the darkest samples and always counts.
std::array<double, kBrightnessLayerCount> layer_weights(const Neighbourhood& around);

/// The mean of each pixel's samples, of which those in unreliable layers count less; black for
/// pixels without samples. Where all layers are reliable it has the bits of mean_radiance().
///
/// @param film  with FilmFeatures::layers. Read in bands, by this thread alone
Image reweighted_radiance(const FilmSource& film);

}  // namespace winnow
