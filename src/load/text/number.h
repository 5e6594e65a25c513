// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

namespace winnow {

/// What a word is where a number is expected.
enum class NumberKind { kFinite, kNotFinite, kNone };

/// Reads a decimal number, with or without a leading "+". Infinity and NaN in any spelling, the old
/// "1.#IND" included, are kNotFinite; so are numbers too large for a float. Anything else that is
/// not a number as a whole is kNone.
///
/// @param number  set where the result is kFinite
NumberKind read_number(std::string_view word, float& number);

/// The type of a number in a binary file; std::visit() passes a value of that type.
using NumberType =
    std::variant<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, float, double>;

/// Bytes of a number of this type.
inline size_t size_of(NumberType type) {
  return std::visit([](auto number) { return sizeof number; }, type);
}

}  // namespace winnow
