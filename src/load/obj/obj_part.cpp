// SPDX-License-Identifier: MIT
#include "load/obj/obj_part.h"

#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <span>

#include "base/limits.h"
#include "load/obj/statement.h"
#include "load/text/number.h"

namespace winnow {
namespace {

/// Lists to which the indices of a face corner "vertex/texture/normal" refer.
enum List { kVertices, kTextureVertices, kNormals, kListCount };
constexpr std::array<const char*, kListCount> kListNames = {"vertex", "texture vertex",
                                                            "vertex normal"};

/// OBJ statements that do not describe triangles.
constexpr std::array<std::string_view, 13> kIgnored = {
    "o",        "g",      "vp",     "lod",        "mg",        "bevel", "c_interp",
    "d_interp", "maplib", "usemap", "shadow_obj", "trace_obj", "end"};

/// Parses a part with tinyobjloader, which accepts any word as a number: each statement is checked
/// before tinyobjloader reads it. Colours and statements other than vertices and faces are read
/// here, as the callbacks of tinyobjloader report no colours and no smoothing groups.
class ObjPartParser {
 public:
  ObjPartParser(std::string_view text, const std::string& file, const ObjCounts& before)
      : statements_(text, file, before.lines), before_(before) {}

  ObjPart parse() {
    tinyobj::callback_t callbacks;
    callbacks.vertex_cb = [](void* parser, float x, float y, float z, float) {
      static_cast<ObjPartParser*>(parser)->add_position({x, y, z});
    };
    callbacks.normal_cb = [](void* parser, float x, float y, float z) {
      static_cast<ObjPartParser*>(parser)->add_normal({x, y, z});
    };
    callbacks.texcoord_cb = [](void* parser, float u, float v, float) {
      static_cast<ObjPartParser*>(parser)->parsed_.uvs.emplace_back(u, v);
    };
    callbacks.index_cb = [](void* parser, tinyobj::index_t* corners, int count) {
      static_cast<ObjPartParser*>(parser)->add_face({corners, size_t(count)});
    };
    StatementStream stream(statements_, [this] { return next_geometry(); });
    tinyobj::LoadObjWithCallback(stream, callbacks, this);
    if (!parsed_.colors.empty()) parsed_.colors.resize(parsed_.positions.size(), glm::vec3(1.0f));
    return std::move(part_);
  }

 private:
  /// Moves to the next vertex or face and checks it; reads other statements on the way. Returns
  /// false at the end of the part.
  bool next_geometry() {
    while (statements_.next()) {
      const std::string_view keyword = statements_.next_word();
      if (keyword == "v" || keyword == "vn") {
        check_vector();
      } else if (keyword == "vt") {
        check_uv();
      } else if (keyword != "f") {
        read_other(keyword);
        continue;
      } else if (!check_face()) {
        continue;
      }
      return true;
    }
    return false;
  }

  /// Checks the next word. A number that is not finite or too far away is not usable.
  NumberKind check_number() {
    float number = 0.0f;
    const NumberKind kind = read_number(statements_.next_word(), number);
    if (kind != NumberKind::kFinite || std::abs(number) > float(kMaxSceneValue)) is_usable_ = false;
    return kind;
  }

  void check_vector() {
    is_usable_ = true;
    for (int i = 0; i < 3; ++i)
      if (check_number() == NumberKind::kNone) statements_.fail_expecting("a number");
  }

  /// Checks a texture vertex. Numbers that are not usable become 0.
  void check_uv() {
    for (int i = 0; i < 2; ++i) {
      is_usable_ = true;
      check_number();
      if (!is_usable_) statements_.overwrite(0, '0');
    }
  }

  /// Checks the corners of a face and removes a comment. Returns false for fewer than 3 corners,
  /// which are in effect a point or a line.
  bool check_face() {
    size_t size = 0;
    std::string_view corner = statements_.next_word();
    for (; !corner.empty() && corner[0] != '#'; corner = statements_.next_word(), ++size) {
      check_corner(corner);
      // After a slash, tinyobjloader would take the next corner for an index of this one.
      statements_.overwrite(corner.find_last_not_of('/') + 1, ' ');
    }
    if (!corner.empty()) statements_.cut();
    parsed_.point_and_line_count += size < 3;
    return size >= 3;
  }

  /// Checks a corner "vertex", "vertex/texture", "vertex//normal" or "vertex/texture/normal".
  void check_corner(std::string_view corner) {
    const char* at = corner.data();
    const char* end = at + corner.size();
    for (int list = 0; list < kListCount; ++list) {
      int32_t index = 0;
      auto [after, error] = std::from_chars(at, end, index);
      if (error == std::errc())
        check_index(List(list), index);
      else if (error == std::errc::result_out_of_range || list == kVertices)
        break;
      at = after;
      if (at == end) return;
      if (*at++ != '/') break;
    }
    statements_.fail_expecting("vertex, vertex/texture, vertex//normal or vertex/texture/normal");
  }

  void check_index(List list, int32_t index) {
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
  }

  void add_position(glm::vec3 position) {
    parsed_.positions.push_back(is_usable_ ? position : glm::vec3(0.0f));
    parsed_.is_unusable.push_back(!is_usable_);
    parsed_.unusable_position_count += !is_usable_;
    if (!statements_.rest().empty()) read_color();
  }

  /// Reads three numbers that follow a position as its colour. One alone is a weight.
  void read_color() {
    glm::vec3 color(0.0f);
    for (int channel = 0; channel < 3; ++channel)
      if (read_number(statements_.next_word(), color[channel]) == NumberKind::kNone) return;
    parsed_.colors.resize(parsed_.positions.size(), glm::vec3(1.0f));
    parsed_.colors.back() = color;
  }

  void add_normal(glm::vec3 normal) {
    parsed_.normals.push_back(is_usable_ ? normal : glm::vec3(0.0f));
  }

  /// @param corners  indices from 1, or backwards from -1; 0 for none
  void add_face(std::span<const tinyobj::index_t> corners) {
    for (const tinyobj::index_t& corner : corners)
      parsed_.corners.push_back({absolute_index(kVertices, corner.vertex_index),
                                 absolute_index(kNormals, corner.normal_index),
                                 absolute_index(kTextureVertices, corner.texcoord_index)});
    parsed_.faces.push_back(
        {.end = parsed_.corners.size(), .group = group_, .material = material_});
    part_.inherited_group_count += !part_.last_group;
    part_.inherited_material_count += !part_.last_material;
  }

  /// Converts an index from 1, or backwards from -1, to one from 0; 0 to kNoIndex.
  uint32_t absolute_index(List list, int index) const {
    if (index == 0) return ParsedObj::kNoIndex;
    return index > 0 ? uint32_t(index - 1) : uint32_t(int64_t(count(list)) + index);
  }

  /// Returns the number of vertices, texture vertices or normals above the current statement.
  size_t count(List list) const {
    return list == kVertices          ? before_.positions + parsed_.positions.size()
           : list == kTextureVertices ? before_.uvs + parsed_.uvs.size()
                                      : before_.normals + parsed_.normals.size();
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
  bool is_usable_ = true;  ///< all numbers of the last vertex or normal are finite and near
  uint32_t group_ = 0;
  uint32_t material_ = ParsedObj::kNoIndex;
  std::map<std::string, uint32_t> material_ids_;  ///< by name
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
