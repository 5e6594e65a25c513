// SPDX-License-Identifier: MIT
#include "load/textures/image_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "base/folder_watch.h"
#include "image/image_formats.h"
#include "image/image_io.h"
#include "scene/mesh.h"

namespace winnow {
namespace {

bool holds_floats(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) c = char(std::tolower(static_cast<unsigned char>(c)));
  return extension == ".hdr" || extension == ".exr" || extension == ".pfm";
}

TextureImage from_radiance(const Image& image) {
  TextureImage texture{.width = image.width, .height = image.height, .format = TexelFormat::kFloat};
  texture.texels.resize(image.pixels.size() * texel_bytes(texture.format));
  std::byte* texel = texture.texels.data();
  for (const glm::vec3& pixel : image.pixels) {
    const float values[] = {pixel.x, pixel.y, pixel.z, 1.0f};
    std::memcpy(texel, values, sizeof values);
    texel += sizeof values;
  }
  return texture;
}

Image to_radiance(const TextureImage& texture) {
  Image image{texture.width, texture.height, {}};
  for (size_t at = 0; at < texture.texels.size(); at += texel_bytes(texture.format)) {
    glm::vec3 pixel;
    std::memcpy(&pixel, &texture.texels[at], sizeof pixel);
    image.pixels.push_back(pixel);
  }
  return image;
}

void spread_coverage(std::vector<uint8_t>& values) {
  constexpr size_t kChannels = 4, kAlpha = 3;
  constexpr uint8_t kOpaque = 255;
  bool has_alpha = false;
  for (size_t i = kAlpha; i < values.size(); i += kChannels)
    has_alpha = has_alpha || values[i] != kOpaque;
  for (size_t i = 0; i < values.size(); i += kChannels)
    std::fill_n(&values[i], kChannels, values[i + (has_alpha ? kAlpha : 0)]);
}

/// Sets invalid pixels to black and returns their number.
size_t clear_invalid_pixels(Image& image) {
  size_t cleared = 0;
  for (glm::vec3& pixel : image.pixels) {
    if (is_near(pixel) && pixel.x >= 0.0f && pixel.y >= 0.0f && pixel.z >= 0.0f) continue;
    pixel = glm::vec3(0.0f);
    ++cleared;
  }
  return cleared;
}

}  // namespace

TextureImage read_texture_bytes(std::istream& stream, TexelMeaning meaning) {
  constexpr int kChannels = 4;
  ByteImage bytes = read_bytes(stream, kChannels);
  if (meaning == TexelMeaning::kCoverage) spread_coverage(bytes.values);
  TextureImage texture{
      .width = bytes.width,
      .height = bytes.height,
      .format = meaning == TexelMeaning::kColor ? TexelFormat::kSrgb8 : TexelFormat::kLinear8};
  texture.texels.resize(bytes.values.size());
  std::memcpy(texture.texels.data(), bytes.values.data(), bytes.values.size());
  return texture;
}

TextureImage read_texture_file(const std::filesystem::path& file, TexelMeaning meaning) {
  TextureImage texture;
  if (holds_floats(file)) {
    texture = from_radiance(read_image(file));
  } else {
    FolderWatch::check(file);
    refuse_endless(file);
    std::ifstream stream(file, std::ios::binary);
    if (!stream || std::filesystem::is_directory(file))
      throw Error(fmt::format("{}: cannot be opened as an image", file.string()));
    try {
      refuse_lfs_pointer(stream);
      texture = read_texture_bytes(stream, meaning);
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", file.string(), error.what()));
    }
  }
  texture.name = file.string();
  return texture;
}

void write_texture_file(const std::filesystem::path& file, const TextureImage& texture) {
  if (texture.format == TexelFormat::kFloat) return write_image(file, to_radiance(texture));
  ByteImage bytes{texture.width, texture.height, std::vector<uint8_t>(texture.texels.size())};
  std::memcpy(bytes.values.data(), texture.texels.data(), texture.texels.size());
  replace_file(file, [&](std::ostream& stream) { write_rgba_png(stream, bytes); });
}

Image read_environment_image(const std::filesystem::path& file,
                             std::vector<std::string>& warnings) {
  Image image = read_image(file);
  if (const size_t cleared = clear_invalid_pixels(image))
    warnings.push_back(
        fmt::format("{}: {} pixels are negative, above 1e9 or not finite; they "
                    "become black",
                    file.string(), cleared));
  return image;
}

std::optional<Image> read_environment_file(const std::filesystem::path& file,
                                           std::vector<std::string>& warnings) {
  std::error_code status;
  if (!std::filesystem::exists(file, status)) {
    warnings.push_back(
        fmt::format("{}: the environment map does not exist; a soft sky is used", file.string()));
    return std::nullopt;
  }
  try {
    return read_environment_image(file, warnings);
  } catch (const std::runtime_error& error) {
    warnings.push_back(fmt::format("{}; a soft sky is used", error.what()));
    return std::nullopt;
  }
}

}  // namespace winnow
