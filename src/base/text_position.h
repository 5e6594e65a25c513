// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <vector>

namespace winnow {

/// A position in a text: line and column from 1; columns count bytes.
struct TextPosition {
  size_t line = 1;
  size_t column = 1;
};

/// Returns the position of the byte at `offset`, or of the end if the text is shorter.
inline TextPosition text_position(std::string_view text, size_t offset) {
  TextPosition position;
  for (char c : text.substr(0, offset)) {
    ++position.column;
    if (c == '\n') position = {position.line + 1, 1};
  }
  return position;
}

/// Starts of the lines of a text, for finding many positions in it.
class TextLines {
 public:
  explicit TextLines(std::string_view text = {}) : size_(text.size()) {
    for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n', end + 1))
      starts_.push_back(end + 1);
  }

  /// Returns text_position() of the text and `offset`, in logarithmic time.
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
