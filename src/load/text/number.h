// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace winnow {

/// What a word is where a number is expected.
enum class NumberKind { kFinite, kNotFinite, kNone };

/// Reads a decimal number, with or without a leading "+". Infinity and NaN in any spelling, the old
/// "1.#IND" included, are kNotFinite; so are numbers too large for a float. Anything else that is
/// not a number as a whole is kNone.
///
/// @param number  set where the result is kFinite
NumberKind read_number(std::string_view word, float& number);

}  // namespace winnow
