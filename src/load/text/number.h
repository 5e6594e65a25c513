// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

namespace winnow {

enum class NumberKind { kFinite, kNotFinite, kNone };

/// Reads a decimal number, with or without a leading "+". Infinity and NaN in any spelling,
/// including the old "1.#IND", and numbers too large for a float are kNotFinite. A word that is not
/// a number as a whole is kNone.
///
/// @param number  set if the result is kFinite
NumberKind read_number(std::string_view word, float& number);

/// Type of a number in a binary file; std::visit() passes a value of that type.
using NumberType =
    std::variant<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, float, double>;

inline size_t size_of(NumberType type) {
  return std::visit([](auto number) { return sizeof number; }, type);
}

}  // namespace winnow
