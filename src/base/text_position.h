// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <vector>

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

/// Positions in a text, found by the starts of its lines: for texts with many places to name.
class TextLines {
 public:
  explicit TextLines(std::string_view text = {}) : size_(text.size()) {
    for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n', end + 1))
      starts_.push_back(end + 1);
  }

  /// As text_position().
  TextPosition at(size_t offset) const {
    offset = std::min(offset, size_);
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
    return {size_t(next - starts_.begin()), offset - *std::prev(next) + 1};
  }

 private:
  size_t size_;
  std::vector<size_t> starts_{0};
};

}  // namespace winnow
