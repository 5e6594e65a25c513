// SPDX-License-Identifier: MIT
#include "shading/texture/texture.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#define STB_IMAGE_RESIZE_STATIC
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#include <stb_image_resize.h>

#include "base/error.h"
#include "load/textures/texels.h"
#include "load/textures/texture_library.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

/// Downsamples `full` to the size of `half` with a box filter, each channel by itself.
void average(TexelFormat format, const TextureLevel& full, const TextureLevel& half,
             std::byte* texels) {
  constexpr int kChannels = 4, kAlpha = 3;
  const stbir_datatype type = format == TexelFormat::kFloat      ? STBIR_TYPE_FLOAT
                              : format == TexelFormat::kLinear16 ? STBIR_TYPE_UINT16
                                                                 : STBIR_TYPE_UINT8;
  const int ok = stbir_resize(
      full.texels, int(full.width), int(full.height), 0, texels, int(half.width), int(half.height),
      0, type, kChannels, kAlpha, STBIR_FLAG_ALPHA_PREMULTIPLIED, STBIR_EDGE_CLAMP,
      STBIR_EDGE_CLAMP, STBIR_FILTER_BOX, STBIR_FILTER_BOX,
      format == TexelFormat::kSrgb8 ? STBIR_COLORSPACE_SRGB : STBIR_COLORSPACE_LINEAR, nullptr);
  if (!ok) throw Error("the mip maps of a texture do not fit into memory");
}

TexturePyramid build_pyramid(const TextureImage& image, bool has_levels) {
  TexturePyramid pyramid;
  pyramid.levels.push_back({image.width, image.height, image.texels.data()});
  while (has_levels && (pyramid.levels.back().width > 1 || pyramid.levels.back().height > 1)) {
    const TextureLevel full = pyramid.levels.back();
    TextureLevel half{std::max(full.width / 2, 1u), std::max(full.height / 2, 1u)};
    pyramid.texels.emplace_back(size_t(half.width) * half.height * texel_bytes(image.format));
    average(image.format, full, half, pyramid.texels.back().data());
    half.texels = pyramid.texels.back().data();
    pyramid.levels.push_back(half);
  }
  return pyramid;
}

/// Uses of textures whose texels are filtered by their coverage: all that do not use alpha.
constexpr TextureUse kWeightedUses[] = {TextureUse::kReflectance, TextureUse::kEmission,
                                        TextureUse::kRoughnessMetallic, TextureUse::kTransmission,
                                        TextureUse::kSpecular};

/// Returns the mean alpha of `coverage` within the texel (x, y) of `image`, which may have another
/// size.
///
/// @param cutoff  above 0: the share of texels whose alpha is at least this
float mean_coverage(const TextureImage& coverage, uint32_t x, uint32_t y, const TextureImage& image,
                    float cutoff) {
  auto begin = [](uint32_t i, uint32_t from, uint32_t to) { return uint64_t{i} * to / from; };
  const uint64_t x0 = begin(x, image.width, coverage.width),
                 y0 = begin(y, image.height, coverage.height),
                 x1 = std::max(begin(x + 1, image.width, coverage.width), x0 + 1),
                 y1 = std::max(begin(y + 1, image.height, coverage.height), y0 + 1);
  float sum = 0.0f;
  for (uint64_t row = y0; row < y1; ++row)
    for (uint64_t column = x0; column < x1; ++column) {
      const float alpha = linear_texel(coverage, row * coverage.width + column).w;
      sum += cutoff > 0.0f ? float(alpha >= cutoff) : glm::clamp(alpha, 0.0f, 1.0f);
    }
  return sum / float((x1 - x0) * (y1 - y0));
}

/// Returns whether a texture of an image is filtered before it is decoded.
bool filters_encoded(const TextureDescription& description, const TextureImage& image) {
  return description.filter == TextureFilter::kBilinearEncoded &&
         image.format == TexelFormat::kSrgb8;
}

/// Returns an image whose alpha is the coverage and whose other channels are multiplied by it;
/// nothing if all of it is covered alike.
///
/// @param is_encoded  colours are sRGB-encoded before they are multiplied
std::optional<TextureImage> weight_texels(const TextureImage& image, const TextureImage& coverage,
                                          float cutoff, bool is_encoded) {
  const float first = mean_coverage(coverage, 0, 0, image, cutoff);
  bool varies = false;
  TextureImage weighted{
      .name = image.name,
      .width = image.width,
      .height = image.height,
      .format = image.format == TexelFormat::kFloat ? TexelFormat::kFloat : TexelFormat::kLinear16};
  fill_texels(weighted, [&](uint32_t x, uint32_t y) {
    const float weight = mean_coverage(coverage, x, y, image, cutoff);
    varies = varies || weight != first;
    glm::vec3 color(texel_at(image, x, y, image));
    if (is_encoded)
      for (int i = 0; i < 3; ++i) color[i] = srgb_from_linear(color[i]);
    return glm::vec4(weight * color, weight);
  });
  return varies ? std::optional(std::move(weighted)) : std::nullopt;
}

/// Returns whether a material's texture of a use covers surfaces as its alpha texture does.
bool covers_as_alpha(const HostScene& scene, const MaterialTextures& textures, TextureUse use,
                     uint32_t texture) {
  TextureDescription color = scene.textures[texture], alpha = scene.textures[textures.alpha];
  if (color.filter == TextureFilter::kBilinearEncoded) return color == alpha;
  if (color.filter != TextureFilter::kLinear) return false;
  color.image = alpha.image = 0;
  alpha.filter = color.filter;
  return color == alpha &&
         is_on_second_uvs(textures, use) == is_on_second_uvs(textures, TextureUse::kAlpha);
}

