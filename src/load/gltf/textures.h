// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat3x2.hpp>
#include <map>
#include <optional>
#include <utility>

#include "load/gltf/document.h"
#include "load/gltf/specular_glossiness.h"
#include "load/textures/texture_library.h"
#include "scene/host_scene.h"

namespace winnow {

/// A reference of a material to a texture.
struct GltfTextureInfo {
  std::optional<JsonReader> index;  ///< in "textures"; none if the material has no such texture
  int uv_set = 0;                   ///< n of the attribute TEXCOORD_n
  glm::mat3x2 from_uv{1.0f};        ///< KHR_texture_transform
};

/// The member `key` of a material, of pbrMetallicRoughness or of an extension.
GltfTextureInfo gltf_texture_info(const std::optional<JsonReader>& object, const char* key);

/// The textures of a surface of metallic and roughness.
struct MetallicRoughnessTextures {
  uint32_t base_color = kNoTexture;
  uint32_t roughness_metallic = kNoTexture;
};

/// The textures of a glTF file. Each image is read once for each of its meanings.
class GltfTextures {
 public:
  GltfTextures(GltfDocument& document, HostScene& scene)
      : document_(document), scene_(scene), library_(scene) {}

  /// Adds a texture to the scene.
  /// @return  its index; kNoTexture where there is none, or where its image cannot be read, which
  ///          is a warning
  uint32_t add(const GltfTextureInfo& info, TexelMeaning meaning);

  /// Adds the textures of KHR_materials_pbrSpecularGlossiness as those of metallic and roughness.
  /// @return  nothing where there is no texture of specular and glossiness that can be read, or
  ///          where it does not cover the surface as the diffuse one does, which is a warning
  std::optional<MetallicRoughnessTextures> add_specular_glossiness(
      const GltfTextureInfo& diffuse, const GltfTextureInfo& specular,
      const SpecularGlossiness& factors);

  /// True if a texel of the texture is not opaque.
  bool is_see_through(uint32_t texture) const;

 private:
  TextureDescription describe(const GltfTextureInfo& info) const;
  std::optional<JsonReader> source_of(const GltfTextureInfo& info);
  uint32_t image_of(const JsonReader& source, TexelMeaning meaning);
  std::optional<GltfImage> find_image(const JsonReader& source);
  std::optional<TextureImage> read_image(const GltfImage& image, const JsonReader& source,
                                         TexelMeaning meaning);

  GltfDocument& document_;
  HostScene& scene_;
  TextureLibrary library_;
  /// By index in "images": the image in the scene, or kNoTexture.
  std::map<std::pair<uint32_t, TexelMeaning>, uint32_t> images_;
};

}  // namespace winnow
