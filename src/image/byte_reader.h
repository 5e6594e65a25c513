// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace winnow {

/// Reads little-endian numbers from bytes. Reading past the end throws Error "truncated".
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  size_t left() const { return bytes_.size(); }

  std::string_view take(size_t count) {
    if (count > bytes_.size()) throw Error("truncated");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  uint8_t read_8() { return uint8_t(read(1)); }
  uint16_t read_16() { return uint16_t(read(2)); }
  uint32_t read_32() { return read(4); }

  /// Returns the next number, of 1 to 4 bytes.
  uint32_t read(size_t size) {
    uint32_t number = 0;
    const std::string_view bytes = take(size);
    for (size_t i = size; i-- > 0;) number = number << 8 | uint8_t(bytes[i]);
    return number;
  }

 private:
  std::string_view bytes_;
};

}  // namespace winnow
