#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "load/obj/statement.h"
#include "load/textures/texture_library.h"

namespace winnow {

/// A texture that an MTL file names.
struct MtlMap {
  std::string file;  ///< as the MTL file writes it
  TextureDescription description;
  float strength = 1.0f;  ///< -bm, of a bump or normal map
};

/// The textures of one MTL material, as far as they are used.
struct MtlMaps {
  std::optional<MtlMap> color;      ///< map_Kd
  std::optional<MtlMap> emission;   ///< map_Ke
  std::optional<MtlMap> alpha;      ///< map_d
  std::optional<MtlMap> roughness;  ///< map_Pr
  std::optional<MtlMap> metallic;   ///< map_Pm
  std::optional<MtlMap> normal;     ///< norm, map_Kn, or a map_bump that shows normals
  std::optional<MtlMap> bump;       ///< map_bump or bump

  /// Where a statement with this keyword belongs; null if it is of no use here.
  std::optional<MtlMap>* find(std::string_view keyword);
};

/// Reads the options and the file of a statement whose keyword has been read. Options that say
/// nothing about colour or place are read past.
MtlMap read_mtl_map(StatementReader& statements);

/// Gives `material` its textures. With a map of roughness or metal it becomes principled.
///
/// @param folder         of the MTL file
/// @param unused_count   grows by the textures that cannot be used: bump maps of heights
void add_mtl_maps(const MtlMaps& maps, const std::filesystem::path& folder,
                  TextureLibrary& textures, Material& material, size_t& unused_count);

}  // namespace winnow
