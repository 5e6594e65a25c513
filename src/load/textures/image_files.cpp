// SPDX-License-Identifier: MIT
#include "load/textures/image_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/folder_watch.h"
#include "base/limits.h"
#include "image/image_formats.h"
#include "image/srgb.h"
#include "load/textures/texels.h"

namespace winnow {
namespace {

bool holds_floats(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) c = char(std::tolower(static_cast<unsigned char>(c)));
  return extension == ".hdr" || extension == ".exr" || extension == ".pfm";
}

constexpr float kMaxChannel = float(kMaxSceneValue);

/// Sets channels that no surface or light can have to 0 and returns the number of their pixels.
/// Others of the same pixel stay.
size_t clear_unusable_channels(float least, Image& image) {
  size_t cleared = 0;
  for (glm::vec3& pixel : image.pixels) {
    bool is_cleared = false;
    for (int i = 0; i < 3; ++i) {
      if (pixel[i] >= least && pixel[i] <= kMaxChannel) continue;  // NaN compares false
      pixel[i] = 0.0f;
      is_cleared = true;
    }
    cleared += size_t(is_cleared);
  }
  return cleared;
}

TextureImage from_radiance(const Image& image, TexelMeaning meaning) {
  TextureImage texture{.width = image.width, .height = image.height, .format = TexelFormat::kFloat};
  const bool has_alpha =
      std::ranges::any_of(image.alpha, [](float alpha) { return alpha != 1.0f; });
  const bool is_coverage = meaning == TexelMeaning::kCoverage;
  fill_texels(texture, [&](uint32_t x, uint32_t y) {
    const size_t i = size_t{y} * image.width + x;
    const glm::vec3& pixel = image.pixels[i];
    const float alpha =
        image.alpha.empty() || !std::isfinite(image.alpha[i]) ? 1.0f : image.alpha[i];
    if (is_coverage) return glm::vec4(has_alpha ? alpha : pixel.r);
    return glm::vec4(pixel, alpha);
  });
  return texture;
}

Image to_radiance(const TextureImage& texture) {
  Image image{texture.width, texture.height, {}};
  for (size_t i = 0; i < texel_count(texture); ++i)
    image.pixels.emplace_back(linear_texel(texture, i));
  return image;
}

/// Returns alpha as a channel of an OpenEXR file; nothing if all of it is 1.
std::vector<ImageChannel> alpha_channel(const TextureImage& texture) {
  std::vector<float> alpha;
  for (size_t i = 0; i < texel_count(texture); ++i) alpha.push_back(linear_texel(texture, i).a);
  if (std::ranges::all_of(alpha, [](float a) { return a == 1.0f; })) return {};
  return {{"A", std::move(alpha)}};
}

template <class T>
void spread_coverage(std::vector<T>& values) {
  constexpr size_t kChannels = 4, kAlpha = 3;
  constexpr T kOpaque = std::numeric_limits<T>::max();
  bool has_alpha = false;
  for (size_t i = kAlpha; i < values.size(); i += kChannels)
    has_alpha = has_alpha || values[i] != kOpaque;
  for (size_t i = 0; i < values.size(); i += kChannels)
    std::fill_n(&values[i], kChannels, values[i + (has_alpha ? kAlpha : 0)]);
}

/// Returns the texels of an image of 16 bits: numbers keep them, colours become linear floats.
TextureImage wide_texels(const ByteImage& image, TexelMeaning meaning) {
  constexpr float kMax = 65535.0f;
  const bool is_color = meaning == TexelMeaning::kColor;
  TextureImage texture{.width = image.width,
                       .height = image.height,
                       .format = is_color ? TexelFormat::kFloat : TexelFormat::kLinear16};
  const uint16_t* value = image.values_16.data();
  fill_texels(texture, [&](uint32_t, uint32_t) {
    glm::vec4 texel = glm::vec4(value[0], value[1], value[2], value[3]) / kMax;
    value += 4;
    if (is_color)
      for (int i = 0; i < 3; ++i) texel[i] = linear_from_srgb(texel[i]);
    return texel;
  });
  return texture;
}

/// Adds warnings of an image's reader, each after the name of its file.
void add_file_warnings(const std::string& file, const std::vector<std::string>& found,
                       std::vector<std::string>& warnings) {
  for (const std::string& warning : found) warnings.push_back(file + ": " + warning);
}

TextureImage decode_bytes(std::istream& stream, TexelMeaning meaning,
                          std::vector<std::string>& warnings, ImageRules rules) {
  constexpr int kChannels = 4;
  ByteImage bytes = read_bytes(stream, kChannels);
  std::ranges::move(bytes.warnings, std::back_inserter(warnings));
  if (meaning == TexelMeaning::kColor && rules != ImageRules::kGltf)
    std::ranges::move(bytes.color_warnings, std::back_inserter(warnings));
  if (meaning == TexelMeaning::kCoverage) {
    spread_coverage(bytes.values);
    spread_coverage(bytes.values_16);
  }
  if (!bytes.values_16.empty()) return wide_texels(bytes, meaning);
  TextureImage texture{
      .width = bytes.width,
      .height = bytes.height,
      .format = meaning == TexelMeaning::kColor ? TexelFormat::kSrgb8 : TexelFormat::kLinear8};
  texture.texels.resize(bytes.values.size());
  std::memcpy(texture.texels.data(), bytes.values.data(), bytes.values.size());
  return texture;
}

thread_local KeptImages* images_in_use = nullptr;

}  // namespace

