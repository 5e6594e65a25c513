// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <glm/vec4.hpp>

#include "scene/texture_image.h"

namespace winnow {

/// Returns texel `index` of an image as linear numbers.
glm::vec4 linear_texel(const TextureImage& image, size_t index);

inline size_t texel_count(const TextureImage& image) {
  return size_t{image.width} * image.height;
}

/// Returns the linear texel of `image` at the texel (x, y) of `of`, which may have another size.
glm::vec4 texel_at(const TextureImage& image, uint32_t x, uint32_t y, const TextureImage& of);

/// Returns the mean of all linear texels.
glm::vec4 mean_texel(const TextureImage& image);

/// Returns the normals of a surface with these heights, which repeat: red along u, green against v.
///
/// @param height  height of white above black, as a fraction of the longer side of the image
TextureImage normals_from_heights(const TextureImage& heights, float height);

/// Combination of two images in one texture. The first image of kTint and kColorAlpha is a colour.
enum class ChannelMerge {
  kTint,        ///< red, green and blue of the first times alpha of the second
  kRedGreen,    ///< red of the first, green of the second; blue and alpha are 1
  kColorAlpha,  ///< red, green and blue of the first, alpha of the second
};

/// Combines images texel by texel, in the size of the larger one; texels of the smaller one repeat.
/// @param first, second  images; one may be nullptr, for 1 everywhere
/// @param format         format of the result, of 8 bits
/// @param combine        gets linear texels, clamped to [0, 1], and returns one
TextureImage combine_texels(const TextureImage* first, const TextureImage* second,
                            TexelFormat format,
                            const std::function<glm::vec4(glm::vec4, glm::vec4)>& combine);

/// Merges images by combine_texels().
/// @return  image of 8 bits, sRGB unless `merge` is kRedGreen
TextureImage merge_texels(const TextureImage* first, const TextureImage* second,
                          ChannelMerge merge);

}  // namespace winnow
