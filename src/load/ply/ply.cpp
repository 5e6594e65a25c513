// SPDX-License-Identifier: MIT
#include "load/ply/ply.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/vec4.hpp>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/limits.h"
#include "load/ply/ply_file.h"
#include "load/text/blender_notes.h"
#include "load/textures/texture_library.h"
#include "scene/frame_scene.h"
#include "scene/mesh.h"
#include "scene/triangulate_polygon.h"

namespace winnow {
namespace {

constexpr const char* kOfScan = "a measure of a scan";
constexpr const char* kOfEditor = "marks of an editor";

/// Elements and properties of Turk's specification, and of files by Blender, CloudCompare, MeshLab,
/// PyVista, trimesh and scanners. Owners are "element", "vertex" and "face", which includes
/// "tristrips".
constexpr KnownKey kPlyKeys[] = {
    {"element", "vertex face tristrips"},
    {"element", "edge", KeyUse::kHarmless, "lines have no surface"},
    {"element", "camera", KeyUse::kHarmless, "where a scan was taken from"},
    {"element", "range_grid", KeyUse::kHarmless, "the order of points of a scan"},
    {"vertex", "x y z nx ny nz u v s t texture_u texture_v v_down u2 v2_down"},
    {"",
     "red green blue alpha diffuse_red diffuse_green diffuse_blue diffuse_alpha r g b a linear_red "
     "linear_green linear_blue linear_alpha"},
    {"", "quality", KeyUse::kHarmless, kOfScan},
    {"", "flags", KeyUse::kHarmless, kOfEditor},
    {"vertex", "confidence intensity", KeyUse::kHarmless, kOfScan},
    {"vertex", "radius", KeyUse::kHarmless, "the size of points"},
    {"face", "vertex_indices vertex_index material_index texcoord texnumber"},
    {"face", "face_indices", KeyUse::kHarmless, "faces of Ptex textures, which pbrt has no more"},
    {"face", "nx ny nz", KeyUse::kHarmless, "flat faces have their own normals"},
};

/// Reads the elements in order. Triangulates faces at the end, as vertices may follow them.
class PlyReader {
 public:
  PlyReader(std::string_view bytes, const std::string& file, ColorEncoding floats)
      : header_(read_ply_header(bytes, file)),
        values_(bytes, header_, file),
        file_(file),
        floats_(floats) {}

  Ply read() {
    const PlyElement* vertices = header_.find("vertex");
    const PlyElement* faces = header_.find("face");
    const PlyElement* strips = header_.find("tristrips");
    auto has_rows = [](const PlyElement* element) { return element && element->count > 0; };
    if (!has_rows(vertices)) fail_without("vertex");
    if (!has_rows(faces) && !has_rows(strips)) {
      for (const char* of_splats : {"f_dc_0", "packed_position"})
        if (vertices->find(of_splats) != PlyElement::kNone)
          fail("holds Gaussian splats, which are not rendered; expected a mesh");
      fail_without("face");
    }
    vertex_count_ = vertices->count;
    if (vertex_count_ > std::numeric_limits<uint32_t>::max())
      fail("has {} vertices; expected at most 2^32 - 1", vertex_count_);
    if (header_.ignored_lines > 0)
      ply_.warnings.push_back(fmt::format("{}: {} of its header {} unknown and ignored", file_,
                                          header_.ignored_lines == 1 ? "a line" : "lines",
                                          header_.ignored_lines == 1 ? "is" : "are"));
    account_for_keys();
    ply_.texture_files = header_.texture_files;
    ply_.is_by_blender = header_.is_by_blender;
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
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> what, Args&&... args) const {
    throw Error(fmt::format("{}: {}", file_, fmt::format(what, std::forward<Args>(args)...)));
  }

  [[noreturn]] void fail_without(const char* element) const {
    fail("has no element \"{}\"; expected a mesh of vertices and faces", element);
  }

