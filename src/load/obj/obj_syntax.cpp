#include "load/obj/obj_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/one_line.h"
#include "load/json/json_reader.h"
#include "load/text/statement.h"

namespace winnow {
namespace {

/// The lists of the file that a face corner "vertex/texture/normal" points into.
enum List { kVertices, kTextureVertices, kNormals, kListCount };
constexpr std::array<const char*, kListCount> kListNames = {"vertex", "texture vertex",
                                                            "vertex normal"};

/// Statements that say nothing about surfaces as triangles.
constexpr std::array<std::string_view, 13> kIgnored = {
    "o",        "g",      "vp",     "lod",        "mg",        "bevel", "c_interp",
    "d_interp", "maplib", "usemap", "shadow_obj", "trace_obj", "end"};

class ObjChecker {
 public:
  ObjChecker(std::string_view text, const std::string& file) : lines_(text, file) {
    syntax_.text.reserve(text.size() + text.size() / 4);
  }

  ObjSyntax check() {
    while (lines_.next_line()) check_statement();
    if (highest_vertex_ > counts_[kVertices])
      lines_.fail_at(highest_vertex_position_,
                     fmt::format("vertex {} is out of range; expected at most {}, the last vertex "
                                 "of the file",
                                 highest_vertex_, counts_[kVertices]));
    return std::move(syntax_);
  }

 private:
  void check_statement() {
    std::string_view keyword = lines_.next_word();
    if (keyword == "v") {
      bool usable = check_vector("v");
      syntax_.unusable_positions.push_back(!usable);
      syntax_.unusable_position_count += !usable;
      ++counts_[kVertices];
    } else if (keyword == "vn") {
      check_vector("vn");
      ++counts_[kNormals];
    } else if (keyword == "vt") {
      check_texture_vertex();
      ++counts_[kTextureVertices];
    } else if (keyword == "f") {
      check_face();
    } else if (keyword == "s") {
      check_smoothing();
    } else if (keyword == "usemtl" && !lines_.rest().empty()) {
      std::string name = hide_blanks(lines_.rest());
      fmt::format_to(std::back_inserter(syntax_.text), "usemtl {}\n", name);
      syntax_.material_names.insert(std::move(name));
    } else if (keyword == "mtllib" && !lines_.rest().empty()) {
      syntax_.libraries.emplace_back(lines_.rest());
    } else if (keyword == "l" || keyword == "p") {
      ++syntax_.point_and_line_count;
    } else if (std::find(kIgnored.begin(), kIgnored.end(), keyword) == kIgnored.end()) {
      ++syntax_.unknown_count;
    }
  }

  /// Checks three numbers, and writes them, or zeros where one is not finite or too far.
  bool check_vector(std::string_view keyword) {
    bool usable = true;
    std::array<std::string_view, 3> words;
    for (std::string_view& word : words) {
      word = lines_.next_word();
      float number = 0.0f;
      NumberKind kind = read_number(word, number);
      if (kind == NumberKind::kNone) lines_.fail("expected a number, found " + found(word));
      usable = usable && kind == NumberKind::kFinite && std::abs(number) <= float(kMaxSceneValue);
    }
    if (!usable) words = {"0", "0", "0"};
    fmt::format_to(std::back_inserter(syntax_.text), "{} {} {} {}\n", keyword, words[0], words[1],
                   words[2]);
    return usable;
  }

  /// Writes two numbers, or 0 for what is missing or is none to compute with: the face stays.
  void check_texture_vertex() {
    std::array<std::string_view, 2> words;
    for (std::string_view& word : words) {
      word = lines_.next_word();
      float number = 0.0f;
      const bool usable = read_number(word, number) == NumberKind::kFinite &&
                          std::abs(number) <= float(kMaxSceneValue);
      if (!usable) word = "0";
    }
    fmt::format_to(std::back_inserter(syntax_.text), "vt {} {}\n", words[0], words[1]);
  }

  void check_face() {
    syntax_.text += 'f';
    uint32_t size = 0;
    for (std::string_view corner = lines_.next_word(); !corner.empty() && corner[0] != '#';
         corner = lines_.next_word(), ++size) {
      std::array<uint32_t, kListCount> indices = check_corner(corner);
      if (indices[kVertices] > highest_vertex_) {
        highest_vertex_ = indices[kVertices];
        highest_vertex_position_ = lines_.position();
      }
      auto out = std::back_inserter(syntax_.text);
      fmt::format_to(out, " {}", indices[kVertices]);
      if (indices[kTextureVertices] || indices[kNormals]) *out++ = '/';
      if (indices[kTextureVertices]) fmt::format_to(out, "{}", indices[kTextureVertices]);
      if (indices[kNormals]) fmt::format_to(out, "/{}", indices[kNormals]);
    }
    if (size < 3) lines_.fail(fmt::format("expected a face of 3 or more vertices, found {}", size));
    syntax_.text += '\n';
    syntax_.face_sizes.push_back(size);
  }

  /// The indices of "vertex", "vertex/texture", "vertex//normal" or "vertex/texture/normal",
  /// counted from 1 at the top of the file; 0 for one that is left out.
  std::array<uint32_t, kListCount> check_corner(std::string_view corner) {
    std::array<uint32_t, kListCount> indices{};
    const char* at = corner.data();
    const char* end = at + corner.size();
    for (int list = 0; list < kListCount; ++list) {
      int32_t index = 0;
      auto [after, error] = std::from_chars(at, end, index);
      if (error == std::errc()) {
        indices[size_t(list)] = absolute_index(List(list), index);
      } else if (error == std::errc::result_out_of_range || list == kVertices) {
        fail_corner(corner);
      }
      at = after;
      if (at == end) return indices;
      if (*at++ != '/') fail_corner(corner);
    }
    fail_corner(corner);
  }

  uint32_t absolute_index(List list, int32_t index) {
    if (index == 0)
      lines_.fail(
          fmt::format("{} 0 is out of range; expected to count from 1 (or "
                      "from -1, backwards)",
                      kListNames[list]));
    if (index > 0) return uint32_t(index);
    if (-int64_t(index) > counts_[list])
      lines_.fail(
          fmt::format("{} {} is out of range; expected at most {} back, as many as there are "
                      "above this line",
                      kListNames[list], index, counts_[list]));
    return uint32_t(counts_[list] + index + 1);
  }

  void check_smoothing() {
    std::string_view group = lines_.next_word();
    uint32_t number = 0;
    auto [end, error] = std::from_chars(group.data(), group.data() + group.size(), number);
    bool known = error == std::errc() && end == group.data() + group.size();
    if (group == "on") number = 1;
    if (!known && group != "on" && group != "off") ++syntax_.unknown_count;
    // tinyobjloader reads the group as an int.
    fmt::format_to(std::back_inserter(syntax_.text), "s {}\n", number & 0x7fffffffu);
  }

  [[noreturn]] void fail_corner(std::string_view corner) const {
    lines_.fail(
        fmt::format("expected vertex, vertex/texture, vertex//normal or "
                    "vertex/texture/normal, found {}",
                    found(corner)));
  }

  static std::string found(std::string_view word) {
    return word.empty() ? "the end of the line" : fmt::format("'{}'", one_line(word));
  }

  StatementReader lines_;
  ObjSyntax syntax_;
  std::array<int64_t, kListCount> counts_{};  ///< above the current line
  uint32_t highest_vertex_ = 0;               ///< that a face names
  TextPosition highest_vertex_position_;
};

}  // namespace

ObjSyntax check_obj_syntax(std::string_view text, const std::string& file) {
  return ObjChecker(text, file).check();
}

}  // namespace winnow
