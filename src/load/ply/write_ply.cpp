// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "base/files.h"
#include "load/ply/ply.h"

namespace winnow {
namespace {

template <class T>
void write_bytes(std::ostream& stream, const T& value) {
  stream.write(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace

void write_ply(const std::filesystem::path& file, const PlyPart& part) {
  auto is_zero = [](glm::vec3 n) { return n == glm::vec3(0.0f); };
  const bool has_normals = !std::all_of(part.normals.begin(), part.normals.end(), is_zero);
  const bool has_uvs = !part.uvs.empty(), has_second_uvs = !part.second_uvs.empty();
  const bool has_colors = !part.colors.empty();
  const bool has_materials = !part.materials.empty();
  replace_file(file, [&](std::ostream& stream) {
    std::string header = "ply\nformat binary_little_endian 1.0\n";
    header += fmt::format("element vertex {}\n", part.positions.size());
    for (const char* name : {"x", "y", "z"}) header += fmt::format("property float {}\n", name);
    if (has_normals)
      for (const char* name : {"nx", "ny", "nz"})
        header += fmt::format("property float {}\n", name);
    if (has_uvs) header += "property float u\nproperty float v_down\n";
    if (has_second_uvs) header += "property float u2\nproperty float v2_down\n";
    if (has_colors)
      for (const char* name : {"linear_red", "linear_green", "linear_blue", "linear_alpha"})
        header += fmt::format("property float {}\n", name);
    header += fmt::format("element face {}\nproperty list uchar uint vertex_indices\n",
                          part.triangles.size());
    if (has_materials) header += "property uint material_index\n";
    stream << header << "end_header\n";

    for (size_t i = 0; i < part.positions.size(); ++i) {
      write_bytes(stream, part.positions[i]);
      if (has_normals) write_bytes(stream, part.normals[i]);
      if (has_uvs) write_bytes(stream, part.uvs[i]);
      if (has_second_uvs) write_bytes(stream, part.second_uvs[i]);
      if (has_colors) write_bytes(stream, part.colors[i]);
    }
    for (size_t i = 0; i < part.triangles.size(); ++i) {
      constexpr uint8_t kCorners = 3;
      write_bytes(stream, kCorners);
      write_bytes(stream, part.triangles[i] - part.first_vertex);
      if (has_materials) write_bytes(stream, part.materials[i]);
    }
  });
}

}  // namespace winnow
