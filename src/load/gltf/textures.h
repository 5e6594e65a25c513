// SPDX-License-Identifier: MIT
#pragma once

#include <glm/ext/vector_uint4_sized.hpp>
#include <glm/mat3x2.hpp>
#include <glm/vec3.hpp>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "load/gltf/document.h"
#include "load/textures/texels.h"
#include "load/textures/texture_library.h"
#include "scene/host_scene.h"
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

/// A reference of a material to a texture.
struct GltfTextureInfo {
  std::optional<JsonReader> index;  ///< index in "textures", if the material has the texture
  int uv_set = 0;                   ///< n of the attribute TEXCOORD_n
  glm::mat3x2 from_uv{1.0f};        ///< KHR_texture_transform
};

/// Reads the member `key` of a material, of pbrMetallicRoughness or of an extension.
GltfTextureInfo gltf_texture_info(const std::optional<JsonReader>& object, const char* key);

/// Reads the texels of an image. Throws Error.
/// @param warnings  receives what is ignored or damaged; it names the file if there is one
TextureImage read_gltf_image(const GltfImage& image, TexelMeaning meaning,
                             std::vector<std::string>& warnings);

struct MetallicRoughnessTextures {
  uint32_t base_color = kNoTexture;
  uint32_t roughness_metallic = kNoTexture;
};

/// One texture that replaces two of glTF.
struct MergedTexture {
  uint32_t texture = kNoTexture;
  /// Factor that replaces the second texture if it is not in `texture`: its mean; else 1
  glm::vec4 second_mean{1.0f};
};

/// Textures of a glTF file. Each image is read once per meaning of its texels.
class GltfTextures {
 public:
  GltfTextures(GltfDocument& document, HostScene& scene)
      : document_(document), scene_(scene), library_(scene, ImageRules::kGltf) {}

  /// Adds a texture to the scene. Returns its index; kNoTexture if there is no texture or, with a
  /// warning, if its image cannot be read.
  uint32_t add(const GltfTextureInfo& info, TexelMeaning meaning);

  /// Adds the textures of KHR_materials_pbrSpecularGlossiness as metallic and roughness.
  /// @return  nothing if no texture of specular and glossiness can be read or, with a warning, if
  ///          it covers the surface in another way than the diffuse texture
  std::optional<MetallicRoughnessTextures> add_specular_glossiness(
      const GltfTextureInfo& diffuse, const GltfTextureInfo& specular,
      const SpecularGlossiness& factors);

  /// Adds a texture with channels of two textures, either of which may be missing. If they cover
  /// the surface in different ways, the mean of the second one is used, with a warning.
  MergedTexture add_merged(const GltfTextureInfo& first, const GltfTextureInfo& second,
                           ChannelMerge merge);

  /// Returns the texture of normals in which bumps are turned with the image.
  uint32_t with_turned_normals(uint32_t texture) { return library_.add_turned_normals(texture); }

  /// Adds a texture that has this value everywhere.
  uint32_t add_constant(glm::u8vec4 texel);

  /// True if a texel of the texture is not opaque.
  bool is_see_through(uint32_t texture) const;

  /// Returns a texture of bytes whose sRGB-encoded colours are multiplied by alpha, which
  /// becomes 1.
  uint32_t multiplied_by_alpha(uint32_t texture);

 private:
  TextureDescription describe(const GltfTextureInfo& info) const;
  std::optional<JsonReader> source_of(const GltfTextureInfo& info);
  uint32_t image_of(const JsonReader& source, TexelMeaning meaning);
  bool can_read(const JsonReader& source);
  std::optional<GltfImage> find_image(const JsonReader& source);
  std::optional<TextureImage> read_image(const GltfImage& image, const JsonReader& source,
                                         TexelMeaning meaning);
  std::optional<TextureImage> read_source(const std::optional<JsonReader>& source,
                                          TexelMeaning meaning);

  GltfDocument& document_;
  HostScene& scene_;
  TextureLibrary library_;
  /// Image in the scene, or kNoTexture, by index in "images" and meaning.
  std::map<std::pair<uint32_t, TexelMeaning>, uint32_t> images_;
  std::map<uint32_t, bool> can_read_;        ///< by index in "images"
  std::map<uint32_t, uint32_t> multiplied_;  ///< texture by that before multiplied_by_alpha()
  /// Merged image in the scene, or kNoTexture, by indices in "images" and kind of merge.
  std::map<std::tuple<uint32_t, uint32_t, ChannelMerge>, uint32_t> merged_;
};

}  // namespace winnow
