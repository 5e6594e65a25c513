// SPDX-License-Identifier: MIT
#include "load/textures/texture_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>
#include <glm/mat2x2.hpp>
#include <glm/mat3x2.hpp>
#include <glm/matrix.hpp>

#include "base/error.h"
#include "base/limits.h"
#include "load/textures/texels.h"
#include "math/sampling.h"

namespace winnow {
namespace {

/// Returns an image with `change` applied to its linear texels.
TextureImage change_texels(const TextureImage& image, glm::vec4 (*change)(glm::vec4)) {
  TextureImage changed{
      .name = image.name,
      .width = image.width,
      .height = image.height,
      .format = image.format == TexelFormat::kSrgb8 ? TexelFormat::kLinear16 : image.format};
  fill_texels(changed,
              [&](uint32_t x, uint32_t y) { return change(texel_at(image, x, y, image)); });
  return changed;
}

/// Returns the fields of a texture as bits that are equal if the fields are.
TextureLibrary::TextureBits bits_of(const TextureDescription& texture) {
  TextureLibrary::TextureBits bits = {texture.image, uint32_t(texture.wrap_u),
                                      uint32_t(texture.wrap_v), uint32_t(texture.filter)};
  constexpr size_t kFirst = 4;
  for (int i = 0; i < 6; ++i)  // -0 becomes 0
    bits[kFirst + size_t(i)] = std::bit_cast<uint32_t>(texture.from_uv[i / 2][i % 2] + 0.0f);
  return bits;
}

glm::vec4 with_green_inverted(glm::vec4 texel) {
  return {texel.r, 1.0f - texel.g, texel.b, texel.a};
}

glm::vec4 luminance_as_coverage(glm::vec4 texel) {
  return glm::vec4(luminance(glm::vec3(texel)));
}

float luminance_of(glm::vec4 texel) {
  return luminance(glm::vec3(texel));
}

/// Returns an image of floats with the values `texel(x, y)`, and the name and size of `like`.
template <class Texel>
TextureImage make_float_image(const TextureImage& like, Texel texel) {
  TextureImage image{
      .name = like.name, .width = like.width, .height = like.height, .format = TexelFormat::kFloat};
  fill_texels(image, texel);
  return image;
}

/// Returns the index of a texel that may be one beyond the edges, where `wrap` applies.
uint32_t wrapped(int64_t at, uint32_t size, TextureWrap wrap) {
  if (wrap == TextureWrap::kRepeat) return uint32_t((at + size) % size);
  return uint32_t(std::clamp<int64_t>(at, 0, int64_t{size} - 1));
}

/// Rounds `x` to one of few numbers, so that similar surfaces share an image.
float round_ratio(float x, float steps_per_octave) {
  constexpr float kMaxOctaves = 8.0f;
  const float octaves = std::clamp(std::log2(std::max(x, 0.0f)), -kMaxOctaves, kMaxOctaves);
  return std::exp2(std::round(octaves * steps_per_octave) / steps_per_octave);
}

/// With at most so many texels of heights, ratios of sides are rounded by 1.1 %, else by up to 9 %.
constexpr size_t kFewTexels = size_t{1} << 18;

/// Returns the number of texels of normals along each side of a texel of heights.
uint32_t normals_per_texel(const TextureImage& heights) {
  constexpr uint32_t kMost = 16;
  uint32_t count = 1;
  while (count < kMost && texel_count(heights) * 4 * count * count <= kFewTexels) count *= 2;
  return count;
}

/// Heights that are interpolated linearly between the centres of texels.
struct Heights {
  const TextureImage& image;
  const TextureDescription& mapping;
  glm::vec2 size = {image.width, image.height};

  float at(float column, float row) const {
    return luminance_of(texel_at(image, wrapped(int64_t(column), image.width, mapping.wrap_u),
                                 wrapped(int64_t(row), image.height, mapping.wrap_v), image));
  }

