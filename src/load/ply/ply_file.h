// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/text/number.h"

namespace winnow {

enum class PlyEncoding { kAscii, kLittleEndian, kBigEndian };

/// A property of an element: one value per row, or a list of values.
struct PlyProperty {
  std::string name;
  NumberType type;
  bool is_list = false;
  NumberType size_type;  ///< type of the length of a list
};

/// An element: the table of vertices, of faces, or one that is ignored.
struct PlyElement {
  static constexpr size_t kNone = ~size_t{0};
  std::string name;
  uint64_t count = 0;  ///< rows, according to the header
  std::vector<PlyProperty> properties;

  /// Returns the index of a property in a row, or kNone.
  size_t find(std::string_view property) const;
};

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::kAscii;
  std::vector<PlyElement> elements;
  size_t size = 0;                              ///< bytes of the header
  size_t ignored_lines = 0;                     ///< lines whose first word is unknown
  std::vector<std::string> texture_files = {};  ///< images that comments name
  bool is_by_blender = false;                   ///< by a comment

  /// Returns the element of this name, or nullptr.
  const PlyElement* find(std::string_view element) const;
};

/// Reads the header of a PLY file.
/// Throws Error "file:line:column: what is wrong, what was expected".
/// Greg Turk, "The PLY Polygon File Format", 1994.
PlyHeader read_ply_header(std::string_view bytes, const std::string& file);

/// Reads the values after the header of a PLY file one by one, in text or binary.
class PlyValues {
 public:
  /// @param bytes, header, file  must outlive the reader
  PlyValues(std::string_view bytes, const PlyHeader& header, const std::string& file)
      : bytes_(bytes), next_(header.size), encoding_(header.encoding), file_(file) {}

  /// Starts a row, for messages.
  void start_row(const PlyElement& element, uint64_t row) { element_ = &element, row_ = row; }

  /// Reads the next value. In text, values that are not finite become NaN.
  double read(NumberType type);

  /// Reads the next value, an integer in [0, end).
  uint32_t read_index(NumberType type, uint64_t end, const char* what);

  /// Reads a value of a strip: a vertex in [0, end), or nothing for -1, which ends the strip.
  std::optional<uint32_t> read_strip_index(NumberType type, uint64_t end);

  /// Reads the length of a list. Throws Error if the rest of the file cannot hold its items.
  uint64_t read_list_size(const PlyProperty& list);

  /// Throws Error unless the rest of the file can hold `element`.
  void expect_room_for(const PlyElement& element) const;

  /// Throws Error if there is more text.
  void expect_end();

  /// Throws Error about the last value: "file:line:column: ..." in a text, "file: byte N: ..." in a
  /// binary file.
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> what, Args&&... args) const {
    fail_with(fmt::format(what, std::forward<Args>(args)...));
  }

 private:
  [[noreturn]] void fail_with(const std::string& what) const;
  /// Returns the least number of bytes of a value.
  size_t min_size(NumberType type) const;
  void skip_blanks();
  [[noreturn]] void fail_at_end() const;

  std::string_view bytes_;
  size_t next_, value_ = 0;  ///< start of the next value, and of the last one
  PlyEncoding encoding_;
  const std::string& file_;
  const PlyElement* element_ = nullptr;
  uint64_t row_ = 0;
};

}  // namespace winnow
