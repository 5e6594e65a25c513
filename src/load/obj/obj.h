#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "load/textures/texture_library.h"
#include "scene/host_scene.h"
#include "scene/material.h"
#include "scene/mesh.h"

namespace winnow {

/// What a Wavefront OBJ file and its MTL libraries say.
struct Obj {
  Mesh mesh;                                ///< `triangle_materials` index `materials`
  std::vector<Material> materials;          ///< those that a face uses
  std::vector<std::string> material_names;  ///< [material]
  std::vector<std::string> warnings;        ///< what was read past, one line each
};

/// Reads `file` through tinyobjloader.
///
/// Normals are the file's; where it has none the surface is flat, except that the faces of a
/// smoothing group share smooth ones. Where no used material has Ke, a Ka above 1 is taken for the
/// light that it must mean: no surface has an ambient reflectance above 1, but older files write
/// their lamps that way.
/// Throws Error, in one line, where the file or a library is malformed or there is no face.
/// @param textures  receives those of the materials; null: they are not read
Obj read_obj(const std::filesystem::path& file, TextureLibrary* textures);

/// Reads `file` as a whole scene: the camera framed on it, and a soft sky where it has no light.
HostScene load_obj_scene(const std::filesystem::path& file);

}  // namespace winnow
