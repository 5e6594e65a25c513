// SPDX-License-Identifier: MIT
#include "load/obj/obj_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "base/limits.h"
#include "load/obj/statement.h"
#include "load/text/number.h"

namespace winnow {
namespace {

/// The lists that the indices of a face corner "vertex/texture/normal" refer to.
enum List { kVertices, kTextureVertices, kNormals, kListCount };
constexpr std::array<const char*, kListCount> kListNames = {"vertex", "texture vertex",
                                                            "vertex normal"};

/// Statements of OBJ that do not describe triangles.
constexpr std::array<std::string_view, 13> kIgnored = {
    "o",        "g",      "vp",     "lod",        "mg",        "bevel", "c_interp",
    "d_interp", "maplib", "usemap", "shadow_obj", "trace_obj", "end"};

class ObjPartParser {
 public:
  ObjPartParser(std::string_view text, const std::string& file, const ObjCounts& before)
      : statements_(text, file, before.lines), before_(before) {}

  ObjPart parse() {
    while (statements_.next()) {
      const std::string_view keyword = statements_.next_word();
      if (keyword == "v")
        read_position();
      else if (keyword == "vn")
        read_normal();
      else if (keyword == "vt")
        read_uv();
      else if (keyword == "f")
        read_face();
      else
        read_other(keyword);
    }
    if (!parsed_.colors.empty()) parsed_.colors.resize(parsed_.positions.size(), glm::vec3(1.0f));
    return std::move(part_);
  }

 private:
  /// Reads the next word. A number that is not finite or too far away is not usable, and is 0.
  NumberKind read_component(float& component, bool& is_usable) {
    float number = 0.0f;
    const NumberKind kind = read_number(statements_.next_word(), number);
    is_usable = kind == NumberKind::kFinite && std::abs(number) <= float(kMaxSceneValue);
    component = is_usable ? number : 0.0f;
    return kind;
  }

  /// Reads three numbers. False, and zero, if one of them is not usable.
  bool read_vector(glm::vec3& vector) {
    bool is_usable = true;
    for (int i = 0; i < 3; ++i) {
      bool is_component_usable = false;
      if (read_component(vector[i], is_component_usable) == NumberKind::kNone)
        statements_.fail_expecting("a number");
      is_usable = is_usable && is_component_usable;
    }
    if (!is_usable) vector = glm::vec3(0.0f);
    return is_usable;
  }

  void read_position() {
    glm::vec3 position;
    const bool is_usable = read_vector(position);
    parsed_.positions.push_back(position);
    parsed_.is_unusable.push_back(!is_usable);
    parsed_.unusable_position_count += !is_usable;
    if (!statements_.rest().empty()) read_color();
  }

  /// Three numbers that follow a position are its colour. One alone is a weight.
  void read_color() {
    glm::vec3 color(0.0f);
    for (int channel = 0; channel < 3; ++channel)
      if (read_number(statements_.next_word(), color[channel]) == NumberKind::kNone) return;
    parsed_.colors.resize(parsed_.positions.size(), glm::vec3(1.0f));
    parsed_.colors.back() = color;
  }

  void read_normal() {
    glm::vec3 normal;
    read_vector(normal);
    parsed_.normals.push_back(normal);
  }

  void read_uv() {
    glm::vec2 uv;
    bool is_usable = false;
    for (int i = 0; i < 2; ++i) read_component(uv[i], is_usable);
    parsed_.uvs.push_back(uv);
  }

  void read_face() {
    size_t size = 0;
    for (std::string_view corner = statements_.next_word(); !corner.empty() && corner[0] != '#';
         corner = statements_.next_word(), ++size)
      parsed_.corners.push_back(read_corner(corner));
    if (size < 3) {  // in effect a point or a line
      parsed_.corners.resize(parsed_.corners.size() - size);
      ++parsed_.point_and_line_count;
      return;
    }
    parsed_.faces.push_back(
        {.end = parsed_.corners.size(), .group = group_, .material = material_});
    part_.inherited_group_count += !part_.last_group;
    part_.inherited_material_count += !part_.last_material;
  }

