// SPDX-License-Identifier: MIT
#include "load/obj/parse_obj.h"

#include <fmt/format.h>
#include <tiny_obj_loader.h>

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

class ObjParser {
 public:
  ObjParser(std::string_view text, const std::string& file) : statements_(text, file) {}

  ParsedObj parse() {
    tinyobj::callback_t callbacks;
    callbacks.vertex_cb = [](void* parser, float x, float y, float z, float) {
      static_cast<ObjParser*>(parser)->add_position({x, y, z});
    };
    callbacks.normal_cb = [](void* parser, float x, float y, float z) {
      static_cast<ObjParser*>(parser)->add_normal({x, y, z});
    };
    callbacks.texcoord_cb = [](void* parser, float u, float v, float) {
      static_cast<ObjParser*>(parser)->add_uv({u, v});
    };
    callbacks.index_cb = [](void* parser, tinyobj::index_t* corners, int count) {
      static_cast<ObjParser*>(parser)->add_face(corners, size_t(count));
    };
    StatementStream stream(statements_, [this] { return next_geometry(); });
    tinyobj::LoadObjWithCallback(stream, callbacks, this);
    if (highest_vertex_ > int64_t(parsed_.positions.size()))
      statements_.fail_at(highest_vertex_position_,
                          fmt::format("vertex {} is out of range; expected at most {}, the last "
                                      "vertex of the file",
                                      highest_vertex_, parsed_.positions.size()));
    return std::move(parsed_);
  }

 private:
  /// Moves to the next statement of vertices or faces, which is checked, and reads those of other
  /// kinds in between. tinyobjloader ends the name of a material at a blank, and its callbacks
  /// report no smoothing groups.
  bool next_geometry() {
    while (statements_.next()) {
      const std::string_view keyword = statements_.next_word();
      if (keyword == "v" || keyword == "vn") {
        check_vector();
        return true;
      }
      if (keyword == "vt") {
        for (size_t i = 0; i < 2; ++i) check_number(i);
        return true;
      }
      if (keyword == "f") {
        check_face();
        return true;
      }
      if (keyword == "s") {
        read_smoothing_group();
      } else if (keyword == "usemtl" && !statements_.rest().empty()) {
        const auto [known, is_new] = material_ids_.try_emplace(
            std::string(statements_.rest()), uint32_t(parsed_.material_names.size()));
        if (is_new) parsed_.material_names.push_back(known->first);
        material_ = known->second;
      } else if (keyword == "mtllib" && !statements_.rest().empty()) {
        parsed_.libraries.emplace_back(statements_.rest());
      } else if (keyword == "l" || keyword == "p") {
        ++parsed_.point_and_line_count;
      } else if (std::find(kIgnored.begin(), kIgnored.end(), keyword) == kIgnored.end()) {
        ++parsed_.unknown_count;
      }
    }
    return false;
  }

  /// Reads the next word as component `i` of a vector, for is_usable_.
  NumberKind check_number(size_t i) {
    float number = 0.0f;
    const NumberKind kind = read_number(statements_.next_word(), number);
    is_usable_[i] = kind == NumberKind::kFinite && std::abs(number) <= float(kMaxSceneValue);
    return kind;
  }

  void check_vector() {
    for (size_t i = 0; i < is_usable_.size(); ++i)
      if (check_number(i) == NumberKind::kNone) statements_.fail_expecting("a number");
  }

  void check_face() {
    size_t size = 0;
    for (std::string_view corner = statements_.next_word(); !corner.empty();
         corner = statements_.next_word(), ++size) {
      if (corner[0] == '#') {
        statements_.blank_out(corner);
        statements_.blank_out(statements_.rest());
        break;
      }
      check_corner(corner);
      // Behind a slash tinyobjloader would take the next corner for an index of this one.
      const size_t end = corner.find_last_not_of('/') + 1;
      statements_.blank_out(corner.substr(end));
    }
    if (size < 3)
      statements_.fail(fmt::format("expected a face of 3 or more vertices, found {}", size));
  }

  /// Checks "vertex", "vertex/texture", "vertex//normal" or "vertex/texture/normal".
  void check_corner(std::string_view corner) {
    const char* at = corner.data();
    const char* end = at + corner.size();
    for (int list = 0; list < kListCount; ++list) {
      int32_t index = 0;
      auto [after, error] = std::from_chars(at, end, index);
      if (error == std::errc())
        check_index(List(list), index);
      else if (error == std::errc::result_out_of_range || list == kVertices)
        fail_corner();
      at = after;
      if (at == end) return;
      if (*at++ != '/') fail_corner();
    }
    fail_corner();
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
    if (list == kVertices && index > highest_vertex_) {
      highest_vertex_ = index;
      highest_vertex_position_ = statements_.position();
    }
  }

  [[noreturn]] void fail_corner() const {
    statements_.fail_expecting("vertex, vertex/texture, vertex//normal or vertex/texture/normal");
  }

  void read_smoothing_group() {
    const std::string_view word = statements_.next_word();
    group_ = 0;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), group_);
    const bool is_number = error == std::errc() && end == word.data() + word.size();
    if (word == "on") group_ = 1;
    if (!is_number && word != "on" && word != "off") ++parsed_.unknown_count;
  }

  void add_position(glm::vec3 position) {
    const bool is_unusable = !(is_usable_[0] && is_usable_[1] && is_usable_[2]);
    parsed_.positions.push_back(is_unusable ? glm::vec3(0.0f) : position);
    parsed_.is_unusable.push_back(is_unusable);
    parsed_.unusable_position_count += is_unusable;
  }

  void add_normal(glm::vec3 normal) {
    const bool is_usable = is_usable_[0] && is_usable_[1] && is_usable_[2];
    parsed_.normals.push_back(is_usable ? normal : glm::vec3(0.0f));
  }

  void add_uv(glm::vec2 uv) {
    parsed_.uvs.emplace_back(is_usable_[0] ? uv.x : 0.0f, is_usable_[1] ? uv.y : 0.0f);
  }

  /// @param corners  [count], indices that count from 1, or from -1 backwards; 0 where there is
  /// none
  void add_face(const tinyobj::index_t* corners, size_t count) {
    for (size_t i = 0; i < count; ++i)
      parsed_.corners.push_back({absolute_index(kVertices, corners[i].vertex_index),
                                 absolute_index(kNormals, corners[i].normal_index),
                                 absolute_index(kTextureVertices, corners[i].texcoord_index)});
    parsed_.faces.push_back(
        {.end = parsed_.corners.size(), .group = group_, .material = material_});
  }

  uint32_t absolute_index(List list, int index) const {
    if (index == 0) return ParsedObj::kNoIndex;
    return index > 0 ? uint32_t(index - 1) : uint32_t(int64_t(count(list)) + index);
  }

  /// How many vertices, texture vertices or normals are above the current statement.
  size_t count(List list) const {
    return list == kVertices          ? parsed_.positions.size()
           : list == kTextureVertices ? parsed_.uvs.size()
                                      : parsed_.normals.size();
  }

  StatementReader statements_;
  ParsedObj parsed_;
  std::array<bool, 3> is_usable_{};  ///< of the numbers of a vector: finite, and near enough
  uint32_t group_ = 0;
  uint32_t material_ = ParsedObj::kNoIndex;
  std::map<std::string, uint32_t> material_ids_;  ///< in ParsedObj::material_names
  int64_t highest_vertex_ = 0;                    ///< that a face names, from 1
  TextPosition highest_vertex_position_;
};

}  // namespace

ParsedObj parse_obj(std::string_view text, const std::string& file) {
  return ObjParser(text, file).parse();
}

}  // namespace winnow
