// SPDX-License-Identifier: MIT
#include "load/obj/parse_obj.h"

#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "base/error.h"
#include "base/for_each_at_once.h"
#include "base/limits.h"
#include "base/text_position.h"
#include "load/obj/mtl.h"
#include "load/obj/statement.h"
#include "load/text/number.h"

namespace winnow {
namespace {

/// Lists to which the indices of a face corner "vertex/texture/normal" refer.
enum List { kVertices, kTextureVertices, kNormals, kListCount };
constexpr std::array<const char*, kListCount> kListNames = {"vertex", "texture vertex",
                                                            "vertex normal"};

/// Counts of lines and vertices in a part of an OBJ text, or in all parts before one.
struct ObjCounts {
  size_t lines = 0;
  std::array<size_t, kListCount> items = {};  ///< [list]
};

/// Parsed part of an OBJ text that consists of whole statements.
struct ObjPart {
  /// Faces and materials count from the start of the part; corners have indices of the whole file.
  ParsedObj parsed;
  /// Faces before the first `s` or usemtl, whose group or material an earlier part defines.
  size_t inherited_group_count = 0, inherited_material_count = 0;
  std::optional<uint32_t> last_group, last_material;  ///< at the end, if the part sets any
  int64_t highest_vertex = 0;                         ///< highest index from 1 in a face
  TextPosition highest_vertex_position;
};

/// Counts the lines and vertices of a part without reading numbers.
ObjCounts count_obj_part(std::string_view text, const std::string& file) {
  ObjCounts counts;
  StatementReader statements(text, file);
  while (statements.next()) {
    const std::string_view keyword = statements.next_word();
    counts.items[kVertices] += keyword == "v";
    counts.items[kTextureVertices] += keyword == "vt";
    counts.items[kNormals] += keyword == "vn";
  }
  counts.lines = statements.line_count();
  return counts;
}

/// Parses a part with tinyobjloader, which accepts any word as a number: each statement is checked
/// before tinyobjloader reads it. Colours and statements other than vertices and faces are read
/// here, as the callbacks of tinyobjloader report no colours and no smoothing groups.
class ObjPartParser {
 public:
  ObjPartParser(std::string_view text, const std::string& file, const ObjCounts& before,
                bool is_by_blender)
      : statements_(text, file, before.lines), before_(before), is_by_blender_(is_by_blender) {}

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
  /// Reads statements up to the next vertex or face and checks it. Returns false at the end.
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

  /// Checks the corners of a face and removes a comment. Returns false for fewer than 3 corners.
  bool check_face() {
    size_t size = 0;
    std::string_view corner = statements_.next_word();
    for (; !corner.empty() && corner[0] != '#'; corner = statements_.next_word(), ++size) {
      if (size == kMaxFaceCorners)
        statements_.fail("a face has more than {} corners", kMaxFaceCorners);
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
      statements_.fail("{} 0 is out of range; expected to count from 1 (or from -1, backwards)",
                       kListNames[list]);
    if (-int64_t(index) > int64_t(count(list)))
      statements_.fail(
          "{} {} is out of range; expected at most {} back, as many as there are above this line",
          kListNames[list], index, count(list));
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
    const size_t in_part = list == kVertices          ? parsed_.positions.size()
                           : list == kTextureVertices ? parsed_.uvs.size()
                                                      : parsed_.normals.size();
    return before_.items[list] + in_part;
  }

  void read_other(std::string_view keyword) {
    if (keyword == "s") {
      read_smoothing_group();
    } else if (keyword == "usemtl") {
      use_material(statements_.rest());
    } else if (keyword == "o" && is_by_blender_) {
      use_material("");  // Blender names the material of each object anew, if there is one
    } else if (keyword == "mtllib") {
      if (!statements_.rest().empty()) parsed_.libraries.emplace_back(statements_.rest());
    } else if (keyword == "l" || keyword == "p") {
      ++parsed_.point_and_line_count;
    } else {
      const KnownKey* known = obj_statements().find("", keyword);
      if (!known || known->use == KeyUse::kIgnored)
        parsed_.ignored.add(keyword, known ? known->why : "", statements_.position().line);
    }
  }

  void read_smoothing_group() {
    const std::string_view word = statements_.next_word();
    group_ = 0;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), group_);
    const bool is_number = error == std::errc() && end == word.data() + word.size();
    if (word == "on") group_ = 1;
    if (!is_number && word != "on" && word != "off")
      parsed_.ignored.add("s", "its group is not a number", statements_.position().line);
    part_.last_group = group_;
  }

  void use_material(std::string_view name) {
    const auto [known, is_new] =
        material_ids_.try_emplace(std::string(name.empty() ? kUnnamedMaterial : name),
                                  uint32_t(parsed_.material_names.size()));
    if (is_new) parsed_.material_names.push_back(known->first);
    material_ = known->second;
    part_.last_material = material_;
  }

