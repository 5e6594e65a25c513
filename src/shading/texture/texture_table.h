// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "scene/host_scene.h"
#include "shading/texture/texture.h"

namespace winnow {

/// The mip levels of an image: level 0 is the image; each further level has half the size of the
/// previous one.
struct TexturePyramid {
  std::vector<std::vector<std::byte>> texels;  ///< [level - 1]; level 0 is stored in the image
  std::vector<TextureLevel> levels;            ///< [level]
};

/// The textures of a scene in host memory. Refers to the images of the scene, which must outlive
/// it.
struct TextureTable {
  std::vector<TexturePyramid> pyramids;  ///< [image]
  std::vector<Texture> textures;         ///< [texture], for the CPU
};

/// Builds the mip levels of all images by averaging linear values, in parallel.
TextureTable build_texture_table(const HostScene& scene);

}  // namespace winnow
