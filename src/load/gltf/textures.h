// SPDX-License-Identifier: MIT
#pragma once

#include <glm/ext/vector_uint4_sized.hpp>
#include <glm/mat3x2.hpp>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "load/gltf/document.h"
#include "load/gltf/specular_glossiness.h"
#include "load/textures/merged_texels.h"
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

/// One texture for two of glTF.
struct MergedTexture {
  uint32_t texture = kNoTexture;
  /// Mean of the second one where it is not in `texture`, else 1: a factor of its values.
  glm::vec4 second_mean{1.0f};
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

  /// Adds a texture with channels of two, either of which may be missing. Where they do not cover
  /// the surface alike, the mean of the second one is used, which is a warning.
  MergedTexture add_merged(const GltfTextureInfo& first, const GltfTextureInfo& second,
                           ChannelMerge merge);

  /// Adds a texture that has this value everywhere.
  uint32_t add_constant(glm::u8vec4 texel);

  /// True if a texel of the texture is not opaque.
  bool is_see_through(uint32_t texture) const;

 private:
  TextureDescription describe(const GltfTextureInfo& info) const;
  std::optional<JsonReader> source_of(const GltfTextureInfo& info);
  uint32_t image_of(const JsonReader& source, TexelMeaning meaning);
  std::optional<GltfImage> find_image(const JsonReader& source);
  std::optional<TextureImage> read_image(const GltfImage& image, const JsonReader& source,
                                         TexelMeaning meaning);
  std::optional<TextureImage> read_source(const std::optional<JsonReader>& source,
                                          TexelMeaning meaning);

  GltfDocument& document_;
  HostScene& scene_;
  TextureLibrary library_;
  /// By index in "images": the image in the scene, or kNoTexture.
  std::map<std::pair<uint32_t, TexelMeaning>, uint32_t> images_;
  /// By indices in "images": the merged image in the scene, or kNoTexture.
  std::map<std::tuple<uint32_t, uint32_t, ChannelMerge>, uint32_t> merged_;
};

}  // namespace winnow