KeptImages::Use::Use(KeptImages& images) {
  images_in_use = &images;
}

KeptImages::Use::~Use() {
  images_in_use = nullptr;
}

TextureImage KeptImages::find(const std::string& bytes, TexelMeaning meaning, ImageRules rules,
                              const std::function<TextureImage()>& decode) {
  const std::array<size_t, 4> key = {std::hash<std::string>{}(bytes), bytes.size(), size_t(meaning),
                                     size_t(rules)};
  if (const auto kept = images_.find(key); kept != images_.end()) return kept->second;
  TextureImage image = decode();
  if (bytes_ + image.texels.size() <= kMostBytes) {
    bytes_ += image.texels.size();
    images_.emplace(key, image);
  }
  return image;
}

TextureImage read_texture_bytes(std::istream& stream, TexelMeaning meaning,
                                std::vector<std::string>& warnings, ImageRules rules) {
  if (!images_in_use) return decode_bytes(stream, meaning, warnings, rules);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  return images_in_use->find(bytes, meaning, rules, [&] {
    std::istringstream copy(bytes);
    return decode_bytes(copy, meaning, warnings, rules);
  });
}

TextureImage read_texture_file(const std::filesystem::path& file, TexelMeaning meaning,
                               std::vector<std::string>& warnings, ImageRules rules) {
  TextureImage texture;
  if (holds_floats(file)) {
    Image image = read_image(
        file, rules, meaning == TexelMeaning::kColor ? ImageUse::kColors : ImageUse::kNumbers);
    std::ranges::move(image.warnings, std::back_inserter(warnings));
    if (const size_t cleared = clear_unusable_channels(-kMaxChannel, image))
      warnings.push_back(
          fmt::format("{}: channels of {} texels are beyond 1e9 or not finite; they become 0",
                      file.string(), cleared));
    texture = from_radiance(image, meaning);
  } else {
    FolderWatch::check(file);
    refuse_endless(file);
    std::ifstream stream(file, std::ios::binary);
    if (!stream || std::filesystem::is_directory(file))
      throw Error(fmt::format("{}: cannot be opened as an image", file.string()));
    std::vector<std::string> found;
    try {
      refuse_lfs_pointer(stream);
      texture = read_texture_bytes(stream, meaning, found, rules);
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", file.string(), error.what()));
    }
    add_file_warnings(file.string(), found, warnings);
  }
  texture.name = file.string();
  return texture;
}

void write_texture_file(const std::filesystem::path& file, const TextureImage& texture) {
  if (keeps_floats(texture.format))
    return write_image(file, to_radiance(texture), {}, alpha_channel(texture));
  ByteImage bytes{texture.width, texture.height, std::vector<uint8_t>(texture.texels.size())};
  std::memcpy(bytes.values.data(), texture.texels.data(), texture.texels.size());
  replace_file(file, [&](std::ostream& stream) { write_rgba_png(stream, bytes); });
}

Image read_environment_image(const std::filesystem::path& file, std::vector<std::string>& warnings,
                             ImageRules rules) {
  Image image = read_image(file, rules);
  std::ranges::move(image.warnings, std::back_inserter(warnings));
  image.warnings.clear();
  if (const size_t cleared = clear_unusable_channels(0.0f, image))
    warnings.push_back(fmt::format(
        "{}: channels of {} pixels are negative, above 1e9 or not finite; they become 0",
        file.string(), cleared));
  return image;
}

std::optional<Image> read_environment_file(const std::filesystem::path& file,
                                           std::vector<std::string>& warnings, ImageRules rules) {
  std::error_code status;
  if (!std::filesystem::exists(file, status)) {
    warnings.push_back(
        fmt::format("{}: the environment map does not exist; a soft sky is used", file.string()));
    return std::nullopt;
  }
  try {
    return read_environment_image(file, warnings, rules);
  } catch (const std::runtime_error& error) {
    warnings.push_back(fmt::format("{}; a soft sky is used", error.what()));
    return std::nullopt;
  }
}

}  // namespace winnow
