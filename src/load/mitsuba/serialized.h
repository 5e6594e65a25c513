// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "scene/mesh.h"

namespace winnow {

/// A mesh from a .serialized file.
struct SerializedMesh {
  Mesh mesh;             ///< with texture coordinates as in the file, without materials
  bool is_flat = false;  ///< its flags request face normals
};

/// Reads one mesh of a .serialized file, version 3 or 4: compressed by zlib, with numbers of single
/// or double precision. Vertex colours are linear.
///
/// Reads only the bytes of that mesh, and allocates memory for at most as many vertices as they can
/// hold at the best compression.
/// @param index  index of the mesh in the file
/// Throws Error, in one line that names the file. Wenzel Jakob, "Mitsuba Documentation", 2014,
/// section 8.2.3.
SerializedMesh read_serialized_mesh(const std::filesystem::path& file, uint32_t index);

/// Reads one mesh from its bytes, including the header.
/// @param file  name of the file, for messages
SerializedMesh parse_serialized_mesh(std::string_view bytes, const std::string& file);

}  // namespace winnow
