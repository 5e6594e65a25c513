// SPDX-License-Identifier: MIT
#include "load/ply/ply.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <optional>
#include <ostream>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "load/ply/ply_file.h"
#include "scene/frame_scene.h"
#include "scene/triangulate_polygon.h"

namespace winnow {
namespace {

/// Reads the elements in order. Faces are triangulated at the end, as they may precede the vertices
/// in the file.
class PlyReader {
 public:
  PlyReader(std::string_view bytes, const std::string& file)
      : header_(read_ply_header(bytes, file)), values_(bytes, header_, file), file_(file) {}

  Ply read() {
    const PlyElement* vertices = header_.find("vertex");
    const PlyElement* faces = header_.find("face");
    const PlyElement* strips = header_.find("tristrips");
    auto has_rows = [](const PlyElement* element) { return element && element->count > 0; };
    if (!has_rows(vertices)) fail_without("vertex");
    if (!has_rows(faces) && !has_rows(strips)) fail_without("face");
    vertex_count_ = vertices->count;
    if (vertex_count_ > std::numeric_limits<uint32_t>::max())
      fail(fmt::format("has {} vertices; expected at most 2^32 - 1", vertex_count_));
    for (const PlyElement& element : header_.elements) {
      values_.expect_room_for(element);
      if (&element == vertices)
        read_vertices(element);
      else if (&element == faces)
        read_faces(element, &PlyReader::read_polygon);
      else if (&element == strips)
        read_faces(element, &PlyReader::read_strip);
      else
        skip_element(element);
    }
    values_.expect_end();
    add_triangles();
    return std::move(ply_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}: {}", file_, what));
  }

  [[noreturn]] void fail_without(const char* element) const {
    fail(fmt::format("has no element \"{}\"; expected a mesh of vertices and faces", element));
  }

  size_t find_scalar(const PlyElement& element, const char* name) const {
    size_t property = element.find(name);
    if (property != PlyElement::kNone && element.properties[property].is_list)
      fail(fmt::format("the property \"{}\" of the element \"{}\" is a list; expected a number",
                       name, element.name));
    return property;
  }

  static constexpr const char* kVDown = "v_down";

  /// Texture coordinates have several names. v is up, except `v_down` in the files that Winnow
  /// writes: 1 - v would not be exact.
  size_t find_uv(const PlyElement& element, size_t axis) const {
    constexpr const char* kPairs[][2] = {
        {"u", "v"}, {"s", "t"}, {"texture_u", "texture_v"}, {"u", kVDown}};
    for (const auto& names : kPairs)
      if (element.find(names[0]) != PlyElement::kNone &&
          element.find(names[1]) != PlyElement::kNone)
        return find_scalar(element, names[axis]);
    return PlyElement::kNone;
  }

  void skip(const PlyProperty& property) {
    uint64_t count = property.is_list ? values_.read_list_size(property) : 1;
    for (uint64_t i = 0; i < count; ++i) values_.read(property.type);
  }

  void skip_element(const PlyElement& element) {
    if (element.properties.empty()) return;
    for (uint64_t row = 0; row < element.count; ++row) {
      values_.start_row(element, row);
      for (const PlyProperty& property : element.properties) skip(property);
    }
  }

