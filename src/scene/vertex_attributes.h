// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <vector>

#include "compaction/simt/qualifiers.h"
#include "scene/material.h"
#include "scene/mesh.h"

namespace winnow {

// Vertex attributes that materials read besides positions and normals: UV sets and colours.

/// Textures of a material, in the order of MaterialTextures and of the bits of `on_second_uvs`.
enum class TextureUse : uint32_t {
  kReflectance,
  kEmission,
  kRoughnessMetallic,
  kNormal,
  kAlpha,
  kTransmission,
  kSpecular,
  kCoat,
  kSheen,
  kAnisotropy,
  kIridescence,
  kSpecularTint,
  kDiffuseTransmission,
};

SIMT_HOST_DEVICE inline bool is_on_second_uvs(const MaterialTextures& textures, TextureUse use) {
  return (textures.on_second_uvs >> uint32_t(use) & 1u) != 0;
}

inline void put_on_second_uvs(MaterialTextures& textures, TextureUse use) {
  textures.on_second_uvs |= 1u << uint32_t(use);
}

inline bool has_textures(const MaterialTextures& textures) {
  MaterialTextures none;
  none.on_second_uvs = textures.on_second_uvs;
  return textures != none;
}

/// True if the tangents of the normal map, or else of anisotropy, follow the second UV set.
SIMT_HOST_DEVICE inline bool has_second_tangents(const MaterialTextures& textures) {
  return is_on_second_uvs(
      textures, textures.normal != kNoTexture ? TextureUse::kNormal : TextureUse::kAnisotropy);
}

SIMT_HOST_DEVICE inline bool uses_vertex_colors(const Material& material) {
  return material.vertex_colors || material.vertex_alpha;
}

/// True if vertex colours multiply the emission instead of the reflectance. They do for a surface
/// that reflects nothing, such as an unlit one.
SIMT_HOST_DEVICE inline bool has_colored_emission(const Material& material) {
  return material.vertex_colors && emits(material) && material.reflectance == glm::vec3(0.0f);
}

enum class ColorEncoding {
  kLinear,
  kSrgb,  ///< sRGB of unknown range: if a number is above 2, 255 stands for 1
};

/// Converts the colours of a file to those of Mesh::colors: decodes them and clamps them to [0, 1];
/// numbers that are not finite become 0. If no sRGB vertex has any coverage, all become opaque. If
/// all vertices are white and opaque, `colors` becomes empty.
void finish_vertex_colors(std::vector<glm::vec4>& colors, ColorEncoding encoding);

bool has_vertex_alpha(const std::vector<glm::vec4>& colors);

struct UvLayout {
  /// True if v is left of u, seen from outside. In normal maps, green is against v in Winnow and to
  /// the left of u in Mitsuba and pbrt, so these maps need inverted green.
  bool is_v_left = false;
  glm::vec2 size{0.0f};  ///< m, mean length of a unit of u and of v; 0 without uvs
};

/// Returns the layout of Mesh::uvs on most of the surface.
/// @param to_world  transform of the mesh without its translation
UvLayout uv_layout_of(const Mesh& mesh, const glm::mat3& to_world);

/// Moves the triangles whose v is on the other side of u than on most of the mesh to a mesh of
/// their own; nothing if there are none. Both meshes keep only vertices that they use.
/// @param mesh  has no materials of triangles
std::optional<Mesh> take_mirrored_uvs(Mesh& mesh);

/// Gives each triangle its own vertices, with its colour.
/// @param colors  [triangle]
void color_triangles(Mesh& mesh, const std::vector<glm::vec4>& colors);

/// Gives each triangle its own vertices, whose texture coordinates are `corners`.
void give_uvs_to_triangles(Mesh& mesh, const glm::vec2 (&corners)[3]);

}  // namespace winnow