/// Image of colours, image of coverage, the cutoff of alpha, 0 for none, and whether colours stay
/// encoded.
using WeightedImage = std::tuple<uint32_t, uint32_t, float, bool>;

/// Replaces textures of the table's materials by weighted ones, whose descriptions it appends.
void add_weighted_textures(const HostScene& scene, TextureTable& table,
                           std::vector<TextureDescription>& descriptions) {
  std::map<WeightedImage, uint32_t> images;  // index in `weighted`, later in all images
  auto for_each_use = [&](auto visit) {
    for (Material& material : table.materials) {
      if (material.textures.alpha == kNoTexture || !(material.alpha > 0.0f)) continue;
      const uint32_t coverage = scene.textures[material.textures.alpha].image;
      const MaterialTextures textures = material.textures;
      for (const TextureUse use : kWeightedUses) {
        const uint32_t texture = textures.*texture_slots()[size_t(use)].texture;
        if (texture == kNoTexture || !covers_as_alpha(scene, textures, use, texture)) continue;
        const TextureDescription& color = scene.textures[texture];
        // Cycles multiplies the texels of an image by their own alpha, whatever it is used for.
        const bool has_cutoff = color.filter == TextureFilter::kLinear;
        const WeightedImage image{color.image, coverage,
                                  has_cutoff ? material.alpha_cutoff / material.alpha : 0.0f,
                                  filters_encoded(color, scene.images[color.image])};
        visit(material, use, texture, image);
      }
    }
  };
  std::vector<WeightedImage> wanted;
  for_each_use([&](Material&, TextureUse, uint32_t, const WeightedImage& image) {
    if (images.try_emplace(image, uint32_t(wanted.size())).second) wanted.push_back(image);
  });

  std::vector<std::optional<TextureImage>> weighted(wanted.size());
  oneapi::tbb::parallel_for(size_t(0), wanted.size(), [&](size_t i) {
    const auto& [color, coverage, cutoff, is_encoded] = wanted[i];
    weighted[i] = weight_texels(scene.images[color], scene.images[coverage], cutoff, is_encoded);
  });
  for (auto& [key, index] : images) {
    std::optional<TextureImage>& image = weighted[index];
    index = image ? uint32_t(scene.images.size() + table.weighted.size()) : kNoTexture;
    if (image) table.weighted.push_back(std::move(*image));
  }

  std::map<std::pair<uint32_t, uint32_t>, uint32_t> textures;  // by texture and weighted image
  for_each_use([&](Material& material, TextureUse use, uint32_t texture, const WeightedImage& key) {
    const uint32_t image = images[key];
    if (image == kNoTexture) return;
    const auto [known, is_new] =
        textures.try_emplace({texture, image}, uint32_t(descriptions.size()));
    if (is_new) {
      descriptions.push_back(scene.textures[texture]);
      descriptions.back().image = image;
      if (!std::get<bool>(key) && descriptions.back().filter == TextureFilter::kBilinearEncoded)
        descriptions.back().filter = TextureFilter::kBilinear;
    }
    material.textures.*texture_slots()[size_t(use)].texture = known->second;
  });
}

}  // namespace

std::vector<bool> used_textures(const TextureTable& table) {
  std::vector<bool> used(table.textures.size());
  for (const Material& material : table.materials)
    for (const TextureSlot& slot : texture_slots())
      if (const uint32_t texture = material.textures.*slot.texture; texture != kNoTexture)
        used[texture] = true;
  return used;
}

TextureTable build_texture_table(const HostScene& scene) {
  TextureTable table;
  table.materials = scene.materials;
  std::vector<TextureDescription> descriptions = scene.textures;
  add_weighted_textures(scene, table, descriptions);

  std::vector<const TextureImage*> images;
  for (const TextureImage& image : scene.images) images.push_back(&image);
  for (const TextureImage& image : table.weighted) images.push_back(&image);
  std::vector<char> has_levels(images.size());  // [image]
  for (const TextureDescription& description : descriptions)
    if (description.filter == TextureFilter::kLinear) has_levels[description.image] = true;
  table.pyramids.resize(images.size());
  oneapi::tbb::parallel_for(size_t(0), images.size(), [&](size_t i) {
    table.pyramids[i] = build_pyramid(*images[i], has_levels[i]);
  });
  for (const TextureDescription& description : descriptions) {
    const TextureImage& image = *images[description.image];
    const bool is_weighted = table.textures.size() >= scene.textures.size();
    const bool is_encoded = is_weighted ? description.filter == TextureFilter::kBilinearEncoded
                                        : filters_encoded(description, image);
    const std::vector<TextureLevel>& levels = table.pyramids[description.image].levels;
    table.textures.push_back(
        {.from_uv = description.from_uv,
         .image = description.image,
         .width = image.width,
         .height = image.height,
         .levels = {levels.data(), levels.size()},
         .format = is_encoded && !is_weighted ? TexelFormat::kLinear8 : image.format,
         .wrap_u = description.wrap_u,
         .wrap_v = description.wrap_v,
         .filter = description.filter,
         .is_weighted = is_weighted,
         .is_encoded = is_encoded});
  }
  return table;
}

}  // namespace winnow
