// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/obj/named_file.h"
#include "load/obj/statement.h"
#include "load/textures/texture_library.h"
#include "scene/material.h"

namespace winnow {

struct MtlMap {
  std::string file;   ///< as written in the MTL file
  std::string place;  ///< file and line of the statement
  TextureDescription description;
  float strength = 1.0f;                     ///< -bm of a bump or normal map
  std::vector<std::string> ignored_options;  ///< options that change the texture and are not read
};

struct MtlMaps {
  std::optional<MtlMap> color;      ///< map_Kd
  std::optional<MtlMap> emission;   ///< map_Ke
  std::optional<MtlMap> alpha;      ///< map_d
  std::optional<MtlMap> specular;   ///< map_Ks
  std::optional<MtlMap> exponent;   ///< map_Ns
  std::optional<MtlMap> roughness;  ///< map_Pr
  std::optional<MtlMap> metallic;   ///< map_Pm
  std::optional<MtlMap> normal;     ///< norm, map_Kn
  std::optional<MtlMap> bump;       ///< map_bump or bump
  bool specular_is_data = false;    ///< map_Ks holds numbers, not colours
  NamedFiles::Folders folders;      ///< where the files are searched

  /// Returns the texture that a statement with this keyword sets; null if it is not used.
  std::optional<MtlMap>* find(std::string_view keyword);
};

/// Counts of textures that are not used as the file says.
struct MtlMapCounts {
  size_t unused = 0;    ///< map_Ks and map_Ns of materials without a highlight
  size_t averaged = 0;  ///< map_Ks and map_Ns, used by their means
};

/// Reads options and file of a texture statement after its keyword.
MtlMap read_mtl_map(StatementReader& statements);

/// Adds the textures of `material`. A roughness or metallic map makes it principled. A map_bump may
/// be a normal map; heights are converted to one, in which white is 1 % of the image above black,
/// times -bm. map_Ks and map_Ns scale the highlight by their means.
/// @param files   finds the files of `maps`
/// @param counts  grows
void add_mtl_maps(const MtlMaps& maps, NamedFiles& files, TextureLibrary& textures,
                  Material& material, MtlMapCounts& counts);

/// Returns the roughness for a Phong exponent `ns`: that of GGX with alpha sqrt(2 / (ns + 2)).
float roughness_of_exponent(float ns);

}  // namespace winnow
