#include "scene/texture_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>

#include "error.h"
#include "film/image_io.h"
#include "film/png_jpg.h"

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

}  // namespace

TextureImage read_texture_bytes(std::istream& stream, TexelMeaning meaning) {
  constexpr int kChannels = 4;
  const ByteImage bytes = read_bytes(stream, kChannels);
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
    std::ifstream stream(file, std::ios::binary);
    if (!stream || std::filesystem::is_directory(file))
      throw Error(fmt::format("{}: cannot be opened as an image", file.string()));
    try {
      texture = read_texture_bytes(stream, meaning);
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", file.string(), error.what()));
    }
  }
  texture.name = file.string();
  return texture;
}

}  // namespace winnow
