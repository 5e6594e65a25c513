// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "load/obj/statement.h"
#include "load/textures/texture_library.h"

namespace winnow {

/// A texture statement of an MTL file.
struct MtlMap {
  std::string file;  ///< as written in the MTL file
  TextureDescription description;
  float strength = 1.0f;  ///< -bm, of a bump or normal map
};

/// The textures of an MTL material that are used.
struct MtlMaps {
  std::optional<MtlMap> color;      ///< map_Kd
  std::optional<MtlMap> emission;   ///< map_Ke
  std::optional<MtlMap> alpha;      ///< map_d
  std::optional<MtlMap> roughness;  ///< map_Pr
  std::optional<MtlMap> metallic;   ///< map_Pm
  std::optional<MtlMap> normal;     ///< norm, map_Kn
  std::optional<MtlMap> bump;       ///< map_bump or bump

  /// The texture that a statement with this keyword sets; null if it is not used.
  std::optional<MtlMap>* find(std::string_view keyword);
};

/// Reads the options and the file of a statement after its keyword. Options that affect neither the
/// mapping nor the strength are ignored.
MtlMap read_mtl_map(StatementReader& statements);

/// Adds the textures of `material`. With a roughness or metallic map it becomes principled. A
/// map_bump is used if it is a normal map.
///
/// @param folder         of the MTL file
/// @param unused_count   grows by the number of textures that cannot be used: height maps
void add_mtl_maps(const MtlMaps& maps, const std::filesystem::path& folder,
                  TextureLibrary& textures, Material& material, size_t& unused_count);

}  // namespace winnow
