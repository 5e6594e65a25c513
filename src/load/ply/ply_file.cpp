// SPDX-License-Identifier: MIT
#include "load/ply/ply_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <ostream>
#include <unordered_set>

#include "base/error.h"
#include "base/files.h"
#include "base/text_position.h"
#include "load/ply/ply.h"

namespace winnow {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr const char* kBlanks = " \t\r\n\v\f";

struct TypeName {
  std::string_view name, other_name;
  NumberType type;
};
constexpr std::array<TypeName, 8> kTypeNames = {{{"char", "int8", int8_t{}},
                                                 {"uchar", "uint8", uint8_t{}},
                                                 {"short", "int16", int16_t{}},
                                                 {"ushort", "uint16", uint16_t{}},
                                                 {"int", "int32", int32_t{}},
                                                 {"uint", "uint32", uint32_t{}},
                                                 {"float", "float32", float{}},
                                                 {"double", "float64", double{}}}};

class HeaderReader {
 public:
  HeaderReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  PlyHeader read() {
    if (bytes_.substr(0, 3) != "ply" || bytes_.find_first_of("\r\n") != 3)
      throw Error(
          fmt::format("{}: this is not a PLY file; expected \"ply\" as its first line", file_));
    next_line();
    bool has_format = false;
    while (next_line(), next_word(), word_ != "end_header") {
      if (word_ == "comment") read_comment();
      if (word_ == "comment" || word_ == "obj_info" || word_.empty()) continue;
      if (word_ == "format") {
        if (has_format) fail("the format is given twice");
        read_format();
        has_format = true;
      } else if (word_ == "element") {
        read_element();
      } else if (word_ == "property") {
        read_property();
      } else {
        ++header_.ignored_lines;  // some programs omit "comment"
      }
    }
    if (!has_format) fail("the header has no line \"format\"");
    header_.size = next_;
    return std::move(header_);
  }

 private:
  /// Moves to the next line. A line ends with "\n", "\r\n" or, in old files, "\r". Data may start
  /// with any byte, so "\r\n" is not a line end if the first line ends with "\r" alone. Some
  /// programs mix the other two.
  void next_line() {
    size_t end = bytes_.find_first_of("\r\n", next_);
    ++line_number_;
    word_end_ = 0;
    if (end == std::string_view::npos) {
      line_ = bytes_.substr(next_);
      if (line_number_ > 1) {
        word_ = line_ = {};
        fail("the file ends before \"end_header\"");
      }
    }
    line_ = bytes_.substr(next_, end - next_);
    const bool is_crlf = bytes_.substr(end, 2) == "\r\n";
    if (line_number_ == 1) has_cr_only_ = bytes_[end] == '\r' && !is_crlf;
    next_ = end + (is_crlf && !has_cr_only_ ? 2 : 1);
  }

  void next_word() {
    constexpr const char* kBetweenWords = " \t";
    size_t start = std::min(line_.find_first_not_of(kBetweenWords, word_end_), line_.size());
    word_end_ = std::min(line_.find_first_of(kBetweenWords, start), line_.size());
    word_ = line_.substr(start, word_end_ - start);
  }

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> what, Args&&... args) const {
    size_t column = word_.empty() ? line_.size() : size_t(word_.data() - line_.data());
    throw Error(fmt::format("{}:{}:{}: {}", file_, line_number_, column + 1,
                            fmt::format(what, std::forward<Args>(args)...)));
  }

  std::string found() const {
    return word_.empty() ? "the end of the line" : fmt::format("'{}'", one_line(word_));
  }

  void expect_end_of_line() {
    next_word();
    if (!word_.empty()) fail("expected the end of the line, found {}", found());
  }

  /// Reads a comment. MeshLab's "TextureFile" names an image, Blender its version; others are text.
  void read_comment() {
    const std::string_view comment = word_;
    next_word();
    if (line_.find("Created in Blender") != std::string_view::npos) header_.is_by_blender = true;
    if (word_ == "TextureFile") {
      const size_t start = std::min(line_.find_first_not_of(" \t", word_end_), line_.size());
      const size_t end = line_.find_last_not_of(" \t") + 1;
      if (start < end) header_.texture_files.emplace_back(line_.substr(start, end - start));
    }
    word_ = comment;
  }