  void read_vertices(const PlyElement& element) {
    constexpr const char* kNames[] = {"x", "y", "z", "nx", "ny", "nz", "u", "v"};
    constexpr size_t kNumbers = std::size(kNames), kFirstNormal = 3, kFirstUv = 6;
    // [property], index in kNames.
    std::vector<size_t> name_of(element.properties.size(), PlyElement::kNone);
    bool has_normals = true, has_uvs = true;
    for (size_t name = 0; name < kNumbers; ++name) {
      size_t property =
          name < kFirstUv ? find_scalar(element, kNames[name]) : find_uv(element, name - kFirstUv);
      if (property != PlyElement::kNone)
        name_of[property] = name;
      else if (name >= kFirstUv)
        has_uvs = false;
      else if (name >= kFirstNormal)
        has_normals = false;
      else
        fail(fmt::format("the vertices have no property \"{}\"", kNames[name]));
    }

    if (has_colors(element))
      ply_.warnings.push_back(fmt::format("{}: vertex colours are not used", file_));
    ply_.mesh.positions.reserve(element.count);
    if (has_normals) ply_.mesh.normals.reserve(element.count);
    if (has_uvs) ply_.mesh.uvs.reserve(element.count);
    const bool is_down = find_uv(element, 1) == element.find(kVDown);
    for (uint64_t row = 0; row < element.count; ++row) {
      values_.start_row(element, row);
      float numbers[kNumbers] = {};
      for (size_t i = 0; i < element.properties.size(); ++i)
        if (name_of[i] == PlyElement::kNone)
          skip(element.properties[i]);
        else
          numbers[name_of[i]] = float(values_.read(element.properties[i].type));
      ply_.mesh.positions.emplace_back(numbers[0], numbers[1], numbers[2]);
      if (has_normals) ply_.mesh.normals.emplace_back(numbers[3], numbers[4], numbers[5]);
      if (has_uvs) ply_.mesh.uvs.emplace_back(numbers[6], is_down ? numbers[7] : 1.0f - numbers[7]);
    }
  }

  static bool has_colors(const PlyElement& vertices) {
    auto has_all = [&](std::initializer_list<const char*> names) {
      return std::all_of(names.begin(), names.end(), [&](const char* name) {
        return vertices.find(name) != PlyElement::kNone;
      });
    };
    return has_all({"red", "green", "blue"}) || has_all({"r", "g", "b"}) ||
           has_all({"diffuse_red", "diffuse_green", "diffuse_blue"});
  }

  void read_faces(const PlyElement& element, void (PlyReader::*read_corners)(const PlyProperty&)) {
    size_t corners = element.find("vertex_indices");
    if (corners == PlyElement::kNone) corners = element.find("vertex_index");
    if (corners == PlyElement::kNone || !element.properties[corners].is_list)
      fail("the faces have no list \"vertex_indices\" or \"vertex_index\"");
    size_t material = find_scalar(element, "material_index");

    for (uint64_t row = 0; row < element.count; ++row) {
      values_.start_row(element, row);
      const size_t first_face = face_ends_.size();
      std::optional<uint32_t> face_material;
      for (size_t i = 0; i < element.properties.size(); ++i) {
        const PlyProperty& property = element.properties[i];
        if (i == corners)
          (this->*read_corners)(property);
        else if (i == material)
          face_material =
              values_.read_index(property.type, uint64_t{1} << 32, "the index of a material");
        else
          skip(property);
      }
      if (face_material)
        face_materials_.insert(face_materials_.end(), face_ends_.size() - first_face,
                               *face_material);
    }
  }

  void read_polygon(const PlyProperty& property) {
    const uint64_t size = values_.read_list_size(property);
    for (uint64_t k = 0; k < size; ++k)
      corners_.push_back(values_.read_index(property.type, vertex_count_, "a vertex"));
    face_ends_.push_back(corners_.size());
  }

  /// Each vertex of a strip forms a triangle with the two before it. Every second one is reversed.
  void read_strip(const PlyProperty& property) {
    const uint64_t size = values_.read_list_size(property);
    uint32_t before[2] = {};
    for (uint64_t k = 0, in_strip = 0; k < size; ++k) {
      const std::optional<uint32_t> vertex = values_.read_strip_index(property.type, vertex_count_);
      if (!vertex) {
        in_strip = 0;
        continue;
      }
      const bool is_odd = in_strip % 2 == 1;
      // Strips are joined by triangles with two equal corners.
      const bool is_joint = before[0] == before[1] || before[0] == *vertex || before[1] == *vertex;
      if (++in_strip > 2 && !is_joint) {
        for (uint32_t corner : {before[is_odd], before[!is_odd], *vertex})
          corners_.push_back(corner);
        face_ends_.push_back(corners_.size());
      }
      before[0] = std::exchange(before[1], *vertex);
    }
  }

