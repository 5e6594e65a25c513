// SPDX-License-Identifier: MIT
#pragma once

#include <tiny_obj_loader.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "load/obj/statement.h"
#include "load/textures/texture_library.h"
#include "scene/material.h"

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

/// The MTL libraries of an OBJ file.
struct MtlLibraries {
  std::vector<tinyobj::material_t> materials;
  std::map<std::string, int> ids;       ///< index in `materials` of each name
  std::map<std::string, MtlMaps> maps;  ///< by name; files are relative to the folder
  std::vector<std::string> missing_files;
  size_t unused_map_count = 0;  ///< textures of kinds that are not used
  size_t unknown_count = 0;     ///< statements that MTL does not define, or not for RGB
};

/// Parses libraries with tinyobjloader, which takes any word for a number: each statement is
/// checked on its way there. Textures are parsed here, as tinyobjloader expects three numbers
/// behind -s. Throws Error "file:line:column: what is wrong, what was expected".
///
/// @param names  of each `mtllib`, the rest of its line: a file whose name may contain blanks, or
///               several files
MtlLibraries read_mtl_libraries(const std::filesystem::path& folder,
                                const std::vector<std::string>& names);

/// Converts a material without its textures, which add_mtl_maps() adds:
///
///   Ke                          emission, beside any of the following
///   any of Pr Pm Ps Pc aniso    principled: Kd, roughness Pr or else from Ns, metallic Pm, sheen
///                               Ps, coat Pc of roughness Pcr, Ni; glass of tint Tf where illum is
///                               4, 6, 7 or 9
///   illum 4, 6, 7, 9, or d < 1 with Ni > 1
///                               dielectric: Ni (1.5 if there is none), tint Tf
///   illum 3 or 5 with Ks        mirror: Ks
///   Kd black, Ks not            conductor: Ks, roughness from Ns
///   any other                   diffuse: Kd
///
/// A Phong exponent Ns becomes the GGX alpha sqrt(2 / (Ns + 2)); the roughness is its square root.
/// Ka is not used here; see read_obj().
/// @param out_of_range_count  grows by the number of values that are clamped
Material make_material(const tinyobj::material_t& mtl, size_t& out_of_range_count);

}  // namespace winnow
