#include "load/gltf/textures.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <sstream>

#include "base/error.h"
#include "load/gltf/values.h"

namespace winnow {
namespace {

// Enumerators of OpenGL, which glTF has its numbers from.
constexpr int kGlNearest = 9728, kGlClampToEdge = 33071, kGlMirroredRepeat = 33648;

TextureWrap wrap_of(int gl) {
  if (gl == kGlClampToEdge) return TextureWrap::kClamp;
  return gl == kGlMirroredRepeat ? TextureWrap::kMirror : TextureWrap::kRepeat;
}

/// The extension turns uv counter-clockwise as seen on an image, whose v points down.
void apply_transform(const tinygltf::Value& transform, GltfTextureInfo& info) {
  constexpr double kFar = 1e6;  // beyond this no digits are left for a texel
  auto pair = [&](const char* key, double by_default) {
    const std::vector<double> numbers = numbers_of(transform, key);
    return numbers.size() < 2 ? glm::dvec2(by_default)
                              : glm::clamp(glm::dvec2(numbers[0], numbers[1]), -kFar, kFar);
  };
  const glm::dvec2 offset = pair("offset", 0.0), by = pair("scale", 1.0);
  const double angle = number_of(transform, "rotation", 0.0);
  const double c = std::cos(angle), s = std::sin(angle);
  info.from_uv[0] = by.x * glm::dvec2(c, -s);
  info.from_uv[1] = by.y * glm::dvec2(s, c);
  info.from_uv[2] = offset;
  info.uv_set = integer_of(transform, "texCoord", info.uv_set);
}

}  // namespace

GltfTextureInfo gltf_texture_info(int index, int uv_set, const tinygltf::ExtensionMap& extensions) {
  GltfTextureInfo info{.index = index, .uv_set = uv_set};
  if (const tinygltf::Value* transform = find_extension(extensions, "KHR_texture_transform"))
    apply_transform(*transform, info);
  return info;
}

GltfTextureInfo gltf_texture_info(const tinygltf::Value& extension, const std::string& key) {
  const tinygltf::Value* texture = find_value(extension, key);
  if (!texture) return {};
  GltfTextureInfo info{.index = integer_of(*texture, "index", -1),
                       .uv_set = integer_of(*texture, "texCoord", 0)};
  const tinygltf::Value* extensions = find_value(*texture, "extensions");
  const tinygltf::Value* transform =
      extensions ? find_value(*extensions, "KHR_texture_transform") : nullptr;
  if (transform) apply_transform(*transform, info);
  return info;
}

uint32_t GltfTextures::add(const GltfTextureInfo& info, TexelMeaning meaning,
                           const std::string& place) {
  if (!info.exists()) return kNoTexture;
  const tinygltf::Model& model = document_.model();
  const tinygltf::Texture& texture = document_.item(model.textures, info.index, place);
  const std::string texture_place = fmt::format("/textures/{}", info.index);
  if (texture.source < 0) {
    document_.warn(texture_place, "a texture without an image of PNG or JPEG is left out");
    return kNoTexture;
  }
  TextureDescription description{.from_uv = info.from_uv};
  if (texture.sampler >= 0) {
    const tinygltf::Sampler& sampler =
        document_.item(model.samplers, texture.sampler, texture_place + "/sampler");
    description.wrap_u = wrap_of(sampler.wrapS);
    description.wrap_v = wrap_of(sampler.wrapT);
    if (sampler.magFilter == kGlNearest) description.filter = TextureFilter::kNearest;
  }
  description.image = image_of(texture.source, meaning, texture_place + "/source");
  return description.image == kNoTexture ? kNoTexture : library_.add(description);
}

uint32_t GltfTextures::image_of(int source, TexelMeaning meaning, const std::string& place) {
  const auto [known, is_new] = embedded_.try_emplace({source, meaning}, kNoTexture);
  if (!is_new) return known->second;
  const GltfImage image = document_.image(source, place);
  if (!image.bytes) return known->second = library_.image_of(image.file, meaning);
  const std::string image_place = fmt::format("/images/{}", source);
  try {
    std::istringstream stream(*image.bytes);
    TextureImage read = read_texture_bytes(stream, meaning);
    read.name = document_.name() + image_place;
    known->second = uint32_t(scene_.images.size());
    scene_.images.push_back(std::move(read));
  } catch (const Error& error) {
    document_.warn(image_place, fmt::format("{}; the texture is left out", error.what()));
  }
  return known->second;
}

bool GltfTextures::is_see_through(uint32_t texture) const {
  if (texture == kNoTexture) return false;
  const TextureImage& image = scene_.images[scene_.textures[texture].image];
  if (image.format == TexelFormat::kFloat) return false;
  const size_t size = texel_bytes(image.format);
  constexpr std::byte kOpaque{0xff};
  for (size_t alpha = size - 1; alpha < image.texels.size(); alpha += size)
    if (image.texels[alpha] != kOpaque) return true;
  return false;
}

}  // namespace winnow