  /// Reads "vertex", "vertex/texture", "vertex//normal" or "vertex/texture/normal".
  ParsedObj::Corner read_corner(std::string_view corner) {
    std::array<uint32_t, kListCount> indices;
    indices.fill(ParsedObj::kNoIndex);
    const char* at = corner.data();
    const char* end = at + corner.size();
    for (int list = 0; list < kListCount; ++list) {
      int32_t index = 0;
      auto [after, error] = std::from_chars(at, end, index);
      if (error == std::errc())
        indices[list] = absolute_index(List(list), index);
      else if (error == std::errc::result_out_of_range || list == kVertices)
        fail_corner();
      at = after;
      if (at == end) return {indices[kVertices], indices[kNormals], indices[kTextureVertices]};
      if (*at++ != '/') fail_corner();
    }
    fail_corner();
  }

  /// The index from 0 of one that counts from 1, or from -1 backwards.
  uint32_t absolute_index(List list, int32_t index) {
    if (index == 0)
      statements_.fail(
          fmt::format("{} 0 is out of range; expected to count from 1 (or from -1, backwards)",
                      kListNames[list]));
    if (-int64_t(index) > int64_t(count(list)))
      statements_.fail(
          fmt::format("{} {} is out of range; expected at most {} back, as many as there are above "
                      "this line",
                      kListNames[list], index, count(list)));
    if (list == kVertices && index > part_.highest_vertex) {
      part_.highest_vertex = index;
      part_.highest_vertex_position = statements_.position();
    }
    return index > 0 ? uint32_t(index - 1) : uint32_t(int64_t(count(list)) + index);
  }

  /// How many vertices, texture vertices or normals are above the current statement.
  size_t count(List list) const {
    return list == kVertices          ? before_.positions + parsed_.positions.size()
           : list == kTextureVertices ? before_.uvs + parsed_.uvs.size()
                                      : before_.normals + parsed_.normals.size();
  }

  [[noreturn]] void fail_corner() const {
    statements_.fail_expecting("vertex, vertex/texture, vertex//normal or vertex/texture/normal");
  }

  void read_other(std::string_view keyword) {
    if (keyword == "s") {
      read_smoothing_group();
    } else if (keyword == "usemtl") {
      read_material();
    } else if (keyword == "mtllib") {
      if (!statements_.rest().empty()) parsed_.libraries.emplace_back(statements_.rest());
    } else if (keyword == "l" || keyword == "p") {
      ++parsed_.point_and_line_count;
    } else if (std::find(kIgnored.begin(), kIgnored.end(), keyword) == kIgnored.end()) {
      ++parsed_.unknown_count;
    }
  }

  void read_smoothing_group() {
    const std::string_view word = statements_.next_word();
    group_ = 0;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), group_);
    const bool is_number = error == std::errc() && end == word.data() + word.size();
    if (word == "on") group_ = 1;
    if (!is_number && word != "on" && word != "off") ++parsed_.unknown_count;
    part_.last_group = group_;
  }

  void read_material() {
    const std::string_view name = statements_.rest();
    const auto [known, is_new] =
        material_ids_.try_emplace(std::string(name.empty() ? kUnnamedMaterial : name),
                                  uint32_t(parsed_.material_names.size()));
    if (is_new) parsed_.material_names.push_back(known->first);
    material_ = known->second;
    part_.last_material = material_;
  }

  StatementReader statements_;
  const ObjCounts& before_;
  ObjPart part_;
  ParsedObj& parsed_ = part_.parsed;
  uint32_t group_ = 0;
  uint32_t material_ = ParsedObj::kNoIndex;
  std::map<std::string, uint32_t> material_ids_;  ///< in ParsedObj::material_names
};

}  // namespace

ObjCounts& ObjCounts::operator+=(const ObjCounts& other) {
  lines += other.lines;
  positions += other.positions;
  uvs += other.uvs;
  normals += other.normals;
  return *this;
}

ObjCounts count_obj_part(std::string_view text, const std::string& file) {
  ObjCounts counts;
  StatementReader statements(text, file);
  while (statements.next()) {
    const std::string_view keyword = statements.next_word();
    counts.positions += keyword == "v";
    counts.uvs += keyword == "vt";
    counts.normals += keyword == "vn";
  }
  counts.lines = statements.line_count();
  return counts;
}

ObjPart parse_obj_part(std::string_view text, const std::string& file, const ObjCounts& before) {
  return ObjPartParser(text, file, before).parse();
}

}  // namespace winnow
