#pragma once

#include <cstddef>
#include <vector>

#include "scene/host_scene.h"
#include "shading/texture/texture.h"

namespace winnow {

/// The mip maps of an image: each half the size of the one before it, the first the image itself.
struct TexturePyramid {
  std::vector<std::vector<std::byte>> texels;  ///< [level - 1]: level 0 lies in the image
  std::vector<TextureLevel> levels;            ///< [level]
};

/// The textures of a scene in host memory. Refers to the scene's images.
struct TextureTable {
  std::vector<TexturePyramid> pyramids;  ///< [image]
  std::vector<Texture> textures;         ///< [texture], for the CPU
};

/// Makes the mip maps, averages of linear values, on all threads.
TextureTable build_texture_table(const HostScene& scene);

}  // namespace winnow
