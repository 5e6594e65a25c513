// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "load/ply/ply_header.h"

namespace winnow {

/// Reads the values after the header of a PLY file one by one, in text or binary.
class PlyValues {
 public:
  /// All must outlive the reader.
  PlyValues(std::string_view bytes, const PlyHeader& header, const std::string& file)
      : bytes_(bytes), next_(header.size), encoding_(header.encoding), file_(file) {}

  /// Starts a row, for messages.
  void start_row(const PlyElement& element, uint64_t row) { element_ = &element, row_ = row; }

  /// The next value. In text, values that are not finite become NaN.
  double read(PlyType type);

  /// The next value, an integer in [0, end).
  uint32_t read_index(PlyType type, uint64_t end, const char* what);

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
  size_t min_size(PlyType type) const;
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
