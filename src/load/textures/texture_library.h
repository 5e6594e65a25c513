#pragma once

#include <filesystem>
#include <map>
#include <utility>

#include "load/textures/texture_file.h"
#include "scene/host_scene.h"

namespace winnow {

/// The textures of a scene while it is read. Each file is read once; one that is missing or broken
/// is a warning, once, and no texture.
class TextureLibrary {
 public:
  explicit TextureLibrary(HostScene& scene) : scene_(scene) {}

  /// @param description  its image is set here
  /// @return             number of the texture, or kNoTexture
  uint32_t add_file(const std::filesystem::path& file, TexelMeaning meaning,
                    TextureDescription description);

  /// An image that is at hand.
  uint32_t add_image(TextureImage image, TextureDescription description);

  /// Two by two fields with sharp edges; `a` is at the upper left.
  uint32_t add_checkerboard(glm::vec3 a, glm::vec3 b, TextureDescription description);

  /// Another texture of an image that is here.
  uint32_t add(const TextureDescription& description);

  /// The same with one minus its green: a normal map that leans the other way along v.
  uint32_t add_with_green_turned(uint32_t texture);

  /// Number of the file's image, or kNoTexture.
  uint32_t image_of(const std::filesystem::path& file, TexelMeaning meaning);
  const TextureImage& image(uint32_t number) const { return scene_.images[number]; }

 private:
  HostScene& scene_;
  std::map<std::pair<std::filesystem::path, TexelMeaning>, uint32_t> images_;
  std::map<uint32_t, uint32_t> turned_;  ///< image to that with its green turned
};

}  // namespace winnow
