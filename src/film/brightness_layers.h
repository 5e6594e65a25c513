// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "compaction/simt/simt.h"

namespace winnow {

// Samples summed by their luminance, in layers whose brightness grows by powers of kBrightnessBase.
// A sample is split between the two layers around its luminance. The luminance of a layer's sum
// over its brightness is then the number of samples in it: of a sample between two layers, both
// hold one together. Zirr, Hanika & Dachsbacher, "Re-weighting Firefly Samples for Improved
// Finite-Sample Monte Carlo Estimates", 2018.

inline constexpr uint32_t kBrightnessLayerCount = 8;
/// As in the paper. Fewer layers take less memory; more tell outliers apart that are less bright.
inline constexpr float kBrightnessBase = 8.0f;
/// W sr^-1 m^-2, of layer 0, which holds all darker samples whole. So the brightest layer is that
/// of 32768, a small lamp seen in a mirror, and holds all brighter samples whole.
inline constexpr float kLowestBrightness = 1.0f / 64.0f;

/// W sr^-1 m^-2.
SIMT_HOST_DEVICE constexpr float brightness_of_layer(uint32_t layer) {
  float brightness = kLowestBrightness;
  for (uint32_t i = 0; i < layer; ++i) brightness *= kBrightnessBase;
  return brightness;
}

/// The layers of a sample.
struct LayerSplit {
  uint32_t layer;  ///< the darker one
  float share;     ///< [0, 1], of the sample, that belongs to it; the rest belongs to the next
};

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
