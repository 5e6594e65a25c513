// SPDX-License-Identifier: MIT
#pragma once

#include <tiny_obj_loader.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "load/obj/known_statements.h"
#include "load/obj/mtl_maps.h"
#include "load/obj/named_file.h"
#include "load/text/repeated_warnings.h"
#include "scene/material.h"

namespace winnow {

/// A material of an MTL file.
struct MtlMaterial {
  tinyobj::material_t values;
  std::set<std::string, std::less<>> keywords;  ///< keywords of its statements
  std::set<float> coverages;                    ///< by each d and Tr
  MtlMaps maps;
  int blender = 0;  ///< major version of the Blender that wrote it; 0 for another program

  bool has(std::string_view keyword) const { return keywords.contains(keyword); }

  /// True if neither a value nor a texture gives a colour. A Ka above 1 may be an emission.
  bool lacks_color() const;
};

/// Returns the major version of the Blender that wrote an OBJ or MTL file, as the comments at its
/// start say; 2 if they name none; 0 for another program.
int blender_version(std::string_view text);

/// Grey of surfaces without a colour.
inline constexpr float kMtlGrey = 0.6f;

struct MtlLibraries {
  std::vector<MtlMaterial> materials;
  std::map<std::string, int> ids;  ///< index in `materials`, by name
  std::vector<std::string> missing_files;
  std::vector<std::string> warnings;  ///< warnings about statements that are ignored
};

/// What a material says that its conversion changes.
struct MtlNotes {
  size_t out_of_range_count = 0;  ///< clamped values
  RepeatedWarnings warnings;
};

/// Parses a library with tinyobjloader, which accepts any word as a number: each statement is
/// checked before tinyobjloader reads it. Textures are parsed here, as tinyobjloader expects three
/// numbers after -s. Throws Error "file:line:column: what is wrong, what was expected".
/// @param folder     folder of the OBJ file, where textures are searched before the library's own
/// @param libraries  receives the materials and warnings
void parse_mtl(std::string_view text, const std::string& file, const std::filesystem::path& folder,
               MtlLibraries& libraries);

/// Parses libraries. Those that are not at their paths are searched by the ends of these.
/// @param names  arguments of the `mtllib` statements: each a file name, which may contain blanks,
///               or several file names
MtlLibraries read_mtl_libraries(const std::filesystem::path& folder,
                                const std::vector<std::string>& names, NamedFiles& files);

/// Converts a material without its textures, which add_mtl_maps() adds. In a file of Blender, it is
/// a Principled BSDF; see principled_of_blender() in mtl_blender.cpp. Else:
///
///   Ke                          emission, in addition to any of the following
///   d, or 1 - Tr                coverage, except of glass
///   any of Pr Pm Ps Pc Pcr aniso anisor
///                               principled: Kd, roughness Pr or else from Ns, metallic Pm, sheen
///                               Ps, coat Pc of roughness Pcr, Ni; glass of tint Tf where the next
///                               line says so
///   illum 4, 6, 7 or 9 with Ni > 1 or Tf < 1
///                               dielectric: Ni (else 1.5), tint Tf
///   illum 3 or 5 with Ks        mirror: Ks
///   Kd black, Ks not            conductor: Ks, roughness from Ns
///   illum 2 or none, or 4, 6, 7, 9 that is not glass, with Ks from 0.01 and Ns from 2
///                               principled: Kd below a boundary that reflects 0.08 Ks, roughness
///                               from Ns
///   any other                   diffuse: Kd; grey without any colour
///
/// A Phong exponent Ns becomes the GGX alpha sqrt(2 / (Ns + 2)); the roughness is its square root.
/// Ka is not used here; see read_obj().
/// @param notes  grows
Material make_material(const MtlMaterial& mtl, MtlNotes& notes);

/// Converts a material of a file that Blender wrote.
/// @param notes  grows
Material make_blender_material(const MtlMaterial& mtl, MtlNotes& notes);

// Values of any MTL material; `notes` counts those out of range.

/// Returns the channels of a colour, each in [0, max].
glm::vec3 mtl_color(const tinyobj::real_t (&color)[3], float max, MtlNotes& notes);

/// Returns the value, at least `min` and at most `max`.
float mtl_number(float value, float min, float max, MtlNotes& notes);

/// Returns the coverage, from d or Tr; warns of what differs.
float mtl_coverage(const MtlMaterial& mtl, MtlNotes& notes);

}  // namespace winnow
