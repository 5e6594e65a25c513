// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/simt/simt.h"

namespace winnow {

// Sums of samples by luminance, in layers whose brightness grows by powers of kBrightnessBase. A
// sample is split between the two layers around its luminance, such that the luminance of a layer's
// sum over its brightness is the number of samples in it; a split sample counts as one in total.
// Zirr, Hanika & Dachsbacher, "Re-weighting Firefly Samples for Improved Finite-Sample Monte Carlo
// Estimates", 2018.

inline constexpr uint32_t kBrightnessLayerCount = 8;
/// Factor between the brightness of two layers, as in the paper. A larger one needs fewer layers
/// and less memory; a smaller one also separates less bright outliers.
inline constexpr float kBrightnessBase = 8.0f;
/// Brightness of layer 0, W sr^-1 m^-2. Darker samples belong to it entirely. The brightest layer
/// has 32768, a small lamp seen in a mirror; brighter samples belong to it entirely.
inline constexpr float kLowestBrightness = 1.0f / 64.0f;

/// Returns the brightness of a layer, W sr^-1 m^-2.
SIMT_HOST_DEVICE constexpr float brightness_of_layer(uint32_t layer) {
  float brightness = kLowestBrightness;
  for (uint32_t i = 0; i < layer; ++i) brightness *= kBrightnessBase;
  return brightness;
}

struct LayerSplit {
  uint32_t layer;  ///< the darker one
  float share;     ///< [0, 1], part of the sample in that layer; the rest is in the next one
};

/// Divides a sample between two layers.
/// @param luminance  W sr^-1 m^-2
SIMT_HOST_DEVICE inline LayerSplit split_by_brightness(float luminance) {
  constexpr uint32_t kLast = kBrightnessLayerCount - 1;
  uint32_t layer = 0;
  float brightness = kLowestBrightness;
  while (layer < kLast && luminance >= brightness * kBrightnessBase) {
    brightness *= kBrightnessBase;
    ++layer;
  }
  if (layer == kLast || !(luminance > brightness)) return {layer, 1.0f};
  constexpr float kInverseBase = 1.0f / kBrightnessBase;
  return {layer, (brightness / luminance - kInverseBase) / (1.0f - kInverseBase)};
}

}  // namespace winnow
