#pragma once

#include <tiny_obj_loader.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "load/obj/mtl_maps.h"
#include "scene/material.h"

namespace winnow {

/// What MTL libraries say that this renderer reads past.
struct MtlRemarks {
  size_t texture_count = 0;       ///< of kinds that are not used
  size_t unknown_count = 0;       ///< lines that are not of the format
  size_t out_of_range_count = 0;  ///< numbers that were moved into their range
  std::vector<std::string> missing_files;
};

/// Gives tinyobjloader the MTL libraries of an OBJ file, all at the first request.
/// Throws Error "file:line:column: ..." where a number is none.
class MtlReader : public tinyobj::MaterialReader {
 public:
  /// @param libraries  what follows each `mtllib`: a file, with blanks in its name or not, or
  /// several
  MtlReader(std::filesystem::path folder, std::vector<std::string> libraries)
      : folder_(std::move(folder)), libraries_(std::move(libraries)) {}

  bool operator()(const std::string& name, std::vector<tinyobj::material_t>* materials,
                  std::map<std::string, int>* ids, std::string* warnings,
                  std::string* errors) override;

  MtlRemarks remarks;
  std::map<std::string, MtlMaps> maps;   ///< of each material, their blanks hidden; file by folder
  std::set<std::string> material_names;  ///< of all libraries, their blanks hidden

 private:
  void read_file(const std::filesystem::path& file, std::vector<tinyobj::material_t>* materials,
                 std::map<std::string, int>* ids);

  std::filesystem::path folder_;
  std::vector<std::string> libraries_;
};

/// The nearest of our materials:
///
///   Ke                          emission, beside any of the following
///   any of Pr Pm Ps Pc aniso    principled: Kd, roughness Pr or else from Ns, metallic Pm, sheen
///                               Ps, coat Pc of roughness Pcr, Ni; glass of tint Tf where illum is
///                               4, 6, 7 or 9
///   illum 4, 6, 7, 9, or d < 1 with Ni > 1
///                               dielectric: Ni (1.5 if there is none), tinted Tf
///   illum 3 or 5 with Ks        mirror: Ks
///   Kd black, Ks not            conductor: Ks, roughness from Ns
///   any other                   diffuse: Kd
///
/// A Phong exponent Ns becomes the GGX alpha sqrt(2 / (Ns + 2)); the roughness is its square root.
/// Ka is not used here: see load_obj.h. Textures come later, by add_mtl_maps.
/// @param out_of_range_count  grows by the number of values that had to be moved into their range
Material make_material(const tinyobj::material_t& mtl, size_t& out_of_range_count);

}  // namespace winnow
