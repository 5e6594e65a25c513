// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "image/image.h"

namespace winnow {

/// Pixels that a denoiser would spread over the image:
///
/// - those that are infinite, or brighter than half floats can be (65504, times the image's median
///   where that is above 1);
/// - few others that are over 500 times as bright as the median of what is not black.
struct BrightPixels {
  size_t filled = 0;  ///< number of the first kind in groups of a few pixels, which are noise
  size_t spots = 0;   ///< number of the second kind without a bright neighbour, which are noise
  size_t left = 0;    ///< number of the second kind if they are too many to be outliers
  /// Indices and values of the first kind in larger areas and of the second kind in small ones,
  /// such as lamps. Infinite values are limited.
  std::vector<std::pair<size_t, glm::vec3>> areas = {};
};

/// Sets bright pixels to the mean of their neighbours, except for those that are `left`.
BrightPixels fill_bright_pixels(Image& image);

/// Returns what happened to the bright pixels of pictures, one line each.
std::vector<std::string> bright_pixel_warnings(const std::vector<BrightPixels>& pictures);

/// Restores the values of `areas`.
void restore_areas(const BrightPixels& bright, Image& image);

}  // namespace winnow
