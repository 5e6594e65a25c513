// SPDX-License-Identifier: MIT
#include "load/pbrt/combined_textures.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "load/textures/texels.h"

namespace winnow {
namespace {

/// Looks up a value at the texels of a larger image.
class CombinedValue {
 public:
  CombinedValue(const PbrtTextured& value, const TextureLibrary& library) : factor_(value.factor) {
    if (value.texture != kNoTexture)
      image_ = &library.image(library.description(value.texture).image);
  }

  const TextureImage* image() const { return image_; }

  /// @param width, height  size of the larger image
  glm::vec3 at(uint32_t x, uint32_t y, uint32_t width, uint32_t height) const {
    if (!image_) return factor_;
    const uint64_t column = uint64_t{x} * image_->width / width,
                   row = uint64_t{y} * image_->height / height;
    return factor_ * glm::vec3(linear_texel(*image_, row * image_->width + column));
  }

 private:
  glm::vec3 factor_;
  const TextureImage* image_ = nullptr;
};

size_t texels_in(const TextureImage& image) {
  return size_t{image.width} * image.height;
}

/// Returns the mapping of all textures; nothing if they differ.
std::optional<TextureDescription> common_mapping(std::span<const PbrtTextured> values,
                                                 const TextureLibrary& library) {
  std::optional<TextureDescription> common;
  for (const PbrtTextured& value : values) {
    if (value.texture == kNoTexture) continue;
    TextureDescription mapping = library.description(value.texture);
    mapping.image = 0;
    if (common && !(*common == mapping)) return {};
    common = mapping;
  }
  return common;
}

}  // namespace

std::optional<PbrtTextured> combine_textures(std::span<const PbrtTextured> values,
                                             const CombineColors& combine,
                                             TextureLibrary& library) {
  const std::optional<TextureDescription> mapping = common_mapping(values, library);
  if (!mapping) return {};
  std::vector<CombinedValue> read;
  TextureImage result{.format = TexelFormat::kFloat};
  for (const PbrtTextured& value : values) {
    const TextureImage* image = read.emplace_back(value, library).image();
    if (!image) continue;
    if (result.name.empty()) result.name = image->name;
    result.width = std::max(result.width, image->width);
    result.height = std::max(result.height, image->height);
  }
  if (texels_in(result) > kMaxCombinedTexels) return {};
  result.texels.resize(texels_in(result) * texel_bytes(result.format));
  std::byte* bytes = result.texels.data();
  std::vector<glm::vec3> colors(values.size());
  for (uint32_t y = 0; y < result.height; ++y)
    for (uint32_t x = 0; x < result.width; ++x) {
      for (size_t i = 0; i < read.size(); ++i)
        colors[i] = read[i].at(x, y, result.width, result.height);
      const glm::vec4 texel(combine(colors), 1.0f);
      std::memcpy(bytes, &texel, sizeof texel);
      bytes += sizeof texel;
    }
  return PbrtTextured{glm::vec3(1.0f), library.add_image(std::move(result), *mapping)};
}

}  // namespace winnow
