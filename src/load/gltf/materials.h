// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "load/gltf/document.h"
#include "load/gltf/textures.h"
#include "scene/host_scene.h"

namespace winnow {

/// The sets of texture coordinates, n of TEXCOORD_n, that the textures of a material use.
struct GltfUvSets {
  int first = 0;              ///< of Mesh::uvs
  std::optional<int> second;  ///< of Mesh::second_uvs
};

/// What the vertices of a primitive have that multiplies the colour of its material.
struct GltfVertexColors {
  bool has_colors = false;
  bool has_alpha = false;  ///< some vertex is transparent

  auto operator<=>(const GltfVertexColors&) const = default;
};

/// The materials of a glTF file. Those that a mesh uses are added to the scene.
class GltfMaterials {
 public:
  GltfMaterials(GltfDocument& document, HostScene& scene)
      : document_(document), scene_(scene), textures_(document, scene) {}

  /// A material of the file.
  struct Source {
    std::optional<uint32_t> index;  ///< in "materials"; none of the default one
    Material material;
    std::string name;
    GltfUvSets uv_sets;
    bool is_anisotropic = false, is_opaque = true, is_unlit = false;
  };

  /// The material of a primitive, which is glTF's default where the primitive names none, or one
  /// that the file lacks.
  const Source& source_of(const JsonReader& primitive);

  /// Index in the scene of a material on vertices with these colours.
  uint32_t use(const Source& source, const GltfVertexColors& colors);

 private:
  std::optional<uint32_t> index_of(const JsonReader& primitive);

  GltfDocument& document_;
  HostScene& scene_;
  GltfTextures textures_;
  std::map<std::optional<uint32_t>, Source> sources_;  ///< by index in "materials"
  std::map<std::pair<std::optional<uint32_t>, GltfVertexColors>, uint32_t> used_;
};

}  // namespace winnow
