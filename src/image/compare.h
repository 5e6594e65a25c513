#pragma once

#include <cstdint>

#include "image/image.h"

namespace winnow {

/// Keeps dark pixels from deciding a mean of relative errors.
inline constexpr double kRelativeOffset = 0.01;

/// How far an image `a` is from a reference `b`, over all channels of all pixels, on linear
/// radiance. Values that are not finite in either image are left out and counted.
struct Difference {
  double mse = 0.0;           ///< mean of (a - b)^2
  double relative_mse = 0.0;  ///< mean of (a - b)^2 / (b^2 + 0.01); Rousselle et al. 2011
  double psnr = 0.0;          ///< dB, 10 log10(1 / mse): the peak is radiance 1; infinite if equal
  double max = 0.0;           ///< largest |a - b|
  uint64_t not_finite_count = 0;
};

/// Throws Error where they differ.
void check_same_size(const Image& a, const Image& b);

/// Throws Error when the sizes differ.
Difference compare(const Image& a, const Image& b);

/// |a - b| of each value; infinite where that is not a number, so that no format hides it.
/// Throws Error when the sizes differ.
Image difference_image(const Image& a, const Image& b);

}  // namespace winnow