  void read_format() {
    next_word();
    if (word_ == "ascii")
      header_.encoding = PlyEncoding::kAscii;
    else if (word_ == "binary_little_endian")
      header_.encoding = PlyEncoding::kLittleEndian;
    else if (word_ == "binary_big_endian")
      header_.encoding = PlyEncoding::kBigEndian;
    else
      fail("expected ascii, binary_little_endian or binary_big_endian, found {}", found());
    next_word();
    if (word_ != "1.0") fail("expected version 1.0, found {}", found());
    expect_end_of_line();
  }

  void read_element() {
    PlyElement element;
    next_word();
    if (word_.empty()) fail("expected the name of an element");
    if (!elements_.emplace(word_).second) fail("the element {} is defined twice", in_quotes(word_));
    element.name = word_;
    next_word();
    auto [end, error] = std::from_chars(word_.data(), word_.data() + word_.size(), element.count);
    if (error != std::errc() || end != word_.data() + word_.size())
      fail("expected the number of rows of the element, found {}", found());
    expect_end_of_line();
    header_.elements.push_back(std::move(element));
    properties_.clear();
  }

  NumberType read_type() {
    next_word();
    for (const TypeName& known : kTypeNames)
      if (known.name == word_ || known.other_name == word_) return known.type;
    fail("expected a type (char, uchar, short, ushort, int, uint, float or double), found {}",
         found());
  }

  void read_property() {
    if (header_.elements.empty()) fail("a property precedes the first element");
    PlyElement& element = header_.elements.back();
    PlyProperty property;
    size_t before = word_end_;
    next_word();
    property.is_list = word_ == "list";
    if (property.is_list) {
      property.size_type = read_type();
      const bool is_float = std::holds_alternative<float>(property.size_type) ||
                            std::holds_alternative<double>(property.size_type);
      if (is_float) fail("expected an integer type for the length of a list, found {}", found());
    } else {
      word_end_ = before;
    }
    property.type = read_type();
    next_word();
    if (word_.empty()) fail("expected the name of a property");
    if (!properties_.emplace(word_).second)
      fail("the property {} is defined twice", in_quotes(word_));
    property.name = word_;
    expect_end_of_line();
    element.properties.push_back(std::move(property));
  }

  std::string_view bytes_;
  const std::string& file_;
  PlyHeader header_;
  std::unordered_set<std::string_view> elements_;  ///< names
  std::unordered_set<std::string_view>
      properties_;   ///< names of the properties of the last element
  size_t next_ = 0;  ///< start of the next line
  size_t line_number_ = 0;
  bool has_cr_only_ = false;  ///< lines end with "\r"
  std::string_view line_, word_;
  size_t word_end_ = 0;  ///< end of the word in the line
};

