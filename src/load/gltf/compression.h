// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "load/json/json_reader.h"

namespace winnow {

inline constexpr const char* kGltfMeshopt = "EXT_meshopt_compression";
inline constexpr const char* kGltfMeshoptKhr =
    "KHR_meshopt_compression";  ///< later name of the extension
inline constexpr const char* kGltfDraco = "KHR_draco_mesh_compression";

/// Decodes a buffer view compressed by EXT_meshopt_compression or KHR_meshopt_compression. Throws
/// Error at `extension` if that fails.
/// @param compressed  bytes that the extension covers
std::string decode_gltf_meshopt(const JsonReader& extension, std::string_view compressed);

struct GltfDracoMesh {
  struct Attribute {
    size_t component_count = 0;  ///< numbers per vertex
    std::vector<float> numbers;  ///< [vertex][component]
  };

  std::map<std::string, Attribute> attributes;  ///< by name, such as "POSITION"
  std::vector<uint32_t> indices;                ///< vertices, three per triangle
};

/// Decodes a mesh of KHR_draco_mesh_compression. Throws Error at `extension` if that fails.
/// @param extension  names the attributes of the mesh
/// @param bytes      bytes of its buffer view
/// @param wanted     names of the attributes to decode, if the mesh has them
/// Google, "Draco Bitstream Specification", version 2.2.
GltfDracoMesh decode_gltf_draco(const JsonReader& extension, std::string_view bytes,
                                const std::vector<std::string>& wanted);

}  // namespace winnow
