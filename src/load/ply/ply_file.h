// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/text/number.h"

namespace winnow {

enum class PlyEncoding { kAscii, kLittleEndian, kBigEndian };

/// One value of each row of an element, or a list of them.
struct PlyProperty {
  std::string name;
  NumberType type;
  bool is_list = false;
  NumberType size_type;  ///< of the length of a list
};

/// A table: the vertices, the faces, or one that is ignored.
struct PlyElement {
  static constexpr size_t kNone = ~size_t{0};

  std::string name;
  uint64_t count = 0;  ///< rows, according to the header
  std::vector<PlyProperty> properties;

  /// Index of a property in a row, or kNone.
  size_t find(std::string_view property) const;
};

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::kAscii;
  std::vector<PlyElement> elements;
  size_t size = 0;           ///< bytes
  size_t ignored_lines = 0;  ///< whose first word is unknown

  /// The element of this name, or nullptr.
  const PlyElement* find(std::string_view element) const;
};

/// Reads the header of a PLY file.
/// Throws Error "file:line:column: what is wrong, what was expected".
/// Greg Turk, "The PLY Polygon File Format", 1994.
PlyHeader read_ply_header(std::string_view bytes, const std::string& file);

/// Reads the values after the header of a PLY file one by one, in text or binary.
class PlyValues {
 public:
  /// All must outlive the reader.
  PlyValues(std::string_view bytes, const PlyHeader& header, const std::string& file)
      : bytes_(bytes), next_(header.size), encoding_(header.encoding), file_(file) {}

  /// Starts a row, for messages.
  void start_row(const PlyElement& element, uint64_t row) { element_ = &element, row_ = row; }

  /// The next value. In text, values that are not finite become NaN.
  double read(NumberType type);

  /// The next value, an integer in [0, end).
  uint32_t read_index(NumberType type, uint64_t end, const char* what);

  /// The next value, a vertex of a strip of triangles in [0, end); nothing for -1, which ends it.
  std::optional<uint32_t> read_strip_index(NumberType type, uint64_t end);

  /// The next value, the length of a list. The rest of the file can hold its items.
  uint64_t read_list_size(const PlyProperty& list);

  /// Throws Error unless the rest of the file can hold `element`.
  void expect_room_for(const PlyElement& element) const;

  /// Throws Error if there is more text.
  void expect_end();

  /// Throws Error about the value that was read last: "file:line:column: ..." in a text, "file:
  /// byte N: ..." otherwise.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  /// Minimum number of bytes of a value.
  size_t min_size(NumberType type) const;
  void skip_blanks();
  [[noreturn]] void fail_at_end() const;

  std::string_view bytes_;
  size_t next_, value_ = 0;  ///< where the next value starts, and the last
  PlyEncoding encoding_;
  const std::string& file_;
  const PlyElement* element_ = nullptr;
  uint64_t row_ = 0;
};

}  // namespace winnow
