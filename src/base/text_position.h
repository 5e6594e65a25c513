// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace winnow {

/// A position in a text. Both count from 1; columns count bytes.
struct TextPosition {
  size_t line = 1;
  size_t column = 1;
};

/// The position of the byte at `offset`, or of the end if the text is shorter.
inline TextPosition text_position(std::string_view text, size_t offset) {
  TextPosition position;
  for (char c : text.substr(0, offset)) {
    ++position.column;
    if (c == '\n') position = {position.line + 1, 1};
  }
  return position;
}

}  // namespace winnow
