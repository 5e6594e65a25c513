// SPDX-License-Identifier: MIT
#include "base/error.h"

namespace winnow {

std::string one_line(std::string_view text, size_t longest) {
  std::string line(text.substr(0, longest));
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text.size() > longest ? line + "..." : line;
}

std::string in_quotes(std::string_view text) {
  return '"' + one_line(text) + '"';
}

}  // namespace winnow
