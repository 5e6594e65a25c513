// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <glm/vec4.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "load/textures/image_files.h"
#include "scene/host_scene.h"

namespace winnow {

/// Adds textures to a scene. Each file is read once. A missing or broken file gives one warning and
/// no texture.
class TextureLibrary {
 public:
  /// Image, wraps, filter and transform of a texture.
  using TextureBits = std::array<uint32_t, 10>;

  explicit TextureLibrary(HostScene& scene) : scene_(scene) {}

  /// Adds the texture of an image file.
  /// @param description  mapping; its image is ignored
  /// @return             index of the texture, or kNoTexture
  uint32_t add_file(const std::filesystem::path& file, TexelMeaning meaning,
                    TextureDescription description);

  /// Adds a texture of an image in memory.
  uint32_t add_image(TextureImage image, TextureDescription description);

  /// Adds a texture of two by two squares with sharp edges; `a` is at the upper left.
  uint32_t add_checkerboard(glm::vec3 a, glm::vec3 b, TextureDescription description);

  /// Adds a texture of an image that is already in the scene.
  uint32_t add(const TextureDescription& description);

  /// Adds a texture with `change` applied to the linear texels of another one, which are numbers,
  /// not colours.
  /// @param use  name of `change`: each change of an image is made once
  uint32_t add_changed(uint32_t texture, const std::string& use,
                       glm::vec4 (*change)(glm::vec4 texel));

  /// Adds a copy of a texture with 1 - green: its normals point the other way along v.
  uint32_t add_with_green_inverted(uint32_t texture);

  /// Adds a texture whose coverage is the luminance of another one.
  uint32_t add_luminance_as_coverage(uint32_t texture);

  /// Adds a texture of normals for a texture of heights; see normals_from_heights().
  uint32_t add_normals_from_heights(const TextureDescription& heights, float height);

  /// Returns the index of the image of a file, or kNoTexture.
  uint32_t image_of(const std::filesystem::path& file, TexelMeaning meaning);
  const TextureImage& image(uint32_t index) const { return scene_.images[index]; }

  /// Returns the image index and mapping of a texture.
  const TextureDescription& description(uint32_t texture) const { return scene_.textures[texture]; }

  /// Adds an image without a texture.
  /// @return  index of the image
  uint32_t keep(TextureImage image) {
    scene_.images.push_back(std::move(image));
    return uint32_t(scene_.images.size() - 1);
  }

 private:
  HostScene& scene_;
  std::map<std::pair<std::filesystem::path, TexelMeaning>, uint32_t> images_;
  std::map<std::pair<uint32_t, std::string>, uint32_t> changed_;  ///< by image and use
  std::map<TextureBits, uint32_t> known_;          ///< indices of the textures of the scene
  std::map<std::string, uint32_t> checkerboards_;  ///< indices of images, by their texels
};

}  // namespace winnow