  /// Adds a warning for elements that are ignored, and one for the properties of each other one.
  void account_for_keys() {
    std::vector<std::string_view> elements;
    for (const PlyElement& element : header_.elements) {
      const KnownKey* key = ply_keys().find("element", element.name);
      if (!key) elements.push_back(element.name);
      if (!key || key->use != KeyUse::kUsed) continue;
      const std::string_view owner = element.name == "vertex" ? "vertex" : "face";
      std::vector<std::string_view> properties;
      for (const PlyProperty& property : element.properties)
        if (!ply_keys().find(owner, property.name)) properties.push_back(property.name);
      warn_of(properties, "property", "properties",
              fmt::format(" of its element {}", in_quotes(element.name)));
    }
    warn_of(elements, "element", "elements", "");
  }

  void warn_of(const std::vector<std::string_view>& ignored, const char* one, const char* several,
               const std::string& where) {
    if (ignored.empty()) return;
    const size_t others = ignored.size() - 1;
    ply_.warnings.push_back(
        others == 0
            ? fmt::format("{}: the {} {}{} is ignored", file_, one, in_quotes(ignored[0]), where)
            : fmt::format("{}: {} {}{} are ignored, such as {}", file_, ignored.size(), several,
                          where, in_quotes(ignored[0])));
  }

  /// Warns of properties that would be read if others were there, such as red without green.
  /// @param is_read  [property]
  void warn_of_unread(const PlyElement& element, const std::vector<bool>& is_read) {
    std::vector<std::string_view> unread;
    const std::string_view owner = element.name == "vertex" ? "vertex" : "face";
    for (size_t i = 0; i < element.properties.size(); ++i) {
      const std::string& name = element.properties[i].name;
      const KnownKey* key = ply_keys().find(owner, name);
      if (key && key->use == KeyUse::kUsed && !is_read[i]) unread.push_back(name);
    }
    warn_of(unread, "property", "properties",
            fmt::format(" of its element {}", in_quotes(element.name)));
  }

  size_t find_scalar(const PlyElement& element, const char* name) const {
    size_t property = element.find(name);
    if (property != PlyElement::kNone && element.properties[property].is_list)
      fail("the property \"{}\" of the element \"{}\" is a list; expected a number", name,
           element.name);
    return property;
  }

  static constexpr const char* kVDown = "v_down";

  /// Finds texture coordinates, which have several names. v is up, except for `v_down` in files
  /// that Winnow writes: 1 - v would not be exact.
  static std::array<size_t, 2> find_uv(const PlyElement& element) {
    return find_named<2>(element,
                         {{{"u", "v"}, {"s", "t"}, {"texture_u", "texture_v"}, {"u", kVDown}}});
  }

  static constexpr const char* kLinearRed = "linear_red";
  static constexpr uint32_t kMaxTextures = 1u << 20;

  /// Finds red, green, blue and alpha, which have several names. Colours that Winnow writes are
  /// linear, all others sRGB.
  static std::array<size_t, 4> find_color(const PlyElement& element) {
    const auto [red, green, blue] =
        find_named<3>(element, {{{"red", "green", "blue"},
                                 {"diffuse_red", "diffuse_green", "diffuse_blue"},
                                 {"r", "g", "b"},
                                 {kLinearRed, "linear_green", "linear_blue"}}});
    size_t alpha = PlyElement::kNone;
    for (const char* name : {"alpha", "diffuse_alpha", "a", "linear_alpha"})
      if (red != PlyElement::kNone && alpha == PlyElement::kNone && has_number(element, name))
        alpha = element.find(name);
    return {red, green, blue, alpha};
  }

  /// True if the element has a number of this name; lists are ignored.
  static bool has_number(const PlyElement& element, const char* name) {
    const size_t property = element.find(name);
    return property != PlyElement::kNone && !element.properties[property].is_list;
  }

