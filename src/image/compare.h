// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "image/image.h"

namespace winnow {

/// Offset that limits the weight of dark pixels in Difference::relative_mse.
inline constexpr double kRelativeOffset = 0.01;

/// Error of an image `a` against a reference `b`, over all channels of all pixels, on linear
/// radiance. Values that are not finite in either image are counted separately.
struct Difference {
  double mse = 0.0;           ///< mean of (a - b)^2
  double relative_mse = 0.0;  ///< mean of (a - b)^2 / (b^2 + 0.01); Rousselle et al. 2011
  double psnr = 0.0;          ///< dB, 10 log10(1 / mse): peak radiance 1; infinite if equal
  double max = 0.0;           ///< largest |a - b|
  uint64_t not_finite_count = 0;
};

/// Throws Error if the sizes differ.
void check_same_size(const Image& a, const Image& b);

/// Compares two images. Throws Error if the sizes differ.
Difference compare(const Image& a, const Image& b);

/// Returns |a - b| of each value; NaN becomes infinity, so that every format shows it.
/// Throws Error if the sizes differ.
Image difference_image(const Image& a, const Image& b);

/// Returns LDR-FLIP, the difference that a viewer perceives who flips between two images: [0, 1]
/// per pixel, row by row. Linear values are clamped to [0, 1], as on a screen, seen from 0.7 m at
/// 67 pixels per degree. The constants are those of Andersson et al., "FLIP: A Difference Evaluator
/// for Alternating Images", 2020.
/// Throws Error if the sizes differ or a value is NaN.
std::vector<float> flip(const Image& image, const Image& reference);

/// Returns the 64-bit XXH3 hash of the size of an image and the bits of its floats, as 16
/// hexadecimal digits. Two different images have the same hash with probability 2^-64. -0 differs
/// from 0, and NaNs differ by their bits.
std::string image_hash(const Image& image);

}  // namespace winnow
