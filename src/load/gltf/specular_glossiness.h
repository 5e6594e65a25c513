// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

#include "scene/texture_image.h"

namespace winnow {

/// A surface of KHR_materials_pbrSpecularGlossiness. All values are in [0, 1].
struct SpecularGlossiness {
  glm::vec3 diffuse{1.0f};
  glm::vec3 specular{1.0f};
  float glossiness = 1.0f;  ///< 1 - roughness
};

/// A surface given by base colour, metallic and roughness. All values are in [0, 1].
struct MetallicRoughness {
  glm::vec3 base_color{1.0f};
  float metallic = 0.0f;
  float roughness = 0.0f;
};

/// Returns the metallic-roughness surface that reflects as much light as `surface`.
MetallicRoughness metallic_roughness_of(const SpecularGlossiness& surface);

/// Images of a metallic-roughness surface, of equal size.
struct MetallicRoughnessImages {
  TextureImage base_color;          ///< with the alpha of the diffuse image
  TextureImage roughness_metallic;  ///< green is roughness, blue is metallic
};

/// Converts images texel by texel, in the size of the larger one. All are sRGB.
/// @param diffuse   nullptr for white
/// @param specular  alpha is glossiness
/// @param factors   factors of the values of the images
MetallicRoughnessImages metallic_roughness_images(const TextureImage* diffuse,
                                                  const TextureImage& specular,
                                                  const SpecularGlossiness& factors);

}  // namespace winnow
