// SPDX-License-Identifier: MIT
#pragma once

#include <tiny_obj_loader.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "load/obj/mtl_maps.h"
#include "scene/material.h"

namespace winnow {

struct MtlLibraries {
  std::vector<tinyobj::material_t> materials;
  std::map<std::string, int> ids;       ///< index in `materials`, by name
  std::map<std::string, MtlMaps> maps;  ///< by material; files are relative to the folder
  std::vector<std::string> missing_files;
  size_t unused_map_count = 0;  ///< textures of unused kinds
  size_t unknown_count = 0;     ///< statements that MTL does not define, and colours other than RGB
};

/// Parses libraries with tinyobjloader, which accepts any word as a number: each statement is
/// checked before tinyobjloader reads it. Textures are parsed here, as tinyobjloader expects three
/// numbers after -s. Throws Error "file:line:column: what is wrong, what was expected".
/// @param names  arguments of the `mtllib` statements: each a file name, which may contain blanks,
///               or several file names
MtlLibraries read_mtl_libraries(const std::filesystem::path& folder,
                                const std::vector<std::string>& names);

/// Converts a material without its textures, which add_mtl_maps() adds:
///
///   Ke                          emission, in addition to any of the following
///   any of Pr Pm Ps Pc aniso    principled: Kd, roughness Pr or else from Ns, metallic Pm, sheen
///                               Ps, coat Pc of roughness Pcr, Ni; glass of tint Tf where illum is
///                               4, 6, 7 or 9 and one of Ni > 1, d < 1, Tf < 1
///   the same illum with Ni > 1, d < 1 or Tf < 1; or d < 1 with Ni > 1
///                               dielectric: Ni (else 1.5), tint Tf
///   illum 3 or 5 with Ks        mirror: Ks
///   Kd black, Ks not            conductor: Ks, roughness from Ns
///   illum 2, or 4, 6, 7, 9 that is not glass, with Ks from 0.01 and Ns from 2
///                               principled: Kd below a boundary that reflects 0.08 Ks, roughness
///                               from Ns
///   any other                   diffuse: Kd
///
/// A Phong exponent Ns becomes the GGX alpha sqrt(2 / (Ns + 2)); the roughness is its square root.
/// Ka is not used here; see read_obj().
/// @param out_of_range_count  grows by the number of clamped values
Material make_material(const tinyobj::material_t& mtl, size_t& out_of_range_count);

}  // namespace winnow
