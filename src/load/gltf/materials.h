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

/// UV sets, n of TEXCOORD_n, that the textures of a material use.
struct GltfUvSets {
  int first = 0;              ///< becomes Mesh::uvs
  std::optional<int> second;  ///< becomes Mesh::second_uvs
};

/// Properties of the vertex colours of a primitive, which multiply those of its material.
struct GltfVertexColors {
  bool has_colors = false;
  bool has_alpha = false;  ///< a vertex is transparent
  auto operator<=>(const GltfVertexColors&) const = default;
};

/// Corrects what a Principled BSDF of Blender means otherwise than the glTF that Blender writes.
/// @param source    item of "materials" that `material` was read from
/// @param is_solid  true if the surface encloses a volume
void read_as_blender_means(const JsonReader& source, bool is_solid, GltfDocument& document,
                           Material& material);

/// Materials of a glTF file. Materials that a mesh uses are added to the scene.
class GltfMaterials {
 public:
  /// @param variant  index of a variant of KHR_materials_variants; nothing for the materials that
  ///                 primitives have without this extension
  GltfMaterials(GltfDocument& document, std::optional<uint32_t> variant, HostScene& scene)
      : document_(document), variant_(variant), scene_(scene), textures_(document, scene) {}

  struct Source {
    std::optional<uint32_t> index;  ///< index in "materials"; none for the default material
    Material material;
    std::string name;
    GltfUvSets uv_sets;
    bool is_anisotropic = false, is_opaque = true, is_unlit = false;
  };

  /// Returns the material of a primitive: glTF's default if the primitive names none, or one that
  /// the file lacks.
  const Source& source_of(const JsonReader& primitive);

  /// Returns the index in the scene of a material on vertices with these colours.
  uint32_t use(const Source& source, const GltfVertexColors& colors);

 private:
  std::optional<JsonReader> reference_of(const JsonReader& primitive) const;
  std::optional<uint32_t> index_of(const JsonReader& primitive);

  GltfDocument& document_;
  std::optional<uint32_t> variant_;
  HostScene& scene_;
  GltfTextures textures_;
  std::map<std::optional<uint32_t>, Source> sources_;  ///< by index in "materials"
  std::map<std::pair<std::optional<uint32_t>, GltfVertexColors>, uint32_t> used_;
};

}  // namespace winnow
