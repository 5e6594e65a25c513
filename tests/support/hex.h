// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace winnow {

/// Returns the bytes of hexadecimal text.
inline std::string from_hex(std::string_view text) {
  constexpr int kHex = 16;
  std::string bytes;
  for (size_t at = 0; at + 1 < text.size(); at += 2) {
    uint8_t byte = 0;
    std::from_chars(text.data() + at, text.data() + at + 2, byte, kHex);
    bytes += char(byte);
  }
  return bytes;
}

}  // namespace winnow
