// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "image/image.h"

namespace winnow {

/// Pixels that are infinite, or brighter than half floats can be (65504, times the image's median
/// where that is above 1). A denoiser would spread one of them over the image.
struct BrightPixels {
  size_t filled = 0;  ///< number of those in groups of a few pixels, which are noise
  /// Number of other pixels in such groups that are over 2000 times as bright as the median of what
  /// is not black. A denoiser spreads their light.
  size_t spots = 0;
  /// Indices and values of those in larger areas, such as lamps. Infinite values are limited.
  std::vector<std::pair<size_t, glm::vec3>> areas = {};
};

/// Gives bright pixels the mean of their neighbours.
BrightPixels fill_bright_pixels(Image& image);

/// Puts the values of areas back.
void restore_areas(const BrightPixels& bright, Image& image);

}  // namespace winnow
