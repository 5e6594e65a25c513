// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>

#include "load/gltf/document.h"
#include "load/gltf/textures.h"
#include "scene/host_scene.h"

namespace winnow {

/// The materials of a glTF file. Those that a mesh uses are added to the scene.
class GltfMaterials {
 public:
  /// A material of the scene, and the set of texture coordinates that its textures use.
  struct Used {
    uint32_t material = 0;
    int uv_set = 0;  ///< n of TEXCOORD_n
    bool is_anisotropic = false;
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