  void add_triangles() {
    if (!face_materials_.empty() && face_materials_.size() != face_ends_.size())
      fail("only the faces or only the tristrips have a material_index");
    Mesh& mesh = ply_.mesh;
    size_t first = 0, without_area = 0;
    std::vector<glm::vec3> outline;
    for (size_t face = 0; face < face_ends_.size(); ++face) {
      const uint32_t* corners = corners_.data() + first;
      size_t size = face_ends_[face] - std::exchange(first, face_ends_[face]);
      outline.clear();
      for (size_t i = 0; i < size; ++i) outline.push_back(mesh.positions[corners[i]]);
      size_t before = mesh.triangles.size();
      auto add = [&](glm::uvec3 ear) {
        if (is_solid_triangle(outline[ear.x], outline[ear.y], outline[ear.z]))
          mesh.triangles.emplace_back(corners[ear.x], corners[ear.y], corners[ear.z]);
      };
      if (size == 3)
        add({0, 1, 2});
      else if (size > 3 && std::all_of(outline.begin(), outline.end(), is_near))
        for (glm::uvec3 ear : triangulate_polygon(outline)) add(ear);
      without_area += mesh.triangles.size() == before;
      if (!face_materials_.empty())
        mesh.triangle_materials.resize(mesh.triangles.size(), face_materials_[face]);
    }
    if (mesh.triangles.empty())
      fail(fmt::format("none of its {} faces has an area and finite vertices", face_ends_.size()));
    if (without_area > 0)
      ply_.warnings.push_back(
          fmt::format("{}: {} of {} faces have no area or vertices that are "
                      "not finite or too far away, and are left out",
                      file_, without_area, face_ends_.size()));
  }

  PlyHeader header_;
  PlyValues values_;
  const std::string& file_;
  uint64_t vertex_count_ = 0;
  std::vector<uint32_t> corners_;         ///< of all faces
  std::vector<size_t> face_ends_;         ///< [face], in `corners_`
  std::vector<uint32_t> face_materials_;  ///< [face], or empty
  Ply ply_;
};

template <class T>
void write_bytes(std::ostream& stream, const T& value) {
  stream.write(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace

Ply parse_ply(std::string_view bytes, const std::string& file) {
  return PlyReader(bytes, file).read();
}

Ply read_ply(const std::filesystem::path& file) {
  return parse_ply(read_file(file), file.string());
}

HostScene load_ply_scene(const std::filesystem::path& file) {
  constexpr float kGrey = 0.6f;
  Ply ply = read_ply(file);
  ply.mesh.triangle_materials.clear();
  HostScene scene;
  scene.materials = {Material{.reflectance = glm::vec3(kGrey)}};
  scene.material_names = {"(none)"};
  scene.warnings = std::move(ply.warnings);
  complete_lone_mesh_scene(scene, ply.mesh);
  return scene;
}

void write_ply(const std::filesystem::path& file, const PlyPart& part) {
  auto is_zero = [](glm::vec3 n) { return n == glm::vec3(0.0f); };
  const bool has_normals = !std::all_of(part.normals.begin(), part.normals.end(), is_zero);
  const bool has_uvs = !part.uvs.empty();
  const bool has_materials = !part.materials.empty();
  replace_file(file, [&](std::ostream& stream) {
    std::string header = "ply\nformat binary_little_endian 1.0\n";
    header += fmt::format("element vertex {}\n", part.positions.size());
    for (const char* name : {"x", "y", "z"}) header += fmt::format("property float {}\n", name);
    if (has_normals)
      for (const char* name : {"nx", "ny", "nz"})
        header += fmt::format("property float {}\n", name);
    if (has_uvs) header += "property float u\nproperty float v_down\n";
    header += fmt::format("element face {}\nproperty list uchar uint vertex_indices\n",
                          part.triangles.size());
    if (has_materials) header += "property uint material_index\n";
    stream << header << "end_header\n";

    for (size_t i = 0; i < part.positions.size(); ++i) {
      write_bytes(stream, part.positions[i]);
      if (has_normals) write_bytes(stream, part.normals[i]);
      if (has_uvs) write_bytes(stream, part.uvs[i]);
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