  /// Returns the properties of the first set of names of which an element has all, or kNone.
  template <size_t kItems>
  static std::array<size_t, kItems> find_named(
      const PlyElement& element, const std::array<std::array<const char*, kItems>, 4>& sets) {
    std::array<size_t, kItems> found;
    found.fill(PlyElement::kNone);
    for (const auto& names : sets)
      if (std::ranges::all_of(names, [&](const char* name) { return has_number(element, name); })) {
        std::ranges::transform(names, found.begin(),
                               [&](const char* name) { return element.find(name); });
        break;
      }
    return found;
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

  /// Numbers of a vertex that are used, in the order of a stored row.
  enum VertexNumber : size_t {
    kX,
    kNormal = 3,
    kUv = 6,
    kSecondUv = 8,
    kColor = 10,
    kAlpha = 13,
    kVertexNumbers = 14
  };

  /// Returns the property of each number, or kNone if the file lacks it.
  std::array<size_t, kVertexNumbers> find_vertex_numbers(const PlyElement& element) const {
    std::array<size_t, kVertexNumbers> found;
    constexpr const char* kNames[] = {"x", "y", "z", "nx", "ny", "nz"};
    for (size_t i = 0; i < kUv; ++i) found[i] = find_scalar(element, kNames[i]);
    std::ranges::copy(find_uv(element), &found[kUv]);
    found[kSecondUv] = find_scalar(element, "u2");
    found[kSecondUv + 1] = find_scalar(element, "v2_down");
    std::ranges::copy(find_color(element), &found[kColor]);
    for (size_t i = kX; i < kNormal; ++i)
      if (found[i] == PlyElement::kNone) fail("the vertices have no property \"{}\"", kNames[i]);
    return found;
  }

  void read_vertices(const PlyElement& element) {
    const std::array<size_t, kVertexNumbers> found = find_vertex_numbers(element);
    auto has_all = [&](size_t first, size_t last) {
      return std::find(&found[first], &found[last], PlyElement::kNone) == &found[last];
    };
    const bool has_normals = has_all(kNormal, kUv), has_uvs = has_all(kUv, kSecondUv),
               has_second_uvs = has_all(kSecondUv, kColor), has_colors = has_all(kColor, kAlpha);
    std::vector<size_t> number_of(element.properties.size(), PlyElement::kNone);  // [property]
    std::vector<bool> is_read(element.properties.size());
    for (size_t i = 0; i < kVertexNumbers; ++i) {
      if (found[i] == PlyElement::kNone) continue;
      number_of[found[i]] = i;
      is_read[found[i]] =
          i < kNormal || (i < kUv ? has_normals : i < kSecondUv || i >= kColor || has_second_uvs);
    }
    warn_of_unread(element, is_read);

    Mesh& mesh = ply_.mesh;
    mesh.positions.reserve(element.count);
    if (has_normals) mesh.normals.reserve(element.count);
    if (has_uvs) mesh.uvs.reserve(element.count);
    if (has_second_uvs) mesh.second_uvs.reserve(element.count);
    if (has_colors) mesh.colors.reserve(element.count);
    const bool is_down = found[kUv + 1] == element.find(kVDown);
    for (uint64_t row = 0; row < element.count; ++row) {
      values_.start_row(element, row);
      float n[kVertexNumbers] = {};
      n[kAlpha] = 1.0f;
      for (size_t i = 0; i < element.properties.size(); ++i) {
        const PlyProperty& property = element.properties[i];
        if (number_of[i] == PlyElement::kNone)
          skip(property);
        else
          n[number_of[i]] = float(number_of[i] >= kColor ? read_fraction(property.type)
                                                         : values_.read(property.type));
      }
      mesh.positions.emplace_back(n[kX], n[kX + 1], n[kX + 2]);
      if (has_normals) mesh.normals.emplace_back(n[kNormal], n[kNormal + 1], n[kNormal + 2]);
      if (has_uvs) mesh.uvs.emplace_back(n[kUv], is_down ? n[kUv + 1] : 1.0f - n[kUv + 1]);
      if (has_second_uvs) mesh.second_uvs.emplace_back(n[kSecondUv], n[kSecondUv + 1]);
      if (has_colors) mesh.colors.emplace_back(n[kColor], n[kColor + 1], n[kColor + 2], n[kAlpha]);
    }
    ply_.has_vertex_colors = has_colors;
    finish_vertex_colors(mesh.colors, encoding_of(element));
  }

  /// Reads a channel of a colour as a fraction of 255 for bytes, of 65535 for 16-bit integers.
  double read_fraction(NumberType type) {
    const double value = values_.read(type);
    if (std::holds_alternative<uint8_t>(type))
      return value / double(std::numeric_limits<uint8_t>::max());
    if (std::holds_alternative<uint16_t>(type))
      return value / double(std::numeric_limits<uint16_t>::max());
    return value;
  }

  ColorEncoding encoding_of(const PlyElement& element) const {
    const size_t red = find_color(element)[0];
    if (red == PlyElement::kNone) return ColorEncoding::kSrgb;
    const NumberType type = element.properties[red].type;
    const bool is_float =
        std::holds_alternative<float>(type) || std::holds_alternative<double>(type);
    return element.properties[red].name == kLinearRed ||
                   (is_float && floats_ == ColorEncoding::kLinear)
               ? ColorEncoding::kLinear
               : ColorEncoding::kSrgb;
  }

  void read_faces(const PlyElement& element, void (PlyReader::*read_corners)(const PlyProperty&)) {
    size_t corners = element.find("vertex_indices");
    if (corners == PlyElement::kNone) corners = element.find("vertex_index");
    if (corners == PlyElement::kNone || !element.properties[corners].is_list)
      fail("the faces have no list \"vertex_indices\" or \"vertex_index\"");
    size_t material = find_scalar(element, "material_index");
    size_t texture = element.find("texnumber"), wedges = element.find("texcoord");
    if (texture != PlyElement::kNone && element.properties[texture].is_list)
      texture = PlyElement::kNone;
    if (wedges != PlyElement::kNone && !element.properties[wedges].is_list)
      wedges = PlyElement::kNone;
    const std::array<size_t, 4> colors = find_color(element);
    const bool has_colors = colors[0] != PlyElement::kNone;
    std::vector<bool> is_read(element.properties.size());
    for (const size_t property :
         {corners, material, texture, wedges, colors[0], colors[1], colors[2], colors[3]})
      if (property != PlyElement::kNone) is_read[property] = true;
    warn_of_unread(element, is_read);

    for (uint64_t row = 0; row < element.count; ++row) {
      values_.start_row(element, row);
      const size_t first_face = face_ends_.size();
      std::optional<uint32_t> face_material;
      double face_texture = 0.0;
      wedge_.clear();
      glm::vec4 color(1.0f);
      for (size_t i = 0; i < element.properties.size(); ++i) {
        const PlyProperty& property = element.properties[i];
        if (i == corners)
          (this->*read_corners)(property);
        else if (i == material)
          face_material =
              values_.read_index(property.type, uint64_t{1} << 32, "the index of a material");
        else if (i == texture)
          face_texture = values_.read(property.type);
        else if (i == wedges)
          read_wedge(property);
        else if (const auto channel = std::find(colors.begin(), colors.end(), i);
                 channel != colors.end())
          color[int(channel - colors.begin())] = float(read_fraction(property.type));
        else
          skip(property);
      }
      if (wedges != PlyElement::kNone) add_wedge();
      if (texture != PlyElement::kNone)
        face_textures_.insert(face_textures_.end(), face_ends_.size() - first_face,
                              face_texture >= 0.0 && face_texture < double(kMaxTextures)
                                  ? uint32_t(face_texture)
                                  : kMaxTextures);
      if (has_colors)
        face_colors_.insert(face_colors_.end(), face_ends_.size() - first_face, color);
      if (face_material)
        face_materials_.insert(face_materials_.end(), face_ends_.size() - first_face,
                               *face_material);
    }
    ply_.has_face_colors = has_colors;
    finish_vertex_colors(face_colors_, encoding_of(element));
  }

  /// Reads the texture coordinates of a face's corners: u and v of each.
  void read_wedge(const PlyProperty& property) {
    const uint64_t size = values_.read_list_size(property);
    for (uint64_t i = 0; i < size; ++i) wedge_.push_back(float(values_.read(property.type)));
  }

  /// Adds the texture coordinates of the corners so far; those that the file lacks are 0.
  void add_wedge() {
    const size_t first = wedge_uvs_.size();
    wedge_uvs_.resize(corners_.size(), glm::vec2(0.0f));
    for (size_t i = first; i < wedge_uvs_.size(); ++i) {
      const size_t at = 2 * (i - first);
      if (at + 1 >= wedge_.size()) break;
      const glm::vec2 uv(wedge_[at], 1.0f - wedge_[at + 1]);
      if (std::isfinite(uv.x) && std::isfinite(uv.y)) wedge_uvs_[i] = uv;
    }
  }

  /// Gives vertices the texture coordinates of their corners. A vertex whose corners have several
  /// becomes several vertices.
  void split_at_seams() {
    if (wedge_uvs_.empty()) return;
    Mesh& mesh = ply_.mesh;
    wedge_uvs_.resize(corners_.size(), glm::vec2(0.0f));
    mesh.uvs.assign(mesh.positions.size(), glm::vec2(0.0f));
    std::vector<bool> has_uv(mesh.positions.size());
    std::map<std::tuple<uint32_t, float, float>, uint32_t> copies;
    auto add_copy = [](auto& items, uint32_t of) {
      if (!items.empty()) items.push_back(items[of]);
    };
    for (size_t i = 0; i < corners_.size(); ++i) {
      const uint32_t vertex = corners_[i];
      const glm::vec2 uv = wedge_uvs_[i];
      if (!has_uv[vertex]) mesh.uvs[vertex] = uv;
      has_uv[vertex] = true;
      if (mesh.uvs[vertex] == uv) continue;
      const auto [known, is_new] =
          copies.try_emplace({vertex, uv.x, uv.y}, uint32_t(mesh.positions.size()));
      corners_[i] = known->second;
      if (!is_new) continue;
      if (mesh.positions.size() == std::numeric_limits<uint32_t>::max())
        fail("has more corners with texture coordinates than 32-bit indices can address");
      add_copy(mesh.positions, vertex);
      add_copy(mesh.normals, vertex);
      add_copy(mesh.second_uvs, vertex);
      add_copy(mesh.colors, vertex);
      mesh.uvs.push_back(uv);
    }
  }

  void read_polygon(const PlyProperty& property) {
    const uint64_t size = values_.read_list_size(property);
    if (size > kMaxFaceCorners)
      fail("a face has {} corners; expected at most {}", size, kMaxFaceCorners);
    for (uint64_t k = 0; k < size; ++k)
      corners_.push_back(values_.read_index(property.type, vertex_count_, "a vertex"));
    face_ends_.push_back(corners_.size());
  }

  /// Reads a strip: each vertex forms a triangle with the two before it, every second one reversed.
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
      // Triangles with two equal corners join strips.
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
    split_at_seams();
    if (!face_materials_.empty() && face_materials_.size() != face_ends_.size())
      fail("only the faces or only the tristrips have a material_index");
    Mesh& mesh = ply_.mesh;
    size_t first = 0, without_area = 0, overlapping = 0;
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
      auto add_polygon = [&] {
        const PolygonTriangles cut = triangulate_polygon(outline);
        overlapping += cut.overlap;
        for (glm::uvec3 ear : cut.triangles) add(ear);
      };
      if (size == 3)
        add({0, 1, 2});
      else if (size > 3 && std::all_of(outline.begin(), outline.end(), is_near))
        add_polygon();
      without_area += mesh.triangles.size() == before;
      ply_.quadrilaterals += mesh.triangles.size() == before + 2;
      if (!face_materials_.empty())
        mesh.triangle_materials.resize(mesh.triangles.size(), face_materials_[face]);
      if (face < face_textures_.size())
        ply_.triangle_textures.resize(mesh.triangles.size(), face_textures_[face]);
      if (face < face_colors_.size())
        ply_.face_colors.resize(mesh.triangles.size(), face_colors_[face]);
    }
    if (mesh.triangles.empty())
      fail("none of its {} faces has an area and finite vertices", face_ends_.size());
    if (without_area > 0)
      ply_.warnings.push_back(
          fmt::format("{}: {} of {} faces are left out: they have no area, or a vertex "
                      "that is not finite or too far away",
                      file_, without_area, face_ends_.size()));
    if (overlapping > 0)
      ply_.warnings.push_back(fmt::format("{}: {}", file_, overlap_warning(overlapping)));
  }

