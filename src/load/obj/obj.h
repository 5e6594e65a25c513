// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "load/textures/texture_library.h"
#include "scene/host_scene.h"
#include "scene/material.h"
#include "scene/mesh.h"

namespace winnow {

struct Obj {
  Mesh mesh;                                ///< `triangle_materials` index `materials`
  std::vector<Material> materials;          ///< materials that a triangle uses
  std::vector<std::string> material_names;  ///< [material]
  std::vector<std::string> warnings;        ///< one line each
  bool is_by_blender = false;
};

/// Normals of the faces without normals.
enum class ObjNormals {
  kOfSmoothingGroups,  ///< those of their smoothing groups; faces outside of groups are flat
  kNone,               ///< zero
};

/// Reads an OBJ file and its MTL libraries. If no used material has
/// Ke, a Ka above 1 is taken for emission: no surface has an ambient reflectance above 1, but older
/// files define lamps this way. Vertex colours are sRGB and multiply Kd where there is no map_Kd.
/// Throws Error, in one line, if the file or a library is malformed, or if there are no faces.
/// @param textures  receives the textures of the materials; null to leave them out
Obj read_obj(const std::filesystem::path& file, TextureLibrary* textures,
             ObjNormals normals = ObjNormals::kOfSmoothingGroups);

/// Reads `file` as a scene, with a framed camera, and a soft sky if nothing emits.
HostScene load_obj_scene(const std::filesystem::path& file);

}  // namespace winnow
