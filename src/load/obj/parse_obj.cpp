// SPDX-License-Identifier: MIT
#include "load/obj/parse_obj.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <exception>
#include <map>

#include "base/error.h"
#include "load/obj/obj_part.h"
#include "load/obj/statement.h"

namespace winnow {
namespace {

template <class T>
void append_part(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Joins the parts of a text, in their order.
class ObjMerger {
 public:
  /// @param counts  sum over all parts
  explicit ObjMerger(const ObjCounts& counts) {
    all_.positions.reserve(counts.positions);
    all_.is_unusable.reserve(counts.positions);
    all_.normals.reserve(counts.normals);
    all_.uvs.reserve(counts.uvs);
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
    all_.unknown_count += parsed.unknown_count;
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
  throw Error(
      fmt::format("{}:{}:{}: vertex {} is out of range; expected at most {}, the last "
                  "vertex of the file",
                  file, position.line, position.column, highest->highest_vertex, vertex_count));
}

}  // namespace

ParsedObj parse_obj(std::string_view text, const std::string& file, size_t part_bytes) {
  const std::vector<std::string_view> texts =
      split_between_statements(without_byte_order_mark(text), part_bytes);
  std::vector<ObjCounts> before(texts.size() + 1);  // [part], counts of all parts before it
  tbb::parallel_for(size_t{0}, texts.size(),
                    [&](size_t i) { before[i + 1] = count_obj_part(texts[i], file); });
  for (size_t i = 0; i < texts.size(); ++i) before[i + 1] += before[i];

  std::vector<ObjPart> parts(texts.size());
  std::vector<std::exception_ptr> errors(texts.size());
  tbb::parallel_for(size_t{0}, texts.size(), [&](size_t i) {
    try {
      parts[i] = parse_obj_part(texts[i], file, before[i]);
    } catch (...) {
      errors[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  check_highest_vertex(parts, before.back().positions, file);

  ObjMerger merger(before.back());
  for (ObjPart& part : parts) {
    merger.add(part);
    part = {};  // frees its memory
  }
  return merger.take();
}

}  // namespace winnow
