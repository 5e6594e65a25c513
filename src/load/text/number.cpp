// SPDX-License-Identifier: MIT
#include "load/text/number.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace winnow {
namespace {

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

}  // namespace

NumberKind read_number(std::string_view word, float& number) {
  std::string_view digits = word;
  if (!digits.empty() && digits[0] == '+') digits.remove_prefix(1);
  double value = 0.0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  bool whole = end == digits.data() + digits.size();
  if (whole && error == std::errc::result_out_of_range) {
    // from_chars reports overflow and underflow in the same way; only underflow has a negative
    // exponent.
    bool tiny =
        digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos;
    number = 0.0f;
    return tiny ? NumberKind::kFinite : NumberKind::kNotFinite;
  }
  if (whole && error == std::errc()) {
    number = static_cast<float>(value);
    return std::isfinite(number) ? NumberKind::kFinite : NumberKind::kNotFinite;
  }
  for (std::string_view spelling : {"#ind", "#inf", "#qnan", "#snan", "#nan", "nan", "inf"})
    if (contains_ignoring_case(word, spelling)) return NumberKind::kNotFinite;
  return NumberKind::kNone;
}

}  // namespace winnow
