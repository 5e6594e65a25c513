// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cctype>
#include <ostream>
#include <string>

#include "base/names.h"

namespace winnow {

/// `words` as the name of a test, in which GoogleTest allows letters, digits and '_'.
inline std::string test_name(std::string words) {
  std::replace_if(
      words.begin(), words.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return words;
}

/// A value of an enumeration as the parameter of tests, which GoogleTest shows by its name.
template <class Enum>
struct Named {
  Enum value;

  Named(Enum of) : value(of) {}
  operator Enum() const { return value; }
  friend void PrintTo(const Named& self, std::ostream* out) { *out << enum_name(self.value); }
};

}  // namespace winnow
