// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <glm/mat2x2.hpp>
#include <glm/mat3x2.hpp>
#include <glm/vec4.hpp>

#include "scene/texture_image.h"

namespace winnow {

/// Returns texel `index` of an image as linear numbers.
glm::vec4 linear_texel(const TextureImage& image, size_t index);

/// Stores linear numbers as a texel of a format. Formats of integers clamp them to [0, 1] and
/// round.
void store_texel(glm::vec4 linear, TexelFormat format, std::byte* texel);

/// Calls texel(x, y) for all texels of a row after the other and stores its linear numbers.
template <class Texel>
void fill_texels(TextureImage& image, Texel texel) {
  const size_t step = texel_bytes(image.format);
  image.texels.resize(step * image.width * image.height);
  std::byte* at = image.texels.data();
  for (uint32_t y = 0; y < image.height; ++y)
    for (uint32_t x = 0; x < image.width; ++x, at += step)
      store_texel(texel(x, y), image.format, at);
}

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

/// Returns the axes of an image on a surface whose texture coordinates `from_uv` maps to those of
/// the image: the directions to its right and to its top, orthonormal, by those in which u grows
/// and v falls.
glm::mat2 image_axes(const glm::mat3x2& from_uv);

/// Returns normals whose red and green, around 0.5, are multiplied by `turn`.
TextureImage turned_normals(const TextureImage& normals, const glm::mat2& turn);

/// Combination of two images in one texture. The first image of kColorAlpha is a colour.
enum class ChannelMerge {
  kRedGreen,    ///< red of the first, green of the second; blue and alpha are 1
  kColorAlpha,  ///< red, green and blue of the first, alpha of the second
};

/// Combines images texel by texel, in the size of the larger one; texels of the smaller one repeat.
/// @param first, second  images; one may be nullptr, for 1 everywhere
/// @param format         format of the result if the images have 8 bits: kSrgb8 or kLinear8;
///                       otherwise the result keeps more bits
/// @param combine        gets linear texels, clamped to [0, 1], and returns one
TextureImage combine_texels(const TextureImage* first, const TextureImage* second,
                            TexelFormat format,
                            const std::function<glm::vec4(glm::vec4, glm::vec4)>& combine);

/// Merges images by combine_texels().
/// @return  a colour, or numbers if `merge` is kRedGreen
TextureImage merge_texels(const TextureImage* first, const TextureImage* second,
                          ChannelMerge merge);

}  // namespace winnow
