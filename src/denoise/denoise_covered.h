// SPDX-License-Identifier: MIT
#pragma once

#include "denoise/denoiser.h"

namespace winnow {

/// Returns an image without noise, with the alpha of `image`. Pixels that are black and that
/// nothing covers stay as they are.
/// @param image  colours multiplied by alpha, if it has alpha
/// @param guides  the albedo is multiplied by its own alpha if it has some, else by that of `image`
Image denoise_covered(const Denoiser& denoiser, const Image& image, const DenoiseGuides& guides,
                      BrightPixels* bright = nullptr);

}  // namespace winnow
