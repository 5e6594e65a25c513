// SPDX-License-Identifier: MIT
#include "shading/texture/texture.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>

#define STB_IMAGE_RESIZE_STATIC
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#include <stb_image_resize.h>

#include "base/error.h"

namespace winnow {
namespace {

/// Downsamples `full` to the size of `half` with a box filter.
void average(TexelFormat format, const TextureLevel& full, const TextureLevel& half,
             std::byte* texels) {
  constexpr int kChannels = 4, kAlpha = 3;
  const bool is_float = format == TexelFormat::kFloat;
  const int ok = stbir_resize(
      full.texels, int(full.width), int(full.height), 0, texels, int(half.width), int(half.height),
      0, is_float ? STBIR_TYPE_FLOAT : STBIR_TYPE_UINT8, kChannels, kAlpha, 0, STBIR_EDGE_CLAMP,
      STBIR_EDGE_CLAMP, STBIR_FILTER_BOX, STBIR_FILTER_BOX,
      format == TexelFormat::kSrgb8 ? STBIR_COLORSPACE_SRGB : STBIR_COLORSPACE_LINEAR, nullptr);
  if (!ok) throw Error("the mip maps of a texture do not fit into memory");
}

TexturePyramid build_pyramid(const TextureImage& image) {
  TexturePyramid pyramid;
  pyramid.levels.push_back({image.width, image.height, image.texels.data()});
  while (pyramid.levels.back().width > 1 || pyramid.levels.back().height > 1) {
    const TextureLevel full = pyramid.levels.back();
    TextureLevel half{std::max(full.width / 2, 1u), std::max(full.height / 2, 1u)};
    pyramid.texels.emplace_back(size_t(half.width) * half.height * texel_bytes(image.format));
    average(image.format, full, half, pyramid.texels.back().data());
    half.texels = pyramid.texels.back().data();
    pyramid.levels.push_back(half);
  }
  return pyramid;
}

}  // namespace

TextureTable build_texture_table(const HostScene& scene) {
  TextureTable table;
  table.pyramids.resize(scene.images.size());
  oneapi::tbb::parallel_for(size_t(0), scene.images.size(),
                            [&](size_t i) { table.pyramids[i] = build_pyramid(scene.images[i]); });
  for (const TextureDescription& description : scene.textures) {
    const TextureImage& image = scene.images[description.image];
    const std::vector<TextureLevel>& levels = table.pyramids[description.image].levels;
    table.textures.push_back({.from_uv = description.from_uv,
                              .image = description.image,
                              .width = image.width,
                              .height = image.height,
                              .levels = {levels.data(), levels.size()},
                              .format = image.format,
                              .wrap_u = description.wrap_u,
                              .wrap_v = description.wrap_v,
                              .filter = description.filter});
  }
  return table;
}

}  // namespace winnow
