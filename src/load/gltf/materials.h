// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat3x2.hpp>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "load/gltf/document.h"
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

/// The textures of a glTF file. Each image is read once for each of its meanings.
class GltfTextures {
 public:
  GltfTextures(GltfDocument& document, HostScene& scene)
      : document_(document), scene_(scene), library_(scene) {}

  /// Adds a texture to the scene.
  /// @return  its index; kNoTexture where there is none, or where its image cannot be read, which
  ///          is a warning
  uint32_t add(const GltfTextureInfo& info, TexelMeaning meaning);

  /// True if a texel of the texture is not opaque.
  bool is_see_through(uint32_t texture) const;

 private:
  uint32_t image_of(const JsonReader& source, TexelMeaning meaning);

  GltfDocument& document_;
  HostScene& scene_;
  TextureLibrary library_;
  /// By index in "images": the image in the scene, or kNoTexture.
  std::map<std::pair<uint32_t, TexelMeaning>, uint32_t> images_;
};

/// The materials of a glTF file. Those that a mesh uses are added to the scene.
class GltfMaterials {
 public:
  /// A material of the scene, and the set of texture coordinates that its textures use.
  struct Used {
    uint32_t material = 0;
    int uv_set = 0;  ///< n of TEXCOORD_n
  };

  GltfMaterials(GltfDocument& document, HostScene& scene)
      : document_(document), scene_(scene), textures_(document, scene) {}

  /// The material of a primitive, which is glTF's default where the primitive names none.
  Used use(const JsonReader& primitive);

 private:
  GltfDocument& document_;
  HostScene& scene_;
  GltfTextures textures_;
  std::map<std::optional<uint32_t>, Used> used_;  ///< by index in "materials"
};

}  // namespace winnow
