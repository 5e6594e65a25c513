// SPDX-License-Identifier: MIT
#include "load/ply/ply_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/error.h"
#include "base/one_line.h"

namespace winnow {
namespace {

struct TypeName {
  std::string_view name;
  PlyType type;
};
constexpr std::array<TypeName, 16> kTypeNames = {{{"char", PlyType::kInt8},
                                                  {"uchar", PlyType::kUint8},
                                                  {"short", PlyType::kInt16},
                                                  {"ushort", PlyType::kUint16},
                                                  {"int", PlyType::kInt32},
                                                  {"uint", PlyType::kUint32},
                                                  {"float", PlyType::kFloat32},
                                                  {"double", PlyType::kFloat64},
                                                  {"int8", PlyType::kInt8},
                                                  {"uint8", PlyType::kUint8},
                                                  {"int16", PlyType::kInt16},
                                                  {"uint16", PlyType::kUint16},
                                                  {"int32", PlyType::kInt32},
                                                  {"uint32", PlyType::kUint32},
                                                  {"float32", PlyType::kFloat32},
                                                  {"float64", PlyType::kFloat64}}};

bool is_integer(PlyType type) {
  return type != PlyType::kFloat32 && type != PlyType::kFloat64;
}

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
        fail(fmt::format(
            "expected format, element, property, comment, obj_info or end_header, found '{}'",
            one_line(word_)));
      }
    }
    if (!has_format) fail("the header has no line \"format\"");
    header_.size = next_;
    return std::move(header_);
  }

 private:
  /// A line ends with "\n", "\r\n" or, in old files, "\r". Data may start with any byte, so "\r\n"
  /// is one line end only if the first line has it too.
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
    if (line_number_ == 1) has_crlf_ = bytes_.substr(end, 2) == "\r\n";
    next_ = end + (has_crlf_ && bytes_.substr(end, 2) == "\r\n" ? 2 : 1);
  }

  void next_word() {
    constexpr const char* kBlanks = " \t";
    size_t start = std::min(line_.find_first_not_of(kBlanks, word_end_), line_.size());
    word_end_ = std::min(line_.find_first_of(kBlanks, start), line_.size());
    word_ = line_.substr(start, word_end_ - start);
  }

  [[noreturn]] void fail(const std::string& what) const {
    size_t column = word_.empty() ? line_.size() : size_t(word_.data() - line_.data());
    throw Error(fmt::format("{}:{}:{}: {}", file_, line_number_, column + 1, what));
  }

  std::string found() const {
    return word_.empty() ? "the end of the line" : fmt::format("'{}'", one_line(word_));
  }

  void expect_end_of_line() {
    next_word();
    if (!word_.empty()) fail(fmt::format("expected the end of the line, found {}", found()));
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
      fail(fmt::format("expected ascii, binary_little_endian or binary_big_endian, found {}",
                       found()));
    next_word();
    if (word_ != "1.0") fail(fmt::format("expected version 1.0, found {}", found()));
    expect_end_of_line();
  }

  void read_element() {
    PlyElement element;
    next_word();
    if (word_.empty()) fail("expected the name of an element");
    if (header_.find(word_)) fail(fmt::format("the element {} is defined twice", in_quotes(word_)));
    element.name = word_;
    next_word();
    auto [end, error] = std::from_chars(word_.data(), word_.data() + word_.size(), element.count);
    if (error != std::errc() || end != word_.data() + word_.size())
      fail(fmt::format("expected the number of rows of the element, found {}", found()));
    expect_end_of_line();
    header_.elements.push_back(std::move(element));
  }

  PlyType read_type() {
    next_word();
    for (const TypeName& known : kTypeNames)
      if (known.name == word_) return known.type;
    fail(fmt::format(
        "expected a type (char, uchar, short, ushort, int, uint, float or double), found {}",
        found()));
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
      if (!is_integer(property.size_type))
        fail(fmt::format("expected an integer type for the length of a list, found {}", found()));
    } else {
      word_end_ = before;
    }
    property.type = read_type();
    next_word();
    if (word_.empty()) fail("expected the name of a property");
    if (element.find(word_) != PlyElement::kNone)
      fail(fmt::format("the property {} is defined twice", in_quotes(word_)));
    property.name = word_;
    expect_end_of_line();
    element.properties.push_back(std::move(property));
  }

  std::string_view bytes_;
  const std::string& file_;
  PlyHeader header_;
  size_t next_ = 0;  ///< where the next line starts
  size_t line_number_ = 0;
  bool has_crlf_ = false;  ///< lines end with "\r\n"
  std::string_view line_, word_;
  size_t word_end_ = 0;  ///< in the line
};

}  // namespace

size_t ply_type_size(PlyType type) {
  switch (type) {
    case PlyType::kInt8:
    case PlyType::kUint8:
      return 1;
    case PlyType::kInt16:
    case PlyType::kUint16:
      return 2;
    case PlyType::kInt32:
    case PlyType::kUint32:
    case PlyType::kFloat32:
      return sizeof(uint32_t);
    case PlyType::kFloat64:
      return sizeof(double);
  }
  return 0;
}

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

}  // namespace winnow