template <class T>
void write_bytes(std::ostream& stream, const T& value) {
  stream.write(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace

size_t PlyElement::find(std::string_view property) const {
  auto found = std::find_if(properties.begin(), properties.end(),
                            [&](const PlyProperty& known) { return known.name == property; });
  return found == properties.end() ? kNone : size_t(found - properties.begin());
}

const PlyElement* PlyHeader::find(std::string_view element) const {
  auto found = std::find_if(elements.begin(), elements.end(),
                            [&](const PlyElement& known) { return known.name == element; });
  return found == elements.end() ? nullptr : &*found;
}

PlyHeader read_ply_header(std::string_view bytes, const std::string& file) {
  return HeaderReader(bytes, file).read();
}

double PlyValues::read(NumberType type) {
  if (encoding_ != PlyEncoding::kAscii) {
    value_ = next_;
    if (bytes_.size() - next_ < size_of(type)) fail_at_end();
    next_ += size_of(type);
    auto decode = [&](auto number) {
      char ordered[sizeof number];
      std::memcpy(ordered, bytes_.data() + value_, sizeof number);
      if (encoding_ == PlyEncoding::kBigEndian) std::reverse(ordered, std::end(ordered));
      std::memcpy(&number, ordered, sizeof number);
      return double(number);
    };
    return std::visit(decode, type);
  }
  skip_blanks();
  value_ = next_;
  if (next_ == bytes_.size()) fail_at_end();
  next_ = std::min(bytes_.find_first_of(kBlanks, next_), bytes_.size());
  std::string_view word = bytes_.substr(value_, next_ - value_);
  double number = 0.0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size()) return number;
  float spelled = 0.0f;  // for example "+1", "1e999" or "-nan(ind)"
  switch (read_number(word, spelled)) {
    case NumberKind::kFinite:
      return double(spelled);
    case NumberKind::kNotFinite:
      return std::numeric_limits<double>::quiet_NaN();
    case NumberKind::kNone:
      break;
  }
  fail("expected a number, found '{}'", one_line(word));
}

uint32_t PlyValues::read_index(NumberType type, uint64_t end, const char* what) {
  double number = read(type);
  if (!(number >= 0.0 && number < double(end)) || number != std::floor(number))
    fail("expected {}, a whole number below {}, found {}", what, end, number);
  return uint32_t(number);
}

std::optional<uint32_t> PlyValues::read_strip_index(NumberType type, uint64_t end) {
  const size_t before = next_;
  if (read(type) == -1.0) return {};
  next_ = before;
  return read_index(type, end, "a vertex or -1");
}

uint64_t PlyValues::read_list_size(const PlyProperty& list) {
  double number = read(list.size_type);
  if (!(number >= 0.0) || number != std::floor(number))
    fail("expected the length of a list, found {}", number);
  size_t room = (bytes_.size() - next_) / min_size(list.type);
  if (number > double(room))
    fail("the list has {} items, but the rest of the file holds at most {}", number, room);
  return uint64_t(number);
}

void PlyValues::expect_room_for(const PlyElement& element) const {
  size_t row = 0;
  for (const PlyProperty& property : element.properties)
    row += min_size(property.is_list ? property.size_type : property.type);
  size_t left = bytes_.size() - std::min(next_, bytes_.size());
  if (row > 0 && element.count > (left + 1) / row)  // no blank follows the last word of a text
    throw Error(
        fmt::format("{}: the element {} has {} rows, but the rest of the file, {} bytes, holds at "
                    "most {}: the file is cut off or its header wrong",
                    file_, in_quotes(element.name), element.count, left, (left + 1) / row));
}

void PlyValues::expect_end() {
  if (encoding_ != PlyEncoding::kAscii) return;
  skip_blanks();
  value_ = next_;
  if (next_ < bytes_.size())
    fail("expected the end of the file, found '{}'",
         one_line(bytes_.substr(next_, bytes_.find_first_of(kBlanks, next_) - next_)));
}

void PlyValues::fail_with(const std::string& what) const {
  if (encoding_ != PlyEncoding::kAscii)
    throw Error(fmt::format("{}: byte {}: {}", file_, value_, what));
  TextPosition position = text_position(bytes_, value_);
  throw Error(fmt::format("{}:{}:{}: {}", file_, position.line, position.column, what));
}

size_t PlyValues::min_size(NumberType type) const {
  constexpr size_t kDigitAndBlank = 2;
  return encoding_ == PlyEncoding::kAscii ? kDigitAndBlank : size_of(type);
}

void PlyValues::skip_blanks() {
  next_ = std::min(bytes_.find_first_not_of(kBlanks, next_), bytes_.size());
}

void PlyValues::fail_at_end() const {
  throw Error(fmt::format("{}: the file ends in row {} of {} of the element {}", file_, row_ + 1,
                          element_->count, in_quotes(element_->name)));
}

void write_ply(const std::filesystem::path& file, const PlyPart& part) {
  auto is_zero = [](glm::vec3 n) { return n == glm::vec3(0.0f); };
  const bool has_normals = !std::all_of(part.normals.begin(), part.normals.end(), is_zero);
  const bool has_uvs = !part.uvs.empty(), has_second_uvs = !part.second_uvs.empty();
  const bool has_colors = !part.colors.empty();
  const bool has_materials = !part.materials.empty();
  replace_file(file, [&](std::ostream& stream) {
    std::string header = "ply\nformat binary_little_endian 1.0\n";
    header += fmt::format("element vertex {}\n", part.positions.size());
    auto add_properties = [&](bool is_there, std::initializer_list<const char*> names) {
      for (const char* name : names)
        if (is_there) header += fmt::format("property float {}\n", name);
    };
    add_properties(true, {"x", "y", "z"});
    add_properties(has_normals, {"nx", "ny", "nz"});
    add_properties(has_uvs, {"u", "v_down"});
    add_properties(has_second_uvs, {"u2", "v2_down"});
    add_properties(has_colors, {"linear_red", "linear_green", "linear_blue", "linear_alpha"});
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