  /// Returns what heights rise by from the texel `at` to the next one along `axis`.
  ///
  /// @param beside  place along the other axis, in texels
  float rise(int axis, float at, float beside) const {
    const float low = std::floor(beside), high = std::ceil(beside);
    auto between = [&](float other) {
      return axis == 0 ? this->at(at + 1.0f, other) - this->at(at, other)
                       : this->at(other, at + 1.0f) - this->at(other, at);
    };
    return glm::mix(between(low), between(high), beside - low);
  }

  /// Returns the derivatives along rows and columns over the image; at the centre of a texel, the
  /// mean of those on both sides of it.
  glm::vec2 slope(glm::vec2 place) const {
    glm::vec2 slope;
    for (int axis : {0, 1})
      slope[axis] = 0.5f * size[axis] *
                    (rise(axis, std::floor(place[axis]), place[1 - axis]) +
                     rise(axis, std::ceil(place[axis]) - 1.0f, place[1 - axis]));
    return slope;
  }
};

/// @param from_image  from slopes along the rows and columns of the image to those along u and v
uint32_t normals_of_heights(uint32_t heights, const glm::mat2& from_image,
                            TextureLibrary& textures) {
  const TextureDescription mapping = textures.description(heights);
  const Heights from{textures.image(mapping.image), mapping};
  const uint32_t steps = normals_per_texel(from.image);
  TextureImage normals{.name = from.image.name,
                       .width = steps * from.image.width,
                       .height = steps * from.image.height,
                       .format = TexelFormat::kFloat};
  fill_texels(normals, [&](uint32_t x, uint32_t y) -> glm::vec4 {
    const glm::vec2 slope = from_image * from.slope((glm::vec2(x, y) + 0.5f) / float(steps) - 0.5f);
    return {0.5f - 0.5f * slope.x, 0.5f + 0.5f * slope.y, 1.0f, 1.0f};
  });
  return textures.add_image(std::move(normals), mapping);
}

}  // namespace

uint32_t TextureLibrary::image_of(const std::filesystem::path& file, TexelMeaning meaning) {
  const auto [known, is_new] = images_.try_emplace({file, meaning}, kNoTexture);
  if (!is_new) return known->second;
  std::vector<std::string> warnings;
  try {
    known->second = keep(read_texture_file(file, meaning, warnings, rules_));
  } catch (const Error& error) {
    std::error_code status;
    const bool missing = !std::filesystem::exists(file, status);
    warnings.push_back(missing ? fmt::format("{}: the texture does not exist; it is left out",
                                             one_line(file.string(), kMaxPathLength))
                               : fmt::format("{}; the texture is left out", error.what()));
  }
  for (std::string& warning : warnings)
    if (reported_.insert(warning).second) scene_.warnings.push_back(std::move(warning));
  return known->second;
}

uint32_t TextureLibrary::add_file(const std::filesystem::path& file, TexelMeaning meaning,
                                  TextureDescription description) {
  description.image = image_of(file, meaning);
  return description.image == kNoTexture ? kNoTexture : add(description);
}

uint32_t TextureLibrary::add_image(TextureImage image, TextureDescription description) {
  description.image = keep(std::move(image));
  return add(description);
}

uint32_t TextureLibrary::add_checkerboard(glm::vec3 a, glm::vec3 b, TextureDescription description,
                                          TexelMeaning meaning) {
  const auto texel = [&](glm::vec3 color) {
    return meaning == TexelMeaning::kCoverage ? glm::vec4(color.r) : glm::vec4(color, 1.0f);
  };
  const glm::vec4 squares[] = {texel(a), texel(b), texel(b), texel(a)};
  TextureImage image{
      .name = "checkerboard", .width = 2, .height = 2, .format = TexelFormat::kFloat};
  image.texels.resize(sizeof squares);
  std::memcpy(image.texels.data(), squares, sizeof squares);
  description.filter = TextureFilter::kNearest;
  const std::string texels(reinterpret_cast<const char*>(squares), sizeof squares);
  const auto [known, is_new] = checkerboards_.try_emplace(texels, kNoTexture);
  if (is_new) known->second = keep(std::move(image));
  description.image = known->second;
  return add(description);
}

template <class Change>
uint32_t TextureLibrary::add_derived(const TextureDescription& from, const std::string& use,
                                     Change change) {
  TextureDescription description = from;
  const auto [known, is_new] = changed_.try_emplace({from.image, use}, kNoTexture);
  if (is_new) known->second = keep(change(scene_.images[description.image]));
  description.image = known->second;
  return add(description);
}

uint32_t TextureLibrary::add_changed(uint32_t texture, const std::string& use,
                                     glm::vec4 (*change)(glm::vec4)) {
  return add_derived(scene_.textures[texture], use,
                     [&](const TextureImage& image) { return change_texels(image, change); });
}

uint32_t TextureLibrary::add_with_green_inverted(uint32_t texture) {
  return add_changed(texture, "green inverted", with_green_inverted);
}

uint32_t TextureLibrary::add_turned_normals(uint32_t texture) {
  const TextureDescription description = scene_.textures[texture];
  const glm::mat2 axes = image_axes(description.from_uv);
  if (axes == glm::mat2(1.0f)) return texture;
  return add_derived(description,
                     fmt::format("normals turned to {} {}, {}", axes[0].x, axes[0].y, axes[1].y),
                     [&](const TextureImage& image) { return turned_normals(image, axes); });
}

uint32_t TextureLibrary::add_luminance_as_coverage(uint32_t texture) {
  return add_changed(texture, "luminance as coverage", luminance_as_coverage);
}

uint32_t TextureLibrary::add_normals_from_heights(const TextureDescription& heights, float height) {
  return add_derived(
      heights, fmt::format("normals of heights {}", height),
      [&](const TextureImage& image) { return normals_from_heights(image, height); });
}

glm::vec3 TextureLibrary::mean(const Textured& value) const {
  if (value.texture == kNoTexture) return value.factor;
  return value.factor * glm::vec3(mean_texel(image(description(value.texture).image)));
}

uint32_t TextureLibrary::add(const TextureDescription& description) {
  std::vector<TextureDescription>& textures = scene_.textures;
  const auto [known, is_new] = known_.try_emplace(bits_of(description), uint32_t(textures.size()));
  if (is_new) textures.push_back(description);
  return known->second;
}

uint32_t pack_roughness_metallic(uint32_t roughness, uint32_t metallic, RoughnessUnit unit,
                                 TextureLibrary& textures) {
  auto image_of = [&](uint32_t texture) {
    return texture == kNoTexture ? nullptr : &textures.image(textures.description(texture).image);
  };
  const TextureImage *rough = image_of(roughness), *metal = image_of(metallic);
  const TextureImage& larger =
      !rough || (metal && texel_count(*metal) > texel_count(*rough)) ? *metal : *rough;
  TextureImage packed = make_float_image(larger, [&](uint32_t x, uint32_t y) -> glm::vec4 {
    float green = rough ? luminance_of(texel_at(*rough, x, y, larger)) : 1.0f;
    if (unit == RoughnessUnit::kAlpha) green = std::sqrt(std::max(green, 0.0f));
    const float blue = metal ? luminance_of(texel_at(*metal, x, y, larger)) : 1.0f;
    return {0.0f, glm::clamp(green, 0.0f, 1.0f), glm::clamp(blue, 0.0f, 1.0f), 1.0f};
  });
  const TextureDescription mapping = textures.description(rough ? roughness : metallic);
  return textures.add_image(std::move(packed), mapping);
}

std::optional<Textured> combine_textures(std::span<const Textured> values,
                                         const CombineColors& combine, TextureLibrary& library) {
  std::optional<TextureDescription> mapping;
  std::vector<const TextureImage*> images;
  TextureImage largest;
  for (const Textured& value : values) {
    const TextureImage*& image = images.emplace_back(nullptr);
    if (value.texture == kNoTexture) continue;
    TextureDescription description = library.description(value.texture);
    image = &library.image(std::exchange(description.image, 0));
    if (mapping && !(*mapping == description)) return {};
    mapping = description;
    if (largest.name.empty()) largest.name = image->name;
    largest.width = std::max(largest.width, image->width);
    largest.height = std::max(largest.height, image->height);
  }
  if (!mapping || texel_count(largest) > kMaxCombinedTexels) return {};
  std::vector<glm::vec3> colors(values.size());
  TextureImage combined = make_float_image(largest, [&](uint32_t x, uint32_t y) -> glm::vec4 {
    for (size_t i = 0; i < colors.size(); ++i) {
      colors[i] = values[i].factor;
      if (images[i]) colors[i] *= glm::vec3(texel_at(*images[i], x, y, largest));
    }
    return {combine(colors), 1.0f};
  });
  return Textured{glm::vec3(1.0f), library.add_image(std::move(combined), *mapping)};
}

bool multiply_coverage(const Textured& coverage, Material& material, TextureLibrary& library) {
  uint32_t& texture = material.textures.alpha;
  const Textured both[] = {coverage, {glm::vec3(1.0f), texture}};
  const auto product = [](std::span<const glm::vec3> colors) { return colors[0] * colors[1]; };
  std::optional<Textured> used = coverage;
  if (coverage.texture != kNoTexture && texture != kNoTexture)
    used = combine_textures(both, product, library);
  const bool is_exact = used.has_value();
  if (!is_exact) used = Textured{library.mean(coverage)};
  const glm::vec3 factor = used->factor;
  const bool is_grey = factor.r == factor.g && factor.g == factor.b;
  material.alpha *= glm::clamp(is_grey ? factor.r : luminance(factor), 0.0f, 1.0f);
  if (used->texture != kNoTexture) texture = library.add_luminance_as_coverage(used->texture);
  return is_exact;
}

void BumpMaps::add(uint32_t heights, float height, glm::vec2 uv_size, Material& material) {
  constexpr float kMinScale = 1e-6f;
  const glm::mat2 linear(textures_.description(heights).from_uv);
  const float scale = std::max(std::sqrt(std::abs(glm::determinant(linear))), kMinScale);
  constexpr float kFine = 32.0f, kCoarse = 4.0f;
  const TextureImage& image = textures_.image(textures_.description(heights).image);
  const float ratio =
      round_ratio(uv_size.y / uv_size.x, texel_count(image) <= kFewTexels ? kFine : kCoarse);
  const auto [known, is_new] = normals_.try_emplace({heights, ratio}, kNoTexture);
  if (is_new) {
    const glm::mat2 stretch(std::sqrt(ratio), 0.0f, 0.0f, 1.0f / std::sqrt(ratio));
    known->second =
        normals_of_heights(heights, stretch * glm::transpose(linear) / scale, textures_);
  }
  material.textures.normal = known->second;
  material.normal_scale = height * scale / std::sqrt(uv_size.x * uv_size.y);
}

const std::array<TextureSlot, 13>& texture_slots() {
  using T = MaterialTextures;
  static const std::array<TextureSlot, 13> slots = {
      {{"reflectance", &T::reflectance, TexelMeaning::kColor},
       {"emission", &T::emission, TexelMeaning::kColor},
       {"roughness_metallic", &T::roughness_metallic, TexelMeaning::kData},
       {"normal", &T::normal, TexelMeaning::kData},
       {"alpha", &T::alpha, TexelMeaning::kCoverage},
       {"transmission", &T::transmission, TexelMeaning::kData},
       {"specular", &T::specular, TexelMeaning::kColor},
       {"coat", &T::coat, TexelMeaning::kData},
       {"sheen", &T::sheen, TexelMeaning::kColor},
       {"anisotropy", &T::anisotropy, TexelMeaning::kData},
       {"iridescence", &T::iridescence, TexelMeaning::kData},
       {"specular_tint", &T::specular_tint, TexelMeaning::kColor},
       {"diffuse_transmission", &T::diffuse_transmission, TexelMeaning::kColor}}};
  return slots;
}

}  // namespace winnow
