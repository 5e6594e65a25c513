// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "scene/mesh.h"

namespace winnow {

/// A mesh of a .serialized file.
struct SerializedMesh {
  Mesh mesh;             ///< texture coordinates as in the file; no materials
  bool is_flat = false;  ///< its flags ask for the normals of faces
};

/// Reads one of the meshes of a .serialized file, versions 3 and 4: compressed by zlib, with
/// numbers of single or double precision. Colours of vertices are linear.
///
/// Reads only the bytes of that mesh, and does not allocate memory for more vertices than these can
/// hold when they are compressed best.
/// @param index  of the mesh in the file
/// Throws Error, in one line that names the file. Wenzel Jakob, "Mitsuba Documentation", 2014,
/// section 8.2.3.
SerializedMesh read_serialized_mesh(const std::filesystem::path& file, uint32_t index);

/// The same for the bytes of one mesh, header included.
/// @param file  its name, for messages
SerializedMesh parse_serialized_mesh(std::string_view bytes, const std::string& file);

}  // namespace winnow