  StatementReader statements_;
  const ObjCounts& before_;
  bool is_by_blender_;
  ObjPart part_;
  ParsedObj& parsed_ = part_.parsed;
  bool is_usable_ = true;  ///< all numbers of the last vertex or normal are finite and near
  uint32_t group_ = 0;
  uint32_t material_ = ParsedObj::kNoIndex;
  std::map<std::string, uint32_t> material_ids_;  ///< by name
};

template <class T>
void append_part(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Joins the parts of a text, in their order.
class ObjMerger {
 public:
  /// @param counts  sum over all parts
  explicit ObjMerger(const ObjCounts& counts) {
    all_.positions.reserve(counts.items[kVertices]);
    all_.is_unusable.reserve(counts.items[kVertices]);
    all_.normals.reserve(counts.items[kNormals]);
    all_.uvs.reserve(counts.items[kTextureVertices]);
  }

  void add(const ObjPart& part) {
    add_faces(part);
    const ParsedObj& parsed = part.parsed;
    add_colors(parsed);
    append_part(all_.positions, parsed.positions);
    append_part(all_.is_unusable, parsed.is_unusable);
    append_part(all_.normals, parsed.normals);
    append_part(all_.uvs, parsed.uvs);
    append_part(all_.corners, parsed.corners);
    append_part(all_.libraries, parsed.libraries);
    all_.unusable_position_count += parsed.unusable_position_count;
    all_.point_and_line_count += parsed.point_and_line_count;
    all_.ignored.add(parsed.ignored);
  }

  ParsedObj take() { return std::move(all_); }

 private:
  /// Adds colours. Call it before the positions of the part are added.
  void add_colors(const ParsedObj& parsed) {
    if (parsed.colors.empty() && all_.colors.empty()) return;
    const size_t first = all_.positions.size();
    all_.colors.resize(first, glm::vec3(1.0f));
    append_part(all_.colors, parsed.colors);
    all_.colors.resize(first + parsed.positions.size(), glm::vec3(1.0f));
  }

  void add_faces(const ObjPart& part) {
    std::vector<uint32_t> ids;  // [material of the part], index in `all_.material_names`
    for (const std::string& name : part.parsed.material_names) {
      const auto [known, is_new] =
          material_ids_.try_emplace(name, uint32_t(all_.material_names.size()));
      if (is_new) all_.material_names.push_back(name);
      ids.push_back(known->second);
    }
    const std::vector<ParsedObj::Face>& faces = part.parsed.faces;
    for (size_t i = 0; i < faces.size(); ++i)
      all_.faces.push_back(
          {.end = all_.corners.size() + faces[i].end,
           .group = i < part.inherited_group_count ? group_ : faces[i].group,
           .material = i < part.inherited_material_count ? material_ : ids[faces[i].material]});
    if (part.last_group) group_ = *part.last_group;
    if (part.last_material) material_ = ids[*part.last_material];
  }

  ParsedObj all_;
  uint32_t group_ = 0;
  uint32_t material_ = ParsedObj::kNoIndex;
  std::map<std::string, uint32_t> material_ids_;
};

/// Throws Error if a face refers to a vertex beyond the last one.
void check_highest_vertex(const std::vector<ObjPart>& parts, size_t vertex_count,
                          const std::string& file) {
  const ObjPart* highest = nullptr;
  for (const ObjPart& part : parts)
    if (!highest || part.highest_vertex > highest->highest_vertex) highest = &part;
  if (!highest || highest->highest_vertex <= int64_t(vertex_count)) return;
  const TextPosition position = highest->highest_vertex_position;
  throw Error(fmt::format(
      "{}:{}:{}: vertex {} is out of range; expected at most {}, the last vertex of the file", file,
      position.line, position.column, highest->highest_vertex, vertex_count));
}

}  // namespace

ParsedObj parse_obj(std::string_view text, const std::string& file, size_t part_bytes) {
  const std::vector<std::string_view> texts =
      split_between_statements(without_byte_order_mark(text), part_bytes);
  std::vector<ObjCounts> before(texts.size() + 1);  // [part], counts of all parts before it
  for_each_at_once(texts.size(), [&](size_t i) { before[i + 1] = count_obj_part(texts[i], file); });
  for (size_t i = 0; i < texts.size(); ++i) {
    before[i + 1].lines += before[i].lines;
    for (int list = 0; list < kListCount; ++list)
      before[i + 1].items[list] += before[i].items[list];
  }

  std::vector<ObjPart> parts(texts.size());
  const bool is_by_blender = blender_version(text) != 0;
  for_each_at_once(texts.size(), [&](size_t i) {
    parts[i] = ObjPartParser(texts[i], file, before[i], is_by_blender).parse();
  });
  check_highest_vertex(parts, before.back().items[kVertices], file);

  ObjMerger merger(before.back());
  for (ObjPart& part : parts) {
    merger.add(part);
    part = {};  // frees its memory
  }
  ParsedObj parsed = merger.take();
  constexpr std::string_view kPaint = "#MRGB";  // a comment of ZBrush that holds colours
  const size_t paint = text.starts_with(kPaint) ? 0 : text.find(fmt::format("\n{}", kPaint));
  if (paint != std::string_view::npos)
    parsed.ignored.add(kPaint, obj_statements().find("", kPaint)->why,
                       text_position(text, paint + 1).line);
  return parsed;
}

}  // namespace winnow
