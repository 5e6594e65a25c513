// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace compaction {

/// Returns `text` with the characters escaped that have a meaning in HTML outside of tags.
inline std::string escape_html(std::string_view text) {
  std::string out;
  for (char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

/// Returns bytes in base 64 (RFC 4648), with padding.
inline std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr size_t kGroup = 3;  // bytes per four digits
  std::string text;
  text.reserve((bytes.size() + kGroup - 1) / kGroup * 4);
  for (size_t first = 0; first < bytes.size(); first += kGroup) {
    uint32_t word = 0;
    for (size_t i = first; i < first + kGroup; ++i)
      word = word << 8 | (i < bytes.size() ? uint8_t(bytes[i]) : 0u);
    const size_t digits = std::min(bytes.size() - first, kGroup) + 1;
    for (size_t i = 0; i < 4; ++i) text += i < digits ? kDigits[word >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

/// Replaces each `{{name}}` by the part of this name, once: filled-in text is not searched.
inline std::string fill(std::string_view page,
                        const std::map<std::string_view, std::string>& parts) {
  std::string out;
  for (size_t open; (open = page.find("{{")) != page.npos;) {
    const size_t close = page.find("}}", open);
    out.append(page, 0, open).append(parts.at(page.substr(open + 2, close - open - 2)));
    page.remove_prefix(close + 2);
  }
  return out.append(page);
}

}  // namespace compaction
