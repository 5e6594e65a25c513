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

/// What a material says of one of its textures.
struct GltfTextureInfo {
  int index = -1;             ///< of the file's textures; below 0 there is none
  int uv_set = 0;             ///< n of the vertices' TEXCOORD_n
  glm::mat3x2 from_uv{1.0f};  ///< KHR_texture_transform
  bool exists() const { return index >= 0; }
};

/// Any of tinygltf's structs about a texture.
GltfTextureInfo gltf_texture_info(int index, int uv_set, const tinygltf::ExtensionMap& extensions);

/// A texture among the members of an extension.
GltfTextureInfo gltf_texture_info(const tinygltf::Value& extension, const std::string& key);

/// The textures of a glTF file. Each image is read once for what it means.
class GltfTextures {
 public:
  GltfTextures(GltfDocument& document, HostScene& scene)
      : document_(document), scene_(scene), library_(scene) {}

  /// Number of the scene's texture; kNoTexture where there is none, or a warning says why not.
  /// @param place  of the material, for messages
  uint32_t add(const GltfTextureInfo& info, TexelMeaning meaning, const std::string& place);

  /// True if a texel of the texture is not opaque.
  bool is_see_through(uint32_t texture) const;

 private:
  uint32_t image_of(int source, TexelMeaning meaning, const std::string& place);

  GltfDocument& document_;
  HostScene& scene_;
  TextureLibrary library_;
  std::map<std::pair<int, TexelMeaning>, uint32_t> embedded_;  ///< images, or kNoTexture
};

}  // namespace winnow
