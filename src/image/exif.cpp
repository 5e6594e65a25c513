// SPDX-License-Identifier: MIT
#include "image/exif.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

namespace winnow {

std::optional<std::string> warn_of_orientation(std::string_view exif) {
  constexpr std::string_view kMark("Exif\0\0", 6);  // some WebP and PNG files have it, too
  constexpr uint32_t kOrientation = 0x112, kUpright = 1, kLast = 8;
  constexpr size_t kEntry = 12, kValue = 8;  // bytes of an entry, and before its value
  if (exif.starts_with(kMark)) exif.remove_prefix(kMark.size());
  const bool is_little = exif.starts_with("II");
  auto number = [&](size_t at, size_t bytes) {  // 0 beyond the end
    uint32_t value = 0;
    for (size_t i = 0; i < bytes; ++i) {
      const size_t byte = at + (is_little ? bytes - 1 - i : i);
      value = value << 8 | (byte < exif.size() ? uint8_t(exif[byte]) : 0u);
    }
    return value;
  };
  const size_t directory = number(4, 4), count = number(directory, 2);
  for (size_t i = 0; i < count; ++i) {
    const size_t entry = directory + 2 + kEntry * i;
    if (entry + kEntry > exif.size()) break;
    if (number(entry, 2) != kOrientation) continue;
    const uint32_t orientation = number(entry + kValue, 2);
    if (orientation <= kUpright || orientation > kLast) return {};
    return fmt::format(
        "its Exif orientation ({}) is ignored, as by Blender and Mitsuba: the pixels stay as they "
        "are stored",
        orientation);
  }
  return {};
}

}  // namespace winnow