  PlyHeader header_;
  PlyValues values_;
  const std::string& file_;
  ColorEncoding floats_;
  uint64_t vertex_count_ = 0;
  std::vector<uint32_t> corners_;         ///< corners of all faces
  std::vector<size_t> face_ends_;         ///< [face], end of its corners in `corners_`
  std::vector<uint32_t> face_materials_;  ///< [face], or empty
  std::vector<glm::vec4> face_colors_;    ///< [face], or empty
  std::vector<uint32_t> face_textures_;   ///< [face], or empty
  std::vector<glm::vec2> wedge_uvs_;      ///< [corner], or empty
  std::vector<float> wedge_;              ///< texture coordinates of the corners of a face
  Ply ply_;
};

}  // namespace

Ply parse_ply(std::string_view bytes, const std::string& file, ColorEncoding floats) {
  return PlyReader(bytes, file, floats).read();
}

Ply read_ply(const std::filesystem::path& file, ColorEncoding floats) {
  return parse_ply(read_file(file), file.string(), floats);
}

namespace {

constexpr float kGrey = 0.6f;  ///< reflectance of what has no colour

/// Gives a mesh materials with the textures that its file names. Returns false if there are none.
bool add_ply_textures(const std::filesystem::path& file, Ply& ply, HostScene& scene) {
  if (ply.texture_files.empty()) return false;
  if (ply.mesh.uvs.empty()) {
    scene.warnings.push_back(
        fmt::format("{}: its texture {} is ignored: the mesh has no texture coordinates",
                    file.string(), in_quotes(ply.texture_files[0])));
    return false;
  }
  TextureLibrary library(scene);
  scene.materials.clear();
  scene.material_names.clear();
  for (const std::string& name : ply.texture_files) {
    Material material;
    material.textures.reflectance =
        library.add_file(file.parent_path() / name, TexelMeaning::kColor, {});
    material.reflectance = glm::vec3(material.textures.reflectance == kNoTexture ? kGrey : 1.0f);
    scene.materials.push_back(material);
    scene.material_names.push_back(name);
  }
  if (!ply.mesh.colors.empty() || !ply.face_colors.empty())
    scene.warnings.push_back(
        fmt::format("{}: its colours are ignored: it has textures", file.string()));
  ply.mesh.colors.clear();
  ply.mesh.triangle_materials.assign(ply.mesh.triangles.size(), 0);
  for (size_t i = 0; i < ply.triangle_textures.size(); ++i)
    if (ply.triangle_textures[i] < scene.materials.size())
      ply.mesh.triangle_materials[i] = ply.triangle_textures[i];
  return true;
}

}  // namespace

