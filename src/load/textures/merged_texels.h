// SPDX-License-Identifier: MIT
#pragma once

#include "scene/texture_image.h"

namespace winnow {

/// Combination of two images in one texture. The first image of kTint and kColorAlpha is a colour.
enum class ChannelMerge {
  kTint,        ///< red, green and blue of the first times alpha of the second
  kRedGreen,    ///< red of the first, green of the second; blue and alpha are 1
  kColorAlpha,  ///< red, green and blue of the first, alpha of the second
};

/// Merges images texel by texel, in the size of the larger one; texels of the smaller one repeat.
/// Floats are clamped to [0, 1].
/// @param first, second  images; one may be nullptr, for 1 everywhere
/// @return               image of 8 bits, sRGB unless `merge` is kRedGreen
TextureImage merge_texels(const TextureImage* first, const TextureImage* second,
                          ChannelMerge merge);

}  // namespace winnow
