#pragma once

#include <map>
#include <optional>
#include <string>

#include "load/gltf/document.h"
#include "load/gltf/textures.h"
#include "scene/host_scene.h"

namespace winnow {

/// The materials of a glTF file; those that a mesh uses join the scene.
class GltfMaterials {
 public:
  /// A material of the scene, and the texture coordinates that it needs.
  struct Used {
    uint32_t material = 0;
    int uv_set = 0;  ///< n of TEXCOORD_n
  };

  GltfMaterials(GltfDocument& document, HostScene& scene)
      : document_(document), scene_(scene), textures_(document, scene) {}

  /// @param number  below 0 it is the one by default
  Used use(int number, const std::string& place);

 private:
  GltfDocument& document_;
  HostScene& scene_;
  GltfTextures textures_;
  std::map<int, Used> used_;
};

}  // namespace winnow