const KeyTable& ply_keys() {
  static const KeyTable kTable(kPlyKeys);
  return kTable;
}

HostScene load_ply_scene(const std::filesystem::path& file) {
  Ply ply = read_ply(file);
  if (!ply.mesh.triangle_materials.empty())
    ply.warnings.push_back(
        fmt::format("{}: its material_index is ignored: it has no materials", file.string()));
  ply.mesh.triangle_materials.clear();
  HostScene scene;
  Material material{.reflectance = glm::vec3(ply.is_by_blender ? kGreyOfBlender : kGrey)};
  if (!ply.mesh.colors.empty() && !ply.face_colors.empty())
    ply.warnings.push_back(fmt::format(
        "{}: the colours of its faces are ignored: its vertices have colours", file.string()));
  if (ply.mesh.colors.empty() && !ply.face_colors.empty())
    color_triangles(ply.mesh, ply.face_colors);
  if (ply.is_by_blender)
    scene.notes.push_back(
        blender_note(file.string(), "materials, textures, cameras, lamps and the world"));
  if (ply.is_by_blender && has_coarse_normals(ply.mesh))
    ply.warnings.push_back(fmt::format("{}: {}", file.string(), kCoarseNormalsNote));
  if (ply.is_by_blender && ply.has_vertex_colors)
    ply.warnings.push_back(fmt::format(
        "{}: Blender does not write whether its colours are sRGB or linear; they are read as sRGB",
        file.string()));
  if (!ply.mesh.colors.empty()) {
    material.reflectance = glm::vec3(1.0f);
    material.vertex_colors = true;
    material.vertex_alpha = has_vertex_alpha(ply.mesh.colors);
  }
  scene.materials = {material};
  scene.material_names = {"(none)"};
  scene.warnings = std::move(ply.warnings);
  add_ply_textures(file, ply, scene);
  complete_lone_mesh_scene(scene, ply.mesh);
  return scene;
}

}  // namespace winnow
